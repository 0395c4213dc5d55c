#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS(SinglePrecision, PlainSum<float>, Hardware, true)
MESOWARP_PAIR_LOOPS(SinglePrecision, PlainSum<float>, Hardware, false)
MESOWARP_PAIR_LOOPS(SinglePrecision, FixedSum<float>, Portable, true)
MESOWARP_PAIR_LOOPS(SinglePrecision, FixedSum<float>, Portable, false)
