#include "io/files/undo_journal.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>
#include <xxhash.h>

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

constexpr char magic[16] = {"mesowarp undo 1"};
constexpr std::size_t pagesAtOnce = 256;

struct Header {
  char magic[16];
  std::int64_t step;
  std::uint64_t length, tail, isRebuilt;
  std::uint64_t check;  // XXH3-64 of what is before
};

struct RecordHeader {
  std::uint64_t number;
  std::uint64_t check;  // XXH3-64 of the page's bytes, seeded with the number
};
constexpr std::size_t recordSize = sizeof(RecordHeader) + UndoJournal::pageSize;

std::string nameOf(const std::string& path, std::int64_t step) {
  const fs::path file(path);
  return (file.parent_path() / fmt::format(".{}.undo-{}", file.filename().string(), step)).string();
}

// The step in a journal's name; of any file's where `file` is empty.
std::optional<std::int64_t> stepIn(const std::string& name, const std::string& file) {
  constexpr std::string_view middle = ".undo-";
  const std::size_t at = name.rfind(middle);
  if (at == std::string::npos || at < 2 || name[0] != '.') return std::nullopt;
  if (!file.empty() && name.substr(1, at - 1) != file) return std::nullopt;
  std::int64_t step = 0;
  const char *begin = name.data() + at + middle.size(), *end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(begin, end, step);
  if (error != std::errc() || stop != end || step < 0) return std::nullopt;
  return step;
}

// Paths of journals by step, newest first.
std::vector<std::pair<std::int64_t, std::string>> listJournals(const std::string& directory, const std::string& file) {
  std::vector<std::pair<std::int64_t, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    if (const auto step = stepIn(entry->path().filename().string(), file))
      found.emplace_back(*step, entry->path().string());
  std::sort(found.rbegin(), found.rend());
  return found;
}

std::string headerOf(const UndoBase& base) {
  Header header{};
  std::memcpy(header.magic, magic, sizeof(magic));
  header.step = base.step, header.length = base.mark.length, header.tail = base.mark.tail;
  header.isRebuilt = base.isRebuilt ? 1 : 0;
  header.check = XXH3_64bits(&header, offsetof(Header, check));
  return {reinterpret_cast<const char*>(&header), sizeof(header)};
}

std::optional<StoredJournal> readJournal(const std::string& path) {
  const FileDescriptor file = openFile(path, O_RDONLY);
  Header header{};
  const auto size = static_cast<std::uint64_t>(fs::file_size(path));
  if (size < sizeof(header)) return std::nullopt;
  readAll(file, 0, {reinterpret_cast<char*>(&header), sizeof(header)}, path);
  if (std::memcmp(header.magic, magic, sizeof(magic)) != 0) return std::nullopt;
  if (header.check != XXH3_64bits(&header, offsetof(Header, check))) return std::nullopt;
  StoredJournal journal{path, {header.step, {header.length, header.tail}, header.isRebuilt != 0}, {}};
  std::vector<char> record(recordSize);
  for (std::uint64_t at = sizeof(header); at + recordSize <= size; at += recordSize) {
    readAll(file, at, record, path);
    RecordHeader head{};
    std::memcpy(&head, record.data(), sizeof(head));
    if (head.check != XXH3_64bits_withSeed(record.data() + sizeof(head), UndoJournal::pageSize, head.number)) break;
    if (head.number * UndoJournal::pageSize >= header.length) break;
    journal.pages.push_back({head.number, at + sizeof(head)});
  }
  return journal;
}

}  // namespace

UndoJournal::UndoJournal(const std::string& path, const UndoBase& base)
    : length_(base.mark.length), saved_((base.mark.length + pageSize - 1) / pageSize) {
  const std::string name = nameOf(path, base.step);
  writeFileAtomically(name, headerOf(base));
  file_ = openFile(name, O_WRONLY | O_APPEND);
}

int UndoJournal::append(const std::vector<char>& records) {
  for (std::size_t done = 0; done < records.size();) {
    const ssize_t count = ::write(file_.get(), records.data() + done, records.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<std::size_t>(count);
  }
  return ::fdatasync(file_.get()) != 0 && errno != EINVAL ? errno : 0;
}

int UndoJournal::save(int file, std::uint64_t address, std::uint64_t size) {
  if (size == 0 || address >= length_) return 0;
  const std::uint64_t last = (std::min(address + size, length_) - 1) / pageSize;
  std::vector<char> records;
  for (std::uint64_t page = address / pageSize; page <= last; ++page) {
    if (!saved_[page]) {
      const std::size_t at = records.size();
      records.resize(at + recordSize);
      char* bytes = records.data() + at + sizeof(RecordHeader);
      for (std::size_t have = 0; have < pageSize;) {
        const ssize_t count = ::pread(file, bytes + have, pageSize - have, static_cast<off_t>(page * pageSize + have));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        if (count == 0) break;  // the file's end: zeros follow
        have += static_cast<std::size_t>(count);
      }
      const RecordHeader head{page, XXH3_64bits_withSeed(bytes, pageSize, page)};
      std::memcpy(records.data() + at, &head, sizeof(head));
    }
    if (records.size() < pagesAtOnce * recordSize && page < last) continue;
    if (const int error = records.empty() ? 0 : append(records)) return error;
    records.clear();
  }
  std::fill(saved_.begin() + static_cast<std::ptrdiff_t>(address / pageSize),
            saved_.begin() + static_cast<std::ptrdiff_t>(last + 1), true);
  return 0;
}

std::vector<StoredJournal> journalsOf(const std::string& path) {
  std::vector<StoredJournal> journals;
  for (const auto& [step, name] : listJournals(directoryOf(path), fs::path(path).filename().string()))
    if (auto journal = readJournal(name); journal && journal->base.step == step)
      journals.push_back(std::move(*journal));
  return journals;
}

void removeJournalsAfter(const std::string& path, std::int64_t step) {
  for (const auto& [at, name] : listJournals(directoryOf(path), fs::path(path).filename().string()))
    if (at > step) removeDurably(name);
}

void removeJournalsBefore(const std::string& directory, std::int64_t step) {
  for (const auto& [at, name] : listJournals(directory, ""))
    if (at < step) removeDurably(name);
}

void removeJournals(const std::string& directory) {
  for (const auto& [at, name] : listJournals(directory, "")) removeDurably(name);
}

}  // namespace mesowarp::io
