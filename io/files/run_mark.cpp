#include "io/files/run_mark.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "io/files/process.hpp"

namespace mesowarp::io {

namespace {

constexpr std::string_view ownTitle = "mesowarp made this directory\n";
constexpr std::string_view guestTitle = "mesowarp writes to this directory\n";

std::string contentOf(const FileDescriptor& file) {
  std::string text(8192, '\0');
  const ssize_t count = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

[[noreturn]] void refuse(const std::string& directory, const std::string& text) {
  const std::string command = entryOf(text, "command");
  const std::string who = entryOf(text, "running") != "yes"
                              ? std::string("by a run that is just starting or ending")
                              : fmt::format("by a run on {}, process {}, of user {}, since {}{}", entryOf(text, "host"),
                                            entryOf(text, "pid"), entryOf(text, "user"), entryOf(text, "since"),
                                            command.empty() ? "" : ": " + command);
  throw InputError(fmt::format(
      "output directory {} is being written to {}; wait for its end, or choose another directory with --output DIR",
      directory, who));
}

bool isSameFile(const FileDescriptor& file, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(file.get(), &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

std::optional<RunMark> RunMark::take(const std::string& directory, bool make) {
  RunMark mark;
  mark.directory_ = directory;
  for (;;) {
    const int descriptor =
        ::open(mark.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (make ? O_CREAT : 0), 0666);
    if (descriptor < 0) {
      if (errno == ENOENT && !make) return std::nullopt;
      throw InputError(fmt::format("output directory {}: {} cannot be opened: {}", directory, name, systemText(errno)));
    }
    mark.file_ = FileDescriptor(descriptor);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
      throw InputError(fmt::format("output directory {}: {} is not a file", directory, name));
    if (!mark.lock()) refuse(directory, contentOf(mark.file_));
    if (isSameFile(mark.file_, mark.path())) break;  // else it was moved away between the opening and the lock
  }
  mark.read();
  return mark;
}

bool RunMark::lock() {
  while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno == EINTR) continue;
    lockWithoutSystem();
    break;
  }
  return true;
}

void RunMark::lockWithoutSystem() {
  const std::string path = directory_ + "/" + lockName;
  spdlog::warn("the file system of {} has no locks ({}); {} stands for one, and a run that is killed leaves it behind",
               directory_, systemText(errno), lockName);
  const std::string mine = whoRuns("now");
  for (int attempt = 0; attempt < 10; ++attempt) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor >= 0) {
      writeAll(FileDescriptor(descriptor), mine, path);
      hasLockFile_ = true;
      return;
    }
    if (errno != EEXIST) throw InputError(fmt::format("cannot make {}: {}", path, systemText(errno)));
    const FileDescriptor other(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (other.get() < 0) continue;
    const std::string text = contentOf(other);
    if (!isGone(text))
      throw InputError(fmt::format(
          "output directory {} is being written to by a run on {}, process {}; if that has ended, delete {}",
          directory_, entryOf(text, "host"), entryOf(text, "pid"), path));
    // Only one of several can take this very file away.
    const std::string aside = fmt::format("{}.{}", path, ::getpid());
    if (::rename(path.c_str(), aside.c_str()) != 0) continue;
    if (!isSameFile(other, aside)) (void)!::link(aside.c_str(), path.c_str());  // it was somebody's who came in between
    ::unlink(aside.c_str());
  }
  throw InputError(fmt::format("cannot lock output directory {}: {} comes and goes", directory_, path));
}

void RunMark::read() {
  const std::string text = contentOf(file_);
  isNew_ = text.empty();
  ownsDirectory_ = text.starts_with(ownTitle);
  deckHash_ = entryOf(text, "deck");
}

void RunMark::begin(bool ownsDirectory) {
  ownsDirectory_ = ownsDirectory;
  since_ = timeNow();
  hasBegun_ = true;
  write(true);
  ::fsync(file_.get());  // a file system that cannot may go without
}

void RunMark::setDeckHash(const std::string& hash) {
  if (deckHash_ == hash) return;
  deckHash_ = hash;
  write(hasBegun_);
}

// In place, for the lock is on this very file; what comes first does not change, so a write that is cut short does not
// make it another's directory.
void RunMark::write(bool running) {
  const std::string text = fmt::format("{}deck: {}\nrunning: {}\n{}", ownsDirectory_ ? ownTitle : guestTitle, deckHash_,
                                       running ? "yes" : "no", running ? whoRuns(since_) : "");
  if (::lseek(file_.get(), 0, SEEK_SET) != 0) throw RunError("cannot write " + path() + ": " + systemText(errno));
  writeAll(file_, text, path());
  if (::ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0)
    throw RunError("cannot shorten " + path() + ": " + systemText(errno));
}

void RunMark::end() {
  if (file_.get() < 0) return;
  try {
    if (hasBegun_) write(false);
  } catch (const RunError&) {
    // The lock says that nobody runs here; the file may say what it likes.
  }
  if (hasLockFile_) ::unlink((directory_ + "/" + lockName).c_str());
  hasLockFile_ = false;
  file_ = FileDescriptor();
}

void RunMark::withdraw() {
  if (file_.get() >= 0 && isSameFile(file_, path())) ::unlink(path().c_str());
  hasBegun_ = false;
  end();
}

RunMark::~RunMark() { end(); }

}  // namespace mesowarp::io
