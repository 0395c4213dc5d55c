#include "app/memory_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "core/error.hpp"
#include "device/config.hpp"
#include "device/device_info.hpp"
#include "input/estimate.hpp"
#include "input/grammar/diagnostic.hpp"
#include "io/host_memory.hpp"
#include "physics/methods.hpp"

namespace mesowarp {
namespace {

// A particle's position (24 bytes), velocity (24), species (4) while a run is set up; tags (4) besides, of a rank's own
// part.
constexpr double setUpBytes = 52.0, setUpBytesOfPart = 56.0;

// A process before it has particles: MPI, HDF5, Kokkos, the program's own.
constexpr double programBytes = 20.0 * 1048576.0;

// In host memory as a frame, if it has velocities, forces: tag, species, mass, place, image, and 24 bytes for each.
double frameBytes(const input::Output& output) {
  const auto has = [&](const char* field) {
    return std::find(output.fields.begin(), output.fields.end(), field) != output.fields.end() ? 24.0 : 0.0;
  };
  return output.groups.empty() ? 52.0 + has("velocity") + has("force") : 0.0;
}

bool fallTogether(const input::Output& a, const input::Output& b, i64 steps) {
  const auto atEnd = [&](const input::Output& output) {
    return output.at_end || (output.every > 0 && steps % output.every == 0);
  };
  return (atEnd(a) && atEnd(b)) || (a.every > 0 && b.every > 0 && std::lcm(a.every, b.every) <= steps);
}

// Copies that a step makes of all particles to write them, in the host's memory: of the state for a checkpoint, of what
// a frame has, of both where both are due.
double writingBytes(const input::Deck& deck, const input::Estimate& whole) {
  const double particles = static_cast<double>(whole.particles);
  double most = 0.0;
  for (const auto& checkpoint : deck.outputs) {
    if (checkpoint.format != input::OutputFormat::checkpoint || (checkpoint.every == 0 && !checkpoint.at_end)) continue;
    most = std::max(most, whole.checkpointBytes);
    for (const auto& frame : deck.outputs)
      if (frame.format == input::OutputFormat::trajectory && fallTogether(checkpoint, frame, deck.run.steps))
        most = std::max(most, whole.checkpointBytes + particles * frameBytes(frame));
  }
  for (const auto& frame : deck.outputs)
    if (frame.format == input::OutputFormat::trajectory) most = std::max(most, particles * frameBytes(frame));
  return most;
}

std::string inUnits(double bytes) {
  const char* units[] = {"MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t k = 0;
  for (bytes /= 1048576.0; bytes >= 1024.0 && k + 1 < std::size(units); bytes /= 1024.0) ++k;
  return fmt::format("{:.1f} {}", bytes, units[k]);
}

// What the need comes from: cells of the box, or the largest population.
std::string largestPart(const input::Deck& deck) {
  const input::Estimate whole = input::estimate(deck);
  if (whole.cellBytes > 0.5 * whole.memoryBytes) return "box.size";
  std::size_t most = 0;
  for (std::size_t k = 1; k < deck.populations.size(); ++k)
    if (input::particleCount(deck.populations[k], deck.box) > input::particleCount(deck.populations[most], deck.box))
      most = k;
  const std::string path = fmt::format("population.{}", most);
  for (const char* key : {".count", ".density", ".file"})
    if (input::isGiven(deck, path + key)) return path + key;
  return path;
}

void compare(const input::Deck& deck, double needed, double available, const std::string& where,
             const std::string& limit) {
  if (needed <= available) return;
  const input::Estimate whole = input::estimate(deck);
  throw InputError(input::format(
      {input::sourceOf(deck, largestPart(deck)),
       fmt::format("not enough memory: {:.4g} particles need at least {} {}, and there are {} ({}): make the system "
                   "smaller, or run it on more or larger machines",
                   static_cast<double>(whole.particles), inUnits(needed), where, inUnits(available), limit)},
      deck.file));
}

}  // namespace

MemoryNeed memoryNeed(const input::Deck& deck, int ranks, int ranksOnNode, bool onGpu) {
  const input::Estimate whole = input::estimate(deck);
  const double share = 1.0 / ranks, particles = static_cast<double>(whole.particles);
  const auto methods = methodsIn(deck);
  const bool inPieces = ranks > 1 && std::all_of(methods.begin(), methods.end(),
                                                 [&](const Method* method) { return method->startsInPieces(deck); });
  const double setUp = particles * (inPieces ? setUpBytesOfPart * share : setUpBytes);
  const double engine = whole.memoryBytes * share;
  const double host = programBytes + std::max(setUp, writingBytes(deck, whole) * share);
  return {ranksOnNode * (onGpu ? host : host + engine), onGpu ? engine : 0.0};
}

void requireMemory(const input::Deck& deck, const comm::Communicator* ranks) {
  MemoryNeed need = memoryNeed(deck, ranks ? ranks->size() : 1, ranks ? ranks->ranksOnNode() : 1, backend::onGpu);
  const auto task = [&] {
    const auto host = io::availableHostMemory();
    compare(deck, need.host, host.available, ranks && ranks->size() > 1 ? "on each node" : "here", host.limit);
    if (const auto device = ranks ? backend::freeDeviceMemory() : std::nullopt) {
      const int sharing = (ranks->ranksOnNode() + device->devices - 1) / device->devices;
      compare(deck, need.device * sharing, device->bytes, "on each GPU", "free on the GPU");
    }
  };
  if (!ranks) return task();
  double root[] = {need.host / ranks->ranksOnNode(), need.device};  // the root alone has counted what files hold
  ranks->fromRank(0, root, 2);
  need = {root[0] * ranks->ranksOnNode(), root[1]};
  ranks->onAll(task);
}

}  // namespace mesowarp
