// Particles in a box with forces between pairs of them, as a method.
#pragma once

#include "physics/method.hpp"

namespace mesowarp::fluid {

const Method& fluidMethod();

}  // namespace mesowarp::fluid
