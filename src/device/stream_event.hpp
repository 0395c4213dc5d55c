// A point in the stream of kernels that the host can wait for. On a CPU, where kernels have ended when they return,
// nothing.
#pragma once

#include "device/config.hpp"

namespace mesowarp::backend {

#ifdef KOKKOS_ENABLE_CUDA
class StreamEvent {
public:
  StreamEvent() { cudaEventCreateWithFlags(&event_, cudaEventDisableTiming); }
  ~StreamEvent() { cudaEventDestroy(event_); }
  StreamEvent(const StreamEvent&) = delete;
  StreamEvent& operator=(const StreamEvent&) = delete;
  // Also while the stream is recorded as a graph: then each launch of the graph passes the point.
  void record() {
    const cudaStream_t stream = Execution().cuda_stream();
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &status);
    cudaEventRecordWithFlags(
        event_, stream, status == cudaStreamCaptureStatusActive ? cudaEventRecordExternal : cudaEventRecordDefault);
  }
  void wait() { cudaEventSynchronize(event_); }

private:
  cudaEvent_t event_{};
};
#else
class StreamEvent {
public:
  void record() {}
  void wait() {}
};
#endif

}  // namespace mesowarp::backend
