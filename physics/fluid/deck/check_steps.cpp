// The time step against what has to be resolved. Estimates, so nearly all of them warn.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/integrate/relaxation_keys.hpp"
#include "physics/pair/conservative_keys.hpp"
#include "physics/pair/deck/many_body_checks.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double tenStepsAPeriod =
    2.0 * pi / 10.0;  // of omega dt; velocity Verlet itself is unstable from omega dt = 2

// Second derivative of the Lennard-Jones potential where two particles that meet with energy E = 2 k_BT turn back.
// u = (sigma/r)^6: E = 4 epsilon (u^2 - u), for wca plus epsilon; U'' = 4 epsilon / sigma^2 u^(1/3) (156 u^2 - 42 u).
double turningStiffness(const Interaction& i, double kT) {
  const double e = 2.0 * kT / i.epsilon;
  const double u = i.style == InteractionStyle::wca ? (1.0 + std::sqrt(e)) / 2.0 : (1.0 + std::sqrt(1.0 + e)) / 2.0;
  return 4.0 * i.epsilon / (i.sigma * i.sigma) * std::cbrt(u) * (156.0 * u * u - 42.0 * u);
}

struct Fastest {
  double frequency = 0.0;  // omega of the conservative forces
  double friction = 0.0;   // decay rate of a particle's velocity
};

// DPD: a particle among neighbours of densities rho_j feels, at most, the stiffness
//   K_i = sum_j rho_j int U''(r) cos^2 d^3r = sum_j (4 pi / 9) rho_j a_ij r_c^2   (U'' = a / r_c; lateral part,
//   negative, left out)
// of many-body DPD with a = b (rho_i + rho_j) and r_d, at the density of its liquid at least,
// and the friction sum_j rho_j int gamma_ij w_D(r) cos^2 d^3r = sum_j (4 pi / 3) rho_j gamma_ij r_c^3 2 /
// ((2s+1)(2s+2)(2s+3)). omega = sqrt(K_i / m_i). Lennard-Jones: a pair alone, omega = sqrt(U'' / reduced mass) at the
// turning point.
Fastest fastestOf(const Deck& deck, std::size_t i, const DensitiesAround& density) {
  Fastest fastest;
  const double mass = massOf(deck, deck.species[i]);
  double stiffness = 0.0;
  const double liquid = liquidDensity(deck);
  const auto around = [&](std::size_t j) { return std::max(density.of(i, j), liquid); };
  for (std::size_t j = 0; j < deck.species.size(); ++j) {
    if (!isOurs(deck, deck.species[j])) continue;
    for (const Interaction* pair : interactionsOf(deck, deck.species[i], deck.species[j])) {
      const double other = massOf(deck, deck.species[j]);
      if (hasDpdNoise(*pair)) {
        const double s2 = 2.0 * pair->exponent, rc = pair->cutoff;
        stiffness += 4.0 * pi / 9.0 * density.of(i, j) * std::abs(pair->a) * rc * rc;
        fastest.friction += 4.0 * pi / 3.0 * density.of(i, j) * pair->gamma * rc * rc * rc * 2.0 /
                            ((s2 + 1.0) * (s2 + 2.0) * (s2 + 3.0)) / mass;
      } else if (pair->style == FurtherStyle::manyBody) {
        const double a = pair->own.get<ManyBodyKeys>().b * (around(i) + around(j)), rd = pair->cutoff;
        stiffness += 4.0 * pi / 9.0 * around(j) * a * rd * rd;
      } else {
        const bool lj = familyOf(pair->style) == InteractionStyle::lj;
        const double stiff =
            lj ? turningStiffness(*pair, deck.run.temperature) : stiffnessOf(*pair, deck.run.temperature);
        fastest.frequency = std::max(fastest.frequency, std::sqrt(stiff * (1.0 / mass + 1.0 / other)));
      }
    }
  }
  fastest.frequency = std::max(fastest.frequency, std::sqrt(stiffness / mass));
  return fastest;
}

// By how much, of k_BT, a DPD fluid is hotter than its thermostat. Measured (docs/validation.md, "Temperature against
// the time step") of the standard fluid, whose friction is 1.885 and whose omega^2 is 104.7 as estimated above:
// velocity Verlet 0.38 dt + 7.6 dt^2, of which the first is the friction's, which reads half-step velocities, the
// second the repulsion's; Groot and Warren's lambda = 0.65 0.09% at dt = 0.04 and 1.06% at 0.06, a sixth power. Between
// them, in lambda, a straight line.
double excessTemperature(const Deck& deck, const Fastest& fastest, double dt) {
  const double decay = fastest.friction * dt, angle = fastest.frequency * dt;
  const double verlet = 0.38 / 1.885 * decay + 7.6 / 104.7 * angle * angle, grootWarren = 0.198 * std::pow(angle, 6);
  const double weight = deck.integrator.style == IntegratorStyle::groot_warren
                            ? std::clamp((deck.integrator.lambda - 0.5) / 0.15, 0.0, 1.0)
                            : 0.0;
  return (1.0 - weight) * verlet + weight * grootWarren;
}

