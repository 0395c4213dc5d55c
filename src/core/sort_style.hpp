// The ways to sort particles by cell. No Kokkos here, so that options and plans can name them.
#pragma once

namespace mesowarp {

// counting: by counting the particles of each cell, ranked within it; radix: the DPD paper's (section 3.2.1, Algorithm
// 2); library: CUB's radix sort on CUDA, elsewhere std::stable_sort. All are stable, and stable sorts have one answer.
enum class SortStyle { counting, radix, library };

constexpr SortStyle everySortStyle[] = {SortStyle::counting, SortStyle::radix, SortStyle::library};

constexpr const char* nameOf(SortStyle style) {
  return style == SortStyle::counting ? "counting" : style == SortStyle::radix ? "radix" : "library";
}

}  // namespace mesowarp
