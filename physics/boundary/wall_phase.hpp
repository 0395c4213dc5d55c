// The walls of a deck as a phase: behind the closing kernel of each step, what has come into the solid bounces, before
// neighbours hear of it. Where a table asks, walls' forces are summed up: impulses of bounces, and the pair forces on
// their frozen particles, in every step, as means since the last row.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "input/deck.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/boundary/wall_kernels.hpp"
#include "physics/integrate/drives_of.hpp"
#include "physics/integrate/flow_rate.hpp"
#include "physics/transport/concentration_change.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp::boundary {

template <class P>
class WallPhase final : public PhaseOfNext {
public:
  using Real = typename P::Real;

  // flowRate: what drives the fluid, or null.
  WallPhase(BoxPopulation<P>& population, const input::Deck& deck, std::shared_ptr<const FlowRate> flowRate)
      : PhaseOfNext("bounce at walls", population), population_(population), deck_(deck), parts_(solidOf(deck)),
        columns_(wallColumnsOf(deck, parts_)), timestep_(deck.run.timestep), seed_(deck.run.seed),
        walls_(static_cast<int>(deck.walls.size())), drives_(drivesOf<typename P::Coord, Real>(deck)),
        flowRate_(std::move(flowRate)), operations_(toDevice<SolidOperation>("solid", parts_.operations)),
        motions_(toDevice<WallMotion>("wall motions", parts_.motions)) {
    keepGrids();
    settings_ = wallSettings(deck);
    makeLayer(deck);
    tallies_.width = 3 * walls_ + 1;
    tallies_.words = zeroedArray<i64>("wall tallies", static_cast<std::size_t>(WallTallies::rows * tallies_.width));
    force_.assign(static_cast<std::size_t>(3 * walls_), 0.0);
  }

  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::writes}, {"velocity", FieldUse::writes}, {"force", FieldUse::reads}};
  }
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  Wanted needs(i64) const override { return {.forces = columns_.forces}; }

  void runBlocks(const PhaseStep& step, const backend::ParticleBlocks& blocks) override {
    findNear();
    last_ = step.step;
    const auto& arrays = population_.arrays();
    const double halfSkin = 0.5 * population_.settings().skin;
    const Box& box = population_.settings().box;
    constexpr int bits = 8 * sizeof(typename P::Coord);
    const int size = backend::blockSizeFor(blocks.particles);
    auto drives = drives_;
    if (flowRate_) drives.constant[flowRate_->keys.along] += static_cast<Real>(flowRate_->acceleration);
    const BounceParticles<P> bounce{population_.view(true),
                                    nearness_,
                                    arrays.tag->current,
                                    arrays.built->current,
                                    columns_.forces ? population_.observedForce() : DeviceArray<Vec3<Real>>(),
                                    population_.mass(),
                                    drives,
                                    solid(),
                                    layer(step.step),
                                    exchange(),
                                    tallies_,
                                    timestep_,
                                    {box.tick(0, bits), box.tick(1, bits), box.tick(2, bits)},
                                    step.rebuildNext ? -1.0 : halfSkin * halfSkin,
                                    step.step,
                                    population_.flags().errors(),
                                    population_.flags().moved(),
                                    population_.looksLate() ? population_.flags().staleFrom().data() : nullptr,
                                    step.guard,
                                    blocks,
                                    size};
    Kokkos::parallel_for("bounce at walls", Range(0, blocks.toDo(size) * size), bounce);
  }

  // Of an observed step; what has been summed up begins anew.
  void finishSums(ThermoSums&) const override {
    const std::vector<i64> sums = ofAllRanks();
    const double time = static_cast<double>(std::max<i64>(1, last_ - observed_)) * timestep_;
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] = static_cast<double>(sums[k]) * WallTallies::unit / time;
    strayed_ += sums.back();
    Kokkos::deep_copy(tallies_.words, i64{0});
    observed_ = last_;
    if (strayed_ > mostStrays)
      throw RunError(fmt::format("step {}: {} particles have been found inside of walls, and put back to the surface. "
                                 "Usual cause: particles of a file that start there, or a time step in which they "
                                 "pass a thin wall. Lower run.timestep, or make the wall thicker.",
                                 last_, strayed_));
  }
  void addQuantities(std::map<std::string, double>& quantities) const override {
    columns_.fill(force_, strayed_, quantities);
  }
  std::vector<i64> state() const override {
    std::vector<i64> sums = ofAllRanks();
    sums.insert(sums.end(), {strayed_, observed_});
    for (const double drag : settings_.drag) sums.push_back(std::bit_cast<i64>(drag));
    for (const double lift : settings_.lift) sums.push_back(std::bit_cast<i64>(lift));
    return sums;
  }
  void restore(const std::vector<i64>& sums) override {
    const auto width = static_cast<std::size_t>(tallies_.width), walls = settings_.drag.size();
    if (sums.size() < width + 2 + walls) return;  // of other walls
    strayed_ = sums[width], observed_ = sums[width + 1];
    const auto at = [&](std::size_t k) { return std::bit_cast<double>(sums[width + 2 + k]); };
    for (std::size_t w = 0; w < walls; ++w)
      if (deck_.walls[w].friction < 0.0) settings_.drag[w] = at(w);
    settings_.lift.clear();
    for (std::size_t k = walls; width + 2 + k < sums.size(); ++k) settings_.lift.push_back(at(k));
    makeLayer(deck_);
    auto host = Kokkos::create_mirror_view(tallies_.words);
    Kokkos::deep_copy(host, i64{0});
    const bool mine = !population_.ranks() || population_.ranks()->root();
    for (int k = 0; mine && k < tallies_.width; ++k) host(k) = sums[static_cast<std::size_t>(k)];
    Kokkos::deep_copy(tallies_.words, host);
  }
  std::size_t memoryBytes() const override {
    return nearness_.extent(0) + tallies_.words.extent(0) * sizeof(i64) + values_.extent(0) * sizeof(float);
  }

