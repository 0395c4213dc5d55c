// Sorting of keys and indices, as a rebuild needs it, against the library's.
#include <algorithm>
#include <random>

#include "app/bench_parts.hpp"
#include "backend/config.hpp"
#include "backend/sort.hpp"

namespace mesowarp {
namespace {

using Pair = std::pair<u32, int>;

std::vector<Pair> randomPairs(int count, int firstBit, int bits) {
  std::mt19937 random(1);
  std::vector<Pair> pairs;
  for (int i = 0; i < count; ++i)
    pairs.emplace_back(static_cast<u32>(random()) >> (32 - bits) >> firstBit << firstBit, i);
  return pairs;
}

backend::Sorter::Pairs devicePairs(int count) {
  return {DeviceArray<u32>("bench keys", count), DeviceArray<int>("bench values", count)};
}

backend::Timing timeOurs(const std::vector<Pair>& input, int firstBit, int bits, int repetitions) {
  const int count = static_cast<int>(input.size());
  const auto original = devicePairs(count), a = devicePairs(count), b = devicePairs(count);
  auto keys = Kokkos::create_mirror_view(original.keys);
  auto values = Kokkos::create_mirror_view(original.values);
  for (int i = 0; i < count; ++i) std::tie(keys(i), values(i)) = input[i];
  Kokkos::deep_copy(original.keys, keys);
  Kokkos::deep_copy(original.values, values);
  backend::Sorter sorter;
  return backend::timePrepared(
      repetitions, [&] { Kokkos::deep_copy(a.keys, original.keys), Kokkos::deep_copy(a.values, original.values); },
      [&] { sorter.sort(a, b, bits, firstBit); });
}

backend::Timing timeLibrary(const std::vector<Pair>& input, int repetitions) {
  std::vector<Pair> pairs;
  return backend::timePrepared(
      repetitions, [&] { pairs = input; },
      [&] {
        std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.first < b.first; });
      });
}

}  // namespace

std::vector<PartResult> sortParts(int count, int firstBit, int bits, const BenchCase& bench, const BenchPlan& plan) {
  const auto input = randomPairs(count, firstBit, bits);
  PartResult ours;
  ours.part = "sort", ours.variant = backend::onGpu ? "CUB radix sort" : "radix sort",
  ours.precision = nameOf(bench.precision);
  ours.items = count, ours.unit = "particles";
  ours.bytes = 20.0 * ((bits - firstBit + 7) / 8);  // keys read twice, pairs read and written, a pass
  std::vector<PartResult> results{ours};
  results[0].timing = timeOurs(input, firstBit, bits, plan.repetitions);
  if constexpr (!backend::onGpu) {
    results.push_back(ours);
    results[1].variant = "std::stable_sort", results[1].bytes = 0.0,
    results[1].timing = timeLibrary(input, plan.repetitions);
  }
  return results;
}

}  // namespace mesowarp
