#include "app/commands.hpp"

#include <H5public.h>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <spdlog/spdlog.h>

#include "app/deck_handout.hpp"
#include "app/memory_check.hpp"
#include "app/user/python.hpp"
#include "comm/transport/transports.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "device/config.hpp"
#include "device/device_info.hpp"
#include "input/grammar/parse.hpp"
#include "input/grammar/printable.hpp"
#include "input/grammar/reference.hpp"
#include "input/method.hpp"
#include "input/physics_check.hpp"
#include "input/result_files.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/convert/convert.hpp"
#include "io/files/output_directory.hpp"
#include "io/log.hpp"
#include "physics/integrate/schedule.hpp"
#include "run/kokkos_session.hpp"
#include "run/mpi_session.hpp"
#include "run/signals.hpp"
#include "run/simulation.hpp"
#include "run/thread_choice.hpp"

namespace mesowarp {
namespace {

// An error that all ranks meet is the root's to tell; one that some rank meets alone ends the others, too.
template <class Task>
int onAllRanks(const comm::Communicator& ranks, const Task& task) {
  if (ranks.size() == 1) return task();
  const auto failed = [&](const std::exception& error, int exitCode) {
    if (!ranks.allHaveFailed()) {
      fmt::print(stderr, "error: rank {}: {}\n", ranks.rank(), input::printable(error.what()));
      ranks.abort(exitCode);
    }
    if (ranks.root()) spdlog::error("{}", error.what());
    return exitCode;
  };
  try {
    return task();
  } catch (const InputError& error) {
    return failed(error, 2);
  } catch (const std::exception& error) {
    return failed(error, 1);
  }
}

std::optional<std::string> checkpointToResume(const RunRequest& request, const std::string& output) {
  if (!request.resuming) return std::nullopt;
  if (!request.resume.empty()) return request.resume;
  const auto newest = io::newestCheckpoint(output);
  if (!newest) throw InputError("--resume: there is no checkpoint in " + output);
  return newest;
}

// How much work a step is, the deck says, unless populations come from files; a GPU needs its host's threads for other
// things.
ThreadChoice threadsOf(const input::Deck& deck, int asked, const comm::Communicator& ranks) {
  const input::Estimate estimate = input::estimate(deck);
  const bool known = estimate.populationsFromFiles == 0 && !backend::onGpu;
  return chooseThreads(threadQuestion(asked, known ? estimate.secondsPerStep : 0.0, ranks));
}

}  // namespace

// MPI first, for the deck is the root's to read; a deck with errors then ends all ranks before anything else is
// touched.
int runDeck(RunRequest request, int argc, char** argv) {
  letWaitingThreadsSleep(argv);
  catchSignals();
  const comm::MpiSession mpi(argc, argv);
  const comm::Communicator ranks;
  catchSignals();
  tellOfWaiting(ranks.root());
  io::setUpLog({.quiet = request.quiet, .primary = ranks.root()});
  std::optional<KokkosSession> kokkos;  // outlives what a rank tells of its failure
  return onAllRanks(ranks, [&] {
    auto deck = handOutDeck(request, ranks);
    if (!deck) return 2;
    const std::string output = outputDirectory(request);
    std::optional<io::OutputDirectory> directory;  // the root's: it holds the lock from here to the run's end
    std::optional<std::string> resume;
    ranks.onRoot([&] {
      directory.emplace(io::OutputRequest{output, request.resuming, request.force, input::resultFiles(*deck),
                                          input::resultSeries(*deck)});
      resume = checkpointToResume(request, output);
    });
    if (request.resuming) resume = ranks.fromRank(0, resume.value_or(""));
    const ThreadChoice threads = threadsOf(*deck, request.threads, ranks);
    kokkos.emplace(threads.threads, ranks.rankOnNode());
    catchSignals();
    requireMemory(*deck, &ranks);
    RunOptions options{output, resume, request.quiet, &ranks, threads.words};
    options.directory = directory ? &*directory : nullptr;
    Simulation simulation(std::move(*deck), options);
    return simulation.run();
  });
}

namespace {

// Of what a [[schedule]] changes, in the first step and in the last.
std::vector<std::pair<std::string, std::string>> expectationsOf(const input::Deck& deck) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto schedule = Schedule::of(deck);
  for (const input::MethodBlocks* method : input::methodsOf(deck)) {
    if (!schedule) {
      for (auto& one : method->expectations(deck)) all.push_back(std::move(one));
      continue;
    }
    const auto first = method->expectations(schedule->at(0)), last = method->expectations(schedule->at(deck.run.steps));
    for (std::size_t k = 0; k < first.size(); ++k) {
      const bool changes = k < last.size() && last[k].first == first[k].first && last[k].second != first[k].second;
      all.emplace_back(first[k].first,
                       changes ? fmt::format("{} in the first step, {} in the last", first[k].second, last[k].second)
                               : first[k].second);
    }
  }
  return all;
}

}  // namespace

