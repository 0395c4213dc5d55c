// Records what is launched into Kokkos' stream, and launches it as one CUDA graph. Steps differ in their kernels'
// arguments alone, so a graph of as many kernels as one before takes over that one's executable form: it is
// instantiated once and then updated. Whatever needs the device before the graph is complete launches what was recorded
// so far.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "device/config.hpp"
#include "device/tuning.hpp"

namespace mesowarp::backend {

class StepGraph {
public:
  // Where a step takes a few dozen microseconds; not while a Kokkos tool listens, which may wait for each kernel.
  static bool pays(int particles) { return particles < tuning::graphsBelow && !Kokkos::Tools::profileLibraryLoaded(); }
  // Bodies of which each has a force with each other.
  static bool paysForBodies(int bodies) { return bodies < tuning::bodyGraphsBelow && pays(bodies); }

  StepGraph() = default;
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;
  ~StepGraph() {
    cudaGraph_t graph = nullptr;
    if (open_ && cudaStreamEndCapture(stream(), &graph) == cudaSuccess) cudaGraphDestroy(graph);
    for (auto& [nodes, executable] : executables_) cudaGraphExecDestroy(executable);
  }

  // From here on until launch() nothing that the host waits for may be asked of the device.
  void begin() {
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "begin");
    open_ = true;
  }

  // Launches what was recorded; nothing, if nothing is being recorded.
  void launch() {
    if (!open_) return;
    const cudaGraph_t graph = end();
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "count");
    last_ = nodes > 0 ? executableOf(graph, nodes) : nullptr;
    cudaGraphDestroy(graph);
    again();
  }
  // The same once more, with the same arguments.
  void again() {
    if (last_) check(cudaGraphLaunch(last_, stream()), "launch");
  }

private:
  static cudaStream_t stream() { return Execution().cuda_stream(); }
  static void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess)
      throw std::runtime_error(std::string("graph of steps, ") + what + ": " + cudaGetErrorString(error));
  }
  cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    open_ = false;
    check(cudaStreamEndCapture(stream(), &graph), "end");
    return graph;
  }
  cudaGraphExec_t executableOf(cudaGraph_t graph, std::size_t nodes) {
    cudaGraphExec_t& executable = executables_[nodes];
    cudaGraphExecUpdateResultInfo result{};
    if (executable && cudaGraphExecUpdate(executable, graph, &result) == cudaSuccess) return executable;
    cudaGetLastError();  // other kernels than before
    if (executable) cudaGraphExecDestroy(executable);
    executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
    return executable;
  }

  std::map<std::size_t, cudaGraphExec_t> executables_;  // by number of nodes
  cudaGraphExec_t last_ = nullptr;
  bool open_ = false;
};

}  // namespace mesowarp::backend
