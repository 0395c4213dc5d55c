#include "physics/fluid/fluid_method.hpp"

#include <algorithm>
#include <cstring>

#include "input/species.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/fluid/chain_start.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/deck/wall_trial.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/fluid/fluid_checkpoint.hpp"
#include "physics/fluid/relax.hpp"
#include "physics/fluid/walled/wall_calibration.hpp"
#include "physics/fluid/walled/walled_start.hpp"
#include "physics/membrane/output/membrane_output.hpp"
#include "physics/membrane/start/cell_start.hpp"
#include "start/initial_part.hpp"
#include "start/rank_part.hpp"

namespace mesowarp::fluid {
namespace {

// The root's, on all ranks.
template <class T, class Allocator>
void share(const comm::Communicator& ranks, std::vector<T, Allocator>& values) {
  constexpr std::size_t piece = 4194304;
  values.resize(static_cast<std::size_t>(ranks.sum(ranks.root() ? static_cast<i64>(values.size()) : 0)));
  for (std::size_t first = 0; first < values.size(); first += piece) {
    const std::size_t count = std::min(piece, values.size() - first);
    std::string bytes;
    if (ranks.root()) bytes.assign(reinterpret_cast<const char*>(&values[first]), count * sizeof(T));
    bytes = ranks.fromRank(0, std::move(bytes));
    std::memcpy(static_cast<void*>(&values[first]), bytes.data(), bytes.size());
  }
}

class FluidStart final : public Start {
public:
  FluidStart(const input::Deck& deck, const comm::Communicator* ranks) : deck_(deck) {
    const Populations populations = input::populationsOf(deck_, fluidBlocks());
    if (ranks && deck_.walls.empty() && madeInPieces(populations) && !membrane::hasMembranes(populations) &&
        !relaxes(deck_)) {
      part_ = rankPart(deck_, *ranks, particlesOf(deck_, populations));
      particles_ = makeInitialPart(deck_, populations, part_);
      return;
    }
    if (deck_.walls.empty())
      particles_ = makeInitialState(deck_, populations, readState);
    else
      makeWalled(populations, ranks);
    if (!deck_.walls.empty() && (input::anyBetweenMolecules(deck_) || !particles_.molecule.empty()))
      particles_.molecule.resize(static_cast<std::size_t>(particles_.count()), 0U);
    if (deck_.walls.empty()) placeChains(deck_, populations, particles_);  // else they are placed
    membrane::placeCells(deck_, populations, particles_);
    if (relaxes(deck_)) relax(deck_, particles_, ranks);
    slots_ = particles_.slots();
    if (!ranks) return;
    part_ = rankPart(deck_, *ranks, particles_.count());
    particles_.keep(part_.domain);
  }

  void addTo(Engine& engine, SortStyle sort) override {
    upload_ = addFluid(engine, deck_, particles_.count(), slots_, sort, part_);
  }
  void upload() override { upload_(particles_); }
  std::vector<std::string> warnings() const override {
    auto all = particles_.warnings;
    for (auto words : {frictionNotFound(deck_), densityInWords(deck_)})
      if (!words.empty()) all.push_back(std::move(words));
    return all;
  }
  std::vector<std::string> found() const override {
    return calibrated_ ? frictionInWords(deck_) : std::vector<std::string>();
  }

private:
  // Fluids are equilibrated by the root alone.
  void makeWalled(const Populations& populations, const comm::Communicator* ranks) {
    const bool cut = isCut(populations);
    if (!cut) particles_ = makeInitialState(deck_, populations, readState);
    const auto make = [&] {
      calibrated_ = needsCalibration(deck_);
      if (calibrated_) calibrateWalls(deck_);
      if (cut) particles_ = makeWalledState(deck_, populations);
      fitToWalls(deck_, particles_);
    };
    if (!ranks) return make();
    ranks->onRoot(make);
    auto& settings = deck_.own.get<boundary::WallSettings>();
    for (auto* of : {&settings.drag, &settings.dragError, &settings.outside}) {
      of->resize(deck_.walls.size());
      ranks->fromRank(0, of->data(), static_cast<int>(of->size()));
    }
    settings.lift.resize(static_cast<std::size_t>(ranks->sum(ranks->root() ? i64(settings.lift.size()) : i64{0})));
    if (!settings.lift.empty()) ranks->fromRank(0, settings.lift.data(), static_cast<int>(settings.lift.size()));
    share(*ranks, particles_.position), share(*ranks, particles_.velocity), share(*ranks, particles_.species);
    share(*ranks, particles_.image), share(*ranks, particles_.molecule), share(*ranks, particles_.bonds);
    share(*ranks, particles_.angles), share(*ranks, particles_.dihedrals);
  }

  // From a fluid that fills all of the box.
  static bool isCut(const Populations& populations) {
    return std::none_of(populations.begin(), populations.end(),
                        [](const auto* population) { return population->initial == input::StartKind::file; });
  }

  input::Deck deck_;  // and what walls were found to need
  bool calibrated_ = false;
  HostParticles particles_;
  RankPart part_;
  TermSlots slots_;
  UploadParticles upload_;
};

class FluidMethod final : public Method {
public:
  const input::MethodBlocks& blocks() const override { return fluidBlocks(); }

  std::unique_ptr<Start> start(const input::Deck& deck, const comm::Communicator* ranks) const override {
    return std::make_unique<FluidStart>(deck, ranks);
  }
  bool startsInPieces(const input::Deck& deck) const override {
    const Populations populations = input::populationsOf(deck, fluidBlocks());
    return deck.walls.empty() && madeInPieces(populations) && !membrane::hasMembranes(populations) && !relaxes(deck);
  }

  void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                       const comm::Communicator* ranks) const override {
    fluid::checkCheckpoint(content, deck, ranks);
  }
  void resume(Engine& engine, const io::CheckpointContent& content, const input::Deck& deck,
              const comm::Communicator* ranks) const override {
    const io::Array& tag = content.arrays.at("tag");
    const RankPart part = ranks ? rankPart(deck, *ranks, static_cast<i64>(tag.totalRows)) : RankPart{};
    addFluid(engine, deck, static_cast<int>(tag.rows), slotsOf(content), backend::defaultSort, part);
  }
  std::vector<std::unique_ptr<Recorder>> recorders(const RecorderContext& context) const override {
    return membrane::recordersOf(context);
  }
  // A list of another reach may lack pairs that the state has come to since its last build.
  bool keepsList(const input::Deck& then, const input::Deck& now) const override {
    return input::largestCutoff(then) == input::largestCutoff(now) && then.neighbor.skin == now.neighbor.skin;
  }
};

}  // namespace

const Method& fluidMethod() {
  static const FluidMethod method;
  return method;
}

}  // namespace mesowarp::fluid
