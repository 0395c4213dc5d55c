// All pairs on a CPU: bodies i in the lanes of one or two vectors, all bodies j of a part one after another, each
// broadcast to all lanes; sums stay in registers. A tile of j in which no lane has itself or an excluded body runs
// without tests. Included by all_pairs.hpp.
#pragma once

#include <algorithm>

#include "kernels/all_pairs/pairs_parts.hpp"

namespace mesowarp::backend {

constexpr int cpuTile = 128;  // bodies j

// Vectors of i side by side: what the law asks for, or as registers allow.
template <class Law, class Sum>
constexpr int vectorsOf() {
  if constexpr (requires { Law::vectors; })
    return Law::vectors;
  else
    return sizeof(Sum) * Law::channels > 6 * packBytes ? 1 : 2;
}

// Number of parts the j are split into; by the number of bodies alone.
inline int cpuParts(int blocks, int tiles) { return std::min(tiles, blocks >= 48 ? 1 : (48 + blocks - 1) / blocks); }

template <class Law, template <class> class SumOf>
struct PairsBlock {
  using Real = typename Law::Scalar;
  using V = PairsNumber<Real>;
  using Sums = SumSet<Law, SumOf<V>>;
  using Total = typename SumOf<Real>::Total;
  static constexpr int width = V::width, vectors = vectorsOf<Law, SumOf<V>>(), bodies = width * vectors;

  PairsView<Law> task;
  Total* totals;  // null: there is one part
  int blocks, parts, tiles;

  void operator()(int unit) const {
    const int block = unit % blocks, part = unit / blocks;
    typename Law::template At<V> here[vectors];
    SpecialPartners<Law> special[bodies];
    for (int l = 0; l < bodies; ++l) {
      const int k = block * bodies + l, i = k < task.activeCount ? task.bodyOf(k) : -1;
      here[l / width].set(l % width, i >= 0 ? task.bodies(i) : Law::padding(), task.law);
      special[l] = SpecialPartners<Law>::of(task.onTheFly, i);
    }
    Sums sums[vectors];
    const int first = static_cast<int>(i64{tiles} * part / parts),
              last = static_cast<int>(i64{tiles} * (part + 1) / parts);
    for (int tile = first; tile < last; ++tile) {
      const int begin = task.first + tile * cpuTile, end = std::min(begin + cpuTile, task.last);
      bool careful = false;
      for (int l = 0; l < bodies; ++l) careful = careful || special[l].within(begin, end);
      if (careful)
        addCarefully(here, special, sums, begin, end);
      else
        add(here, sums, begin, end);
      for (int v = 0; v < vectors; ++v) sums[v].endTile();
    }
    store(block, part, sums);
  }

private:
  void add(const typename Law::template At<V> (&here)[vectors], Sums (&sums)[vectors], int begin, int end) const {
    const typename Law::Body* const bodiesJ = task.bodies.data();
    Sums local[vectors];  // of this function alone, so that the compiler keeps it in registers
    for (int v = 0; v < vectors; ++v) local[v] = sums[v];
    for (int j = begin; j < end; ++j)
      for (int v = 0; v < vectors; ++v) task.law(here[v], bodiesJ[j], local[v]);
    for (int v = 0; v < vectors; ++v) sums[v] = local[v];
  }

  void addCarefully(const typename Law::template At<V> (&here)[vectors], const SpecialPartners<Law> (&special)[bodies],
                    Sums (&sums)[vectors], int begin, int end) const {
    using Mask = typename Lanes<V>::Mask;
    for (int j = begin; j < end; ++j)
      for (int v = 0; v < vectors; ++v) {
        Mask skip{};
        for (int l = 0; l < width; ++l)
          if (special[v * width + l].skips(task.onTheFly, j)) skip[l] = -1;
        MaskedSums<Sums, Mask> masked{sums[v], skip};
        task.law(here[v], task.bodies(j), masked);
      }
  }

  void store(int block, int part, const Sums (&sums)[vectors]) const {
    for (int l = 0; l < bodies; ++l) {
      const int k = block * bodies + l;
      if (k >= task.activeCount) return;
      Total total[Law::channels];
      for (int c = 0; c < Law::channels; ++c) {
        const Total of = sums[l / width].channel[c].total(l % width);
        if (totals)
          totals[(static_cast<std::size_t>(part) * Law::channels + c) * task.activeCount + k] = of;
        else
          total[c].merge(of);
      }
      if (!totals) finishBody<Law, SumOf>(task, k, total);
    }
  }
};

template <class Law, template <class> class SumOf>
PairsShape shapeOfPairs(const PairsView<Law>& task) {
  constexpr int bodies = PairsBlock<Law, SumOf>::bodies;
  const int blocks = (task.activeCount + bodies - 1) / bodies, tiles = (task.last - task.first + cpuTile - 1) / cpuTile;
  return {PairsStyle::wide, blocks, task.parts > 0 ? std::min(task.parts, tiles) : cpuParts(blocks, tiles)};
}

// A functor whose type the loop over threads need not know, so that there is one such loop for all.
struct AnyUnits {
  const void* functor;
  void (*call)(const void* functor, int unit);
  void operator()(int unit) const { call(functor, unit); }

  template <class Functor>
  static AnyUnits of(const Functor& functor) {
    return {&functor, [](const void* any, int unit) { (*static_cast<const Functor*>(any))(unit); }};
  }
};
inline void runUnits(const char* label, int units, const AnyUnits& all) {
  using Dynamic = Kokkos::RangePolicy<Execution, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;
  Kokkos::parallel_for(label, Dynamic(0, units), all);
}
inline void runEach(const char* label, int count, const AnyUnits& all) {
  Kokkos::parallel_for(label, Range(0, count), all);
}

// totals: of the parts; null: there is one, which finishes its bodies.
template <class Law, template <class> class SumOf>
void launchPairs(const char* label, const PairsView<Law>& task, const PairsShape& shape,
                 typename SumOf<typename Law::Scalar>::Total* totals) {
  const int tiles = (task.last - task.first + cpuTile - 1) / cpuTile, units = shape.blocks * shape.parts;
  const PairsBlock<Law, SumOf> block{task, totals, shape.blocks, shape.parts, tiles};
  runUnits(label, units, AnyUnits::of(block));
}

template <class Law, template <class> class SumOf>
void launchMerge(const char* label, const MergeParts<Law, SumOf>& parts) {
  runEach(label, parts.task.activeCount, AnyUnits::of(parts));
}

}  // namespace mesowarp::backend
