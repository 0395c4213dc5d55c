#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS(MixedPrecision, PlainSum<double>, Hardware, true)
MESOWARP_PAIR_LOOPS(MixedPrecision, PlainSum<double>, Hardware, false)
MESOWARP_PAIR_LOOPS(MixedPrecision, FixedSum<double>, Portable, true)
MESOWARP_PAIR_LOOPS(MixedPrecision, FixedSum<double>, Portable, false)