private:
  static constexpr i64 mostStrays = 100;

  Solid solid() const {
    return {operations_.data(),
            static_cast<int>(operations_.extent(0)),
            grids_.data(),
            motions_.data(),
            {parts_.tick[0], parts_.tick[1], parts_.tick[2]}};
  }

  WallLayer layer(i64 step) const {
    WallLayer layer = layer_;
    layer.key = stepKey(seed_, Stream::wallNoise, step);
    return layer;
  }
  WallExchange<Real> exchange() const {
    WallExchange<Real> exchange = exchange_;
    if (exchange.table.data() != nullptr)
      exchange.concentration =
          static_cast<Real*>(fieldOf(population_.fields(), transport::concentrationField).data(true));
    return exchange;
  }
  void makeLayer(const input::Deck& deck) {
    const WallTables tables = wallTables(deck, settings_);
    layer_ = {}, exchange_ = {};
    if (tables.reach == 0.0) return;
    if (!tables.exchange.empty()) {
      const transport::Layout layout = transport::layoutOf(deck);
      exchange_.table = toDevice<double>("exchange with walls", tables.exchange);
      exchange_.value = toDevice<double>("concentrations of walls", tables.value);
      exchange_.solutes = layout.solutes, exchange_.stride = layout.stride;
      exchange_.species = static_cast<int>(deck.species.size());
      exchange_.reach = tables.reach, exchange_.timestep = timestep_;
    }
    layer_.table = toDevice<double>("tables of walls", tables.values);
    layer_.species = static_cast<int>(deck.species.size());
    layer_.reach = tables.reach, layer_.pushes = tables.pushes;
    layer_.temperature = deck.run.temperature, layer_.timestep = timestep_;
    layer_.curvatureStep = 0.1 * tables.reach;
  }

  // All grids' values in one array, and the grids as kernels see them.
  void keepGrids() {
    std::vector<float> all;
    for (const auto& values : parts_.values) all.insert(all.end(), values.begin(), values.end());
    values_ = toDevice<float>("wall distances", all);
    std::vector<DistanceGrid> grids = parts_.grids;
    std::size_t first = 0;
    for (std::size_t g = 0; g < grids.size(); ++g) {
      grids[g].value = values_.data() + first;
      first += parts_.values[g].size();
    }
    grids_ = toDevice<DistanceGrid>("wall grids", grids);
  }

  // Once behind each build of the list. A particle comes as near as half the skin and a step, which is less than the
  // cutoff.
  void findNear() {
    if (foundFor_ == population_.buildsHere() && nearness_.extent(0) >= static_cast<std::size_t>(population_.count()))
      return;
    foundFor_ = population_.buildsHere();
    const auto& arrays = population_.arrays();
    const auto& settings = population_.settings();
    if (nearness_.extent(0) < static_cast<std::size_t>(arrays.capacity))
      nearness_ = DeviceArray<unsigned char>("nearness to walls", static_cast<std::size_t>(arrays.capacity));
    Kokkos::parallel_for("find particles near walls", Range(0, arrays.count),
                         FindNear<P>{arrays.built->current, arrays.velocity->current, population_.inverseMass(),
                                     solid(), 1.01 * (0.5 * settings.skin + settings.cutoff), nearness_});
  }

  // Impulses and strays since the last observed step.
  std::vector<i64> ofAllRanks() const {
    const auto words = hostCopy(tallies_.words);
    std::vector<i64> sums(static_cast<std::size_t>(tallies_.width), 0);
    for (std::size_t k = 0; k < words.extent(0); ++k) sums[k % sums.size()] += words(k);
    if (population_.ranks()) population_.ranks()->sum(sums.data(), static_cast<int>(sums.size()));
    return sums;
  }

  BoxPopulation<P>& population_;
  input::Deck deck_;
  SolidParts parts_;
  WallColumns columns_;
  double timestep_;
  u64 seed_;
  WallSettings settings_;
  WallLayer layer_;
  WallExchange<Real> exchange_;
  int walls_;
  Drives<typename P::Coord, Real> drives_;
  std::shared_ptr<const FlowRate> flowRate_;
  DeviceArray<SolidOperation> operations_;
  DeviceArray<WallMotion> motions_;
  DeviceArray<DistanceGrid> grids_;
  DeviceArray<float> values_;
  DeviceArray<unsigned char> nearness_;
  WallTallies tallies_;
  int foundFor_ = -1;  // the build of the list that nearness_ is of
  i64 last_ = -1;      // step
  mutable i64 observed_ = -1, strayed_ = 0;
  mutable std::vector<double> force_;  // on each wall, of the last observed step
};

}  // namespace mesowarp::boundary