void checkTemperature(const Deck& deck, const Fastest& fastest, Report& report) {
  constexpr double tolerated = 0.01;
  const double dt = deck.run.timestep, excess = excessTemperature(deck, fastest, dt);
  if (!(fastest.friction > 0.0) || !(excess > tolerated) || excess > 0.2)
    return;  // beyond that nothing was measured, and other warnings are due
  double low = 0.0, high = dt;
  for (int k = 0; k < 60; ++k)
    (excessTemperature(deck, fastest, 0.5 * (low + high)) > tolerated ? high : low) = 0.5 * (low + high);
  report.warning("run.timestep", fmt::format("timestep = {} makes a fluid like this {:.1f}% hotter than "
                                             "run.temperature = {}: at most {:.2g} keeps it within {:.0f}%{}",
                                             dt, 100.0 * excess, deck.run.temperature, low, 100.0 * tolerated,
                                             deck.integrator.style == IntegratorStyle::groot_warren
                                                 ? ""
                                                 : ", or take integrator.style = \"groot-warren\""));
}

bool has(const Deck& deck, const std::string& style) {
  return std::any_of(deck.interactions.begin(), deck.interactions.end(),
                     [&](const Interaction& i) { return i.style == style; });
}

// Particles of a random start overlap, which only a soft force forgives.
void checkOverlaps(const Deck& deck, Report& report) {
  if (!has(deck, InteractionStyle::lj) && !has(deck, InteractionStyle::wca)) return;
  if (deck.own.get<RelaxationKeys>().on) return;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    if (deck.populations[k].initial != StartKind::random || apartOf(deck.populations[k]) > 0.0) continue;
    if (deck.populations[k].kind == Kind::membrane) continue;  // cells start apart
    for (const auto& species : speciesOf(deck.populations[k])) {
      const auto own = interactionsOf(deck, species, species);
      if (std::none_of(own.begin(), own.end(),
                       [](const Interaction* i) { return familyOf(i->style) == InteractionStyle::lj; }))
        continue;
      const bool chain = deck.populations[k].kind == Kind::polymer;
      report.warning(fmt::format("population.{}", k),
                     fmt::format("particles of {} overlap at random places, where Lennard-Jones forces have no bound: "
                                 "{}",
                                 quoted(species),
                                 chain ? "keep beads `apart`, start from a \"file\", or add a [relaxation]"
                                       : "start from a \"lattice\" or a \"file\", or add a [relaxation]"));
      break;
    }
  }
}

}  // namespace

void checkTimestep(const Deck& deck, Report& report) {
  const double dt = deck.run.timestep;
  const DensitiesAround density(deck);
  Fastest fastest;
  std::size_t stiff = 0, damped = 0;
  for (std::size_t i = 0; i < deck.species.size(); ++i) {
    if (!isOurs(deck, deck.species[i]) || isFrozen(deck, deck.species[i])) continue;
    const Fastest one = fastestOf(deck, i, density);
    if (one.frequency > fastest.frequency) fastest.frequency = one.frequency, stiff = i;
    if (one.friction > fastest.friction) fastest.friction = one.friction, damped = i;
  }
  if (dt * fastest.frequency > tenStepsAPeriod)
    report.warning(
        "run.timestep",
        fmt::format(
            "timestep = {} is long for the repulsion on {}: fewer than ten steps a period; at most {:.2g} is advised",
            dt, quoted(deck.species[stiff]), tenStepsAPeriod / fastest.frequency));
  constexpr double mostDecay = 0.15;  // a step, of the velocity; the error of the temperature grows with it
  if (dt * fastest.friction > mostDecay)
    report.warning("run.timestep",
                   fmt::format("timestep = {} is long for the friction on {}: velocities decay by {:.0f}% a step; at "
                               "most {:.2g} is advised",
                               dt, quoted(deck.species[damped]), 100.0 * (1.0 - std::exp(-dt * fastest.friction)),
                               mostDecay / fastest.friction));
  if (!has(deck, InteractionStyle::lj) && !has(deck, InteractionStyle::wca) && !has(deck, FurtherStyle::soft) &&
      !has(deck, FurtherStyle::table) && !has(deck, FurtherStyle::morse) && !has(deck, FurtherStyle::manyBody))
    checkTemperature(deck, fastest, report);
  if (dt > 0.1)
    report.warning("run.timestep",
                   fmt::format("timestep = {} is above 0.1, the most that DPD fluids are run with", dt));
  checkOverlaps(deck, report);
}

}  // namespace mesowarp::fluid
