// A request that MPI is at work on.
#pragma once

#include <mpi.h>

namespace mesowarp::comm {

class Pending {
public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  // For who starts one; none may be under way.
  MPI_Request* begin() {
    underWay_ = true;
    return &request_;
  }
  void finish() {
    if (underWay_) MPI_Wait(&request_, MPI_STATUS_IGNORE);
    underWay_ = false;
  }
  // Of one that goes: a rank that has failed alone may wait for others in vain. False: what MPI may yet write to has to
  // stay.
  bool givesUp() {
    int done = underWay_ ? 0 : 1;
    const double until = done ? 0.0 : MPI_Wtime() + 2.0;
    while (!done && MPI_Wtime() < until) MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
    underWay_ = false;
    return done != 0;
  }

private:
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool underWay_ = false;
};

}  // namespace mesowarp::comm
