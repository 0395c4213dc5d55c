// /usr/bin/mesowarp of a package for many processors: starts the build of the program for the highest level of x86-64
// instructions that this processor has, LIBEXEC/mesowarp/LEVEL/mesowarp, which gives the same bits as every other.
//   MESOWARP_LEVEL=x86-64-v3 mesowarp …    another one, to compare
// Nothing but the standard library, and no instruction that some processor lacks.
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

struct Level {
  const char* name;
  bool here;  // this processor has it
};

std::array<Level, 3> levels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  return {{{"x86-64-v4", v3 && v4}, {"x86-64-v3", v3}, {"x86-64", true}}};
#else
  return {{{"x86-64-v4", false}, {"x86-64-v3", false}, {"x86-64", false}}};
#endif
}

// The folder with a folder for each level; empty: nobody knows.
std::string home() {
  char own[PATH_MAX];
  const auto length = ::readlink("/proc/self/exe", own, sizeof(own));
  if (length <= 0 || length == static_cast<decltype(length)>(sizeof(own))) return {};
  const std::string path(own, static_cast<std::size_t>(length)), folder = path.substr(0, path.rfind('/'));
  return folder.substr(0, folder.rfind('/')) + "/libexec/mesowarp/";
}

int fail(const std::string& why) {
  std::fprintf(stderr, "mesowarp: error: %s\n", why.c_str());
  return 1;
}

}  // namespace

int main(int, char** argv) {
  const std::string folder = home();
  const char* asked = std::getenv("MESOWARP_LEVEL");
  if (asked != nullptr && *asked == '\0') asked = nullptr;
  bool known = false;
  std::string tried;
  for (const Level& level : levels()) {
    if (asked != nullptr && std::strcmp(asked, level.name) != 0) continue;
    known = true;
    if (!level.here) {
      if (asked != nullptr) return fail(std::string("MESOWARP_LEVEL = ") + asked + ", which this processor lacks");
      continue;
    }
    const std::string program = folder + level.name + "/mesowarp";
    ::execv(program.c_str(), argv);
    if (errno != ENOENT || asked != nullptr)
      return fail("cannot start " + program + ": " + std::strerror(errno) + "; install the package again");
    tried += (tried.empty() ? "" : ", ") + program;
  }
  if (!known) return fail(std::string("MESOWARP_LEVEL = ") + asked + "; known are x86-64, x86-64-v3, x86-64-v4");
  return fail("none of " + tried + " is there; install the package again");
}
