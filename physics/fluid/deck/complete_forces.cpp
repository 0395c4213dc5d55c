// Fluctuation and dissipation: sigma^2 = 2 gamma k_BT (the DPD paper, Eq. 8), from any two of the three.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/convert.hpp"
#include "input/grammar/value.hpp"
#include "input/molecules/reach_ever.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/pair/deck/wca_cutoff.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

// Whether sigma^2 and 2 gamma k_BT agree to a relative 1e-6.
bool agree(double sigma, double gamma, double temperature) {
  const double noise = sigma * sigma, friction = 2.0 * gamma * temperature;
  return std::abs(noise - friction) <= 1e-6 * std::max(noise, friction) + 1e-200;
}

class Thermostat {
public:
  explicit Thermostat(Deck& deck) : deck_(deck), report_(deck) {}

  std::vector<Diagnostic>& complete() {
    if (!isGiven(deck_, "run.temperature")) inferTemperature();
    for (std::size_t k = 0; k < deck_.interactions.size(); ++k)
      if (hasDpdNoise(deck_.interactions[k])) complete(k);
    return report_.diagnostics();
  }

private:
  static std::string path(std::size_t k, const char* key) { return fmt::format("interaction.{}.{}", k, key); }
  bool given(std::size_t k, const char* key) const { return isGiven(deck_, path(k, key)); }

  // A deck without run.temperature has that of the first interaction with both friction and noise.
  void inferTemperature() {
    for (std::size_t k = 0; k < deck_.interactions.size(); ++k) {
      const Interaction& i = deck_.interactions[k];
      if (!hasDpdNoise(i) || !given(k, "gamma") || !given(k, "sigma") || !(i.gamma > 0.0)) continue;
      const double temperature = i.sigma * i.sigma / (2.0 * i.gamma);
      if (!(temperature <= largestNumber)) continue;
      deck_.run.temperature = temperature;
      source_ = "the first interaction with both, which gives k_BT";
      return;
    }
  }

  void complete(std::size_t k) {
    Interaction& i = deck_.interactions[k];
    const double kT = deck_.run.temperature;
    if (given(k, "gamma") && given(k, "sigma")) {
      if (!agree(i.sigma, i.gamma, kT)) refuse(k, i, kT);
    } else if (given(k, "gamma")) {
      i.sigma = std::sqrt(2.0 * i.gamma * kT);
      if (!(i.sigma <= largestNumber))
        report_.error(path(k, "gamma"), fmt::format("gamma = {} at run.temperature = {} is too large", i.gamma, kT));
    } else if (given(k, "sigma")) {
      i.gamma = i.sigma > 0.0 ? i.sigma * i.sigma / (2.0 * kT) : 0.0;
      if (!(i.gamma <= largestNumber))
        report_.error(
            path(k, "sigma"),
            fmt::format("sigma = {} at run.temperature = {} would need an endless friction: give gamma instead",
                        i.sigma, kT));
    } else {
      report_.error(fmt::format("interaction.{}", k),
                    fmt::format("[[interaction]] of style {} needs gamma (friction, mass / time) or sigma (noise "
                                "amplitude)",
                                quoted(i.style == FurtherStyle::dpdThermostat ? i.style : InteractionStyle::dpd)));
    }
  }

  void refuse(std::size_t k, const Interaction& i, double kT) {
    std::string message =
        fmt::format("gamma = {} and sigma = {} do not fit {} = {:.9g}: sigma^2 = 2 gamma k_BT asks for sigma = {:.9g}",
                    i.gamma, i.sigma, source_, kT, std::sqrt(2.0 * i.gamma * kT));
    if (kT > 0.0) message += fmt::format(" or gamma = {:.9g}", i.sigma * i.sigma / (2.0 * kT));
    if (i.gamma > 0.0) message += fmt::format("; they belong to k_BT = {:.9g}", i.sigma * i.sigma / (2.0 * i.gamma));
    report_.error(path(k, "sigma"), message + "; or leave one of the two out");
  }

  Deck& deck_;
  Report report_;
  std::string source_ = "run.temperature";  // what fixed the temperature
};

}  // namespace

void completeSums(BlocksRead& read) {
  Deck& deck = read.deck;
  const bool bitwise = deck.run.reproducibility == Reproducibility::bitwise;
  if (!isGiven(deck, "sums.accumulator"))
    deck.sums.accumulator = bitwise                                   ? Accumulator::narumi
                            : deck.run.precision == Precision::single ? Accumulator::single
                                                                      : Accumulator::double_;
  if (isGiven(deck, "sums.range") || !(deck.run.timestep > 0.0)) return;
  double cutoff = 0.0, mass = 0.0;
  for (const auto& interaction : deck.interactions)
    cutoff = std::max({cutoff, interaction.cutoff, interaction.own.get<CutoffEver>().cutoff});
  for (const auto& population : deck.populations)
    if (isOurs(population))
      for (const auto& species : speciesOf(population)) mass = std::max(mass, massOf(deck, species));
  const double largest = 8.0 * cutoff * mass / (deck.run.timestep * deck.run.timestep);
  int exponent = 0;
  if (largest > 0.0 && largest <= largestNumber)
    std::frexp(largest, &exponent), deck.sums.range = std::ldexp(1.0, exponent);
}

void completeForces(BlocksRead& read) {
  for (std::size_t k = 0; k < read.deck.interactions.size(); ++k) {
    Interaction& i = read.deck.interactions[k];
    if (i.style == InteractionStyle::wca) i.cutoff = wcaCutoff(i.sigma);
    if (i.style == InteractionStyle::lj && !isGiven(read.deck, fmt::format("interaction.{}.cutoff", k)))
      i.cutoff = 2.5 * i.sigma;
    if (!(i.cutoff <= largestNumber))
      read.diagnostics.push_back({sourceOf(read.deck, fmt::format("interaction.{}.sigma", k)), "sigma is too large"});
  }
  if (read.broken.count("run") || read.broken.count("interaction")) return;
  Thermostat thermostat(read.deck);
  for (auto& diagnostic : thermostat.complete()) read.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace mesowarp::fluid
