#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS_ONE(MixedPrecision, PlainSum<double>, Hardware)
MESOWARP_PAIR_LOOPS(MixedPrecision, PlainSum<double>, Hardware)
MESOWARP_PAIR_LOOPS_ONE(MixedPrecision, FixedSum<double>, Portable)
MESOWARP_PAIR_LOOPS(MixedPrecision, FixedSum<double>, Portable)
