#include "app/user/python.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"

namespace mesowarp {
namespace {

namespace fs = std::filesystem;

fs::path ownPath() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

// Where the package is beside the program, if it is.
std::optional<fs::path> packageHome(const fs::path& program) {
  for (const char* way : {"../share/mesowarp/python", "../lib/python3/dist-packages", "../../python",
                          "../../../share/mesowarp/python", "../../../lib/python3/dist-packages"}) {
    const fs::path home = (program.parent_path() / way).lexically_normal();
    std::error_code ignored;
    if (fs::is_regular_file(home / "mesowarp" / "__main__.py", ignored)) return home;
  }
  return std::nullopt;
}

void prepareEnvironment() {
  const fs::path program = ownPath();
  if (program.empty()) return;
  ::setenv("MESOWARP_PROGRAM", program.c_str(), 1);
  const auto home = packageHome(program);
  if (!home) return;
  const char* before = std::getenv("PYTHONPATH");
  ::setenv("PYTHONPATH", (home->string() + (before && *before ? std::string(":") + before : "")).c_str(), 1);
}

// In a child's place. Nothing of a word is read by a shell.
void execute(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
}

// What a command prints, up to 1000 bytes; nothing if it cannot be run or fails.
std::optional<std::string> outputOf(const std::vector<std::string>& words) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDOUT_FILENO);
    ::close(pipe[0]);
    ::close(pipe[1]);
    if (std::freopen("/dev/null", "w", stderr) != nullptr) execute(words);
    ::_exit(127);
  }
  ::close(pipe[1]);
  std::string text(1000, '\0');
  std::size_t have = 0;
  for (ssize_t got = 0; child > 0 && (got = ::read(pipe[0], text.data() + have, text.size() - have)) > 0;)
    have += static_cast<std::size_t>(got);
  ::close(pipe[0]);
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return std::nullopt;
  return text.substr(0, have);
}

}  // namespace

void becomePython(const std::vector<std::string>& arguments, std::vector<std::string> packages) {
  prepareEnvironment();
  packages.insert(packages.begin(), "mesowarp");
  const std::string question = fmt::format("import importlib.util as u\n"
                                           "print(*[n for n in '{}'.split() if u.find_spec(n) is None])",
                                           fmt::join(packages, " "));
  std::vector<std::string> candidates{"python3", "/usr/bin/python3"}, found;
  if (const char* named = std::getenv("MESOWARP_PYTHON"); named && *named) candidates = {named};
  for (const std::string& python : candidates) {
    const auto answer = outputOf({python, "-c", question});
    const std::string missing = answer.value_or("").substr(0, answer.value_or("").find_last_not_of('\n') + 1);
    if (answer && missing.empty()) {
      std::vector<std::string> words{python, "-m", "mesowarp"};
      words.insert(words.end(), arguments.begin(), arguments.end());
      execute(words);
      throw RunError(fmt::format("{} cannot be run (error {})", python, errno));
    }
    found.push_back(answer ? fmt::format("{} has no {}", python, missing) : fmt::format("{} does not run", python));
  }
  const std::string all = fmt::format("{}", fmt::join(packages, ", "));
  packages.erase(packages.begin());
  throw InputError(
      fmt::format("`mesowarp {}` needs Python 3 with {}: {}.\nDebian has python3-numpy, python3-h5py and "
                  "python3-matplotlib; otherwise python3 -m pip install {}. The package mesowarp is in the "
                  "folder python of the source. MESOWARP_PYTHON names another Python.",
                  arguments.empty() ? "" : arguments[0], all, fmt::join(found, "; "), fmt::join(packages, " ")));
}

}  // namespace mesowarp
