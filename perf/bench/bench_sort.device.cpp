// Sorting of keys by cell: from keys at hand to the order written down, in every style.
#include "kernels/sort/key_sorter.hpp"
#include "perf/bench/bench_parts.hpp"

namespace mesowarp {
namespace {

// Bytes per particle, counted. All: a key read, written with an index or place. Counting: key and place read, index
// written; key and index read, key and index written; five words a bucket. Radix sorts, a digit: the key read twice,
// key and index read and written. std::stable_sort: not counted.
double bytesOf(SortStyle style, const backend::SortTask& task) {
  const auto passes = [&](int digit) { return (task.bits - task.firstBit + digit - 1) / digit; };
  if (style == SortStyle::radix) return 12.0 + 20.0 * passes(backend::RadixSort::digitBits);
  if (style == SortStyle::library) return backend::onGpu ? 12.0 + 20.0 * passes(8) : 0.0;
  return 12.0 + 12.0 + 16.0 + 20.0 * static_cast<double>(task.buckets(task.bucketShift())) / task.particles;
}

}  // namespace

std::vector<PartResult> sortParts(const DeviceArray<u32>& keys, const std::string& which, const backend::SortTask& task,
                                  const BenchCase& bench, const BenchPlan& plan) {
  std::vector<PartResult> results;
  for (const SortStyle style : everySortStyle) {
    backend::KeySorter sort(style, task);
    PartResult r;
    r.part = "sort", r.variant = std::string(nameOf(style)) + ", " + which;
    if (style == SortStyle::library) r.note = backend::onGpu ? "CUB" : "std::stable_sort";
    r.precision = nameOf(bench.precision), r.items = task.particles, r.unit = "particles";
    r.bytes = bytesOf(style, task);
    r.timing = backend::timeRepeated(plan.repetitions, [&] { sort(keys); });
    results.push_back(r);
  }
  return results;
}

}  // namespace mesowarp
