#include <algorithm>
#include <cstring>
#include <optional>

#include "core/version.hpp"
#include "input/method.hpp"
#include "input/result_files.hpp"
#include "io/files/earlier_output.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/xdmf.hpp"
#include "io/ranks.hpp"
#include "physics/integrate/elapsed_time.hpp"
#include "run/recorders/group_frames.hpp"
#include "run/recorders/recorder.hpp"

namespace mesowarp {
namespace {

class TrajectoryRecorder final : public Recorder {
public:
  TrajectoryRecorder(const RecorderContext& context, const input::Output& output, const Population& population,
                     std::size_t number)
      : context_(context), number_(number), fileName_(input::trajectoryNames(context.deck, output).at(number) + ".h5"),
        path_(context.directory + "/" + fileName_), fields_(fieldsOf(output, population)),
        speciesNames_(population.speciesNames()), isDouble_(output.double_precision), every_(output.every),
        atEnd_(output.at_end), root_(!context.ranks || context.ranks->root()),
        xdmf_(context.directory + "/" + input::trajectoryNames(context.deck, output).at(number) + ".xmf"),
        groups_(context.deck, number == 0 ? output.groups : std::vector<std::string>()) {
    if (speciesNames_.empty()) speciesNames_ = context.deck.species;
    if (fields_.end() != std::find(fields_.begin(), fields_.end(), io::TrajectoryField::concentration))
      solutes_ = input::carriedBy(context.deck);
  }

  void check() override {
    io::onRoot(context_.ranks, [&] {
      const auto mark = context_.marks.find(fileName_);
      earlier_ = io::EarlierOutput(path_, context_.resumedFrom, mark == context_.marks.end() ? nullptr : &mark->second,
                                   io::EarlierOutput::Growth::overwritten);
      const bool bySeveral = io::several(context_.ranks) != nullptr;
      if (earlier_.state() == State::rows) io::H5mdWriter::checkResume(path_, bySeveral);
      if (earlier_.state() == State::exact && bySeveral) io::H5mdWriter::checkForSeveral(path_);
    });
    state_ = static_cast<State>(io::fromRoot(context_.ranks, static_cast<i64>(earlier_.state())));
  }

  void open() override {
    const bool isNew = context_.resumedFrom < 0;
    if (!isNew) io::onRoot(context_.ranks, [&] { prepareEarlier(); });
    if (isNew || state_ == State::absent) {
      const io::H5mdMetadata metadata{std::string(Version::number), "", context_.deck.resolved, speciesNames_,
                                      solutes_};
      writer_.emplace(path_, metadata, fields_, isDouble_ ? io::StoredPrecision::double_ : io::StoredPrecision::single,
                      context_.ranks);
    } else {
      writer_ = io::H5mdWriter::resume(path_, context_.resumedFrom, context_.ranks, earlier_.base());
    }
    io::onRoot(context_.ranks, [&] {
      if (writer_->frames() > 0) xdmf_.update(*writer_);
    });
  }

  void mark(i64 step, io::FileMarks& marks) override {
    const io::FileMark mark = writer_->mark(step);
    if (root_) marks[fileName_] = mark;
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
    io::Snapshot snapshot = engine.snapshot(step, number_);
    snapshot.time = timeOf(context_.deck, step);
    if (writer_->has(io::TrajectoryField::concentration)) snapshot.concentration = numbersOf(snapshot, solutes_.size());
    const bool first = writer_->frames() == 0;
    if (!groups_.all()) groups_.choose(*engine.populations().at(number_), first, snapshot);
    writer_->append(snapshot);
    if (!groups_.all() && first) writer_->writeTags(groups_.tags());
    io::onRoot(context_.ranks, [&] { xdmf_.update(*writer_); });
  }

  void finish() override { writer_->flush(); }

private:
  using State = io::EarlierOutput::State;

  static std::vector<io::TrajectoryField> fieldsOf(const input::Output& output, const Population& population) {
    std::vector<io::TrajectoryField> fields{io::TrajectoryField::species, io::TrajectoryField::id,
                                            io::TrajectoryField::mass};
    for (const auto& name : output.fields) fields.push_back(io::trajectoryField(name));
    std::sort(fields.begin(), fields.end());
    fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
    std::erase_if(fields, [&](io::TrajectoryField field) { return !population.has(field); });
    return fields;
  }

  // The first `width` numbers of each particle's shown field.
  static std::vector<double> numbersOf(const io::Snapshot& snapshot, std::size_t width) {
    std::vector<double> all;
    for (const io::OwnField& field : snapshot.own) {
      if (!field.shown) continue;
      for (std::size_t row = 0; row < field.data.size(); row += field.rowBytes)
        for (std::size_t k = 0; k < width; ++k) {
          const std::byte* at = field.data.data() + row + k * field.numberBytes;
          float single = 0.0f;
          double number = 0.0;
          if (field.numberBytes == sizeof(float))
            std::memcpy(&single, at, sizeof(single)), number = static_cast<double>(single);
          else
            std::memcpy(&number, at, sizeof(number));
          all.push_back(number);
        }
    }
    return all;
  }

  void prepareEarlier() {
    if (state_ == State::exact) return earlier_.rollBack();
    if (state_ == State::absent) tellOfNewFile(context_, fileName_);
    earlier_.giveUp();
  }

  RecorderContext context_;
  std::size_t number_;  // of the population
  std::string fileName_, path_;
  std::vector<io::TrajectoryField> fields_;
  std::vector<std::string> speciesNames_, solutes_;
  bool isDouble_;
  io::EarlierOutput earlier_;  // of the root
  State state_ = State::absent;
  i64 every_;
  bool atEnd_, root_;
  std::optional<io::H5mdWriter> writer_;
  io::XdmfWriter xdmf_;
  GroupFrames groups_;
};

}  // namespace

std::unique_ptr<Recorder> makeTrajectoryRecorder(const RecorderContext& context, const input::Output& output,
                                                 const Population& population, std::size_t number) {
  return std::make_unique<TrajectoryRecorder>(context, output, population, number);
}

}  // namespace mesowarp
