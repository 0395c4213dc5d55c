#include <cstring>
#include <limits>
#include <optional>

#include "app/recorder.hpp"
#include "core/error.hpp"
#include "io/profile_writer.hpp"

namespace mesowarp {
namespace {

// Averages over all samples of a block. Temperature is that of the motion relative to the bin's mean velocity.
io::ProfileBlock averaged(const std::vector<BinSums>& bins, const input::Measure& measure, const input::Box& box,
                          i64 first, i64 last, i64 samples) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  io::ProfileBlock block;
  block.firstStep = first, block.lastStep = last, block.samples = samples, block.axis = measure.axis;
  const double binVolume = box.size[0] * box.size[1] * box.size[2] / static_cast<double>(bins.size());
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const BinSums& s = bins[b];
    const double perSample = s.count / static_cast<double>(samples);
    block.coordinate.push_back((static_cast<double>(b) + 0.5) * box.size[measure.axis] / static_cast<double>(bins.size()));
    block.count.push_back(perSample);
    block.density.push_back(perSample / binVolume);
    double meanKinetic = 0.0;
    for (const double p : s.momentum) {
      block.velocity.push_back(s.mass > 0.0 ? p / s.mass : none);
      meanKinetic += s.mass > 0.0 ? p * p / s.mass : 0.0;
    }
    block.temperature.push_back(s.count > 0.0 ? (s.kinetic - meanKinetic) / (3.0 * s.count) : none);
  }
  return block;
}

class ProfileRecorder final : public Recorder {
 public:
  ProfileRecorder(const RecorderContext& context, const input::Measure& measure)
      : directory_(context.directory), measure_(measure), box_(context.deck.box), bins_(measure.bins),
        ranks_(context.ranks) {
    if (context.resumedFrom < 0) onRoot([&] { writer_.emplace(directory_, measure_.name, measure_.quantities); });
  }

  Wanted wants(i64 step, bool) const override {
    Wanted wanted;
    wanted.velocities = step >= measure_.start && (step - measure_.start) % measure_.every == 0;
    return wanted;
  }

  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step <= last_) return;
    if (samples_ > 0 && blockOf(step) != blockOf(first_)) write();
    if (samples_ == 0) first_ = step;
    engine.addProfile(measure_.axis, bins_);
    last_ = step;
    ++samples_;
  }

  void finish() override {
    if (samples_ > 0) write();
  }

  void save(std::vector<io::ArrayView>& arrays, std::vector<std::vector<std::byte>>& storage) const override {
    std::vector<double> values{static_cast<double>(first_), static_cast<double>(last_), static_cast<double>(samples_)};
    for (const BinSums& s : bins_)
      values.insert(values.end(), {s.count, s.mass, s.momentum[0], s.momentum[1], s.momentum[2], s.kinetic});
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage.emplace_back(bytes, bytes + values.size() * sizeof(double));
    arrays.push_back({arrayName(), io::ElementType::f64, values.size(), 1, storage.back().data()});
  }

  void restore(const io::CheckpointContent& content) override {
    const auto it = content.arrays.find(arrayName());
    if (it == content.arrays.end() || it->second.rows != 3 + 6 * bins_.size())
      throw InputError("the checkpoint has no sums for [[measure]] '" + measure_.name + "' with these bins");
    std::vector<double> values(it->second.rows);
    std::memcpy(values.data(), it->second.data.data(), values.size() * sizeof(double));
    first_ = static_cast<i64>(values[0]), last_ = static_cast<i64>(values[1]), samples_ = static_cast<i64>(values[2]);
    for (std::size_t b = 0; b < bins_.size(); ++b) {
      const double* v = &values[3 + 6 * b];
      bins_[b] = {v[0], v[1], {v[2], v[3], v[4]}, v[5]};
    }
    // Blocks before the unfinished one are complete; a partial copy of it, written when the earlier run ended, goes.
    onRoot([&] {
      writer_ = io::ProfileWriter::resume(directory_, measure_.name, measure_.quantities, samples_ > 0 ? first_ - 1 : last_);
    });
  }

 private:
  template <class Task>
  void onRoot(const Task& task) {
    if (ranks_) ranks_->onRoot(task);
    else task();
  }
  std::string arrayName() const { return "profile_" + measure_.name; }
  i64 blockOf(i64 step) const { return measure_.window > 0 ? (step - measure_.start) / measure_.window : 0; }
  void write() {
    if (writer_) writer_->append(averaged(bins_, measure_, box_, first_, last_, samples_));
    bins_.assign(bins_.size(), {});
    samples_ = 0;
  }

  std::string directory_;
  input::Measure measure_;
  input::Box box_;
  std::vector<BinSums> bins_;
  const comm::Communicator* ranks_;
  std::optional<io::ProfileWriter> writer_;  // of the root
  i64 first_ = 0, last_ = -1, samples_ = 0;
};

}  // namespace

void Recorder::save(std::vector<io::ArrayView>&, std::vector<std::vector<std::byte>>&) const {}
void Recorder::restore(const io::CheckpointContent&) {}

std::unique_ptr<Recorder> makeProfileRecorder(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<ProfileRecorder>(context, measure);
}

}  // namespace mesowarp
