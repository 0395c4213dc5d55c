#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS_ONE(DoublePrecision, PlainSum<double>, Hardware)
MESOWARP_PAIR_LOOPS(DoublePrecision, PlainSum<double>, Hardware)
MESOWARP_PAIR_LOOPS_ONE(DoublePrecision, FixedSum<double>, Portable)
MESOWARP_PAIR_LOOPS(DoublePrecision, FixedSum<double>, Portable)
