// What kernels do with flags (peer_flags.hpp).
#pragma once

#include <cuda/atomic>

#include "device/launch/peer_flags.hpp"

namespace mesowarp::backend {

// A release: what the thread, and whoever it has seen to be done, has stored is there for whoever sees the flag.
__device__ inline void raiseFlag(const PeerFlags& flags, int way) {
  if (flags.flag[way] == nullptr) return;
  const cuda::atomic_ref<u32, cuda::thread_scope_system> flag(*flags.flag[way]);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);
  flag.store(flags.value, cuda::memory_order_release);
}

// To the value, or beyond. If so, an acquire.
__device__ inline bool isRaised(const PeerFlags& flags, int way) {
  if (flags.flag[way] == nullptr) return true;
  const cuda::atomic_ref<u32, cuda::thread_scope_system> flag(*flags.flag[way]);
  if (static_cast<i32>(flag.load(cuda::memory_order_relaxed) - flags.value) < 0) return false;
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
  return true;
}
__device__ inline void awaitFlag(const PeerFlags& flags, int way) {
  while (!isRaised(flags, way)) __nanosleep(100);
}

// By all threads of each block, as it ends.
__device__ inline void raiseAsBlockEnds(const RaiseFlags& raise) {
  if (raise.done == nullptr) return;
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {  // a release for this GPU: the last block, which sees all of them, makes it one for all
    const cuda::atomic_ref<u32, cuda::thread_scope_device> done(*raise.done);
    last = done.fetch_add(1, cuda::memory_order_acq_rel) + 1 == gridDim.x;
    if (last) done.store(0, cuda::memory_order_relaxed);
  }
  __syncthreads();
  if (last && threadIdx.x < direction::count) raiseFlag(raise.flags, threadIdx.x);
}

// By all threads of each block. False: it is none of those that wait, or all flags are raised.
__device__ inline bool mustAwait(const AwaitFlags& await) {
  const int block = static_cast<int>(blockIdx.x) - await.first;
  return block >= 0 && block < await.number &&
         __syncthreads_and(threadIdx.x >= direction::count || isRaised(await.flags, threadIdx.x)) == 0;
}
// By all threads of a block that must; a barrier has to follow.
__device__ inline void awaitAll(const AwaitFlags& await) {
  if (threadIdx.x < direction::count) awaitFlag(await.flags, threadIdx.x);
}
// Behind that.
__device__ inline void reportToHost(const AwaitFlags& await) {
  if (await.word == nullptr || static_cast<int>(blockIdx.x) != await.first || threadIdx.x != 0) return;
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);
  cuda::atomic_ref<int, cuda::thread_scope_system>(*await.word).store(await.end, cuda::memory_order_release);
}

}  // namespace mesowarp::backend
