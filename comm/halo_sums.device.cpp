// Sums on their way back from ghosts to the particles that they are copies of: through memory of the host, way by way.
#include <stdexcept>

#include "comm/halo.hpp"

namespace mesowarp::comm {
namespace {

template <class T>
struct CopyOut {
  const T* from;
  T* to;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const { to[k] = from[k]; }
};

// The same of ghosts that lie in another order than they came.
template <class T>
struct CopyInOrder {
  const T* from;
  T* to;
  DeviceArray<int> place;
  int width;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    const int k = n / width;
    to[n] = from[static_cast<std::size_t>(place(k)) * width + n % width];
  }
};

// Of one way, which has each particle once at most.
template <class T>
struct AddWay {
  T* values;
  const T* came;
  DeviceArray<int> sendIndex;
  int first, width;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    const int k = first + n / width, c = n % width;
    values[static_cast<std::size_t>(sendIndex(k)) * width + c] += came[static_cast<std::size_t>(k) * width + c];
  }
};

WayBytes bytesOf(const GhostPlan::Ways& first, std::size_t rowBytes) {
  WayBytes bytes;
  for (int way = 0; way <= direction::count; ++way) bytes.first[way] = static_cast<std::size_t>(first[way]) * rowBytes;
  return bytes;
}

}  // namespace

template <class T>
void Halo::addBack(T* values, int width) {
  if (underWay_) throw std::logic_error("sums go back while ghosts are under way");
  const std::size_t rowBytes = sizeof(T) * width;
  const auto reserve = [](SharedBytes& buffer, std::size_t bytes) {
    if (bytes > buffer.extent(0))
      buffer = SharedBytes(Kokkos::view_alloc("sums of ghosts", Kokkos::WithoutInitializing), bytes + bytes / 8);
  };
  reserve(back_, ghosts_ * rowBytes), reserve(came_, sends_ * rowBytes);
  side_.afterMain();
  const T* const held = values + static_cast<std::size_t>(plan_.particles) * width;
  const Range numbers(side_.instance(), 0, ghosts_ * width);
  if (arranged_)
    Kokkos::parallel_for("sums of ghosts", numbers,
                         CopyInOrder<T>{held, reinterpret_cast<T*>(back_.data()), order_.place(), width});
  else
    Kokkos::parallel_for("sums of ghosts", numbers, CopyOut<T>{held, reinterpret_cast<T*>(back_.data())});
  side_.wait();
  messages_.start(back_.data(), bytesOf(plan_.firstGhost, rowBytes), came_.data(), bytesOf(plan_.firstSend, rowBytes));
  messages_.finish();
  for (int way = 0; way < direction::count; ++way) {
    const int first = plan_.firstSend[way], count = plan_.firstSend[way + 1] - first;
    if (count > 0)
      Kokkos::parallel_for("add what ghosts have", Range(side_.instance(), 0, count * width),
                           AddWay<T>{values, reinterpret_cast<const T*>(came_.data()), sendIndex_, first, width});
  }
  side_.beforeMain();
}

template void Halo::addBack(float*, int);
template void Halo::addBack(double*, int);
template void Halo::addBack(i64*, int);

}  // namespace mesowarp::comm
