// Stands in for src/device/launch_gpu.hpp where there is no nvcc: a block of a GPU's threads as threads of the host,
// so that what such a block computes can be tested without a GPU. Slow: every shuffle is a meeting of 32 threads.
#pragma once

#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define __device__
#define __host__
#ifndef __forceinline__
#define __forceinline__ inline
#endif

struct uint4 {
  unsigned x, y, z, w;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// std::barrier asks again and again before it sleeps, which takes most of the time where threads are many and cores
// few.
#ifdef __linux__
class EmulatedMeeting {
public:
  explicit EmulatedMeeting(int threads) : threads_(threads) {}
  void arrive_and_wait() {
    const std::uint32_t now = round_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_.store(0);
      round_.store(now + 1);
      syscall(SYS_futex, &round_, FUTEX_WAKE_PRIVATE, threads_, nullptr, nullptr, 0);
    }
    while (round_.load() == now) syscall(SYS_futex, &round_, FUTEX_WAIT_PRIVATE, now, nullptr, nullptr, 0);
  }

private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<std::uint32_t> round_{0};
};
#else
using EmulatedMeeting = std::barrier<>;
#endif

struct EmulatedWarp {
  EmulatedMeeting meeting{32};
  std::uint32_t word[32];
};
struct EmulatedBlock {
  explicit EmulatedBlock(int threads) : meeting(threads) {
    for (int w = 0; w < threads / 32; ++w) warps.push_back(std::make_unique<EmulatedWarp>());
  }
  EmulatedMeeting meeting;
  std::vector<std::unique_ptr<EmulatedWarp>> warps;
};

struct EmulatedIndex {
  int x = 0, y = 0;
};
inline thread_local EmulatedIndex threadIdx, blockIdx, blockDim;
inline thread_local EmulatedBlock* emulatedBlock = nullptr;

inline EmulatedWarp& emulatedWarp() { return *emulatedBlock->warps[threadIdx.x / 32]; }
inline void __syncwarp() { emulatedWarp().meeting.arrive_and_wait(); }
inline void __syncthreads() { emulatedBlock->meeting.arrive_and_wait(); }
inline std::uint32_t __shfl_sync(unsigned, std::uint32_t word, int from) {
  EmulatedWarp& warp = emulatedWarp();
  warp.word[threadIdx.x % 32] = word;
  warp.meeting.arrive_and_wait();
  const std::uint32_t other = warp.word[from % 32];
  warp.meeting.arrive_and_wait();
  return other;
}
inline bool __any_sync(unsigned, bool mine) {
  bool any = false;
  for (int lane = 0; lane < 32; ++lane) any = __shfl_sync(0, mine ? 1 : 0, lane) != 0 || any;
  return any;
}
template <class T, class V>
T atomicAdd(T* to, V value) {
  return std::atomic_ref<T>(*to).fetch_add(static_cast<T>(value), std::memory_order_relaxed);
}
template <class T>
T atomicOr(T* to, T value) {
  return std::atomic_ref<T>(*to).fetch_or(value, std::memory_order_relaxed);
}
template <class T>
T atomicAnd(T* to, T value) {
  return std::atomic_ref<T>(*to).fetch_and(value, std::memory_order_relaxed);
}
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }

namespace mesowarp::backend {

// Runs a functor of launchBlocks, block after block. prepare: what is done to a block's shared memory before.
template <class Functor, class Prepare>
void emulateBlocks(const Functor& functor, int blocks, int rows, int threads, std::size_t sharedBytes,
                   const Prepare& prepare) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < blocks; ++x) {
      std::vector<uint4> shared(sharedBytes / sizeof(uint4) + 1);
      char* const memory = reinterpret_cast<char*>(shared.data());
      prepare(memory);
      EmulatedBlock block(threads);
      std::vector<std::thread> all;
      for (int t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
          threadIdx.x = t, blockIdx.x = x, blockIdx.y = y, blockDim.x = threads, emulatedBlock = &block;
          functor(memory);
        });
      for (auto& thread : all) thread.join();
    }
}
template <class Functor>
void emulateBlocks(const Functor& functor, int blocks, int rows, int threads, std::size_t sharedBytes) {
  emulateBlocks(functor, blocks, rows, threads, sharedBytes, [](char*) {});
}

}  // namespace mesowarp::backend
