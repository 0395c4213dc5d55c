// Where blocks of a kernel count themselves as they are done, for who waits for the first ones
// (SideStream::afterGate).
#pragma once

#include <cuda/atomic>

namespace mesowarp::backend {

// By one thread, behind a barrier of those whose stores are to be seen. A release: __threadfence() would also throw
// away all that the multiprocessor has in L1.
__device__ inline void countAtGate(int* gate) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*gate).fetch_add(1, cuda::memory_order_release);
}

}  // namespace mesowarp::backend
