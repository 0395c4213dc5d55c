#include "device/memory/bytes.hpp"

#include <stdexcept>

namespace mesowarp {
namespace {

template <class Space>
using Bytes = Kokkos::View<char*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Space>
using ConstBytes = Kokkos::View<const char*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// on: an instance that does it next; nothing: the host waits.
template <class To, class From, class... On>
void copy(void* to, const void* from, std::size_t bytes, const On&... on) {
  if (bytes == 0 || to == from) return;
  Kokkos::deep_copy(on..., Bytes<To>(static_cast<char*>(to), bytes),
                    ConstBytes<From>(static_cast<const char*>(from), bytes));
}

template <class T>
struct Fill {
  T* first;
  T value;
  KOKKOS_INLINE_FUNCTION void operator()(i64 i) const { first[i] = value; }
};
void fill(const std::string& label, const Execution& instance, void* first, unsigned char value, std::size_t bytes) {
  using Elements = Kokkos::RangePolicy<Execution, Kokkos::IndexType<i64>>;
  const auto words = static_cast<i64>(bytes / sizeof(u32)), rest = static_cast<i64>(bytes % sizeof(u32));
  Kokkos::parallel_for(label, Elements(instance, 0, words), Fill<u32>{static_cast<u32*>(first), value * 0x01010101u});
  if (rest == 0) return;
  auto* const behind = static_cast<unsigned char*>(first) + words * static_cast<i64>(sizeof(u32));
  Kokkos::parallel_for(label, Elements(instance, 0, rest), Fill<unsigned char>{behind, value});
}

#ifdef KOKKOS_ENABLE_CUDA
void expectDone(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}
#endif

}  // namespace

void copyToDevice(void* device, const void* host, std::size_t bytes) {
  copy<Memory, Kokkos::HostSpace>(device, host, bytes);
}
void copyToHost(void* host, const void* device, std::size_t bytes) {
  copy<Kokkos::HostSpace, Memory>(host, device, bytes);
}
void copyOnDevice(void* to, const void* from, std::size_t bytes) { copy<Memory, Memory>(to, from, bytes); }

void copyOn(const Execution& instance, void* to, const void* from, std::size_t bytes) {
#ifdef KOKKOS_ENABLE_CUDA  // from wherever it is
  if (bytes == 0) return;
  expectDone(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, instance.cuda_stream()), "a copy on the device");
#else
  copy<Memory, Memory>(to, from, bytes, instance);
#endif
}
void fillOn(const Execution& instance, void* first, unsigned char value, std::size_t bytes) {
  if (bytes == 0) return;
#ifdef KOKKOS_ENABLE_CUDA
  expectDone(cudaMemsetAsync(first, value, bytes, instance.cuda_stream()), "filling memory of the device");
#else
  fill("fill", instance, first, value, bytes);
#endif
}

void clearInParallel(const std::string& label, void* first, std::size_t bytes) {
  fill("clear " + label, Execution(), first, 0, bytes);
}

DeviceArray<char> bytesToDevice(const char* label, const void* from, std::size_t bytes, const DeviceArray<char>& old) {
  const DeviceArray<char> memory =
      bytes > 0 && old.extent(0) == bytes
          ? old
          : DeviceArray<char>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), bytes);
  copyToDevice(memory.data(), from, bytes);
  return memory;
}

}  // namespace mesowarp
