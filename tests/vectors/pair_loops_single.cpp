#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS_ONE(SinglePrecision, PlainSum<float>, Hardware)
MESOWARP_PAIR_LOOPS(SinglePrecision, PlainSum<float>, Hardware)
MESOWARP_PAIR_LOOPS_ONE(SinglePrecision, FixedSum<float>, Portable)
MESOWARP_PAIR_LOOPS(SinglePrecision, FixedSum<float>, Portable)
