#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <spdlog/spdlog.h>
#include <sstream>
#include <string>

#include "app/commands.hpp"
#include "app/user/completion.hpp"
#include "app/user/new_deck.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "input/grammar/printable.hpp"
#include "io/log.hpp"
#include "perf/bench/bench.hpp"

namespace mesowarp {
namespace {

constexpr const char* footer = "Exit codes: 0 fine, 1 the run failed or was stopped by a signal, 2 bad input.\n"
                               "Quantities are in DPD units: length r_c, mass m, energy k_BT. Documentation: docs/.";

// A whole number of at least this much. CLI11's own take fractions and tell a range to 1.8e308.
CLI::Validator wholeFrom(std::int64_t lowest) {
  return {[lowest](std::string& text) {
            std::int64_t value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            return error == std::errc() && stop == end && value >= lowest
                       ? std::string()
                       : fmt::format("expected a whole number >= {}, found {}", lowest, text);
          },
          ""};
}

void addOverrides(CLI::App& command, RunRequest& request) {
  command.add_option("deck", request.deck, "input deck (TOML)")->required();
  command.add_option("--set", request.overrides, "section.key=value, over the deck's; any number of them")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--steps", request.steps, "the step to run to, as --set run.steps=N")->check(wholeFrom(0));
  command.add_option("--seed", request.seed, "as --set run.seed=N")->check(wholeFrom(0));
}

CLI::App* addBench(CLI::App& app, BenchRequest& request) {
  auto* bench =
      app.add_subcommand("bench", "speed of the standard DPD fluid (suite), of the parts of a step (parts), "
                                  "of forces among bodies (nbody), of the ways to sum them (sums), "
                                  "of transport DPD beside plain DPD (tdpd), of red blood cells (rbc), of a collision "
                                  "solvent (mpcd)");
  bench->add_option("what", request.what, "suite, parts, nbody, sums, tdpd, rbc, mpcd or all (suite and parts)")
      ->check(CLI::IsMember({"suite", "parts", "nbody", "sums", "tdpd", "rbc", "mpcd", "all"}));
  bench->add_option("--precision", request.precision, "single, mixed, double, or several (default: mixed)")
      ->delimiter(',');
  bench->add_option("--pair-noise", request.pairNoise, "tea, multiply or tea,multiply (default: tea)")->delimiter(',');
  bench
      ->add_option("--reproducibility", request.reproducibility,
                   "deterministic, bitwise or deterministic,bitwise (default: deterministic)")
      ->delimiter(',');
  bench->add_option("--density", request.density, "default: 3,6,50")->delimiter(',');
  bench->add_option("--cutoff", request.cutoff, "default: 1.0,1.5")->delimiter(',');
  bench->add_option("--particles", request.particles, "default: 8192,16384,65536,131072,524288,2097152")
      ->delimiter(',');
  bench->add_option("--steps", request.steps, "timed steps (default: 1000 on a GPU, 300 on a CPU)")
      ->check(wholeFrom(1));
  bench
      ->add_option("--equilibration", request.equilibration,
                   "steps before those (default: 1000 on a GPU, 600 on a CPU)")
      ->check(wholeFrom(0));
  bench->add_option("--rebuild", request.rebuild, "every:N or displacement (default: every:5)");
  bench->add_option("--skin", request.skin, "skin of the neighbour list, length (default: 0.3)");
  bench
      ->add_option("--reorder", request.reorder,
                   "on, off or on,off; off: pair forces and steady steps of each case once more, with the same "
                   "particles stored in random order, so without locality (Tang & Karniadakis 2014, Figure 4)")
      ->delimiter(',');
  bench->add_option("--sort", request.sort,
                    "counting, radix (Tang & Karniadakis 2014) or library: how particles are sorted at rebuilds; parts "
                    "time all three");
  bench->add_option("--threads", request.threads, "host threads (default: OMP_NUM_THREADS or all cores)")
      ->check(wholeFrom(1));
  bench->add_option("--json", request.json, "file for every number");
  bench->add_flag("--force", request.force, "replace that file, if it exists");
  bench
      ->add_option(
          "--scaling", request.scaling,
          "under mpirun, of suite, tdpd, rbc or mpcd: the fluid on 1, 2, 4, … of the ranks; weak: --particles "
          "on each, strong: in all (Tang & Karniadakis 2014, Figures 12 and 13; Blumers et al. 2017, Figures 9 "
          "and 10)")
      ->check(CLI::IsMember({"weak", "strong"}));
  bench->add_flag("--quick", request.quick, "a small case and few steps, where not given otherwise");
  return bench;
}

CLI::App* addConvert(CLI::App& app, ConvertRequest& request) {
  auto* convert = app.add_subcommand(
      "convert", "write a trajectory (H5MD) as a LAMMPS dump or data, extended XYZ, GSD or VTK; or GSD as LAMMPS data");
  convert->add_option("trajectory", request.input, "trajectory.h5, or a GSD file to start from")->required();
  convert->add_option("output", request.output, "file to write")->required();
  convert
      ->add_option("--format", request.format,
                   "default: by the ending of the output: .dump, .lammpstrj; .data, .lmp; .xyz, .extxyz; .gsd; .vtk")
      ->check(CLI::IsMember({"lammps-dump", "lammps-data", "xyz", "gsd", "vtk"}));
  convert->add_option("--first", request.first, "first frame, from 0")->check(wholeFrom(0));
  convert->add_option("--last", request.last, "last frame, of LAMMPS data and VTK the only one; negative: from the end")
      ->check(wholeFrom(std::numeric_limits<std::int32_t>::min()));
  convert->add_option("--stride", request.stride, "every so many frames")->check(wholeFrom(1));
  convert->add_flag("--unwrap", request.unwrap, "positions unwrapped by the image counters");
  convert->add_flag("--force", request.force,
                    "replace the output, if it exists (never the trajectory itself, a directory or a device)");
  return convert;
}

CLI::App* addPlot(CLI::App& app, PlotRequest& request) {
  auto* plot = app.add_subcommand("plot", "draw the standard pictures of a run, or several runs in one (by Python)");
  plot->add_option("runs", request.runs, "output directories of runs")->required();
  plot->add_option("--output", request.output,
                   "folder of the pictures (default: plots in the run's; of several: plots)");
  plot->add_option("--only", request.pictures, "table, profiles, fields, correlations, frame; any number of them")
      ->check(CLI::IsMember({"table", "profiles", "fields", "correlations", "frame"}))
      ->take_all()
      ->allow_extra_args(false);
  plot->add_flag("--force", request.force, "replace pictures that are there");
  return plot;
}

}  // namespace

int commandLine(int argc, char** argv) {
  CLI::App app{"mesowarp: mesoscopic particle simulation on CPUs and GPUs", "mesowarp"};
  app.set_version_flag("--version", std::string("mesowarp ") + std::string(Version::number));
  app.require_subcommand(1);
  app.footer(footer);

  RunRequest request;
  auto* run = app.add_subcommand("run", "run a deck");
  addOverrides(*run, request);
  run->add_option("--output", request.output,
                  "directory of the results (default: the deck's name without .toml, -output added)");
  run->add_option("--threads", request.threads,
                  "host threads (default: OMP_NUM_THREADS, or as many of the rank's cores as the system keeps busy)")
      ->check(wholeFrom(1));
  auto* resume = run->add_option("--resume", request.resume,
                                 "go on from a checkpoint (default: the newest in the output directory)")
                     ->expected(0, 1);
  run->add_flag("--quiet", request.quiet, "warnings and errors only on the screen");

  run->add_flag("--force", request.force,
                "begin also where files of the results' names are that mesowarp did not make, or cannot set aside: "
                "they are moved to earlier-1 (or the next free number) in the directory");

  auto* check =
      app.add_subcommand("check", "report every error in a deck, and what it would cost to run; needs no GPU");
  addOverrides(*check, request);

  auto* info = app.add_subcommand("info", "version, Kokkos, backend, device, MPI, HDF5");
  auto* reference = app.add_subcommand("reference", "print the deck reference (Markdown)");

  auto* trial = app.add_subcommand("try-device-buffers", "")->group("");  // hidden: see comm/transport/transports.hpp

  ConvertRequest conversion;
  auto* convert = addConvert(app, conversion);
  PlotRequest plotRequest;
  auto* plot = addPlot(app, plotRequest);

  std::string kind, newFile, shell;
  auto* begin = app.add_subcommand("new", "write a deck to start from; without a kind: list the kinds");
  begin->add_option("kind", kind, "kind of system")->check(CLI::IsMember(newDeckKinds()));
  begin->add_option("file", newFile, "file to write, which must not exist (default: KIND.toml)");
  auto* completion =
      app.add_subcommand("completion", "print completion for a shell: source <(mesowarp completion bash)");
  completion->add_option("shell", shell, "the shell")->required()->check(CLI::IsMember({"bash"}));
  auto* manual = app.add_subcommand("manual", "")->group("");  // hidden: for cmake --install

  BenchRequest benchRequest;
  auto* bench = addBench(app, benchRequest);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, errors;
    const int code = app.exit(error, out, errors);
    fmt::print("{}", out.str());
    fmt::print(stderr, "{}", input::printable(errors.str()));  // which repeats words of the command line
    return code == 0 ? 0 : 2;
  }
  request.resuming = resume->count() > 0;
  io::setUpLog({.quiet = request.quiet});
  try {
    if (*run) return runDeck(request, argc, argv);
    if (*check) return checkDeck(request);
    if (*info) return printInfo(argc, argv);
    if (*trial) return tryDeviceBuffers(argc, argv);
    if (*reference) return printReference();
    if (*bench) return runBench(benchRequest, argc, argv);
    if (*convert) return convertFile(conversion);
    if (*plot) return drawPictures(plotRequest);
    if (*begin) return writeNewDeck(kind, newFile);
    if (*completion || *manual) {
      fmt::print("{}", *manual ? manualPage(app) : bashCompletion(app));
      return 0;
    }
  } catch (const InputError& error) {
    spdlog::error("{}", error.what());
    return 2;
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return 1;
  }
  return 2;
}

}  // namespace mesowarp
