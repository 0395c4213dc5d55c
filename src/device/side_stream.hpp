// A second stream of kernels beside the main one, for what may run at the same time. It goes first, for what travels
// has somebody waiting at the other end; so it must take few threads (runBeside). It can wait for the first blocks of a
// kernel of the main stream, which count themselves at a gate, while the kernel's other blocks run on. On a CPU the two
// streams are the same.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "device/config.hpp"
#include "device/tuning.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include <cuda/atomic>

#include "device/launch_gpu.hpp"
#endif

namespace mesowarp::backend {

#ifdef KOKKOS_ENABLE_CUDA
// Ends once the gate has counted so many warps, and clears it.
struct WaitForGate {
  int* gate;
  int warps;
  __device__ void operator()(char*) const {
    if (threadIdx.x != 0) return;
    cuda::atomic_ref<int, cuda::thread_scope_device> passed(*gate);
    while (passed.load(cuda::memory_order_relaxed) < warps) __nanosleep(200);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    passed.store(0, cuda::memory_order_relaxed);
  }
};

// What the stream has been given before has been done: for a block that waits (awaitTurn).
struct ReportTurn {
  int *word, turn;
  __device__ void operator()(char*) const {
    if (threadIdx.x != 0) return;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    cuda::atomic_ref<int, cuda::thread_scope_device>(*word).store(turn, cuda::memory_order_relaxed);
  }
};

class SideStream {
public:
  SideStream() : stream_(make()), instance_(stream_) { cudaEventCreateWithFlags(&event_, cudaEventDisableTiming); }
  ~SideStream() {
    instance_.fence();
    cudaEventDestroy(event_);
    instance_ = Execution();
    cudaStreamDestroy(stream_);
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  const Execution& instance() const { return instance_; }
  cudaStream_t stream() const { return stream_; }
  void afterMain() { order(Execution().cuda_stream(), stream_); }   // what comes now waits for the main stream so far
  void beforeMain() { order(stream_, Execution().cuda_stream()); }  // the main stream waits for what has come so far
  void wait() { cudaStreamSynchronize(stream_); }                   // the host does
  // What comes now waits for the first blocks of a kernel that the main stream has been given, not for all of it: for
  // so many warps to pass the gate (ParticleBlocks::passGate).
  int* gate() const { return gate_.data(); }
  void afterGate(int warps) {
    launchBlocks<32, 1>("wait for the border", 1, 32, 0, WaitForGate{gate_.data(), warps}, stream_);
  }
  // A kernel of the main stream goes on that waits until the word, of the device, is `turn`. So the host must not wait
  // for that kernel before, as it does where each launch waits (canReport()) and where a profiler runs one kernel after
  // the other.
  static bool canReport() {
    const char* const blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    return blocking == nullptr || std::string_view(blocking) == "0";
  }
  void reportTurn(int* word, int turn) {
    launchBlocks<32, 1>("report what has come", 1, 32, 0, ReportTurn{word, turn}, stream_);
  }

private:
  // Of the highest priority: what travels has somebody waiting at the other end.
  static cudaStream_t make() {
    int least = 0, greatest = 0;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
    return stream;
  }
  void order(cudaStream_t first, cudaStream_t second) {
    cudaEventRecord(event_, first);
    cudaStreamWaitEvent(second, event_, 0);
  }
  cudaStream_t stream_;
  Execution instance_;
  cudaEvent_t event_{};
  DeviceArray<int> gate_{"border gate", 1};
};
#else
class SideStream {
public:
  const Execution& instance() const { return instance_; }
  void afterMain() {}
  void beforeMain() {}
  void wait() { instance_.fence(); }
  int* gate() const { return nullptr; }
  void afterGate(int) {}
  static bool canReport() { return false; }
  void reportTurn(int*, int) {}

private:
  Execution instance_;
};
#endif

// A kernel on the side stream by as many threads as keep a link busy, and no more: the stream goes before the main one,
// and what waits for memory of another GPU would take half of the device from what runs there (perf/NOTES.md).
template <class Functor>
struct Strided {
  Functor functor;
  int count, threads;
  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    for (int k = thread; k < count; k += threads) functor(k);
  }
};
template <class Functor>
void runBeside(const char* label, const SideStream& side, int count, const Functor& functor) {
  const int threads = onGpu ? std::min(count, tuning::sideThreads) : count;
  Kokkos::parallel_for(label, Range(side.instance(), 0, threads), Strided<Functor>{functor, count, threads});
}

}  // namespace mesowarp::backend
