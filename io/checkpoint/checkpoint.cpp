#include "io/checkpoint/checkpoint.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "io/checkpoint/checkpoint_files.hpp"
#include "io/checkpoint/checkpoint_header.hpp"
#include "io/checkpoint/checkpoint_payload.hpp"
#include "io/checkpoint/older_images.hpp"
#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/ranks.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

// Says no before anything is written, because HDF5 recovers badly from a disk that fills up.
void requireRoom(const std::string& directory, const std::vector<ArrayView>& arrays, Ranks ranks) {
  std::uint64_t needed = 1 << 20;
  for (const auto& array : arrays) {
    const bool isDistributed = array.spread == Spread::distributed;
    const auto rows = isDistributed ? shareOf(ranks, static_cast<std::int64_t>(array.rows)).total
                                    : static_cast<std::int64_t>(array.rows);
    needed += static_cast<std::uint64_t>(rows) * array.width * elementSize(array.type);
  }
  onRoot(ranks, [&] {
    std::error_code error;
    const fs::space_info space = fs::space(directory, error);
    if (error) throw RunError(fmt::format("cannot write a checkpoint to {}: {}", directory, error.message()));
    if (space.available < needed)
      throw RunError(fmt::format("cannot write a checkpoint to {}: it needs {} MiB and the disk has {} MiB left; the "
                                 "checkpoints before it are intact",
                                 directory, needed >> 20, space.available >> 20));
  });
}

// Collective calls of ranks that mean different arrays would wait for each other forever.
void requireSameArrays(std::int64_t step, const std::vector<ArrayView>& arrays, Ranks ranks) {
  std::string list = fmt::format("{}\n", step);
  for (const auto& array : arrays)
    list += fmt::format("{} {} {} {}\n", array.name, static_cast<int>(array.type), array.width,
                        static_cast<int>(array.spread));
  const std::string roots = several(ranks) ? ranks->fromRank(0, list) : list;
  onAll(ranks, [&] {
    if (list != roots) throw RunError("cannot write a checkpoint: ranks do not have the same arrays");
  });
}

void writeHeader(const std::string& path, const CheckpointHeader& header) {
  const FileDescriptor file = openFile(path, O_WRONLY);
  writeAll(file, formatHeader(header), path);
}

// "; the newest intact one before it is X: use --resume X", or that there is none.
std::string advice(const std::string& path) {
  const auto step = stepOfCheckpoint(path);
  for (const auto& file : listCheckpoints(directoryOf(path))) {
    if (fs::path(file.path).filename() == fs::path(path).filename() || (step && file.step > *step)) continue;
    if (checkpointFault(file.path).empty())
      return fmt::format("; the newest intact checkpoint before it: use --resume {}", file.path);
  }
  return "; there is no older intact checkpoint beside it";
}

}  // namespace

std::string writeCheckpoint(const std::string& directory, std::int64_t step, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers, const comm::Communicator* ranks,
                            int heldDirectory) {
  const std::string name = checkpointName(step), temporaryName = fmt::format(".{}.tmp", name);
  const std::string target = (fs::path(directory) / name).string();
  const std::string temporary = (fs::path(directory) / temporaryName).string();
  const auto inPlace = [&] { return heldDirectory < 0 || leadsTo(directory, heldDirectory); };
  requireSameArrays(step, arrays, ranks);
  requireRoom(directory, arrays, ranks);
  try {
    onRoot(ranks, [&] {
      if (!inPlace()) throw RunError(fmt::format("the directory {} has been moved, deleted or replaced", directory));
    });
    writeCheckpointPayload(temporary, arrays, texts, numbers, ranks);
    const CheckpointHeader header = computeHeader(temporary, ranks);
    onRoot(ranks, [&] {
      writeHeader(temporary, header);
      syncFile(temporary);
      if (heldDirectory < 0)
        renameDurably(temporary, target);
      else
        renameDurablyWithin(heldDirectory, temporaryName, name);
    });
  } catch (const RunError& error) {  // on all ranks alike
    if (!several(ranks) || ranks->root()) ::unlink(temporary.c_str());
    throw RunError(
        fmt::format("checkpoint of step {} not written: {}; the checkpoints before it are intact", step, error.what()));
  }
  onRoot(ranks, [&] {
    if (inPlace()) deleteOldCheckpoints(directory, step);
  });
  return target;
}

CheckpointContent readCheckpoint(const std::string& path, const comm::Communicator* ranks) {
  onRoot(ranks, [&] {
    if (const auto why = whyNoFile(path); !why.empty())
      throw InputError(fmt::format("checkpoint {} {}{}", path, why, advice(path)));
    if (::access(path.c_str(), R_OK) != 0)
      throw InputError(fmt::format("checkpoint {} cannot be read: {}{}", path, systemText(errno), advice(path)));
  });
  const std::string fault = checkpointFault(path, ranks);
  onRoot(ranks, [&] {
    if (!fault.empty()) throw InputError(fmt::format("checkpoint {} {}{}", path, fault, advice(path)));
  });
  CheckpointContent content = hdf5::asInputError(path, [&] { return readCheckpointPayload(path, ranks); });
  widenImages(content);
  return content;
}

bool looksLikeCheckpoint(const std::string& path) {
  if (!whyNoFile(path).empty()) return false;
  std::ifstream file(path, std::ios::binary);
  std::string front(std::strlen(checkpointMagic), '\0');
  file.read(front.data(), static_cast<std::streamsize>(front.size()));
  return file && front == checkpointMagic;
}

std::optional<std::string> newestCheckpoint(const std::string& directory) {
  const auto files = listCheckpoints(directory);
  if (files.empty()) return std::nullopt;
  return files.front().path;
}

}  // namespace mesowarp::io
