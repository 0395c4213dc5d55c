// Which candidates of the neighbour rows of a block of particles are in range, on a CPU core. Rows that lie one behind
// the other in the table are looked at as one run, in whole vectors across the rows' ends: only a run's last vector is
// not full, and no loop ends with a row, whose length nobody can foresee.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/pairs/pair_owners_cpu.hpp"

namespace mesowarp::backend {

// Distances are compared in single precision, rounded outwards: the force itself is exactly zero beyond its cutoff.
struct RangeTest {
  Ticks<float> tick;  // of the leading 32 bits of a coordinate
  float cutoff2;
  template <class P>
  static RangeTest make(const PairState<P>& state, double cutoff) {
    const double scale = sizeof(typename P::Coord) == 8 ? 0x1p32 : 1.0;
    const double x = state.tick.x * scale, y = state.tick.y * scale, z = state.tick.z * scale;
    const double reach = cutoff + (scale > 1.0 ? x + y + z : 0.0);
    return {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)},
            static_cast<float>(reach * reach * (1.0 + 1e-5))};
  }
  template <class S>
  u32 operator()(typename S::Words x, typename S::Words y, typename S::Words z) const {
    const auto length = [](typename S::Words d, float t) {
      return __builtin_convertvector(typename S::Integers(d), typename S::Floats) * t;
    };
    const auto rx = length(x, tick.x), ry = length(y, tick.y), rz = length(z, tick.z);
    return S::less(rx * rx + ry * ry + rz * rz, S::broadcast(cutoff2));
  }
};

// Rows, or pieces of rows, of at most S::width particles, one behind the other in the table.
template <class S, int Capacity>
class CandidateRun {
public:
  // Whether `size` candidates of particle `owner` (its place in the block) go on where the run ends, and there is room.
  bool takes(const int* candidates, int size, int owner, int room) const {
    return candidates == first_ + count_ && count_ + size <= room && owner / S::width == group_;
  }
  // Adds them; a run that is empty begins with any. Returns where they begin.
  int add(const int* candidates, int size, int owner) {
    if (count_ == 0) first_ = candidates, group_ = owner / S::width;
    const int begin = count_;
    const std::uint8_t place = static_cast<std::uint8_t>(owner % S::width);
    const Bytes lanes = Bytes{} + place;
    for (int k = begin; k < begin + size; k += bytesAtOnce) std::memcpy(lane_ + k, &lanes, sizeof(lanes));
    count_ += size;
    return begin;
  }
  // Stores the indices of those in range behind n that are there; returns how many are there then. Reads entries of the
  // table up to a vector's width behind the run.
  template <class Coord, class Owners>
  [[gnu::flatten]] int select(const PairPosition<Coord>* position, const Owners& owners, const RangeTest inRange,
                              int* index, int n) {
    const int from = group_ * S::width, count = count_, *const candidates = first_;
    const auto x = S::load(owners.x + from), y = S::load(owners.y + from), z = S::load(owners.z + from);
    int v = 0;
    for (int k = 0; k < count; k += S::width, ++v) {
      const auto there = leadingWords<S>(position, candidates + k);
      const auto lane = S::loadBytes(lane_ + k);
      const u32 mask = inRange.template operator()<S>(S::permute(x, lane) - there.x, S::permute(y, lane) - there.y,
                                                      S::permute(z, lane) - there.z) &
                       S::first(count - k);
      S::compressStore(index + n, S::load(reinterpret_cast<const u32*>(candidates + k)), mask);
      before_[v] = n, mask_[v] = mask;
      n += __builtin_popcount(mask);
    }
    before_[v] = n, mask_[v] = 0;
    return n;
  }
  // Then: how many are there before those that began at `place`.
  int before(int place) const {
    const u32 passed = (u32{1} << place % S::width) - 1;
    return before_[place / S::width] + __builtin_popcount(mask_[place / S::width] & passed);
  }
  bool empty() const { return count_ == 0; }
  void clear() { count_ = 0; }

private:
  static constexpr int bytesAtOnce = 64;
  typedef std::uint8_t Bytes __attribute__((vector_size(bytesAtOnce)));
  const int* first_ = nullptr;
  int count_ = 0, group_ = 0;  // candidates; of S::width places in the block
  alignas(64) std::uint8_t lane_[Capacity + bytesAtOnce];
  int before_[Capacity / S::width + 1];
  u32 mask_[Capacity / S::width + 1];
};

}  // namespace mesowarp::backend
