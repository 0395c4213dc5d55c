#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS(SinglePrecision, WideSum<float>, Hardware, false)
MESOWARP_PAIR_LOOPS(SinglePrecision, TakahashiIitakaSum<float>, Hardware, false)
MESOWARP_PAIR_LOOPS(SinglePrecision, NitadoriSum<float>, Hardware, false)
MESOWARP_PAIR_LOOPS(SinglePrecision, ModifiedNitadoriSum<float>, Hardware, false)
