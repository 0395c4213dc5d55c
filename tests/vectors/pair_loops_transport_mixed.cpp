#include "apart_loops.hpp"

MESOWARP_TRANSPORT_LOOPS(MixedPrecision, PlainSum<double>, Hardware)
MESOWARP_TRANSPORT_LOOPS(MixedPrecision, FixedSum<double>, Portable)