int checkDeck(const RunRequest& request) {
  const auto deck = readDeck(request);
  if (!deck) return 2;
  const input::Estimate estimate = input::estimate(*deck);
  fmt::print("{}\n", deck->resolved);
  fmt::print("# particles          {}\n", estimate.particles);
  fmt::print("# memory             {:.1f} MiB", estimate.memoryBytes / 1048576.0);
  if (estimate.particles > 0)
    fmt::print(" ({:.0f} bytes per particle)", estimate.memoryBytes / static_cast<double>(estimate.particles));
  fmt::print("\n");
  fmt::print("# pairs in range     {:.1f} a particle\n", estimate.pairsPerParticle);
  for (const auto& [name, value] : expectationsOf(*deck)) fmt::print("# {:<18} {}\n", name, value);
  fmt::print("# expected cost      {:.3g} ms per step on one core\n", 1e3 * estimate.secondsPerStep);
  fmt::print("# phases of a step   {}\n", fmt::join(input::phasesOf(*deck), " | "));
  requireMemory(*deck, nullptr);
  fmt::print("# {}: no errors\n", request.deck);
  return 0;
}

int printInfo(int argc, char** argv) {
  const comm::MpiSession mpi(argc, argv);
  const KokkosSession kokkos(0, 0);
  const auto device = backend::deviceInfo();
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  fmt::print("mesowarp    {} ({})\n", Version::number, Version::git);
  fmt::print("build       {}, {}\n", Version::buildType, Version::compiler);
  fmt::print("Kokkos      {}\n", device.kokkosVersion);
  fmt::print("backend     {}\n", device.backend);
  fmt::print("device      {}\n", device.device);
  fmt::print("threads     {}\n", device.threads);
  fmt::print("MPI         {}, {} rank{}\n", comm::MpiSession::libraryVersion(), mpi.ranks(),
             mpi.ranks() == 1 ? "" : "s");
  fmt::print("HDF5        {}.{}.{}\n", major, minor, release);
  fmt::print("precision   single, mixed (default), double: run.precision in the deck\n");
  return 0;
}

int tryDeviceBuffers(int argc, char** argv) {
  const comm::MpiSession mpi(argc, argv);
  const KokkosSession kokkos(1);
  return comm::tryDeviceBuffers();
}

int printReference() {
  std::cout << input::referenceMarkdown();
  return 0;
}

namespace {

// What a file's ending says, or a name like LAMMPS' own, dump.melt; throws InputError.
std::string formatOf(const std::string& path) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  const std::string ending = name.extension();
  if (ending == ".xyz" || ending == ".extxyz") return "xyz";
  if (ending == ".data" || ending == ".lmp") return "lammps-data";
  if (ending == ".vtk") return "vtk";
  if (ending == ".gsd") return "gsd";
  if (ending == ".dump" || ending == ".lammpstrj" || name.string().starts_with("dump.")) return "lammps-dump";
  throw InputError(fmt::format("{}: the ending tells no format that convert writes: .dump or .lammpstrj (LAMMPS dump), "
                               ".data or .lmp (LAMMPS data), .xyz or .extxyz, .gsd, .vtk; take one, or say --format",
                               input::printable(path)));
}

// Of all trajectories, by the deck in one.
bool asksForImages(const std::string& deckText) {
  const auto parsed = input::parseDeckText(deckText, "", {});
  const auto& outputs = parsed.deck.outputs;
  return parsed.ok() && std::all_of(outputs.begin(), outputs.end(), [](const input::Output& output) {
           const auto& fields = output.fields;
           return output.format != input::OutputFormat::trajectory ||
                  std::find(fields.begin(), fields.end(), "image") != fields.end();
         });
}

// GSD's library is Python's.
[[noreturn]] void convertByPython(const ConvertRequest& request, const std::string& format) {
  std::vector<std::string> words{"convert",
                                 request.input,
                                 request.output,
                                 "--format",
                                 format,
                                 "--first",
                                 std::to_string(request.first),
                                 "--last",
                                 std::to_string(request.last),
                                 "--stride",
                                 std::to_string(request.stride)};
  if (request.unwrap) words.emplace_back("--unwrap");
  if (request.force) words.emplace_back("--force");
  becomePython(words, {"numpy", "h5py", "gsd"});
}

}  // namespace

int convertFile(const ConvertRequest& request) {
  const std::string format = request.format.empty() ? formatOf(request.output) : request.format;
  if (format == "gsd" || std::filesystem::path(request.input).extension() == ".gsd") convertByPython(request, format);
  io::ConvertOptions options;
  options.first = request.first, options.last = request.last, options.stride = request.stride,
  options.unwrap = request.unwrap, options.force = request.force;
  options.imagesWished = asksForImages;
  const std::size_t frames = io::convertTrajectory(request.input, request.output, format, options);
  fmt::print("{} frame{} written to {} ({})\n", frames, frames == 1 ? "" : "s", input::printable(request.output),
             format);
  return 0;
}

int drawPictures(const PlotRequest& request) {
  std::vector<std::string> words{"plot"};
  words.insert(words.end(), request.runs.begin(), request.runs.end());
  if (!request.output.empty()) words.insert(words.end(), {"--output", request.output});
  for (const std::string& picture : request.pictures) words.insert(words.end(), {"--only", picture});
  if (request.force) words.emplace_back("--force");
  becomePython(words, {"numpy", "h5py", "matplotlib"});
}

}  // namespace mesowarp
