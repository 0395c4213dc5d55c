#include "physics/boundary/deck/wall_tables.hpp"

#include <algorithm>
#include <cmath>

#include "input/method.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/fluid_volume.hpp"
#include "physics/boundary/wall_nodes.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

namespace mesowarp::boundary {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr int slices = 400;
// A smooth wall lacks what particles hold back by repelling, so many times (1 - phi) what friction does. Measured:
// with 2.4 next to the standard fluid (phi = 0.17) it slips by 1.15% of the wall's speed, with 4.2 the bulk goes 0.8%
// too slowly; more viscous fluids (0.97, 0.99) stick to the surface within 0.4% with friction alone, and with 2 are 5%
// too slow.
constexpr double roughness = 3.5;
// So that int G f^2 df = G_0 r_c^3 / 5: 16 / 9.
constexpr double unitOfDrag = 6.0 / (WallNodes::reach * WallNodes::reach * WallNodes::reach);
static_assert(unitOfDrag == 16.0 / 9.0);

// Midpoint rule.
template <class F>
double integral(double from, double to, const F& f) {
  double sum = 0.0;
  const double width = (to - from) / slices;
  for (int k = 0; k < slices; ++k) sum += f(from + (k + 0.5) * width);
  return sum * width;
}

// Of a half-space that begins at a distance h.
double pushOfHalf(const input::Interaction& pair, double h) {
  return integral(h, pair.cutoff, [&](double r) { return (1.0 - r / pair.cutoff) * (r * r - h * h); });
}
double pushOfCurve(const input::Interaction& pair, double h) {
  return integral(0.0, std::sqrt(std::max(0.0, pair.cutoff * pair.cutoff - h * h)), [&](double s) {
    const double r = std::sqrt(h * h + s * s);
    return 0.5 * pi * s * s * s * pair.a * (1.0 - r / pair.cutoff) * h / r;
  });
}
double dissipativeWeight(const input::Interaction& pair, double r) {
  return std::pow(1.0 - r / pair.cutoff, 2.0 * pair.exponent);
}
double dragOfHalf(const input::Interaction& pair, double h) {
  return integral(h, pair.cutoff, [&](double r) {
    const double c = h / r;
    return r * r * dissipativeWeight(pair, r) * ((1.0 - c) - (1.0 - c * c * c) / 3.0);
  });
}

// Over planes at heights h of int_f^r (r^2 - h^2) (h - f) dh = (r - f)^3 (3 r + f) / 12.
double lacksOfHalf(const input::Interaction& pair, double f) {
  return integral(f, pair.cutoff,
                  [&](double r) {
                    const double depth = r - f;
                    return dissipativeWeight(pair, r) * depth * depth * depth * (3.0 * r + f) / r;
                  }) /
         (12.0 * std::max(f, 0.1 * pair.cutoff));
}

// phi of a fluid that has the density around the walls: 1 - eta_K / eta, where eta_K = rho m D / 2. 0: no viscosity.
double partOfFriction(const input::Interaction& pair, double mass, double temperature, double density) {
  const double carried = 0.5 * transport::particleDiffusion(pair, temperature, density);
  const double rubbed = (transport::kinematicViscosity(pair, temperature, density) - carried) / mass;
  return rubbed > 0.0 ? rubbed / (rubbed + carried) : 0.0;
}

double exchangeOfHalf(double cutoff, double exponent, double h) {
  return h >= cutoff ? 0.0 : 2.0 * pi * integral(h, cutoff, [&](double r) {
                               return r * (r - h) * std::pow(1.0 - r / cutoff, exponent);
                             });
}

// int w_DC(r) d / h d^3r, d the depth: what a linear profile that is zero at the surface has on its other side.
double mirrorOfHalf(double cutoff, double exponent, double h) {
  const double most = 1.0 / 256.0 * cutoff;
  return h >= cutoff ? 0.0 : pi / std::max(h, most) * integral(h, cutoff, [&](double r) {
                               return r * (r - h) * (r - h) * std::pow(1.0 - r / cutoff, exponent);
                             });
}

bool sticks(const input::Wall& wall) { return wall.style == input::WallStyle::bounce_back; }

// Empty: there is none.
std::string firstFluid(const input::Deck& deck) {
  for (const input::Population* population : input::interactingPopulations(deck))
    if (!population->frozen && (population->density > 0.0 || !population->blocks.empty()))
      return input::speciesOf(*population).front();
  return {};
}

const input::Interaction* withFluid(const input::Deck& deck, const std::string& species) {
  const std::string fluid = firstFluid(deck);
  return fluid.empty() ? nullptr : input::dpdInteraction(deck, fluid, species);
}

// r_c of the drag: that of DPD; where it does not act, the largest of what does.
double reachOfDrag(const input::Deck& deck, const std::string& species) {
  if (const input::Interaction* pair = withFluid(deck, species)) return pair->cutoff;
  double reach = 0.0;
  if (const std::string fluid = firstFluid(deck); !fluid.empty())
    for (const input::Interaction* pair : input::interactionsOf(deck, fluid, species))
      reach = std::max(reach, pair->cutoff);
  return reach;
}

}  // namespace

