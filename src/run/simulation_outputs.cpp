// The outputs of a run, before its first step: looked at, then touched.
#include <spdlog/spdlog.h>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint_files.hpp"
#include "io/files/output_directory.hpp"
#include "io/files/undo_journal.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/log.hpp"
#include "physics/methods.hpp"
#include "run/deck_difference.hpp"
#include "run/simulation.hpp"

namespace mesowarp {

void Simulation::makeRecorders() {
  RecorderContext context{.deck = deck_,
                          .directory = options_.output,
                          .ranks = options_.ranks,
                          .openPart = input::methodsOf(deck_).front()->openPart(deck_)};
  if (checkpoint_) {
    context.resumedFrom = firstStep_;
    if (const auto outputs = checkpoint_->texts.find("outputs"); outputs != checkpoint_->texts.end())
      context.marks = io::hdf5::asInputError(*options_.resume, [&] { return io::parseMarks(outputs->second); });
  }
  for (const auto& output : deck_.outputs) {
    if (output.format == input::OutputFormat::table) {
      recorders_.push_back(makeThermoRecorder(context, output));
      thermo_ = recorders_.back().get();
    } else if (output.format == input::OutputFormat::trajectory) {
      for (std::size_t k = 0; k < engine_->populations().size(); ++k)
        recorders_.push_back(makeTrajectoryRecorder(context, output, *engine_->populations()[k], k));
    }
  }
  for (const Method* method : methodsIn(deck_))
    for (auto& recorder : method->recorders(context)) recorders_.push_back(std::move(recorder));
  for (const auto& measure : deck_.measures)
    recorders_.push_back(measure.style == input::MeasureStyle::field ? makeFieldRecorder(context, measure)
                         : measure.isOfPlaces()                      ? makeProfileRecorder(context, measure)
                                                                     : makeMeasureRecorder(context, measure));
}

void Simulation::checkOutputs() {
  makeRecorders();
  for (auto& recorder : recorders_) {
    recorder->restore(*checkpoint_);
    recorder->check();
  }
  refuseOtherMeasures(*checkpoint_, deck_, *options_.resume);
  refuseOtherFields(*checkpoint_, deck_, *options_.resume);
}

// The lock is ours, and all that the user may have got wrong has been looked at.
void Simulation::touchDirectory() {
  options_.directory->begin();
  if (!checkpoint_) io::removeJournals(options_.output);
  io::openLogFile(options_.output);
  for (const auto& note : options_.directory->notes()) spdlog::info(note);
  if (checkpoint_) spdlog::info("resuming from {} at step {}", *options_.resume, firstStep_);
  for (const auto& note : notes_) spdlog::warn("{}", note);
}

// Checkpoints of later steps go before the files are cut back: they would not fit any more.
void Simulation::setLaterCheckpointsAside() {
  for (const auto& path : io::setAsideLaterCheckpoints(options_.output, firstStep_))
    spdlog::info("a later checkpoint was set aside as {}", path);
  if (firstStep_ == deck_.run.steps)
    spdlog::info("this is the last step: nothing is left to compute, and the run's results are completed");
}

// By now files change, so nothing is the user's input any more.
void Simulation::openRecorders() {
  if (!checkpoint_) makeRecorders();
  try {
    if (checkpoint_) onRoot([&] { setLaterCheckpointsAside(); });
    for (auto& recorder : recorders_) recorder->open();
    onRoot([&] {
      writeWalls({deck_, options_.output});
      const auto said = options_.directory->notes().size();
      options_.directory->writeDeck(deck_.resolved);
      for (auto k = said; k < options_.directory->notes().size(); ++k) spdlog::info(options_.directory->notes()[k]);
    });
  } catch (const InputError& error) {
    throw RunError(error.what());
  }
}

}  // namespace mesowarp
