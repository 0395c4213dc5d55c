#include "apart_loops.hpp"

MESOWARP_CONSERVATIVE_LOOPS(SinglePrecision, PlainSum<float>, Hardware)
MESOWARP_CONSERVATIVE_LOOPS(SinglePrecision, FixedSum<float>, Portable)
