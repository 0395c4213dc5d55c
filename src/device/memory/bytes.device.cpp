#include "device/memory/bytes.hpp"

namespace mesowarp {
namespace {

template <class To, class From>
void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Kokkos::View<char*, To, Unmanaged>(static_cast<char*>(to), bytes),
                    Kokkos::View<const char*, From, Unmanaged>(static_cast<const char*>(from), bytes));
}

struct ClearWords {
  u32* first;
  KOKKOS_INLINE_FUNCTION void operator()(i64 i) const { first[i] = 0; }
};
struct ClearBytes {
  char* first;
  KOKKOS_INLINE_FUNCTION void operator()(i64 i) const { first[i] = 0; }
};

}  // namespace

void copyToDevice(void* device, const void* host, std::size_t bytes) {
  copy<Memory, Kokkos::HostSpace>(device, host, bytes);
}
void copyToHost(void* host, const void* device, std::size_t bytes) {
  copy<Kokkos::HostSpace, Memory>(host, device, bytes);
}
void copyOnDevice(void* to, const void* from, std::size_t bytes) { copy<Memory, Memory>(to, from, bytes); }

void clearInParallel(const std::string& label, void* first, std::size_t bytes) {
  using Elements = Kokkos::RangePolicy<Execution, Kokkos::IndexType<i64>>;
  const auto words = static_cast<i64>(bytes / sizeof(u32)), rest = static_cast<i64>(bytes % sizeof(u32));
  Kokkos::parallel_for("clear " + label, Elements(0, words), ClearWords{static_cast<u32*>(first)});
  if (rest > 0)
    Kokkos::parallel_for("clear " + label, Elements(0, rest),
                         ClearBytes{static_cast<char*>(first) + words * static_cast<i64>(sizeof(u32))});
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