double beadDensity(const input::Deck& deck) {
  double beads = 0.0, volume = 1.0;
  for (const input::Population* population : input::interactingPopulations(deck))
    beads += static_cast<double>(population->count) * static_cast<double>(population->blocks.size());
  if (beads == 0.0 || deck.walls.empty()) return 0.0;
  for (const double edge : deck.box.size) volume *= edge;
  const double part = fluidPart(deck, solidOf(deck));
  return part > 0.0 ? beads / (volume * part) : 0.0;
}

double fluidDensity(const input::Deck& deck) {
  double density = beadDensity(deck);
  for (const input::Population* population : input::interactingPopulations(deck))
    if (!population->frozen) density += population->density;
  return density;
}

WallSettings wallSettings(const input::Deck& deck) {
  WallSettings settings = deck.own.get<WallSettings>();
  settings.drag.resize(deck.walls.size(), 0.0);
  for (std::size_t w = 0; w < deck.walls.size(); ++w)
    if (deck.walls[w].friction >= 0.0) settings.drag[w] = deck.walls[w].friction;
  return settings;
}

WallTableMaker::WallTableMaker(const input::Deck& deck)
    : density_(fluidDensity(deck)), cutoff_(input::largestCutoff(deck)), of_(deck.species.size()) {
  constexpr std::size_t nodes = WallNodes::count;
  const bool effective = std::any_of(deck.walls.begin(), deck.walls.end(), [](const input::Wall& wall) {
    return wall.method == input::WallMethod::effective;
  });
  const bool stick = std::any_of(deck.walls.begin(), deck.walls.end(), sticks);
  const bool exchanges = !transport::wallConcentrationsOf(deck).empty();
  for (std::size_t s = 0; s < of_.size(); ++s) {
    Integrals& of = of_[s];
    of.reachOfDrag = reachOfDrag(deck, deck.species[s]);
    const input::Interaction* pair = withFluid(deck, deck.species[s]);
    if (!pair) continue;
    of.a = pair->a;
    for (std::size_t k = 0; k <= nodes; ++k) {
      const double h = node(k);
      const bool within = h < pair->cutoff;
      if (effective) of.push.push_back(within ? pushOfHalf(*pair, h) : 0.0);
      if (effective) of.drag.push_back(within ? dragOfHalf(*pair, h) : 0.0);
      if (stick) of.lacks.push_back(within ? lacksOfHalf(*pair, h) : 0.0);
      if (!exchanges || !transport::isTransport(*pair)) continue;
      const auto& keys = pair->own.get<transport::FluxKeys>();
      of.exchange.push_back(exchangeOfHalf(keys.cutoff, keys.exponent, h));
      of.mirror.push_back(mirrorOfHalf(keys.cutoff, keys.exponent, h));
    }
  }
}

