// What the parts of an all-pairs sum have got: its memory, and how it is merged.
#pragma once

#include "kernels/all_pairs/pairs_task.hpp"

namespace mesowarp::backend {

// Memory for the totals of parts, which grows as needed.
class PairsWorkspace {
public:
  template <class T>
  T* take(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > memory_.extent(0))
      memory_ = DeviceArray<char>(Kokkos::view_alloc("partial sums", Kokkos::WithoutInitializing), bytes);
    return reinterpret_cast<T*>(memory_.data());
  }
  std::size_t bytes() const { return memory_.extent(0); }

private:
  DeviceArray<char> memory_;
};

// Totals of parts, [part][channel][k], merged in the order of parts.
template <class Law, template <class> class SumOf>
struct MergeParts {
  using Total = typename SumOf<typename Law::Scalar>::Total;
  PairsView<Law> task;
  const Total* totals;
  int parts;
  KOKKOS_INLINE_FUNCTION void merge(int k, int first, int last, Total (&total)[Law::channels]) const {
    const std::size_t stride = task.activeCount;
#ifdef __CUDA_ARCH__
#pragma unroll 8
#endif
    for (int p = first; p < last; ++p)  // many loads under way at a time
      for (int c = 0; c < Law::channels; ++c)
        total[c].merge(totals[(static_cast<std::size_t>(p) * Law::channels + c) * stride + k]);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    Total total[Law::channels];
    merge(k, 0, parts, total);
    finishBody<Law, SumOf>(task, k, total);
  }
};

}  // namespace mesowarp::backend
