#include "apart_loops.hpp"

MESOWARP_CONSERVATIVE_LOOPS(MixedPrecision, PlainSum<double>, Hardware)
MESOWARP_CONSERVATIVE_LOOPS(MixedPrecision, FixedSum<double>, Portable)
