#include "physics/fluid/fluid_method.hpp"

#include <algorithm>

#include "input/species.hpp"
#include "physics/fluid/chain_start.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/fluid/fluid_checkpoint.hpp"
#include "physics/fluid/walled_start.hpp"
#include "start/initial_part.hpp"
#include "start/rank_part.hpp"

namespace mesowarp::fluid {
namespace {

class FluidStart final : public Start {
public:
  FluidStart(const input::Deck& deck, const comm::Communicator* ranks) : deck_(deck) {
    const Populations populations = input::populationsOf(deck, fluidBlocks());
    if (ranks && deck.walls.empty() && madeInPieces(populations)) {
      part_ = rankPart(deck, *ranks, particlesOf(deck, populations));
      particles_ = makeInitialPart(deck, populations, part_);
      return;
    }
    particles_ = startsInSolid(populations) ? makeWalledState(deck, populations)
                                            : makeInitialState(deck, populations, readState);
    if (!deck.walls.empty()) fitToWalls(deck, particles_);
    keepApart(deck, populations, particles_);
    bonds_ = particles_.mostBondsOfAParticle();
    if (!ranks) return;
    part_ = rankPart(deck, *ranks, particles_.count());
    particles_.keep(part_.domain);
  }

  void addTo(Engine& engine, SortStyle sort) override {
    upload_ = addFluid(engine, deck_, particles_.count(), bonds_, sort, part_);
  }
  void upload() override { upload_(particles_); }
  std::vector<std::string> warnings() const override { return particles_.warnings; }

private:
  static bool startsInSolid(const Populations& populations) {
    return std::any_of(populations.begin(), populations.end(),
                       [](const auto* population) { return population->initial == Kind::inSolid; });
  }

  const input::Deck& deck_;
  HostParticles particles_;
  RankPart part_;
  int bonds_ = 0;
  UploadParticles upload_;
};

class FluidMethod final : public Method {
public:
  const input::MethodBlocks& blocks() const override { return fluidBlocks(); }

  std::unique_ptr<Start> start(const input::Deck& deck, const comm::Communicator* ranks) const override {
    return std::make_unique<FluidStart>(deck, ranks);
  }
  bool startsInPieces(const input::Deck& deck) const override {
    return deck.walls.empty() && madeInPieces(input::populationsOf(deck, fluidBlocks()));
  }

  void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                       const comm::Communicator* ranks) const override {
    fluid::checkCheckpoint(content, deck, ranks);
  }
  void resume(Engine& engine, const io::CheckpointContent& content, const input::Deck& deck,
              const comm::Communicator* ranks) const override {
    const io::Array& tag = content.arrays.at("tag");
    const RankPart part = ranks ? rankPart(deck, *ranks, static_cast<i64>(tag.totalRows)) : RankPart{};
    addFluid(engine, deck, static_cast<int>(tag.rows), bondsPerParticle(content), backend::defaultSort, part);
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
