#include "physics/pair/deck/many_body_checks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/pair/conservative_keys.hpp"

namespace mesowarp {
namespace {

using namespace input;

bool isManyBody(const Interaction& i) { return i.style == FurtherStyle::manyBody; }
const ManyBodyKeys& keysOf(const Interaction& i) { return i.own.get<ManyBodyKeys>(); }

// The first of a pair of species that is so, or null.
template <class Is>
const Interaction* first(const std::vector<const Interaction*>& all, const Is& is) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Interaction* i) { return is(*i); });
  return it == all.end() ? nullptr : *it;
}

// Infinite: beyond any at which there would still be a liquid.
double densityWithoutPressure(const Deck& deck, const std::string& species) {
  const auto all = interactionsOf(deck, species, species);
  const Interaction* const pair = first(all, isDpd);
  const Interaction* const many = first(all, isManyBody);
  if (all.size() != 2 || !pair || !many || !(pair->a < 0.0)) return 0.0;
  const double ratio = many->cutoff / pair->cutoff;
  if (std::abs(ratio - 0.75) > 1e-6 || static_cast<DensityWeight>(keysOf(*many).weight) != DensityWeight::quadratic)
    return 0.0;
  // In units of r_c.
  constexpr double alpha = 0.101, c = 4.16, d = 18.0, least = 4.0, most = 40.0;
  const double rc = pair->cutoff, a = pair->a * rc, b = keysOf(*many).b / (rc * rc), rd4 = std::pow(ratio, 4);
  const auto pressure = [&](double rho) {
    return rho * deck.run.temperature + alpha * a * rho * rho +
           2.0 * alpha * b * rd4 * (rho * rho * rho - c * rho * rho + d);
  };
  if (!(pressure(most) > 0.0)) return std::numeric_limits<double>::infinity();
  double high = most;
  while (high > least && pressure(high) > 0.0) high -= 0.01;
  return high > least ? high / (rc * rc * rc) : 0.0;
}

}  // namespace

double liquidDensity(const Deck& deck, const std::string& species) {
  const double density = densityWithoutPressure(deck, species);
  return std::isfinite(density) ? density : 0.0;
}

double liquidDensity(const Deck& deck) {
  double largest = 0.0;
  for (const auto& species : deck.species) largest = std::max(largest, liquidDensity(deck, species));
  return largest;
}

void checkManyBody(const Deck& deck, Report& report) {
  const Interaction* one = nullptr;
  for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
    const Interaction& i = deck.interactions[k];
    if (!isManyBody(i)) continue;
    if (!one) one = &i;
    const std::string path = fmt::format("interaction.{}", k);
    if (one == &i && static_cast<DensityWeight>(keysOf(i).weight) == DensityWeight::lucy)
      report.warning(path + ".density_weight",
                     "forces with density_weight = \"lucy\" have no energy: potential_energy and total_energy are no "
                     "energies, and the fluid is heated at any timestep");
    const auto differs = [&](const char* key, double here, double there) {
      report.warning(path + "." + key,
                     fmt::format("{} = {} here and {} in another many-body interaction: only if all have the same does "
                                 "an energy belong to these forces",
                                 key, here, there));
    };
    if (keysOf(i).b != keysOf(*one).b) differs("b", keysOf(i).b, keysOf(*one).b);
    if (i.cutoff != one->cutoff) differs("cutoff", i.cutoff, one->cutoff);
    if (keysOf(i).weight != keysOf(*one).weight)
      report.warning(path + ".density_weight", "density_weight differs from that of another many-body interaction");
  }
  for (const auto& species : deck.species)
    if (!isFrozen(deck, species) && std::isinf(densityWithoutPressure(deck, species)))
      report.warning(fmt::format("interaction.{}.b", one - deck.interactions.data()),
                     fmt::format("b = {} is too small for how much {} attracts itself: by the equation of state its "
                                 "liquid has no density below 40, so particles gather in points; make b larger",
                                 keysOf(*one).b, quoted(species)));
  std::vector<const Interaction*> told;
  for (const auto& a : deck.species)
    for (const auto& b : deck.species) {
      const auto all = interactionsOf(deck, a, b);
      const Interaction* pair = first(all, [](const Interaction& i) { return isDpd(i) && i.a < 0.0; });
      const Interaction* many = first(all, isManyBody);
      const bool repels = all.size() > 1 && !(all.size() == 2 && many && !(keysOf(*many).b > 0.0));
      if (!pair || repels || (isFrozen(deck, a) && isFrozen(deck, b)) || std::count(told.begin(), told.end(), pair) > 0)
        continue;
      told.push_back(pair);
      report.warning(
          fmt::format("interaction.{}.a", pair - deck.interactions.data()),
          fmt::format("a = {} attracts, and nothing keeps {} and {} apart: particles gather in points; add an "
                      "[[interaction]] with style = \"many-body\"",
                      pair->a, quoted(a), quoted(b)));
    }
}

}  // namespace mesowarp
