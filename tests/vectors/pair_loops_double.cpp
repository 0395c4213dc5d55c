#include "pair_loops.hpp"

MESOWARP_PAIR_LOOPS(DoublePrecision, PlainSum<double>, Hardware, true)
MESOWARP_PAIR_LOOPS(DoublePrecision, PlainSum<double>, Hardware, false)
MESOWARP_PAIR_LOOPS(DoublePrecision, FixedSum<double>, Portable, true)
MESOWARP_PAIR_LOOPS(DoublePrecision, FixedSum<double>, Portable, false)
