#include "physics/transport/transport_start.hpp"

#include <algorithm>
#include <cmath>

#include "device/host_loop.hpp"
#include "input/species.hpp"
#include "physics/transport/concentration_change.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::transport {
namespace {

constexpr int together = 4;  // solutes that are summed at a time
struct Totals {
  double of[together];
};

template <class Velocity, class Real>
struct ConcentrationOf {
  DeviceArray<Velocity> velocity;
  DeviceArray<Real> inverseMass;
  const Real* concentration;
  int stride, first, count;
  KOKKOS_INLINE_FUNCTION Totals operator()(int i) const {
    Totals totals{};
    if (!(inverseMass(velocity(i).species) > Real(0))) return totals;
    for (int k = 0; k < count; ++k)
      totals.of[k] = static_cast<double>(concentration[static_cast<std::size_t>(i) * stride + first + k]);
    return totals;
  }
};

// Sums over all particles that are not frozen, when somebody asks.
template <class P>
class SoluteTotals final : public Phase {
public:
  SoluteTotals(BoxPopulation<P>& population, const input::Deck& deck)
      : Phase(totalsPhase, population), population_(population), layout_(layoutOf(deck)),
        names_(transportOf(deck).solutes) {}
  std::vector<FieldUse> uses() const override { return {{observedField, FieldUse::reads}}; }
  bool due(i64) const override { return false; }
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  void run(const PhaseStep&) override {}
  void addQuantities(std::map<std::string, double>& quantities) const override {
    using Real = typename P::Real;
    using Terms = ConcentrationOf<PairVelocity<typename P::Store>, Real>;
    const auto* observed = static_cast<const Real*>(fieldOf(population_.fields(), observedField).data(false));
    for (int first = 0; first < layout_.solutes; first += together) {
      const int count = std::min(together, layout_.solutes - first);
      const auto totals = exactSums<Totals>("totals of solutes", population_.count(),
                                            Terms{population_.arrays().velocity->current, population_.inverseMass(),
                                                  observed, layout_.stride, first, count},
                                            population_.ranks());
      for (int k = 0; k < count; ++k) quantities["total_" + names_[static_cast<std::size_t>(first + k)]] = totals.of[k];
    }
  }

private:
  BoxPopulation<P>& population_;
  Layout layout_;
  std::vector<std::string> names_;
};

// The initial concentration of one solute at a place.
class InitialValue {
public:
  InitialValue(const input::Deck& deck, std::size_t solute) : size_(deck.box.size) {
    const auto walls = wallConcentrationsOf(deck);
    for (const auto& species : deck.species) {
      double value = 0.0;
      for (const auto& p : deck.populations)
        if (const auto of = input::speciesOf(p); std::find(of.begin(), of.end(), species) != of.end())
          value = std::max(value, numberOf(p.own.get<SoluteKeys>().concentration, solute));
      if (const auto* wall = wallConcentrationOf(deck, walls, species, transportOf(deck).solutes[solute]))
        value = wall->noFlux ? value : wall->value;
      ofSpecies_.push_back(value);
    }
    for (const auto& block : initialConcentrationsOf(deck)) {
      if (block.solute != transportOf(deck).solutes[solute]) continue;
      const auto at = std::find(deck.species.begin(), deck.species.end(), block.species);
      blocks_.push_back({block, regionTest(block, deck), static_cast<std::size_t>(at - deck.species.begin())});
    }
  }

  double operator()(std::size_t species, const double* x) const {
    double value = ofSpecies_[species];
    for (const auto& [block, region, ofSpecies] : blocks_)
      if ((block.species.empty() || ofSpecies == species) && region.holds(x)) value = valueOf(block, x);
    return value;
  }

private:
  double valueOf(const InitialConcentration& block, const double* x) const {
    constexpr double twoPi = 6.28318530717958647693;
    double value = block.value;
    for (std::size_t c = 0; c < 3; ++c) value += block.gradient[c] * (x[c] - 0.5 * size_[c]);
    const auto axis = static_cast<std::size_t>(block.waveAxis);
    if (block.amplitude != 0.0) value += block.amplitude * std::sin(twoPi * block.periods * x[axis] / size_[axis]);
    return value;
  }
  struct Block {
    InitialConcentration keys;
    RegionTest region;
    std::size_t species;
  };
  std::array<double, 3> size_;
  std::vector<double> ofSpecies_;
  std::vector<Block> blocks_;
};

// Of all particles of this rank, `stride` numbers each.
template <class Real>
LargeVector<Real> initialValues(const HostParticles& state, const input::Deck& deck) {
  const Layout layout = layoutOf(deck);
  const Box box = boxOf(deck);
  const auto stride = static_cast<std::size_t>(layout.stride);
  std::vector<InitialValue> of;
  for (int s = 0; s < layout.solutes; ++s) of.emplace_back(deck, static_cast<std::size_t>(s));
  LargeVector<Real> values(static_cast<std::size_t>(state.count()) * stride);
  hostLoop("initial concentrations", 0, state.count(), [&](i64 i) {
    double x[3];
    for (int c = 0; c < 3; ++c) x[c] = toLength(box, c, state.position[i][c]);
    for (std::size_t s = 0; s < stride; ++s)
      values[i * stride + s] = s < of.size() ? static_cast<Real>(of[s](state.species[i], x)) : Real(0);
  });
  return values;
}

}  // namespace

template <class P>
void addTo(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck) {
  if (wantsTotals(deck)) engine.add(std::make_unique<SoluteTotals<P>>(population, deck));
}

template <class P>
void uploadConcentrations(BoxPopulation<P>& population, const HostParticles& state, const input::Deck& deck) {
  using Real = typename P::Real;
  if (!hasTransport(deck)) return;
  const auto values = initialValues<Real>(state, deck);
  fieldOf(population.fields(), concentrationField)
      .fromHost(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(Real));
}

#define MESOWARP_TRANSPORT_IN(P)                                                                                       \
  template void addTo<P>(Engine&, BoxPopulation<P>&, const input::Deck&);                                              \
  template void uploadConcentrations<P>(BoxPopulation<P>&, const HostParticles&, const input::Deck&);
MESOWARP_TRANSPORT_IN(SinglePrecision)
MESOWARP_TRANSPORT_IN(MixedPrecision)
MESOWARP_TRANSPORT_IN(DoublePrecision)
#undef MESOWARP_TRANSPORT_IN

}  // namespace mesowarp::transport
