#include "physics/mpcd/mpcd_method.hpp"

#include "io/ranks.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"
#include "physics/mpcd/solvent_phase.hpp"
#include "start/checkpoint_rows.hpp"
#include "start/rank_part.hpp"

namespace mesowarp::mpcd {
namespace {

RankPart partOf(const input::Deck& deck, const comm::Communicator* ranks) {
  const i64 particles = solventCount(deck);
  if (!io::several(ranks)) return {};
  return rankPart(deck, *ranks, particles, narrowestDomain(deck) * collisionOf(deck).cell);
}

class SolventStart final : public Start {
public:
  SolventStart(const input::Deck& deck, const comm::Communicator* ranks) : deck_(deck), part_(partOf(deck, ranks)) {}
  void addTo(Engine& engine, SortStyle) override { added_ = &addSolvent(engine, deck_, part_); }
  void upload() override { added_->start(); }

private:
  const input::Deck& deck_;
  RankPart part_;
  Solvent* added_ = nullptr;
};

class MpcdMethod final : public Method {
public:
  const input::MethodBlocks& blocks() const override { return mpcdBlocks(); }
  std::unique_ptr<Start> start(const input::Deck& deck, const comm::Communicator* ranks) const override {
    return std::make_unique<SolventStart>(deck, ranks);
  }
  bool startsInPieces(const input::Deck&) const override { return true; }

  void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                       const comm::Communicator* ranks) const override {
    CheckpointRows rows(content, deck, mpcdBlocks(), ranks);
    io::onAll(rows.ranks(), [&] { rows.checkShapes(); });
    rows.checkTags();
  }
  void resume(Engine& engine, const io::CheckpointContent&, const input::Deck& deck,
              const comm::Communicator* ranks) const override {
    addSolvent(engine, deck, partOf(deck, ranks));
  }
};

}  // namespace

const Method& mpcdMethod() {
  static const MpcdMethod method;
  return method;
}

}  // namespace mesowarp::mpcd
