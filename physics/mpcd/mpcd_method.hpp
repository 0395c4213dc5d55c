// Multiparticle collision dynamics, as a method.
#pragma once

#include "physics/method.hpp"

namespace mesowarp::mpcd {

const Method& mpcdMethod();

}  // namespace mesowarp::mpcd
