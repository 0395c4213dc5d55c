#include <algorithm>
#include <optional>

#include "app/recorder.hpp"
#include "core/version.hpp"
#include "io/h5md.hpp"
#include "io/ranks.hpp"
#include "io/xdmf.hpp"

namespace mesowarp {
namespace {

class TrajectoryRecorder final : public Recorder {
 public:
  TrajectoryRecorder(const RecorderContext& context, const input::Output& output)
      : every_(output.every), atEnd_(output.at_end), ranks_(context.ranks), xdmf_(context.directory + "/trajectory.xmf") {
    const std::string path = context.directory + "/trajectory.h5";
    std::vector<io::TrajectoryField> fields{io::TrajectoryField::species, io::TrajectoryField::id, io::TrajectoryField::mass};
    for (const auto& name : output.fields) fields.push_back(io::trajectoryField(name));
    std::sort(fields.begin(), fields.end());
    fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
    if (context.resumedFrom >= 0) {
      writer_ = io::H5mdWriter::resume(path, context.resumedFrom, context.ranks);
    } else {
      const io::H5mdMetadata metadata{std::string(Version::number), "", context.deck.resolved, context.deck.species};
      writer_.emplace(path, metadata, fields,
                      output.double_precision ? io::StoredPrecision::double_ : io::StoredPrecision::single, context.ranks);
    }
  }

  Wanted wants(i64 step, bool last) const override {
    Wanted wanted;
    const bool due = (every_ > 0 && step % every_ == 0) || (last && atEnd_);
    wanted.velocities = due && writer_->has(io::TrajectoryField::velocity);
    wanted.forces = due && writer_->has(io::TrajectoryField::force);
    wanted.snapshot = due;
    return wanted;
  }

  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step <= writer_->lastStep()) return;
    writer_->append(engine.snapshot(step));
    io::onRoot(ranks_, [&] { xdmf_.update(*writer_); });
  }

  void finish() override { writer_->flush(); }

 private:
  i64 every_;
  bool atEnd_;
  io::Ranks ranks_;
  std::optional<io::H5mdWriter> writer_;
  io::XdmfWriter xdmf_;
};

}  // namespace

std::unique_ptr<Recorder> makeTrajectoryRecorder(const RecorderContext& context, const input::Output& output) {
  return std::make_unique<TrajectoryRecorder>(context, output);
}

}  // namespace mesowarp
