#include "physics/fluid/fluid.hpp"

#include "core/error.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/fluid_checkpoint.hpp"
#include "physics/membrane/start/cell_start.hpp"
#include "start/rank_part.hpp"

namespace mesowarp {
namespace {

// In a sheared box one rank has ghosts as well, from itself.
RankPart partOf(const input::Deck& deck, const RankPart& given, i64 particles) {
  if (given.ranks || !shearOf(deck).on) return given;
  const auto alone = std::make_shared<const comm::Communicator>(MPI_COMM_SELF);
  RankPart part = rankPart(deck, *alone, particles);
  part.own = alone;
  return part;
}

}  // namespace

UploadParticles addFluid(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots, SortStyle sort,
                         const RankPart& given) {
  const RankPart part = partOf(deck, given, particles);
  switch (deck.run.precision) {
  case input::Precision::single:
    return addSingleFluid(engine, deck, particles, slots, sort, part);
  case input::Precision::mixed:
    return addMixedFluid(engine, deck, particles, slots, sort, part);
  case input::Precision::double_:
    return addDoubleFluid(engine, deck, particles, slots, sort, part);
  }
  throw InputError("unknown precision");
}

NewEngine makeEngine(const input::Deck& deck, int particles, const TermSlots& slots, SortStyle sort,
                     const RankPart& part) {
  NewEngine made{std::make_unique<Engine>(part.ranks), {}};
  made.upload = addFluid(*made.engine, deck, particles, slots, sort, part);
  return made;
}

std::unique_ptr<Engine> startEngine(const input::Deck& deck, const HostParticles& particles, SortStyle sort,
                                    const RankPart& part) {
  NewEngine made = makeEngine(deck, particles.count(), particles.slots(), sort, part);
  made.upload(particles);
  return std::move(made.engine);
}

HostParticles makeInitialState(const input::Deck& deck) {
  const Populations populations = input::populationsOf(deck, fluid::fluidBlocks());
  HostParticles particles = makeInitialState(deck, populations, fluid::readState);
  membrane::placeCells(deck, populations, particles);
  return particles;
}

}  // namespace mesowarp
