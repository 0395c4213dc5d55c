// Ranks as NCCL knows them. Only where the build found NCCL.
#pragma once

#ifdef MESOWARP_NCCL
#include <exception>
#include <nccl.h>
#include <string>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace mesowarp::comm {

inline void checkNccl(ncclResult_t result, const char* what) {
  if (result != ncclSuccess) throw RunError(std::string("NCCL, ") + what + ": " + ncclGetErrorString(result));
}

class NcclRanks {
public:
  // Collective. Throws RunError if NCCL cannot connect the ranks.
  explicit NcclRanks(const Communicator& ranks) {
    ncclUniqueId id{};
    ranks.onRoot([&] { checkNccl(ncclGetUniqueId(&id), "identifier"); });
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks.handle());
    checkNccl(ncclCommInitRank(&ranks_, ranks.size(), id, ranks.rank()), "start");
  }
  // Waits for what is under way, unless a rank has failed: then others may never come.
  ~NcclRanks() { std::uncaught_exceptions() > 0 ? ncclCommAbort(ranks_) : ncclCommDestroy(ranks_); }
  NcclRanks(const NcclRanks&) = delete;
  NcclRanks& operator=(const NcclRanks&) = delete;
  ncclComm_t handle() const { return ranks_; }

private:
  ncclComm_t ranks_{};
};

}  // namespace mesowarp::comm
#endif
