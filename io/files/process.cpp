#include "io/files/process.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <pwd.h>
#include <unistd.h>

namespace mesowarp::io {

namespace {

constexpr std::size_t longestCommand = 1000;  // characters

std::string hostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string userName() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry != nullptr ? entry->pw_name : fmt::format("{}", ::geteuid());
}

// Empty where the system does not tell.
std::string commandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!text.empty() && text.back() == '\0') text.pop_back();
  for (char& c : text)
    if (c == '\0')
      c = ' ';
    else if (c < ' ' || c == 127)
      c = '?';
  if (text.size() > longestCommand) text = text.substr(0, longestCommand) + "...";
  return text;
}

}  // namespace

std::string whoRuns(const std::string& since) {
  return fmt::format("host: {}\npid: {}\nuser: {}\nsince: {}\ncommand: {}\n", hostName(), ::getpid(), userName(), since,
                     commandLine());
}

std::string entryOf(std::string_view text, std::string_view key) {
  const std::string label = fmt::format("\n{}: ", key);
  const std::string all = "\n" + std::string(text);
  const std::size_t at = all.find(label);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + label.size();
  return all.substr(begin, all.find('\n', begin) - begin);
}

bool isGone(std::string_view text) {
  const std::string pid = entryOf(text, "pid");
  pid_t process = 0;
  const auto [end, error] = std::from_chars(pid.data(), pid.data() + pid.size(), process);
  if (error != std::errc() || process <= 0 || entryOf(text, "host") != hostName()) return false;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

std::string timeNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

}  // namespace mesowarp::io
