#include <chrono>
#include <csignal>
#include <cstring>
#include <mpi.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

#include "comm/transport/transports.hpp"
#include "core/types.hpp"
#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"

extern char** environ;

namespace mesowarp::comm {
namespace {

// Without what the launcher told this process: the trial is a run of one rank.
std::vector<char*> environmentOfOneRank() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry; ++entry) {
    bool launchers = false;
    for (const char* prefix :
         {"OMPI_COMM_WORLD", "OMPI_UNIVERSE", "OMPI_MCA_orte", "OMPI_MCA_ess", "OMPI_MCA_pmix", "OMPI_LOCAL", "PMIX_",
          "PMI_", "PRTE_", "HYDRA_", "MPI_LOCAL", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP"})
      launchers = launchers || std::strncmp(*entry, prefix, std::strlen(prefix)) == 0;
    if (!launchers) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

// Exit code; -1: it crashed, or took too long.
int run(const std::string& program, const char* argument) {
  constexpr auto patience = std::chrono::seconds(60);
  std::vector<char*> environment = environmentOfOneRank();
  std::string path = program, option = argument;
  char* arguments[] = {path.data(), option.data(), nullptr};
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (int output : {1, 2}) posix_spawn_file_actions_addopen(&silent, output, "/dev/null", 1 /* O_WRONLY */, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, path.c_str(), &silent, nullptr, arguments, environment.data());
  posix_spawn_file_actions_destroy(&silent);
  if (failed != 0) return -1;
  for (const auto start = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - start < patience;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return -1;
}

}  // namespace

bool mpiTakesDeviceBuffers(const Communicator& ranks) {
  if (!backend::onGpu) return true;
  static int works = -1;
  if (works < 0) {
    const bool here = ranks.rankOnNode() != 0 || run("/proc/self/exe", "try-device-buffers") == 0;
    works = ranks.largest(here ? 0 : 1) == 0 ? 1 : 0;
  }
  return works == 1;
}

// Small, and as large as needs another protocol.
int tryDeviceBuffers() {
  for (const int words : {2, 1 << 10, 1 << 20}) {
    const auto from = toDevice<int>("from", std::vector<int>(static_cast<std::size_t>(words), words)),
               to = zeroedArray<int>("to", static_cast<std::size_t>(words));
    Kokkos::fence();
    MPI_Sendrecv(from.data(), words, MPI_INT, 0, 5, to.data(), words, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    const auto came = hostCopy(to);
    for (int k = 0; k < words; ++k)
      if (came(k) != words) return 1;
  }
  return 0;
}

}  // namespace mesowarp::comm
