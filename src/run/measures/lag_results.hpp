// What follows from functions of a lag.
#pragma once

#include <algorithm>
#include <vector>

#include "input/deck.hpp"
#include "run/measures/measured.hpp"

namespace mesowarp {

// Where a fit or an integral ends, time: as the deck says; else an eighth of the time that was sampled, the longest lag
// or half a burst, whichever is least.
inline double lastLag(const input::Measure& measure, double timestep, double samples,
                      const std::vector<double>& times) {
  if (measure.to > 0.0) return measure.to;
  const double most = std::min(times.back(), samples * static_cast<double>(measure.every) * timestep / 8.0);
  return measure.burst > 0 ? std::min(most, 0.5 * static_cast<double>(measure.burst) * timestep) : most;
}

// Slope of the straight line through the points of lags in [from, to], by least squares; values that are not known are
// left out.
inline double slope(const std::vector<double>& t, const std::vector<double>& y, double from, double to) {
  double n = 0.0, st = 0.0, sy = 0.0;
  const auto isIn = [&](std::size_t k) {
    const double slack = 1e-9 * to;
    return t[k] >= from - slack && t[k] <= to + slack && y[k] == y[k];
  };
  for (std::size_t k = 0; k < t.size(); ++k)
    if (isIn(k)) n += 1.0, st += t[k], sy += y[k];
  double tt = 0.0, ty = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (isIn(k)) tt += (t[k] - st / n) * (t[k] - st / n), ty += (t[k] - st / n) * (y[k] - sy / n);
  return n > 1.0 ? ty / tt : notKnown;
}

// Running integral by trapezoids; not known from the first point on that is not.
inline std::vector<double> integral(const std::vector<double>& t, const std::vector<double>& y) {
  std::vector<double> all(t.size(), 0.0);
  for (std::size_t k = 1; k < t.size(); ++k) all[k] = all[k - 1] + 0.5 * (y[k] + y[k - 1]) * (t[k] - t[k - 1]);
  return all;
}
// Of a running value the last that is known of lags up to `to`.
inline double valueAt(const std::vector<double>& t, const std::vector<double>& y, double to) {
  double last = notKnown;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] <= to * (1.0 + 1e-9) && y[k] == y[k]) last = y[k];
  return last;
}

}  // namespace mesowarp
