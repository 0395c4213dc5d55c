// EngineOf: initial upload, sorting and the neighbour list. Included by engine_impl.hpp.
#pragma once

#include "step/engine_impl.hpp"
#include "step/engine_upload.hpp"

namespace mesowarp {

template <class P>
bool EngineOf<P>::rebuildDue(i64 step) const {
  if (!listBuilt_) return true;
  if (deck_.neighbor.rebuild == input::RebuildStyle::every || looksLate())
    return step - counters_.lastRebuild >= plannedSteps();
  settle();
  const bool moved = flags_.moved()() != 0;
  return part_.ranks ? part_.ranks->largest(moved ? 1 : 0) != 0 : moved;
}

template <class P>
void EngineOf<P>::rebuildIfDue(i64 step) {
  if (!rebuildDue(step)) return;
  confirmForNext();
  if (!rebuildDue(step)) return;  // it came earlier, as it turned out
  if (looksLate() && listBuilt_) interval_.lasted();
  rebuild(step);
}

// Steps that a list is used for, as far as that is known beforehand; else more than there are.
template <class P>
i64 EngineOf<P>::plannedSteps() const {
  if (deck_.neighbor.rebuild == input::RebuildStyle::every) return deck_.neighbor.every;
  return looksLate() ? interval_.steps() : StepGuard::never;
}

template <class P>
void EngineOf<P>::rebuild(i64 step) {
  if (looksLate()) flags_.moved()() = 0;  // nothing that could set it is under way
  if (graphPays() && !looksLate()) graph_.begin();
  if (halo_) migrate();
  sortParticles();
  if (halo_)
    exchangeGhostsAndBuild();
  else
    buildList();
  counters_.lastRebuild = step;
  ++counters_.rebuilds;
  ++buildsHere_;
  // Whether the list before lasted was seen while its last step ran, so this rebuild is launched as it goes, and the
  // steps behind it are recorded while the device is busy with it.
  if (graphPays() && looksLate()) graph_.begin();
}

// Where the host need not look at the device before the next rebuild, nor during one. The first builds are left out:
// they may allocate; so are systems with bonds or two pair forces, whose sums are cleared by a copy of Kokkos' that may
// wait.
template <class P>
bool EngineOf<P>::graphPays() const {
  return !halo_ && backend::StepGraph::pays(arrays_.count) && plannedSteps() != StepGuard::never && buildsHere_ > 2 &&
         !summed_.kept() && !list_.waits() &&
         sorter_.style() != SortStyle::radix;  // its teams' scratch memory is Kokkos' to give
}

// Both work in the memory of the old list.
template <class P>
void EngineOf<P>::sortParticles() {
  reorder(sortedOrder());
}

// Box crossings, sort keys, and in which order particles are to be stored.
template <class P>
backend::SortedOrder EngineOf<P>::sortedOrder() {
  const std::size_t n = static_cast<std::size_t>(arrays_.count);
  const auto [lent, lentBytes] = list_.spareMemory();
  workspace_.begin(4 * Workspace::rounded(n * sizeof(u32)) + arrays_.fields.workspaceBytes(), lent, lentBytes);
  const backend::SortPairs pairs{workspace_.take<u32>(n), workspace_.take<int>(n)};
  const backend::SortPairs other{workspace_.take<u32>(n), workspace_.take<int>(n)};
  // On several ranks there is one cell more, for those that have left.
  const backend::SortTask task{arrays_.count, grid_.cells() + (halo_ ? 1 : 0), grid_.keyBits(),
                               grid_.firstKeyBit(arrays_.count)};
  const auto position = arrays_.position->current;
  const int arrived = migration_ ? migration_->arrived() : 0;  // whose `built` has stayed behind
  Kokkos::parallel_for("sort keys", Range(0, arrays_.count),
                       KeysAndImages<Coord>{position, arrays_.built->current, arrays_.image->current, grid_.indexer(),
                                            DomainBounds(part_.domain), grid_.keyOutside(),
                                            sorter_.begin(task, pairs, other), listBuilt_ ? arrays_.count - arrived : 0,
                                            flags_.moved(), flags_.dangerous(), flags_.staleFrom(),
                                            deck_.neighbor.rebuild == input::RebuildStyle::every});
  return sorter_.finish(grid_.start());
}

// Takes from the workspace what sortedOrder() has left of it.
template <class P>
void EngineOf<P>::reorder(const backend::SortedOrder& sorted) {
  const auto position = arrays_.position->current;
  const FieldMoves moves = arrays_.fields.beginReorder(workspace_);
  Kokkos::parallel_for("reorder", Range(0, arrays_.count + 1),
                       Reorder<Coord>{sorted, keys_, moves, position, arrays_.built->current,
                                      grid_.boundaries(sorted.keys, arrays_.count)});
  const FieldMoves copies = arrays_.fields.endReorder();
  if (!copies.empty()) Kokkos::parallel_for("copy back", Range(0, arrays_.count), CopyBack{copies});
}

// From `built`, keys and cell boundaries alone, so that a resumed run gets the same list.
template <class P>
void EngineOf<P>::buildList(ListPart part) {
  Exclusions exclusions;
  const int stored = arrays_.count + arrays_.ghosts;
  if (arrays_.bondPartner) {
    if (halo_) Kokkos::deep_copy(Execution(), indexOfTag_, -1);
    Kokkos::parallel_for("index tags", Range(0, stored), IndexTags{arrays_.tag->current, indexOfTag_});
    if (excludes_.extent(0) > 0)
      exclusions = {arrays_.bondPartner->current, arrays_.tag->current, arrays_.bondType->current, excludes_,
                    static_cast<int>(arrays_.bondPartner->width())};
  }
  list_.build(box_, grid_, keys_, arrays_.built->current, arrays_.count, stored, exclusions, part,
              halo_ ? &halo_->side() : nullptr);
  listBuilt_ = true;
}

// On a GPU steps are launched behind a build before the host knows that the table was large enough, and, where it looks
// late, that no particle has left its half skin; if not so, they have done nothing. This waits until that is known, and
// if need be builds again, with a larger table or at the step that needed a new list, and launches these steps again.
template <class P>
void EngineOf<P>::confirmList() {
  for (;;) {
    graph_.launch();
    const i64 first = completeList() ? i64{-1} : firstStopped();
    if (unconfirmed_.empty() || first > unconfirmed_.back()) break;
    repeatFrom(first);
  }
  unconfirmed_.clear();
}

// The same before a step that must do what it is launched for, since somebody looks at it or at the state before it.
template <class P>
void EngineOf<P>::confirmForNext() {
  confirmList();
  const i64 first = firstStopped();
  if (first != StepGuard::never) repeatFrom(first), confirmList();
}

// The first step that found the list too old, or will, if it is not launched yet; never: none.
template <class P>
i64 EngineOf<P>::firstStopped() {
  if (!looksLate()) return StepGuard::never;
  if (!unconfirmed_.empty()) {
    const i64 last = unconfirmed_.back();
    lookedFor_ + 1 == last&& rebuildIsNext(last) ? look_.wait() : settle();
  }
  const i64 moved = flags_.moved()();
  return moved != 0 ? moved : StepGuard::never;
}

// first: where a new list is needed; negative: nowhere, but no step since the build has done anything.
template <class P>
void EngineOf<P>::repeatFrom(i64 first) {
  const std::vector<i64> launched = std::exchange(unconfirmed_, {});
  std::vector<i64> stopped;
  for (const i64 step : launched)
    if (step >= first) stopped.push_back(step);
  if (stopped.size() % 2 == 1) arrays_.swapState();
  if (first >= 0) {  // where a new list is needed
    interval_.cut(static_cast<int>(first - counters_.lastRebuild));
    rebuild(first);
  }
  for (const i64 step : stopped) {
    rebuildIfDue(step);
    launchStep(step, {});
    unconfirmed_.push_back(step);
    lookSoon(step);
  }
}

// Marks the point by which it is known whether the list lasts as long as planned: the last step it is used for need not
// be watched, and runs while the host looks.
template <class P>
void EngineOf<P>::lookSoon(i64 step) {
  if (!looksLate() || step + 2 - counters_.lastRebuild != plannedSteps()) return;
  look_.record();
  lookedFor_ = step;
}

// Waits for the build, and repeats it while the table is too small. Whether it had to: then no kernel launched since
// has done anything.
template <class P>
bool EngineOf<P>::completeList() {
  bool repeated = false;
  for (; !list_.complete(); repeated = true) buildList();
  return repeated;
}

template <class P>
void EngineOf<P>::initialize(const HostParticles& state) {
  using Store = typename P::Store;
  const int n = state.count();
  const auto* x = state.position.data();
  const auto* v = state.velocity.data();
  const TagsOf tags{state.tag.empty() ? nullptr : state.tag.data()};
  upload(arrays_.position->current, n, InitialPosition<P>{x, tags, stepKey(deck_.run.seed, Stream::pairNoise, 0)});
  upload(arrays_.velocity->current, n, InitialVelocity<Store>{v, state.species.data()});
  if (arrays_.positionLow) upload(arrays_.positionLow->current, n, InitialPositionLow{x});
  if (arrays_.velocityLow) upload(arrays_.velocityLow->current, n, InitialVelocityLow<Store>{v});
  upload(arrays_.tag->current, n, tags);
  upload(arrays_.image->current, n, InitialImage{state.image.empty() ? nullptr : state.image.data()});
  if (!arrays_.bondPartner) return;
  const std::size_t width = arrays_.bondPartner->width();
  LargeVector<u32> partner(n * width);
  LargeVector<i32> type(n * width);
  LargeVector<int> used(n);
  hostLoop("no bonds", 0, n, [&](i64 i) {
    used[i] = 0;
    for (std::size_t slot = i * width; slot < (i + 1) * width; ++slot) partner[slot] = noBond, type[slot] = 0;
  });
  std::vector<int> placeOf(static_cast<std::size_t>(particles()), -1);
  for (int i = 0; i < n; ++i) placeOf[tags(i)] = i;
  for (const auto& bond : state.bonds) {
    for (const auto& [from, to] : {std::pair{bond.a, bond.b}, std::pair{bond.b, bond.a}}) {
      const int i = placeOf[from];
      if (i < 0) continue;  // another rank's
      const std::size_t slot = i * width + used[i]++;
      partner[slot] = to;
      type[slot] = bond.type;
    }
  }
  arrays_.bondPartner->fromHost(reinterpret_cast<const std::byte*>(partner.data()), partner.size() * sizeof(u32));
  arrays_.bondType->fromHost(reinterpret_cast<const std::byte*>(type.data()), type.size() * sizeof(i32));
}

}  // namespace mesowarp
