// Absorbs what differs between the oldest Kokkos we build with (3.4) and a current one.
#pragma once

#include <Kokkos_Core.hpp>

namespace mesowarp::backend {

// Sum of a struct with operator+=. Kokkos 3.4 joins through volatile references, which such structs do not have.
template <class T>
class SumReducer {
public:
  using reducer = SumReducer;
  using value_type = T;
  using result_view_type = Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  explicit SumReducer(T& result) : view_(&result) {}
  KOKKOS_INLINE_FUNCTION void join(T& to, const T& from) const { to += from; }
#if KOKKOS_VERSION < 30700
  KOKKOS_INLINE_FUNCTION void join(volatile T& to, const volatile T& from) const {
    const_cast<T&>(to) += const_cast<const T&>(from);
  }
#endif
  KOKKOS_INLINE_FUNCTION void init(T& value) const { value = T{}; }
  KOKKOS_INLINE_FUNCTION T& reference() const { return *view_.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return view_; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }

private:
  result_view_type view_;
};

// Starts Kokkos with this many host threads (0: the environment's or the machine's choice) and, where there are several
// GPUs, on one chosen by the rank on this node.
inline void initializeKokkos(int threads, [[maybe_unused]] int rankOnNode) {
  int device = -1;
#ifdef KOKKOS_ENABLE_CUDA
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) device = rankOnNode % devices;
#endif
#if KOKKOS_VERSION < 30700
  Kokkos::InitArguments arguments;
  if (threads > 0) arguments.num_threads = threads;
  if (device >= 0) arguments.device_id = device;
  arguments.disable_warnings = rankOnNode > 0;  // told once
  Kokkos::initialize(arguments);
#else
  Kokkos::InitializationSettings settings;
  if (threads > 0) settings.set_num_threads(threads);
  if (device >= 0) settings.set_device_id(device);
  settings.set_disable_warnings(rankOnNode > 0);  // told once
  Kokkos::initialize(settings);
#endif
}

}  // namespace mesowarp::backend
