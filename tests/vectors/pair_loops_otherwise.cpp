#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS(SinglePrecision, WideSum<float>, Hardware)
MESOWARP_PAIR_LOOPS(SinglePrecision, TakahashiIitakaSum<float>, Hardware)
MESOWARP_PAIR_LOOPS(SinglePrecision, NitadoriSum<float>, Hardware)
MESOWARP_PAIR_LOOPS(SinglePrecision, ModifiedNitadoriSum<float>, Hardware)
