#include "physics/nbody/body_method.hpp"

#include <fmt/format.h>

#include "comm/tag_blocks.hpp"
#include "core/error.hpp"
#include "input/grammar/diagnostic.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/hdf5/looks_like_hdf5.hpp"
#include "io/particle_count.hpp"
#include "io/ranks.hpp"
#include "physics/nbody/deck/bodies_text.hpp"
#include "physics/nbody/deck/body_blocks.hpp"
#include "physics/nbody/integrate/body_phase.hpp"
#include "start/checkpoint_rows.hpp"

namespace mesowarp::nbody {
namespace {

i64 firstOf(int rank, const comm::Communicator& ranks, i64 bodies) {
  return comm::firstOfBlock(rank, ranks.size(), bodies);
}

class BodyStart final : public Start {
public:
  BodyStart(const input::Deck& deck, const comm::Communicator* ranks) : deck_(deck), bodies_(makeInitialBodies(deck)) {
    if (!ranks) return;
    part_ = bodyPart(deck, *ranks, bodies_.count());
    keepPart(bodies_, part_);
  }
  void addTo(Engine& engine, SortStyle) override { added_ = &addBodies(engine, deck_, bodies_.count(), part_); }
  void upload() override { added_->upload(bodies_); }

private:
  const input::Deck& deck_;
  HostBodies bodies_;
  RankPart part_;
  BodyPopulation* added_ = nullptr;
};

class BodyMethod final : public Method {
public:
  const input::MethodBlocks& blocks() const override { return bodyBlocks(); }

  std::unique_ptr<Start> start(const input::Deck& deck, const comm::Communicator* ranks) const override {
    return std::make_unique<BodyStart>(deck, ranks);
  }
  std::int64_t particlesInFile(const std::string& path) const override {
    const bool own = io::looksLikeCheckpoint(path) || io::looksLikeHdf5(path);
    return own ? io::particlesInFile(path) : bodiesInText(path);
  }

  void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                       const comm::Communicator* ranks) const override;
  void resume(Engine& engine, const io::CheckpointContent& content, const input::Deck& deck,
              const comm::Communicator* ranks) const override {
    const io::Array& tag = content.arrays.at("tag");
    const RankPart part = ranks ? bodyPart(deck, *ranks, static_cast<i64>(tag.totalRows)) : RankPart{};
    addBodies(engine, deck, static_cast<int>(tag.rows), part);
  }
};

// A rank has a block of the tags.
void BodyMethod::checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                                 const comm::Communicator* ranks) const {
  CheckpointRows rows(content, deck, bodyBlocks(), ranks);
  io::onAll(rows.ranks(), [&] {
    rows.checkShapes();
    if (!rows.ranks()) return;
    const auto first = [&](int rank) { return firstOf(rank, *rows.ranks(), rows.all()); };
    const int rank = rows.ranks()->rank();
    if (static_cast<i64>(content.arrays.at("tag").firstRow) != first(rank) ||
        rows.count() != first(rank + 1) - first(rank))
      refuseDamaged("the checkpoint's bodies are not in the order of their tags");
  });
  rows.checkTags();
  if (content.arrays.count("bond_partner") || content.arrays.count("bond_type"))
    throw InputError("the checkpoint has bonds, and this deck has no [[bond]] block: it is of another deck");
}

}  // namespace

const Method& bodyMethod() {
  static const BodyMethod method;
  return method;
}

RankPart bodyPart(const input::Deck& deck, const comm::Communicator& ranks, i64 bodies) {
  if (ranks.size() > bodies)
    throw InputError(
        input::format({input::sourceOf(deck, "population.0"),
                       fmt::format("there are {} ranks and {} {}: each rank needs a body of its own; start at most {}",
                                   ranks.size(), bodies, bodies == 1 ? "body" : "bodies", bodies)},
                      deck.file));
  return {&ranks, {}, TransportStyle::automatic, bodies};
}

void keepPart(HostBodies& bodies, const RankPart& part) {
  const int rank = part.ranks->rank();
  const i64 first = firstOf(rank, *part.ranks, part.allParticles);
  const i64 behind = firstOf(rank + 1, *part.ranks, part.allParticles);
  bodies.keep(static_cast<std::size_t>(first), static_cast<std::size_t>(behind - first));
}

std::unique_ptr<Engine> startEngine(const input::Deck& deck, const HostBodies& bodies, const RankPart& part) {
  auto engine = std::make_unique<Engine>(part.ranks);
  addBodies(*engine, deck, bodies.count(), part).upload(bodies);
  return engine;
}

}  // namespace mesowarp::nbody
