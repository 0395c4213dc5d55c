// Sums over all pairs of bodies: for each body i of a subset, or of all, a law's terms with every body j. The law knows
// one pair, the accumulator (core/accumulators.hpp) adds up; what walks is all_pairs_gpu.hpp or all_pairs_cpu.hpp. The
// j are split into parts where the i alone are too few for the machine (N-body paper, section 3.4), and come in pieces
// where several ranks have them; parts are merged in order, so the same subset gives the same bits, whatever the number
// of threads.
//
// A law has: Scalar; Body (trivially copyable, of which the first readBytes are read); channels; skipSelf (its terms
// have no value where i = j); sign-symmetric operator()(At<V>, Body, Sums&); At<V>, bodies i in the lanes of V, with
// set(lane, body); padding(), a body without effect on others; `looksUp`: it reads a table, which stage() brings to
// shared memory. If it is `paired`, also meet(At<V>, Body), what a pair's terms are made of, and both(Meeting<V>,
// At<V>, Body, Sums&), the terms of either body, bit by bit those that operator() has for them; `opposite`: those of j
// are the opposite of those of i. On a GPU several pairs meet before the first one's terms are added: roots have time,
// and instructions side by side read the same registers.
#pragma once

#include "core/accumulators.hpp"
#include "core/array_ref.hpp"
#include "device/config.hpp"
#include "kernels/all_pairs/all_pairs_shape.hpp"
#ifndef KOKKOS_ENABLE_CUDA
#include "device/pack_cpu.hpp"
#endif

namespace mesowarp::backend {

// What laws compute with.
#ifdef KOKKOS_ENABLE_CUDA
template <class Real>
using PairsNumber = Real;
#else
template <class Real>
using PairsNumber = Pack<Real>;
#endif

// Bodies that i has no force with, sorted, for every i from start(i) to start(i + 1). Empty: none anywhere.
struct ExcludedPartners {
  DeviceArray<int> start, partner;
  KOKKOS_INLINE_FUNCTION bool any() const { return start.data() != nullptr; }
};

constexpr int mostChannels = 6;

// A sum of 1, 3 or 6 numbers for each body, in double precision.
struct BodySums {
  double value[mostChannels];
};

// One question.
template <class Law>
struct PairsTask {
  using Body = typename Law::Body;
  Law law;
  DeviceArray<Body> bodies;
  int first = 0, last = 0;  // the j: bodies(first) to bodies(last - 1)
  int base = 0;             // the k-th body i is bodies(base + k), or
  DeviceArray<int> active;  // bodies(base + active(k)), rising; empty: all of them
  int activeCount = 0;
  ExcludedPartners onTheFly;                  // left out as the sum goes
  ExcludedPartners afterwards;                // subtracted from it
  PairsStyle style = PairsStyle::fastest;     // another one where it is possible
  int parts = 0;                              // wide, in so many parts of the j; 0: as a table has it
  std::size_t room = std::size_t{512} << 20;  // bytes, for totals that come from pairs of tiles
  double unit = 1.0;                          // value() of a total is multiplied by it
  DeviceArray<BodySums> sums;                 // result: k-th of the active
  Kokkos::View<int, SharedSpace> overflow;    // set to 1 by a fixed-point sum that left its range
};

struct PartnersRef {
  ArrayRef<int> start, partner;
  PartnersRef() = default;
  PartnersRef(const ExcludedPartners& lists) : start(lists.start), partner(lists.partner) {}
  KOKKOS_INLINE_FUNCTION bool any() const { return start.data() != nullptr; }
};

// The same as kernels have it, as long as the task is there.
template <class Law>
struct PairsView {
  using Body = typename Law::Body;
  Law law;
  ArrayRef<Body> bodies;
  int first, last, base;
  ArrayRef<int> active;
  int activeCount;
  PartnersRef onTheFly, afterwards;
  PairsStyle style;
  int parts;
  std::size_t room;
  double unit;
  ArrayRef<BodySums> sums;
  int* overflow;

  PairsView(const PairsTask<Law>& task)
      : law(task.law), bodies(task.bodies), first(task.first), last(task.last), base(task.base), active(task.active),
        activeCount(task.activeCount), onTheFly(task.onTheFly), afterwards(task.afterwards), style(task.style),
        parts(task.parts), room(task.room), unit(task.unit), sums(task.sums), overflow(task.overflow.data()) {}

