#include "apart_loops.hpp"

MESOWARP_TRANSPORT_LOOPS(DoublePrecision, PlainSum<double>, Hardware)
MESOWARP_TRANSPORT_LOOPS(DoublePrecision, FixedSum<double>, Portable)
