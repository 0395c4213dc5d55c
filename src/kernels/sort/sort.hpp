// Sorting particles by cell at a rebuild, in three styles (SortStyle): sort_counting.hpp, sort_radix.hpp,
// sort_library.hpp. All are stable, so all give the same order. The kernel that makes the keys hands them to what
// begin() returns, and the kernel that moves the particles asks what finish() returns where each goes: so a counting
// sort can count in the one and rank in the other, and the styles differ nowhere else. `mesowarp bench parts` times
// them all, `--sort` chooses one for a benchmark; defaultSort is the fastest measured.
#pragma once

#include "device/config.hpp"
#include "kernels/sort/sort_counting.hpp"
#include "kernels/sort/sort_library.hpp"
#include "kernels/sort/sort_radix.hpp"

namespace mesowarp::backend {

// Keeps its small buffers between calls; a sort of the same task as the one before allocates nothing.
class Sorter {
public:
  explicit Sorter(SortStyle style = defaultSort) : style_(style) {}
  SortStyle style() const { return style_; }

  // pairs, other: memory for the particles, which the sort uses until its result is no longer needed.
  SortInput begin(const SortTask& task, const SortPairs& pairs, const SortPairs& other);
  // The order; if it is ranked, cellStart, [cells + 1], has been filled, otherwise it has not been touched.
  SortedOrder finish(const DeviceArray<int>& cellStart);
  std::size_t bytes() const { return counting_.bytes() + radix_.bytes() + library_.bytes(); }

private:
  SortStyle style_;
  SortTask task_{};
  SortPairs pairs_, other_;
  CountingSort counting_;
  RadixSort radix_;
  LibrarySort library_;
};

}  // namespace mesowarp::backend
