// Kokkos for the lifetime of a command.
#pragma once

#include <cstdlib>
#include <spdlog/spdlog.h>
#include <string>

#include "device/host_threads.hpp"
#include "device/kokkos_compatibility.hpp"
#include "device/memory/view_layout.hpp"

namespace mesowarp {

class KokkosSession {
public:
  // threads: of the host; 0: the environment's or the machine's choice. rankOnNode: chooses a GPU. Throws InputError if
  // there cannot be so many threads, RunError if this Kokkos cannot be used.
  explicit KokkosSession(int threads, int rankOnNode = 0) {
    setenv("OMP_PROC_BIND", "false", 0);  // where the user has not chosen
    if (const std::string note = backend::limitHostThreads(threads); !note.empty()) spdlog::warn("{}", note);
    backend::initializeKokkos(threads, rankOnNode);
    try {
      backend::checkViewLayout();
    } catch (...) {
      Kokkos::finalize();
      throw;
    }
  }
  ~KokkosSession() { Kokkos::finalize(); }
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
};

}  // namespace mesowarp
