// Where blocks of a kernel count themselves as they are done, for who waits for the first ones
// (SideStream::afterGate); and where one waits for what goes on beside (SideStream::reportTurn).
#pragma once

#include <cuda/atomic>

namespace mesowarp::backend {

// By one thread, behind a barrier of those whose stores are to be seen. A release: __threadfence() would also throw
// away all that the multiprocessor has in L1.
__device__ inline void countAtGate(int* gate) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*gate).fetch_add(1, cuda::memory_order_release);
}

// Until a kernel of another stream has set the word to that value, or a later one. An acquire.
__device__ inline void awaitTurn(const int* word, int turn) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> at(*const_cast<int*>(word));
  while (static_cast<int>(static_cast<unsigned>(at.load(cuda::memory_order_relaxed)) - static_cast<unsigned>(turn)) < 0)
    __nanosleep(100);
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
}

}  // namespace mesowarp::backend
