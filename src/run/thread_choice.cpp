#include "run/thread_choice.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include "device/host_threads.hpp"
#include "device/tuning.hpp"

namespace mesowarp {
namespace {

// Looks of a waiting thread before it sleeps, about 50 us: longer than threads of a balanced step wait for each other.
constexpr const char* looks = "1000";
constexpr const char* variables[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// mpirun binds each of two ranks to one core.
std::string tooMany(int threads, int cores) {
  if (threads <= cores) return "";
  return fmt::format(", more than the {} core{} that this process may use (with mpirun: --bind-to none, or --map-by "
                     "with pe=)",
                     cores, cores == 1 ? "" : "s");
}

std::string milliseconds(double seconds) { return fmt::format("{:.2g} ms", 1e3 * seconds); }

}  // namespace

ThreadChoice chooseThreads(const ThreadQuestion& q) {
  const auto told = [](int threads, const std::string& why) {
    return ThreadChoice{threads, fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s", why)};
  };
  if (q.asked > 0) return told(q.asked, "as --threads says" + tooMany(q.asked, q.cores));
  if (!q.environment.empty())
    return {0,
            "threads: as OMP_NUM_THREADS says, " + q.environment + tooMany(std::atoi(q.environment.c_str()), q.cores)};
  const int cores = std::clamp(q.nodeCores / q.ranksOnNode, 1, q.cores), share = std::min(cores, q.possible);
  const std::string of =
      fmt::format("of {} core{}{}", cores, cores == 1 ? "" : "s", q.ranksOnNode > 1 ? " for each rank" : "");
  const double most = q.secondsPerStep > 0.0 ? std::max(1.0, q.secondsPerStep / tuning::leastWork) : share;
  if (most >= share) return told(share, of + (share < cores ? ": more are not possible" : ""));
  return told(static_cast<int>(most),
              fmt::format("{}, since a step is {} of work: more of them would wait for each other", of,
                          milliseconds(q.secondsPerStep)));
}

ThreadQuestion threadQuestion(int asked, double secondsPerStep, const comm::Communicator& ranks) {
  ThreadQuestion q;
  q.asked = asked;
  q.environment = variable("OMP_NUM_THREADS");
  q.ranksOnNode = ranks.ranksOnNode();
  q.secondsPerStep = secondsPerStep / ranks.size();
  q.possible = backend::possibleHostThreads();
  backend::CoreSet cores = backend::ownCores();
  q.cores = backend::countOf(cores);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks.handle(), MPI_COMM_TYPE_SHARED, ranks.rank(), MPI_INFO_NULL, &node);
  unsigned long words = cores.size();
  MPI_Allreduce(MPI_IN_PLACE, &words, 1, MPI_UNSIGNED_LONG, MPI_MAX, node);
  cores.resize(words, 0);
  MPI_Allreduce(MPI_IN_PLACE, cores.data(), static_cast<int>(words), MPI_UNSIGNED_LONG, MPI_BOR, node);
  MPI_Comm_free(&node);
  q.nodeCores = backend::countOf(cores);
  return q;
}

void letWaitingThreadsSleep(char** argv) {
  for (const char* name : variables)
    if (std::getenv(name)) return;
  setenv("GOMP_SPINCOUNT", looks, 1);
  setenv("KMP_BLOCKTIME", "0", 1);  // LLVM's library; ms
  execv("/proc/self/exe", argv);    // returns only if it cannot be done: then threads wait as they do by default
  for (const char* name : variables) unsetenv(name);
}

std::string threadWaiting() {
  for (const char* name : variables)
    if (const std::string value = variable(name); !value.empty()) return std::string(name) + "=" + value;
  return "";
}

}  // namespace mesowarp
