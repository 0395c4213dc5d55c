// The walls of a deck as a phase: behind the closing kernel of each step, what has come into the solid bounces, before
// neighbours hear of it. Where somebody asks, walls' forces are summed up: impulses of bounces, and the pair forces on
// their frozen particles, in every step, as means since the asker's last look.
#pragma once

#include <bit>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/launch/launch_calling.hpp"
#include "input/deck.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "physics/boundary/bounce_listed.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/boundary/frozen_virials.hpp"
#include "physics/boundary/near_cells.hpp"
#include "physics/boundary/solid_on_device.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/integrate/drives_of.hpp"
#include "physics/integrate/flow_rate.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/transport/concentration_change.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp::boundary {

template <class P>
class WallPhase final : public PhaseOfNext, public SumsOverSteps {
public:
  using Real = typename P::Real;

  // flowRate: what drives the fluid, or null; schedule: null: nothing changes with the step.
  WallPhase(BoxPopulation<P>& population, const input::Deck& deck, std::shared_ptr<const FlowRate> flowRate,
            std::shared_ptr<Schedule> schedule = nullptr)
      : WallPhase(population, deck, std::move(flowRate), std::move(schedule), solidOf(deck)) {}
  // Walls move otherwise from now on.
  void follow(const input::Deck& now) { solid_.follow(now); }
  // Tables and noise are those of other forces, or of another temperature, from now on.
  void followForces(const input::Deck& now) {
    layer_.temperature = now.run.temperature;
    if (auto numbers = WallTableMaker::numbers(now); numbers != numbers_) numbers_ = std::move(numbers), makeLayer(now);
  }

  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::writes}, {"velocity", FieldUse::writes}, {"force", FieldUse::reads}};
  }
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  Wanted needs(i64) const override { return {.forces = record_.forces()}; }

  void runBlocks(const PhaseStep& step, const backend::ParticleBlocks& blocks) override {
    findNear();
    record_.at(step.step);
    const auto& arrays = population_.arrays();
    const double halfSkin = 0.5 * population_.settings().skin;
    const Box& box = population_.settings().box;
    constexpr int bits = 8 * sizeof(typename P::Coord);
    const int size = backend::blockSizeFor(blocks.particles);
    auto drives = schedule_ && schedule_->changes(Scheduled::drive)
                      ? drivesOf<typename P::Coord, Real>(schedule_->at(step.step))
                      : drives_;
    if (flowRate_) drives.constant[flowRate_->keys.along] += static_cast<Real>(flowRate_->acceleration);
    const BounceParticles<P> bounce{population_.view(true),
                                    nearness_,
                                    arrays.tag->current,
                                    arrays.built->current,
                                    record_.forces() ? population_.observedForce() : DeviceArray<Vec3<Real>>(),
                                    population_.mass(),
                                    drives,
                                    solid_.view(),
                                    layer(step.step),
                                    exchange(),
                                    record_.tallies(),
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
    if (lists())
      runListed(bounce);
    else
      backend::launchCalling("bounce at walls", blocks.toDo(size) * size, bounce);
  }

  Wanted looksAt(const Wanted& wanted) const override { return {.virials = wanted.thermo && !isEmpty()}; }
  void finishSums(ThermoSums& sums) const override {
    record_.finish();
    if (!isEmpty()) takeFrozenVirials(population_, sums);
  }
  const SumsUpTo& atBegin() const override { return record_.atBegin(); }
  const SumsUpTo& atLook() const override { return record_.atLook(); }
  void addMeans(const std::vector<i64>& summed, i64 steps, std::map<std::string, double>& quantities) const override {
    record_.addMeans(summed, steps, quantities);
  }
  // What the record knows, and behind that the drags of the walls and the potential.
  std::vector<i64> state() const override {
    std::vector<i64> words = record_.state();
    for (const double drag : settings_.drag) words.push_back(std::bit_cast<i64>(drag));
    for (const double lift : settings_.lift) words.push_back(std::bit_cast<i64>(lift));
    return words;
  }
  void restore(const std::vector<i64>& words) override {
    const std::size_t width = static_cast<std::size_t>(record_.tallies().width) + 2, walls = settings_.drag.size();
    if (words.size() < width + walls) return;  // of other walls
    record_.restore({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(width)});
    for (std::size_t w = 0; w < walls; ++w)
      if (deck_.walls[w].friction < 0.0) settings_.drag[w] = std::bit_cast<double>(words[width + w]);
    settings_.lift.clear();
    for (std::size_t k = width + walls; k < words.size(); ++k)
      settings_.lift.push_back(std::bit_cast<double>(words[k]));
    makeLayer(deck_), numbers_.clear();
  }
  std::size_t memoryBytes() const override {
    return nearness_.extent(0) + sizeof(int) * (near_.particles.extent(0) + nearCells_.extent(0)) + queue_.bytes() +
           record_.bytes() + solid_.bytes();
  }

private:
  // There are no frozen particles.
  bool isEmpty() const { return population_.settings().frozen.empty(); }

  WallPhase(BoxPopulation<P>& population, const input::Deck& deck, std::shared_ptr<const FlowRate> flowRate,
            std::shared_ptr<Schedule> schedule, const SolidParts& parts)
      : PhaseOfNext("bounce at walls", population), population_(population), deck_(deck), timestep_(deck.run.timestep),
        settings_(wallSettings(deck)), maker_(atFirstStep(deck)), drives_(drivesOf<typename P::Coord, Real>(deck)),
        flowRate_(std::move(flowRate)), schedule_(std::move(schedule)), solid_(parts), frozenToo_(false),
        record_(deck, parts, population.ranks()) {
    frozenToo_ = record_.forces() || (schedule_ && schedule_->changes(Scheduled::wall));
    for (const WallMotion& motion : parts.motions) frozenToo_ = frozenToo_ || motion.moves;
    makeLayer(deck);
  }

  WallLayer layer(i64 step) const {
    WallLayer layer = layer_;
    layer.key = stepKey(deck_.run.seed, Stream::wallNoise, step);
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
    const WallTables tables = maker_.tables(deck, settings_);
    WallLayer layer;
    WallExchange<Real> exchange;
    if (tables.reach > 0.0 && !tables.exchange.empty()) {
      const transport::Layout layout = transport::layoutOf(deck);
      exchange.table = filled("exchange with walls", exchange_.table, tables.exchange);
      exchange.value = filled("concentrations of walls", exchange_.value, tables.value);
      exchange.solutes = layout.solutes, exchange.stride = layout.stride;
      exchange.species = static_cast<int>(deck.species.size());
      exchange.reach = tables.reach, exchange.timestep = timestep_;
    }
    if (tables.reach > 0.0) {
      layer.table = filled("tables of walls", layer_.table, tables.values);
      layer.species = static_cast<int>(deck.species.size());
      layer.reach = tables.reach, layer.pushes = tables.pushes;
      layer.temperature = deck.run.temperature, layer.timestep = timestep_;
      layer.curvatureStep = 0.1 * tables.reach / WallNodes::reach;
    }
    layer_ = layer, exchange_ = exchange;
    // Of what a schedule brings later on, particles are listed beforehand.
    acts_ = schedule_ ? WallNodes::reach * population_.settings().cutoff : tables.acts;
  }
  // The array that there is, if it has room.
  static DeviceArray<double> filled(const char* label, const DeviceArray<double>& there,
                                    const std::vector<double>& values) {
    if (there.extent(0) != values.size()) return toDevice<double>(label, values);
    refill(there, values);
    return there;
  }

  // Where there are several ranks, blocks of particles take turns.
  bool lists() const { return !population_.ranks(); }

  void runListed(const BounceParticles<P>& bounce) {
    const BounceQueue queue = queue_.next();
    const int workers = near_.workers();
    // Five blocks: the near of 2 million particles between plates at once (96 registers, nothing spilled).
    backend::launchCalling<5>("act at walls", workers, ActListed<P>{bounce, near_, queue, workers});
    if constexpr (backend::onGpu)
      backend::launchCalling("bounce at walls", BounceQueue::warps * backend::warpThreads,
                             BounceQueued<P>{bounce, queue});
  }

  // Once behind each build of the list. A particle has gone half the skin when the next one is built, and the step in
  // which it does so: walls act behind that step.
  void findNear() {
    if (foundFor_ == population_.buildsHere() && nearness_.extent(0) >= static_cast<std::size_t>(population_.count()))
      return;
    foundFor_ = population_.buildsHere();
    const auto& arrays = population_.arrays();
    const auto& settings = population_.settings();
    const double step = std::max(0.5 * settings.skin, 0.2 * settings.cutoff),
                 reach = 1.01 * (std::max(settings.cutoff, acts_) + 0.5 * settings.skin + step);
    if (nearness_.extent(0) < static_cast<std::size_t>(arrays.capacity))
      makeRoom(static_cast<std::size_t>(arrays.capacity), reach);
    const FindNear<P> find{
        arrays.built->current, arrays.velocity->current, population_.inverseMass(), solid_.view(), reach, nearness_};
    if (!lists()) {
      backend::launchCalling("find particles near walls", arrays.count, find);
      return;
    }
    const int threads = ListNear<P>::threads(static_cast<int>(nearCells_.extent(0)));
    Kokkos::parallel_for("empty list of particles near walls", Range(0, 2), EmptyNearList{near_});
    backend::launchCalling("list particles near walls", threads,
                           ListNear<P>{find, nearCells_, population_.grid().start(), frozenToo_, near_});
  }
  void makeRoom(std::size_t particles, double reach) {
    nearness_ = DeviceArray<unsigned char>("nearness to walls", particles);
    if (!lists()) return;
    near_ = {DeviceArray<int>("particles near walls", particles), DeviceArray<int>("number near walls", 2)};
    if constexpr (backend::onGpu) queue_.makeRoom(particles);
    nearCells_ = cellsNear(population_.grid(), population_.settings().box, solid_.view(), reach);
  }

  BoxPopulation<P>& population_;
  input::Deck deck_;
  double timestep_;
  WallSettings settings_;
  WallTableMaker maker_;
  std::vector<double> numbers_;  // that the tables were made for by followForces()
  WallLayer layer_;
  WallExchange<Real> exchange_;
  double acts_ = 0.0;  // how far off, length
  Drives<typename P::Coord, Real> drives_;
  std::shared_ptr<const FlowRate> flowRate_;
  std::shared_ptr<Schedule> schedule_;
  SolidOnDevice solid_;
  DeviceArray<unsigned char> nearness_;
  NearList near_;
  BounceQueueMemory queue_;     // on a GPU
  DeviceArray<int> nearCells_;  // where there is a list
  bool frozenToo_;              // frozen particles have something to do
  int foundFor_ = -1;           // the build of the list that nearness_ is of
  mutable WallRecord record_;   // an observed step looks at it
};

}  // namespace mesowarp::boundary
