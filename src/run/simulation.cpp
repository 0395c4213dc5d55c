#include "run/simulation.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "core/error.hpp"
#include "core/version.hpp"
#include "device/device_info.hpp"
#include "input/estimate.hpp"
#include "io/checkpoint/checkpoint_files.hpp"
#include "io/files/file_system.hpp"
#include "io/log.hpp"
#include "io/ranks.hpp"
#include "io/summary.hpp"
#include "physics/integrate/elapsed_time.hpp"
#include "physics/methods.hpp"
#include "physics/observables/measured_fields.hpp"
#include "physics/resume.hpp"
#include "run/deck_changes.hpp"
#include "run/deck_difference.hpp"
#include "run/recorders/table_interval.hpp"
#include "run/signals.hpp"
#include "run/thread_choice.hpp"

namespace mesowarp {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// "2 x 1 x 1 parts; ghosts travel by: …"
std::string partsInWords(const Engine& engine) {
  std::vector<std::string> words;
  for (const auto& population : engine.populations()) words.push_back(population->sharedHow());
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

Simulation::Simulation(input::Deck deck, RunOptions options) : deck_(std::move(deck)), options_(std::move(options)) {
  if (options_.ranks && options_.ranks->size() == 1) options_.ranks = nullptr;
  if (options_.resume) {
    readCheckpoint(*options_.resume);
    return;
  }
  prepare();
}

void Simulation::prepare() {
  std::vector<std::unique_ptr<Start>> starts;
  {
    backend::Region region("initial state", phases_);
    for (const Method* method : methodsIn(deck_)) starts.push_back(method->start(deck_, options_.ranks));
  }
  {
    backend::Region region("memory and cells", phases_);
    engine_ = std::make_unique<Engine>(options_.ranks);
    for (const auto& start : starts) start->addTo(*engine_, options_.sort);
    observables::addMeasuredFields(*engine_, deck_);
  }
  backend::Region region("upload", phases_);
  for (const auto& start : starts) {
    start->upload();
    for (auto& warning : start->warnings()) notes_.push_back(std::move(warning));
    for (auto& words : start->found()) found_.push_back(std::move(words));
  }
}

void Simulation::onRoot(const std::function<void()>& task) const { io::onRoot(options_.ranks, task); }

Simulation::~Simulation() = default;

void Simulation::readCheckpoint(const std::string& path) {
  checkpoint_ = io::readCheckpoint(path, options_.ranks);
  const std::string& deckThen = deckTextOf(*checkpoint_, path);
  refuseOtherSystem(*checkpoint_, deck_, path);
  firstStep_ = stepOf(*checkpoint_, path);
  deck_.own.get<ElapsedTime>().shift = timeShiftOf(*checkpoint_, deck_, path);
  keepTableInterval(deckThen, firstStep_, deck_, notes_);
  history_.restore(*checkpoint_, firstStep_);
  for (const auto& line : changesOf(deckThen, deck_.resolved))
    notes_.push_back("the deck differs from the checkpoint's: " + line);
  if (firstStep_ > deck_.run.steps)
    throw InputError(
        fmt::format("{} is at step {} and run.steps is {}: give a larger --steps", path, firstStep_, deck_.run.steps));
  engine_ = engineOfCheckpoint(*checkpoint_, deck_, path, options_.ranks);
}

// What the user may have got wrong shows before anything is touched.
void Simulation::openOutputs() {
  if (checkpoint_) checkOutputs();
  onRoot([&] { touchDirectory(); });
  const auto device = backend::deviceInfo();
  history_.begin(
      {firstStep_, firstStep_, 0.0, options_.ranks ? options_.ranks->size() : 1, device.threads, device.device});
  writeSummary(firstStep_, "running", "");  // before anything else of an earlier part is touched
  openRecorders();
  spdlog::info("mesowarp {} on {} ({}), {} threads, {} precision", Version::number, device.device, device.backend,
               device.threads, nameOf(deck_.run.precision));
  if (!options_.threads.empty()) spdlog::info("{}; those that wait: {}", options_.threads, threadWaiting());
  if (options_.ranks) spdlog::info("{} ranks, {}", options_.ranks->size(), partsInWords(*engine_));
  const double bytes = memoryBytes();
  spdlog::info("{} particles, {:.0f} bytes each ({:.1f} MiB)", engine_->particles(),
               bytes / static_cast<double>(engine_->particles()), bytes / 1048576.0);
  for (const auto& words : found_) spdlog::info("{}", words);
}

double Simulation::memoryBytes() const {
  const auto mine = static_cast<i64>(engine_->memoryBytes());
  return static_cast<double>(options_.ranks ? options_.ranks->sum(mine) : mine);
}

int Simulation::run() {
  tellOfWaiting(false);
  openOutputs();
  checkpoint_.reset();
  io::Progress progress(firstStep_, deck_.run.steps, io::Progress::standardOutput(options_.quiet || !root()));
  const auto start = Clock::now();
  i64 step = firstStep_;
  try {
    for (;; ++step) {
      timestep(step, step == firstStep_ && options_.resume.has_value());
      stepsDone_ = step - firstStep_;
      wallSeconds_ = since(start);
      progress.update(step);
      if (step == deck_.run.steps || (signal_ != 0 && lastCheckpoint_ == step)) break;
    }
    progress.finish();
    return conclude(step);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    progress.finish();
    return fail(step, error.what());
  }
}

std::string Simulation::hashOfState() {
  backend::Region region("state hash", phases_);
  return engine_->stateHash();
}

void Simulation::runSteps(i64 first, i64 last) {
  for (i64 step = first; step <= last; ++step) timestep(step, false);
  if (const auto failure = engine_->failure()) throw RunError(*failure);
}

Wanted Simulation::wanted(i64 step, bool last) const {
  Wanted all;
  for (const auto& recorder : recorders_) all |= recorder->wants(step, last);
  all.velocities = all.velocities || last;  // for the state hash
  return all;
}

void Simulation::record(i64 step, bool last) {
  const double seconds = wallSeconds_ > 0.0 ? wallSeconds_ : 1e-9;
  const double before = history_.secondsBefore();
  const RunClock clock{(std::isnan(before) ? 0.0 : before) + wallSeconds_,
                       static_cast<double>(stepsDone_) * static_cast<double>(engine_->particles()) / seconds};
  const Wanted all = wanted(step, last);
  if (all.thermo || all.snapshot) onRoot([this] { requireOutputs(); });
  for (auto& recorder : recorders_)
    if (recorder->wants(step, last).any()) recorder->record(step, *engine_, clock);
}

void Simulation::replayRecorders(i64 step, bool last) {
  for (auto& recorder : recorders_)
    if (recorder->wants(step, last).any()) recorder->replay(step, *engine_);
}

// A signal that any rank has caught by now; on GPUs, where ranks should not wait for each other, some steps later.
int Simulation::caughtSignalAnywhere(i64 step) const {
  if (!options_.ranks) return caughtSignal();
  if (backend::onGpu && step % 16 != 0) return 0;
  return static_cast<int>(options_.ranks->largest(caughtSignal()));
}

// Without waiting, a failure on a GPU is seen some steps later; its step is recorded where it happened.
void Simulation::checkForFailure(i64 step, bool waitForDevice) {
  if (backend::onGpu && !waitForDevice && step % 100 != 0) return;
  if (const auto failure = engine_->failure()) throw RunError(*failure);
}

void Simulation::saySkin(i64 step) {
  const std::optional<double> skin = engine_->skin();
  if (skin_ && skin != skin_)
    spdlog::info("neighbor.skin is {:.4g} from step {} on, {:.4g} before (neighbor.tune)", *skin, step, *skin_);
  skin_ = skin;
}

bool Simulation::checkpointDue(i64 step) const {
  for (const auto& output : deck_.outputs) {
    if (output.format != input::OutputFormat::checkpoint) continue;
    if (output.at_end && step == deck_.run.steps) return true;
    if (output.every > 0 && step > 0 && step % output.every == 0) return true;
  }
  return false;
}

void Simulation::captureState() {
  captured_.clear();
  capturedViews_ = engine_->checkpointArrays(captured_);
}

void Simulation::writeCheckpoint(i64 step) {
  onRoot([this] { requireOutputs(); });
  io::FileMarks marks;
  for (const auto& recorder : recorders_) {
    recorder->save(capturedViews_, captured_);
    recorder->mark(step, marks);
  }
  history_.advance(step, wallSeconds_);
  std::map<std::string, std::string> texts{{"deck", deck_.resolved},
                                           {"version", std::string(Version::number)},
                                           {"outputs", io::formatMarks(marks)},
                                           {RunHistory::textOfCheckpoint, history_.text()}};
  if (const double shift = deck_.own.get<ElapsedTime>().shift; shift != 0.0)
    texts[timeShiftText] = fmt::format("{}", shift);
  if (const std::string counts = input::countsOfFiles(deck_); !counts.empty()) texts[fileCountsText] = counts;
  io::writeCheckpoint(options_.output, step, capturedViews_, texts,
                      {{"step", step}, {"ranks", options_.ranks ? options_.ranks->size() : 1}}, options_.ranks,
                      options_.directory ? options_.directory->handle() : -1);
  lastCheckpoint_ = step;
  captured_.clear();
  capturedViews_.clear();
}

void Simulation::writeSummary(i64 step, const std::string& status, const std::string& hash) {
  const double particles = static_cast<double>(engine_->particles());
  const auto device = backend::deviceInfo();
  nlohmann::json s;
  s["status"] = status;
  s["version"] = Version::number;
  s["git"] = Version::git;
  s["title"] = deck_.run.title;
  s["backend"] = device.backend;
  s["device"] = device.device;
  s["precision"] = nameOf(deck_.run.precision);
  s["ranks"] = options_.ranks ? options_.ranks->size() : 1;
  s["threads"] = device.threads;
  s["threads_because"] = options_.threads;
  s["thread_waiting"] = threadWaiting();
  s["particles"] = engine_->particles();
  s["seed"] = deck_.run.seed;
  history_.advance(step, wallSeconds_);
  history_.addTo(s, particles);
  if (status != "running") addResults(s, hash);
  onRoot([&] { io::writeSummary(options_.output + "/summary.json", s); });
}

void Simulation::addResults(nlohmann::json& s, const std::string& hash) {
  const ListCounters counters = engine_->counters();
  if (const auto transport = engine_->transport()) {
    s["parts"] = transport->parts;
    s["transport"] = transport->name;
    s["ghosts"] = counters.ghosts;
    s["migrated"] = counters.migrated;
  }
  s["phase_seconds"] = phases_;
  s["rebuilds"] = counters.rebuilds;
  if (const auto box = engine_->boxSize()) s["box"] = *box;  // at the end
  if (const auto skin = engine_->skin()) s["skin"] = *skin;
  s["dangerous_builds"] = counters.dangerousBuilds;
  s["memory_bytes_per_particle"] = memoryBytes() / static_cast<double>(engine_->particles());
  s["peak_rss_bytes"] = backend::peakResidentBytes();
  if (!hash.empty()) s["state_hash"] = hash;
  if (thermo_) s["averages"] = jsonOf(averagesOf(*thermo_));
}

void Simulation::sayGoodbye(i64, const std::string& hash) {
  const ListCounters counters = engine_->counters();
  if (counters.dangerousBuilds > 0)
    spdlog::warn("{} of {} neighbour lists were used after a particle had left its half skin: pairs may have been "
                 "missed; lower neighbor.every, raise neighbor.skin or use rebuild = \"displacement\"",
                 counters.dangerousBuilds, counters.rebuilds);
  const std::string averages = thermo_ ? textOf(averagesOf(*thermo_), deck_) : "";
  if (!averages.empty()) spdlog::info("second half of the table: {}", averages);
  spdlog::info("{} steps in {:.2f} s: {:.3f} million particle-steps/s, {} rebuilds", stepsDone_, wallSeconds_,
               static_cast<double>(stepsDone_) * static_cast<double>(engine_->particles()) / wallSeconds_ / 1e6,
               counters.rebuilds);
  spdlog::info("state hash {}", hash);
  spdlog::info("results in {}", options_.output);
}

}  // namespace mesowarp
