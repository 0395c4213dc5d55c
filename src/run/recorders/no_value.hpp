// What tables and profiles have where nothing was there to be looked at.
#pragma once

#include <limits>

namespace mesowarp {

inline constexpr double noValue = std::numeric_limits<double>::quiet_NaN();

}  // namespace mesowarp
