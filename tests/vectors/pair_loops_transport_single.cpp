#include "apart_loops.hpp"

MESOWARP_TRANSPORT_LOOPS(SinglePrecision, PlainSum<float>, Hardware)
MESOWARP_TRANSPORT_LOOPS(SinglePrecision, FixedSum<float>, Portable)
