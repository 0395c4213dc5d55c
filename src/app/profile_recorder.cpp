#include <cstring>
#include <optional>

#include "app/profile_sums.hpp"
#include "app/recorder.hpp"
#include "core/error.hpp"
#include "io/profile_writer.hpp"

namespace mesowarp {
namespace {

class ProfileRecorder final : public Recorder {
 public:
  ProfileRecorder(const RecorderContext& context, const input::Measure& measure)
      : directory_(context.directory), measure_(measure), box_(context.deck.box),
        sums_(static_cast<std::size_t>(measure.bins)), ranks_(context.ranks) {
    if (context.resumedFrom < 0) onRoot([&] { writer_.emplace(directory_, measure_.name, measure_.quantities); });
  }

  Wanted wants(i64 step, bool) const override {
    Wanted wanted;
    wanted.velocities = step >= measure_.start && (step - measure_.start) % measure_.every == 0;
    return wanted;
  }

  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step <= last_) return;
    if (!sums_.empty() && blockOf(step) != blockOf(first_)) write();
    if (sums_.empty()) first_ = step;
    engine.addProfile(measure_.axis, sums_.nextSample());
    last_ = step;
  }

  void finish() override {
    if (!sums_.empty() && !onlyBeginsAWindow()) write();
  }

  void save(std::vector<io::ArrayView>& arrays, std::vector<std::vector<std::byte>>& storage) const override {
    std::vector<double> values{static_cast<double>(first_), static_cast<double>(last_), static_cast<double>(sums_.samples())};
    const std::vector<double> sums = sums_.numbers();
    values.insert(values.end(), sums.begin(), sums.end());
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage.emplace_back(bytes, bytes + values.size() * sizeof(double));
    arrays.push_back({arrayName(), io::ElementType::f64, values.size(), 1, storage.back().data()});
  }

  void restore(const io::CheckpointContent& content) override {
    const auto it = content.arrays.find(arrayName());
    std::vector<double> values(it == content.arrays.end() ? 0 : it->second.data.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), it->second.data.data(), values.size() * sizeof(double));
    if (values.size() < 3 || !sums_.restore(values.data() + 3, values.size() - 3, static_cast<i64>(values[2])))
      throw InputError("the checkpoint has no sums for [[measure]] '" + measure_.name + "' with these bins");
    first_ = static_cast<i64>(values[0]), last_ = static_cast<i64>(values[1]);
    // Blocks before the unfinished one are complete; a partial copy of it, written when the earlier run ended, goes.
    onRoot([&] {
      writer_ = io::ProfileWriter::resume(directory_, measure_.name, measure_.quantities, sums_.empty() ? last_ : first_ - 1);
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
  // A run of whole windows ends with the first sample of the next one, which is no block: it waits in the checkpoint.
  bool onlyBeginsAWindow() const {
    return sums_.samples() == 1 && measure_.window > measure_.every && blockOf(first_) > 0;
  }
  void write() {
    if (writer_) writer_->append(averaged(sums_, measure_, box_, first_, last_));
    sums_.clear();
  }

  std::string directory_;
  input::Measure measure_;
  input::Box box_;
  ProfileSums sums_;
  const comm::Communicator* ranks_;
  std::optional<io::ProfileWriter> writer_;  // of the root
  i64 first_ = 0, last_ = -1;
};

}  // namespace

void Recorder::save(std::vector<io::ArrayView>&, std::vector<std::vector<std::byte>>&) const {}
void Recorder::restore(const io::CheckpointContent&) {}

std::unique_ptr<Recorder> makeProfileRecorder(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<ProfileRecorder>(context, measure);
}

}  // namespace mesowarp
