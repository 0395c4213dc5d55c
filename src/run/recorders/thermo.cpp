#include "run/recorders/thermo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/shear.hpp"
#include "input/method.hpp"

namespace mesowarp {
namespace {

// Components of the total momentum that no wall changes: a specular wall changes its normal component, a bounce-back
// wall all of them, and so do frozen particles and Langevin noise. Each takes one degree of freedom.
int conservedMomenta(const input::Deck& deck) {
  for (const input::MethodBlocks* method : input::methodsOf(deck))
    if (!method->keepsMomentum(deck)) return 0;
  int conserved = 0;
  for (int axis = 0; axis < 3; ++axis) {
    conserved += deck.box.periodic[axis] ? 1 : 0;
    for (const auto style : deck.faces[axis])
      if (style == input::FaceStyle::bounce_back) return 0;
  }
  return conserved;
}

}  // namespace

// Every column that the deck's grammar knows (input/schema_world.cpp) is here or in ThermoRecorder::record; a test asks
// for all of them. T = sum m v^2 / degrees of freedom, P = (sum m v v + virial) / V, per component and averaged.
Quantities thermoQuantities(const ThermoSums& s, const input::Deck& deck, i64 mobile,
                            const std::optional<std::array<double, 3>>& sizeNow, double openPart) {
  const auto size = sizeNow.value_or(deck.box.size);
  const double volume = size[0] * size[1] * size[2] * openPart;
  const double freedom = 3.0 * static_cast<double>(mobile) - (mobile > 1 ? conservedMomenta(deck) : 0);
  Quantities q;
  const double kinetic = s.kinetic[0] + s.kinetic[1] + s.kinetic[2];
  q["temperature"] = freedom > 0.0 ? kinetic / freedom : 0.0;  // 0 where all are held
  q["kinetic_energy"] = 0.5 * kinetic;
  q["potential_energy"] = s.potential;
  q["total_energy"] = 0.5 * kinetic + s.potential;
  for (int c = 0; c < 3; ++c) q[std::string("momentum_") + "xyz"[c]] = s.momentum[c];
  if (!(volume > 0.0)) return q;  // without a box there is no pressure
  for (std::size_t c = 0; c < 3; ++c) q[std::string("mass_flow_") + "xyz"[c]] = s.momentum[c] / size[c];
  for (int c = 0; c < 3; ++c) q[std::string("net_force_") + "xyz"[c]] = s.force[c];
  static const char* components[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  for (int c = 0; c < 6; ++c) q[std::string("pressure_") + components[c]] = (s.kinetic[c] + s.virial[c]) / volume;
  q["volume"] = volume;
  for (std::size_t c = 0; c < 3; ++c) q[std::string("box_") + "xyz"[c]] = size[c];
  q["surface_tension"] = size[2] * (q["pressure_zz"] - 0.5 * (q["pressure_xx"] + q["pressure_yy"]));
  q["pressure"] = (q["pressure_xx"] + q["pressure_yy"] + q["pressure_zz"]) / 3.0;
  if (const Shear shear = deck.own.get<Shear>(); shear.on) {  // of two different axes: 3 xy, 4 xz, 5 yz
    q["shear_stress"] = -q[std::string("pressure_") + components[2 + shear.flow + shear.gradient]];
    q["viscosity"] = q["shear_stress"] / shear.rate;
  }
  return q;
}

Quantities TableQuantities::of(const Engine& engine) {
  Quantities q = thermoQuantities(engine.sums(), deck_, engine.mobile(), engine.boxSize(), openPart_);
  q.merge(window.quantities(engine));
  if (const auto rate = q.find("shear_rate"); rate != q.end()) q["viscosity"] = q["shear_stress"] / rate->second;
  return q;
}

std::pair<double, double> blockAverage(const std::vector<double>& values) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {unknown, unknown};
  const std::size_t blocks = std::min<std::size_t>(10, values.size());
  std::vector<double> means(blocks, 0.0);
  double mean = 0.0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = b * values.size() / blocks, last = (b + 1) * values.size() / blocks;
    for (std::size_t k = first; k < last; ++k) means[b] += values[k] / static_cast<double>(last - first);
    mean += means[b] / static_cast<double>(blocks);
  }
  double spread = 0.0;
  for (const double m : means) spread += (m - mean) * (m - mean);
  const double n = static_cast<double>(blocks);
  return {mean, blocks > 1 ? std::sqrt(spread / (n * (n - 1.0))) : unknown};
}

}  // namespace mesowarp
