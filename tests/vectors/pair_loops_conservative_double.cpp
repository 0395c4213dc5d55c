#include "apart_loops.hpp"

MESOWARP_CONSERVATIVE_LOOPS(DoublePrecision, PlainSum<double>, Hardware)
MESOWARP_CONSERVATIVE_LOOPS(DoublePrecision, FixedSum<double>, Portable)
