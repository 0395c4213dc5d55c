// BoxPopulation: the state hash (state_hash.hpp). The device gathers rows, a few blocks at a time; ranks send each
// other the rows of a window of tags at a time, so that each has some whole blocks of it. Included by
// box_population_*.device.cpp.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "comm/tag_blocks.hpp"
#include "device/host_copy.hpp"
#include "state/box_population.hpp"
#include "state/box_population_output.hpp"
#include "state/rebuild_kernels.hpp"

namespace mesowarp {

// HashedState, and behind it what fields of methods' own have (FieldTraits: hashed).
template <class P>
struct GatherHashedState {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<Vec3<u32>> low;
  DeviceArray<Vec3<typename P::Real>> velocity;
  FieldRows own;
  DeviceArray<int> order;
  DeviceArray<u32> rows;
  int words;  // of a row, a multiple of 4
  int first;  // in the order
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    using Coord = typename P::Coord;
    constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));
    const int i = order(first + k);
    const auto p = position(i);
    const auto v = velocity(i);
    const Vec3<Coord> at{p.x, p.y, p.z};
    Vec3<u32> below{0, 0, 0};
    if constexpr (P::splitMaster) below = low(i);
    u32* const row = rows.data() + static_cast<std::size_t>(k) * words;
    auto& state = *reinterpret_cast<HashedState*>(row);
    for (int axis = 0; axis < 3; ++axis) {
      state.position[axis] = static_cast<u64>(at[axis]) << up | below[axis];
      state.velocity[axis] = static_cast<double>(v[axis]);
    }
    own.pack(i, row + sizeof(HashedState) / sizeof(u32));
  }
};

// Rows of particles in some order, on the host.
template <class P>
class HashedRows {
public:
  // own: of methods' fields. most: rows asked for at once.
  HashedRows(const StateView<P>& state, const DeviceArray<Vec3<u32>>& low,
             const DeviceArray<Vec3<typename P::Real>>& velocity, const FieldRows& own, const DeviceArray<int>& order,
             i64 most)
      : gather_{state.position, low, velocity, own, order, {}, 0, 0} {
    gather_.words = static_cast<int>(sizeof(HashedState) / sizeof(u32)) + own.words;
    gather_.rows = DeviceArray<u32>("hashed state", static_cast<std::size_t>(most) * gather_.words);
    onHost_ = Kokkos::create_mirror_view(backend::SharedSpace(), gather_.rows);
  }

  std::size_t rowBytes() const { return static_cast<std::size_t>(gather_.words) * sizeof(u32); }
  // Of the particles order(first), … Valid until the next call.
  const std::byte* operator()(i64 first, i64 count) {
    gather_.first = static_cast<int>(first);
    Kokkos::parallel_for("hashed state", Range(0, static_cast<int>(count)), gather_);
    copyToHost(onHost_.data(), gather_.rows.data(), gather_.rows.extent(0) * sizeof(u32));
    return reinterpret_cast<const std::byte*>(onHost_.data());
  }

private:
  GatherHashedState<P> gather_;
  Kokkos::View<u32*, backend::SharedSpace> onHost_;
};

// A rank's particles by window of tags, in each as they are stored: a counting sort. Tags beyond the last window count
// as its own.
struct ByWindow {
  std::vector<int> order;
  std::vector<i64> start;  // of each window, and of the one after the last

  template <class Tags>
  ByWindow(const Tags& tag, int count, i64 windows, i64 window)
      : order(static_cast<std::size_t>(count)), start(static_cast<std::size_t>(windows) + 1, 0) {
    const auto of = [&](int i) {
      return static_cast<std::size_t>(std::min(static_cast<i64>(tag(i)) / window, windows - 1));
    };
    for (int i = 0; i < count; ++i) ++start[of(i) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<i64> next(start.begin(), start.end() - 1);
    for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(next[of(i)]++)] = i;
  }
  i64 count(i64 window) const {
    return start[static_cast<std::size_t>(window) + 1] - start[static_cast<std::size_t>(window)];
  }
  i64 most() const {
    i64 most = 0;
    for (std::size_t w = 0; w + 1 < start.size(); ++w) most = std::max(most, count(static_cast<i64>(w)));
    return most;
  }
};

template <class P>
void BoxPopulation<P>::hashAlone(StateHash& hash) const {
  const DeviceArray<int> order(Kokkos::view_alloc("order of tags", Kokkos::WithoutInitializing), arrays_.count);
  Kokkos::parallel_for("order of tags", Range(0, arrays_.count), IndexTags{arrays_.tag->current, order});
  const i64 blocks =
      std::min(16, Kokkos::DefaultHostExecutionSpace().concurrency());  // for each thread one, while in its cache
  const i64 count = arrays_.count, piece = std::min(count, blocks * StateHash::block);
  HashedRows<P> rows(view(true), observedLow_, observedVelocity_, arrays_.fields.rows(hashed, true), order, piece);
  for (i64 first = 0; first < count; first += piece) {
    const i64 some = std::min(piece, count - first);
    hash.add(rows(first, some), rows.rowBytes(), some, first);
  }
}

template <class P>
void BoxPopulation<P>::hashTogether(StateHash& hash) const {
  const comm::Communicator& together = *ranks();
  const i64 all = total(), window = together.size() * StateHash::block, windows = (all + window - 1) / window;
  const auto tag = hostCopy(arrays_.tag->current);
  const ByWindow own(tag, arrays_.count, windows, window);
  HashedRows<P> rows(view(true), observedLow_, observedVelocity_, arrays_.fields.rows(hashed, true),
                     toDevice<int>("order of windows", own.order), own.most());
  std::vector<u32> tags;
  std::vector<std::byte> blocks;
  for (i64 w = 0; w < windows; ++w) {
    const i64 first = own.start[static_cast<std::size_t>(w)], count = own.count(w);
    tags.clear();
    for (i64 k = first; k < first + count; ++k)
      tags.push_back(tag(own.order[static_cast<std::size_t>(k)]) - static_cast<u32>(w * window));
    const comm::TagBlocks part(together, std::min(window, all - w * window), tags.data(), count, StateHash::block);
    blocks.resize(static_cast<std::size_t>(part.count()) * rows.rowBytes());
    part.gather(rows(first, count), rows.rowBytes(), blocks.data());
    hash.add(blocks.data(), rows.rowBytes(), part.count(), w * window + part.first());
  }
  hash.addOthers(together);
}

template <class P>
std::string BoxPopulation<P>::stateHash() const {
  StateHash hash;
  if (ranks())
    hashTogether(hash);
  else
    hashAlone(hash);
  return hash.text();
}

}  // namespace mesowarp
