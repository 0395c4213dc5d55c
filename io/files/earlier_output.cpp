#include "io/files/earlier_output.hpp"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/hdf5/hdf5.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

constexpr const char* wayOut =
    "resume from an older checkpoint, or move the file away: a new one is then begun, without what came before";

// 0 if there is none.
std::uint64_t sizeOf(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) return 0;
  if (!fs::is_regular_file(status)) throw InputError(path + " is not a file: move it away");
  const auto size = fs::file_size(path, error);
  if (error) throw InputError(fmt::format("{} cannot be read: {}", path, error.message()));
  return size;
}

}  // namespace

EarlierOutput::EarlierOutput(const std::string& path, std::int64_t step, const FileMark* mark, Growth growth)
    : path_(path), step_(step), size_(sizeOf(path)) {
  journals_ = journalsOf(path);
  std::erase_if(journals_, [&](const StoredJournal& journal) { return journal.base.step < step; });
  const bool isBegunAnew = std::any_of(journals_.begin(), journals_.end(),
                                       [](const StoredJournal& journal) { return journal.base.mark.length == 0; });
  if (size_ == 0 || isBegunAnew) return;
  state_ = State::rows;
  if (!journals_.empty() && journals_.back().base.step == step) {
    const UndoBase& base = journals_.back().base;
    if (mark && *mark != base.mark && !base.isRebuilt)
      throw InputError(fmt::format("{} is not the file that the checkpoint of step {} is of, says {}: {}", path, step,
                                   journals_.back().path, wayOut));
    target_ = base.mark;
    isRebuilt_ = base.isRebuilt;
    state_ = State::exact;
  } else if (mark && growth == Growth::appended) {
    target_ = *mark;
    state_ = State::exact;
  }
  if (state_ == State::exact) check();
}

UndoBase EarlierOutput::base() const { return {step_, target_, isRebuilt_ || state_ == State::rows}; }

void EarlierOutput::check() const {
  if (size_ < target_.length)
    throw InputError(fmt::format("{} has {} bytes, but had {} at the checkpoint of step {}: its end is lost; {}", path_,
                                 size_, target_.length, step_, wayOut));
  const FileMark now = markOf(target_.length, [&](std::uint64_t address, std::size_t size, char* buffer) {
    readRolledBack(address, size, buffer);
  });
  if (now != target_)
    throw InputError(
        fmt::format("{} is not what it was at the checkpoint of step {}: the last of its first {} bytes are others; {}",
                    path_, step_, target_.length, wayOut));
}

// The file's bytes with the journals' pages laid over them, the oldest journal last.
void EarlierOutput::readRolledBack(std::uint64_t address, std::size_t size, char* buffer) const {
  readAll(openFile(path_, O_RDONLY), address, {buffer, size}, path_);
  for (const auto& journal : journals_) {
    const FileDescriptor stored = openFile(journal.path, O_RDONLY);
    for (const auto& page : journal.pages) {
      const std::uint64_t from = page.number * UndoJournal::pageSize;
      const std::uint64_t begin = std::max(from, address);
      const std::uint64_t end = std::min({from + UndoJournal::pageSize, address + size, journal.base.mark.length});
      if (begin < end)
        readAll(stored, page.place + (begin - from), {buffer + (begin - address), end - begin}, journal.path);
    }
  }
}

void EarlierOutput::rollBack() const {
  bool isChanged = size_ != target_.length;
  for (const auto& journal : journals_) {
    const FileDescriptor file = openFile(path_, O_WRONLY), stored = openFile(journal.path, O_RDONLY);
    for (const auto& page : journal.pages) {
      char bytes[UndoJournal::pageSize];
      const std::uint64_t at = page.number * UndoJournal::pageSize;
      const auto size = std::min<std::uint64_t>(UndoJournal::pageSize, journal.base.mark.length - at);
      readAll(stored, page.place, {bytes, size}, journal.path);
      writeAllAt(file, at, {bytes, size}, path_);
      isChanged = true;
    }
  }
  if (isChanged) truncateDurably(path_, target_.length);
  removeJournalsAfter(path_, step_);
}

void EarlierOutput::giveUp() const {
  if (state_ == State::absent) UndoJournal(path_, {step_, {}, true});
  for (const auto& journal : journalsOf(path_))
    if (state_ == State::rows || journal.base.step != step_) removeDurably(journal.path);
}

void withWayOut(const std::string& path, const std::string& what, const std::function<void()>& task) {
  try {
    hdf5::asInputError(path, task);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} (a {} that cannot be gone on with: move it away, and a new one is begun; or "
                                 "resume from an older checkpoint)",
                                 error.what(), what));
  }
}

}  // namespace mesowarp::io