  KOKKOS_FORCEINLINE_FUNCTION int bodyOf(int k) const { return base + (active.data() != nullptr ? active(k) : k); }
};

// One accumulator for each channel.
template <class Law, class Sum>
struct SumSet {
  Sum channel[Law::channels];
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION void add(int c, V a, V b) {
    channel[c].add(a, b);
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {
    for (int c = 0; c < Law::channels; ++c) channel[c].endTile();
  }
};

// Adds nothing where `skip` is set.
template <class Sums, class Mask>
struct MaskedSums {
  Sums& sums;
  Mask skip;
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION void add(int c, V a, V b) {
    using math::select;
    sums.add(c, select(skip, V(0), a), select(skip, V(0), b));
  }
};

// Subtracts.
template <class Sums>
struct NegatedSums {
  Sums& sums;
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION void add(int c, V a, V b) {
    sums.add(c, -a, b);
  }
};

// Whether a sorted row holds j.
KOKKOS_INLINE_FUNCTION bool rowHolds(const PartnersRef& lists, int i, int j) {
  int low = lists.start(i), high = lists.start(i + 1);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (lists.partner(middle) < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < lists.start(i + 1) && lists.partner(low) == j;
}

// Which j a body needs looked at one by one: itself, where the law must not see it, and those it excludes.
template <class Law>
struct SpecialPartners {
  int self, first, last;  // of its row, if it has one; first > last: none
  KOKKOS_INLINE_FUNCTION static SpecialPartners of(const PartnersRef& lists, int i) {
    SpecialPartners s{i, 0, -1};
    if (lists.any() && i >= 0 && lists.start(i) < lists.start(i + 1))
      s.first = lists.partner(lists.start(i)), s.last = lists.partner(lists.start(i + 1) - 1);
    return s;
  }
  KOKKOS_INLINE_FUNCTION bool within(int begin, int end) const {
    return (Law::skipSelf && self >= begin && self < end) || (first < end && last >= begin);
  }
  KOKKOS_INLINE_FUNCTION bool skips(const PartnersRef& lists, int j) const {
    return (Law::skipSelf && j == self) || (j >= first && j <= last && rowHolds(lists, self, j));
  }
};

// The law's terms of body i with the bodies it excludes, negative. What computes them is what sums all pairs, so that
// the same terms have the same bits: on a CPU a vector, of which one lane counts.
template <class Law, template <class> class SumOf, class Totals>
KOKKOS_INLINE_FUNCTION void subtractExcluded(const PairsView<Law>& task, int i, Totals& total) {
  using V = PairsNumber<typename Law::Scalar>;
  typename Law::template At<V> here;
  here.set(0, task.bodies(i), task.law);
  for (int l = 1; l < Lanes<V>::width; ++l) here.set(l, Law::padding(), task.law);
  SumSet<Law, SumOf<V>> sums;
  NegatedSums<SumSet<Law, SumOf<V>>> negated{sums};
  int terms = 0;
  for (int e = task.afterwards.start(i); e < task.afterwards.start(i + 1); ++e) {
    task.law(here, task.bodies(task.afterwards.partner(e)), negated);
    if (++terms == mostTerms) sums.endTile(), terms = 0;
  }
  sums.endTile();
  for (int c = 0; c < Law::channels; ++c) total[c].merge(sums.channel[c].total(0));
}

// Whether nobody asks for a law's sums with PairsTask::afterwards: then nothing that subtracts is compiled.
template <class Law>
constexpr bool neverAfterwards = requires {
  Law::neverAfterwards;
};

// Whether a law is asked for seldom, and its sums do not depend on an order: then a GPU has it in the wide style alone,
// since three fifths of what was compiled for such laws were the few style (perf/log/builds.md).
template <class Law>
constexpr bool seldomAsked = requires {
  requires Law::seldomAsked;
};

// Turns totals of all j into the result of one body: subtracts what is excluded afterwards, reports overflows.
template <class Law, template <class> class SumOf>
KOKKOS_INLINE_FUNCTION void finishBody(const PairsView<Law>& task, int k,
                                       typename SumOf<typename Law::Scalar>::Total (&total)[Law::channels]) {
  if constexpr (!neverAfterwards<Law>)
    if (task.afterwards.any()) subtractExcluded<Law, SumOf>(task, task.bodyOf(k), total);
  for (int c = 0; c < Law::channels; ++c) {
    task.sums(k).value[c] = total[c].value() * task.unit;
    if (total[c].overflowed()) *task.overflow = 1;
  }
}

}  // namespace mesowarp::backend
