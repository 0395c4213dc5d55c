#include "physics/integrate/box/barostat.hpp"

#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "core/random.hpp"
#include "device/tag_random.hpp"

namespace mesowarp {
namespace {

// exp(x) to third order, by operations that every machine rounds alike; a change is some 1e-3.
double stretch(double x) { return (1.0 + 0.5 * x) / (1.0 - 0.5 * x); }

std::vector<std::vector<std::size_t>> groupsOf(int coupling) {
  switch (coupling) {
  case BarostatKeys::semiIsotropic:
    return {{0, 1}, {2}};
  case BarostatKeys::anisotropic:
    return {{0}, {1}, {2}};
  case BarostatKeys::alongZ:
    return {{2}};
  default:
    return {{0, 1, 2}};
  }
}

}  // namespace

std::array<double, 3> rescaled(const BarostatKeys& keys, const std::array<double, 3>& size,
                               const std::array<double, 3>& pressure, double temperature, double time,
                               const std::function<double(int group)>& noise) {
  const double volume = size[0] * size[1] * size[2];
  std::array<double, 3> next = size;
  int number = 0;
  for (const auto& axes : groupsOf(keys.coupling)) {
    const double n = static_cast<double>(axes.size()), share = n / 3.0 * keys.compressibility / keys.period * time;
    double excess = -keys.pressure;
    for (const std::size_t a : axes) excess += pressure[a] / n;
    if (keys.coupling == BarostatKeys::semiIsotropic && axes.size() == 2) excess += keys.tension / size[2];
    excess += 0.25 * temperature / volume;
    const double eta = share * excess + std::sqrt(2.0 * share * temperature / volume) * noise(number++);
    const double by = stretch(eta / n);
    if (!(std::abs(eta) < 0.3))
      throw RunError(fmt::format("the barostat would change the box by {:.3g} of its volume at once, at a pressure of "
                                 "{:.4g}: raise barostat.period, check barostat.compressibility, or let particles that "
                                 "overlap part first ([relaxation])",
                                 eta, excess + keys.pressure));
    for (const std::size_t a : axes) next[a] = size[a] * by;
  }
  return next;
}

BarostatPhase::BarostatPhase(ListedPopulation& population, const input::Deck& deck, std::shared_ptr<Schedule> schedule)
    : Phase("barostat", population), listed_(population), keys_(deck.own.get<BarostatKeys>()),
      timestep_(deck.run.timestep), temperature_(deck.run.temperature), seed_(deck.run.seed),
      schedule_(std::move(schedule)) {}

void BarostatPhase::look(i64 step, const ThermoSums& sums) {
  const std::array<double, 3> size = listed_.boxSize();
  const double volume = size[0] * size[1] * size[2];
  std::array<double, 3> pressure{};
  for (std::size_t a = 0; a < 3; ++a) pressure[a] = (sums.kinetic[a] + sums.virial[a]) / volume;
  if (schedule_) {
    const input::Deck& now = schedule_->at(step);
    temperature_ = now.run.temperature;
    keys_.pressure = now.own.get<BarostatKeys>().pressure, keys_.tension = now.own.get<BarostatKeys>().tension;
  }
  const StepKey key = stepKey(seed_, Stream::boxNoise, step);
  const StepKey keyOfNext = stepKey(seed_, Stream::boxNoise, step + keys_.every);
  next_ = rescaled(keys_, size, pressure, temperature_, timestep_ * static_cast<double>(keys_.every), [&](int group) {
    const auto of = [&](const StepKey& k) { return TagRandom(k, static_cast<u32>(group)).gaussian(); };
    return 0.5 * (of(key) + of(keyOfNext));
  });
}

void BarostatPhase::changeBox(i64) { listed_.deform(next_); }

}  // namespace mesowarp