WallTables WallTableMaker::tables(const input::Deck& deck, const WallSettings& settings) const {
  constexpr std::size_t nodes = WallNodes::count, rows = WallNodes::rows;
  WallTables tables;
  const std::size_t species = of_.size();
  tables.values.assign(deck.walls.size() * species * rows * (nodes + 1), 0.0);
  for (std::size_t s = 0; s < species; ++s) {
    const Integrals& of = of_[s];
    if (!(of.reachOfDrag > 0.0)) continue;
    const input::Interaction* pair = withFluid(deck, deck.species[s]);
    const double mass = input::massOf(deck, deck.species[s]);
    const double lifts = pair && of.a > 0.0 ? pair->a / of.a : 1.0;
    std::vector<double> curve;  // the same at all walls
    const bool rubs = pair && pair->gamma > 0.0;
    const double ofHalf = rubs ? density_ / mass * (pi * pair->gamma) : 0.0;
    const double phi = rubs ? partOfFriction(*pair, mass, deck.run.temperature, density_) : 0.0;
    for (std::size_t w = 0; w < deck.walls.size(); ++w) {
      const bool effective = pair && deck.walls[w].method == input::WallMethod::effective;
      double* const row = tables.values.data() + (w * species + s) * rows * (nodes + 1);
      double drag = w < settings.drag.size() ? settings.drag[w] : 0.0;
      if (deck.walls[w].friction >= 0.0) drag = deck.walls[w].friction;
      const double lacking = sticks(deck.walls[w]) ? deck.walls[w].surfaceFriction * phi * ofHalf : 0.0;
      const bool held = lacking > 0.0;
      if (effective || held) tables.acts = std::max(tables.acts, of.reachOfDrag);
      if (drag > 0.0) tables.acts = std::max(tables.acts, WallNodes::reach * of.reachOfDrag);
      tables.pushes = tables.pushes || effective;
      for (std::size_t k = 0; k <= nodes; ++k) {
        const double h = node(k), x = h / (WallNodes::reach * of.reachOfDrag);
        double& friction = row[2 * (nodes + 1) + k];
        if (x < 1.0) friction = drag * (unitOfDrag * x * x * (1.0 - x));
        if (held) friction += lacking * of.lacks[k];
        if (!effective || h >= of.reachOfDrag) continue;
        if (curve.size() == k) curve.push_back(pushOfCurve(*pair, h));
        row[k] = density_ * (pi * pair->a * of.push[k]);
        row[nodes + 1 + k] = density_ * curve[k];
        constexpr std::size_t ofCutoff = WallNodes::ofCutoff;
        if (settings.lift.size() == ofCutoff + 1 && k > 0 && k < ofCutoff)
          row[k] += lifts * ((settings.lift[k - 1] - settings.lift[k + 1]) * 0.5 * ofCutoff / cutoff_);
        friction += (1.0 + roughness * (1.0 - phi)) * ofHalf * of.drag[k];
      }
    }
  }
  addExchange(deck, tables);
  if (tables.acts > 0.0) tables.reach = WallNodes::reach * cutoff_;
  return tables;
}

double WallTableMaker::node(std::size_t k) const { return cutoff_ * static_cast<double>(k) / WallNodes::ofCutoff; }

// Of walls at which a concentration is fixed.
void WallTableMaker::addExchange(const input::Deck& deck, WallTables& tables) const {
  constexpr std::size_t nodes = WallNodes::count;
  const auto& solutes = transport::transportOf(deck).solutes;
  const std::size_t species = of_.size(), count = solutes.size();
  const auto all = transport::wallConcentrationsOf(deck);
  if (!transport::hasTransport(deck) || all.empty()) return;
  tables.exchange.assign(deck.walls.size() * species * count * (nodes + 1), 0.0);
  tables.value.assign(deck.walls.size() * count, 0.0);
  for (const auto& c : all) {
    std::size_t w = 0, s = 0;
    while (w < deck.walls.size() && deck.walls[w].name != c.wall) ++w;
    while (s < count && solutes[s] != c.solute) ++s;
    if (c.noFlux || w == deck.walls.size() || s == count) continue;
    const bool effective = deck.walls[w].method == input::WallMethod::effective;
    tables.value[w * count + s] = c.value;
    for (std::size_t kind = 0; kind < species; ++kind) {
      const Integrals& of = of_[kind];
      if (of.mirror.empty()) continue;
      tables.acts = std::max(tables.acts, cutoff_);
      const auto& keys = withFluid(deck, deck.species[kind])->own.get<transport::FluxKeys>();
      double* const row = tables.exchange.data() + ((w * species + kind) * count + s) * (nodes + 1);
      for (std::size_t k = 0; k <= nodes; ++k)
        row[k] = transport::numberOf(keys.kappa, s) * density_ * ((effective ? of.exchange[k] : 0.0) + of.mirror[k]);
    }
  }
}

std::vector<double> WallTableMaker::numbers(const input::Deck& now) {
  std::vector<double> all = {now.run.temperature};
  for (const auto& interaction : now.interactions) {
    all.push_back(interaction.a), all.push_back(interaction.gamma);
    if (!transport::isTransport(interaction)) continue;
    const auto& kappa = interaction.own.get<transport::FluxKeys>().kappa;
    all.insert(all.end(), kappa.begin(), kappa.end());
  }
  for (const auto& wall : now.walls) all.push_back(wall.friction);
  for (const auto& c : transport::wallConcentrationsOf(now)) all.push_back(c.value);
  return all;
}

WallTables wallTables(const input::Deck& deck, const WallSettings& settings) {
  return WallTableMaker(deck).tables(deck, settings);
}

}  // namespace mesowarp::boundary
