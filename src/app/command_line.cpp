#include "app/command_line.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "io/log.hpp"

namespace mesowarp {
namespace {

constexpr const char* footer =
    "Exit codes: 0 fine, 1 the run failed or was stopped by a signal, 2 bad input.\n"
    "Quantities are in DPD units: length r_c, mass m, energy k_BT. Documentation: docs/.";

void addOverrides(CLI::App& command, RunRequest& request) {
  command.add_option("deck", request.deck, "input deck (TOML)")->required();
  command.add_option("--set", request.overrides, "section.key=value, over the deck's; any number of them")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--steps", request.steps, "the step to run to, as --set run.steps=N");
  command.add_option("--seed", request.seed, "as --set run.seed=N");
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
  run->add_option("--output", request.output, "directory of the results (default: the deck's name without .toml, -output added)");
  run->add_option("--threads", request.threads, "host threads (default: OMP_NUM_THREADS or all cores)")->check(CLI::PositiveNumber);
  auto* resume = run->add_option("--resume", request.resume, "go on from a checkpoint (default: the newest in the output directory)")
                     ->expected(0, 1);
  run->add_flag("--quiet", request.quiet, "warnings and errors only on the screen");

  auto* check = app.add_subcommand("check", "report every error in a deck, and what it would cost to run; needs no GPU");
  addOverrides(*check, request);

  auto* info = app.add_subcommand("info", "version, Kokkos, backend, device, MPI, HDF5");
  auto* reference = app.add_subcommand("reference", "print the deck reference (Markdown)");

  ConvertRequest conversion;
  auto* convert = app.add_subcommand("convert", "write a trajectory (H5MD) as a LAMMPS dump or extended XYZ");
  convert->add_option("trajectory", conversion.input, "trajectory.h5")->required();
  convert->add_option("output", conversion.output, "file to write")->required();
  convert->add_option("--format", conversion.format, "lammps-dump or xyz (default: xyz if the output ends in xyz)")
      ->check(CLI::IsMember({"lammps-dump", "xyz"}));
  convert->add_option("--first", conversion.first, "first frame, from 0");
  convert->add_option("--last", conversion.last, "last frame; negative: from the end");
  convert->add_option("--stride", conversion.stride, "every so many frames")->check(CLI::PositiveNumber);
  convert->add_flag("--unwrap", conversion.unwrap, "positions unwrapped by the image counters");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  request.resuming = resume->count() > 0;
  io::setUpLog({.quiet = request.quiet});
  try {
    if (*run) return runDeck(request, argc, argv);
    if (*check) return checkDeck(request);
    if (*info) return printInfo(argc, argv);
    if (*reference) return printReference();
    if (*convert) return convertFile(conversion);
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
