#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <spdlog/spdlog.h>
#include <utility>

#include "core/error.hpp"
#include "input/method.hpp"
#include "io/ranks.hpp"
#include "io/text/profile_writer.hpp"
#include "run/recorders/profile_sums.hpp"
#include "run/recorders/recorder.hpp"

namespace mesowarp {
namespace {

std::size_t furtherIn(const std::vector<std::string>& quantities) { return io::furtherQuantities(quantities).size(); }

class ProfileRecorder final : public Recorder {
public:
  ProfileRecorder(const RecorderContext& context, const input::Measure& measure)
      : context_(context), measure_(measure), box_(context.deck.box),
        quantities_(input::namedBy(context.deck, measure.quantities)),
        sums_(static_cast<std::size_t>(measure.bins), furtherIn(quantities_)) {}

  void check() override {
    io::onRoot(context_.ranks, [&] {
      earlier_ = io::ProfileWriter::look(context_.directory, measure_.name, quantities_,
                                         static_cast<std::size_t>(measure_.bins), context_.resumedFrom, context_.marks);
    });
  }

  void open() override {
    io::onRoot(context_.ranks, [&] {
      if (context_.resumedFrom < 0)
        writer_.emplace(context_.directory, measure_.name, quantities_);
      else
        continueFiles();
    });
  }

  void mark(i64 step, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] { writer_->mark(step, marks); });
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
    io::onRoot(context_.ranks, [&] { writer_->flush(); });
  }

  void save(std::vector<io::ArrayView>& arrays, std::vector<std::vector<std::byte>>& storage) const override {
    std::vector<double> values{static_cast<double>(first_), static_cast<double>(last_),
                               static_cast<double>(sums_.samples())};
    const std::vector<double> sums = sums_.numbers();
    values.insert(values.end(), sums.begin(), sums.end());
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage.emplace_back(bytes, bytes + values.size() * sizeof(double));
    arrays.push_back({arrayName(), io::ElementType::f64, values.size(), 1, storage.back().data()});
  }

  void restore(const io::CheckpointContent& content) override {
    const auto it = content.arrays.find(arrayName());
    isNew_ = it == content.arrays.end();
    if (isNew_) return;
    std::vector<double> values(it->second.data.size() / sizeof(double));
    std::memcpy(values.data(), it->second.data.data(), values.size() * sizeof(double));
    if (values.size() < 3 || !sums_.restore(values.data() + 3, values.size() - 3, static_cast<i64>(values[2])))
      throw InputError(fmt::format("the checkpoint has sums of [[measure]] '{}' with other bins than the deck's {}: "
                                   "give it another name, and it begins anew",
                                   measure_.name, measure_.bins));
    first_ = static_cast<i64>(values[0]), last_ = static_cast<i64>(values[1]);
  }

private:
  // Blocks before the unfinished one are complete; a partial copy of it, written when the earlier run ended, goes.
  void continueFiles() {
    using State = io::EarlierOutput::State;
    if (isNew_)
      spdlog::warn("the checkpoint has no sums of [[measure]] '{}': it begins behind step {}", measure_.name,
                   context_.resumedFrom);
    else
      for (const auto& [file, ending] : {std::pair{&earlier_.csv, ".csv"}, std::pair{&earlier_.hdf5, ".h5"}})
        if (file->state() == State::absent) tellOfNewFile(context_, measure_.name + ending);
    const i64 lastStep = isNew_ ? context_.resumedFrom : sums_.empty() ? last_ : first_ - 1;
    writer_ = io::ProfileWriter::resume(context_.directory, measure_.name, quantities_, lastStep, earlier_);
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

  RecorderContext context_;
  input::Measure measure_;
  input::BoxBlock box_;
  std::vector<std::string> quantities_;  // of the files
  ProfileSums sums_;
  io::ProfileWriter::Earlier earlier_;       // of the root
  std::optional<io::ProfileWriter> writer_;  // of the root
  bool isNew_ = false;                       // in a resumed run
  i64 first_ = 0, last_ = -1;
};

}  // namespace

void Recorder::save(std::vector<io::ArrayView>&, std::vector<std::vector<std::byte>>&) const {}
void Recorder::restore(const io::CheckpointContent&) {}

void tellOfNewFile(const RecorderContext& context, const std::string& name) {
  spdlog::warn("{} is missing or empty: a new one begins, without what came before step {}", name, context.resumedFrom);
}

std::unique_ptr<Recorder> makeProfileRecorder(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<ProfileRecorder>(context, measure);
}

}  // namespace mesowarp
