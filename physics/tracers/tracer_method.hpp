// Brownian tracers, as a method.
#pragma once

#include "physics/method.hpp"

namespace mesowarp::tracers {

const Method& tracerMethod();

}  // namespace mesowarp::tracers
