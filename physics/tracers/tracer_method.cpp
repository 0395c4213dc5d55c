#include "physics/tracers/tracer_method.hpp"

#include "io/ranks.hpp"
#include "physics/tracers/deck/tracer_blocks.hpp"
#include "physics/tracers/tracer_phase.hpp"
#include "start/checkpoint_rows.hpp"

namespace mesowarp::tracers {
namespace {

class TracerStart final : public Start {
public:
  TracerStart(const input::Deck& deck, const comm::Communicator* ranks) : deck_(deck), ranks_(ranks) {}
  void addTo(Engine& engine, SortStyle) override { added_ = &addTracers(engine, deck_, ranks_); }
  void upload() override { added_->start(deck_.run.seed); }

private:
  const input::Deck& deck_;
  const comm::Communicator* ranks_;
  TracerPopulation* added_ = nullptr;
};

class TracerMethod final : public Method {
public:
  const input::MethodBlocks& blocks() const override { return tracerBlocks(); }
  std::unique_ptr<Start> start(const input::Deck& deck, const comm::Communicator* ranks) const override {
    return std::make_unique<TracerStart>(deck, ranks);
  }
  bool startsInPieces(const input::Deck&) const override { return true; }

  void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                       const comm::Communicator* ranks) const override {
    CheckpointRows rows(content, deck, tracerBlocks(), ranks);
    io::onAll(rows.ranks(), [&] {
      rows.checkShapes();
      const int rank = rows.ranks() ? rows.ranks()->rank() : 0;
      const i64 first = firstTracer(rank, rows.ranks(), rows.all());
      bool inOrder = rows.count() == firstTracer(rank + 1, rows.ranks(), rows.all()) - first;
      for (i64 i = 0; inOrder && i < rows.count(); ++i) inOrder = rows.tag(i) == first + i;
      if (!inOrder) refuseDamaged("the checkpoint's tracers are not in the order of their tags");
    });
  }
  void resume(Engine& engine, const io::CheckpointContent&, const input::Deck& deck,
              const comm::Communicator* ranks) const override {
    addTracers(engine, deck, ranks);
  }
};

}  // namespace

const Method& tracerMethod() {
  static const TracerMethod method;
  return method;
}

}  // namespace mesowarp::tracers
