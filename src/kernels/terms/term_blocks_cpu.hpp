// Terms of a few particles that belong together (bonds, angles, dihedrals) on a CPU core: those of 16 particles side by
// side, a term in each lane of a vector.
//
// Each particle still sums its own, in the order of its slots (physics/topology/term.hpp). For the particles of a block
// the terms that they are members of are listed, the members' positions are loaded transposed, a vector of terms is
// evaluated by the same body of code as a GPU's thread evaluates one, and each particle adds what its terms gave, one
// by one. So the bits are those of a particle alone, whatever else is in its block. An angle is evaluated by all three
// of its members: three lanes of sixteen cost less than it would to hand the forces over, and no order of threads comes
// into it.
#pragma once

#include <algorithm>

#include "core/sums.hpp"
#include "device/pair_lanes_cpu.hpp"
#include "device/simd_cpu.hpp"
#include "kernels/pairs/pair_buffer_cpu.hpp"
#include "kernels/pairs/sheared_separation.hpp"

namespace mesowarp::backend {

// What TermBlocks runs. Kernel, a kernel over particles, has
//   P, Real, Sum; members: particles of a term; results: numbers that a term gives;
//   arms: vectors that it is computed from, from member arm(a, 1) to arm(a, 0);
//   state: `position`, `tick`, `faces`, and `width`: slots of a particle;
//   coefficients: of each type; Coefficients<V> of<V>(type): in all lanes of V;
//   template <class V> static void evaluate(const Coefficients<V>&, const Vec3<V>* arms, V* results);
//   bool find(int i, int slot, int* index, int& type, int& role) const: false: there is none, or not all are here;
//   void add(PairSum<Sum, false>&, int i, int slot, int type, int role, result) const: result(r): its r-th number;
//   void close(int i, PairSum<Sum, false>&) const.
template <class Kernel>
class TermBlocks {
public:
  static constexpr int block = 16, mostSlots = 128;
  // At most mostSlots slots a particle.
  TermBlocks(const Kernel& kernel, int particles) : kernel_(kernel), particles_(particles) {}
  int blocks() const { return (particles_ + block - 1) / block; }

  void operator()(int k) const {
    Terms terms;
    int slotOf[mostSlots], roleOf[mostSlots], begin[block + 1];
    const int end = std::min(k * block + block, particles_), width = kernel_.state.width;
    int first = k * block;  // of those whose terms are in the list
    const auto add = [&](int last) {
      begin[last - first] = terms.count;
      if (terms.count > 0) evaluate(terms);
      for (int i = first; i < last; ++i) {
        PairSum<typename Kernel::Sum, false> sum;
        for (int n = begin[i - first]; n < begin[i - first + 1]; ++n)
          kernel_.add(sum, i, slotOf[n], terms.type[n], roleOf[n], [&](int r) { return terms.result[r][n]; });
        kernel_.close(i, sum);
      }
      terms.count = 0, first = last;
    };
    for (int i = first; i < end; ++i) {
      if (terms.count + width > mostSlots) add(i);
      begin[i - first] = terms.count;
      for (int slot = 0; slot < width; ++slot) {
        int index[members], type = 0, role = 0;
        if (!kernel_.find(i, slot, index, type, role)) continue;
        const int n = terms.count++;
        for (int m = 0; m < members; ++m) terms.index[m][n] = index[m];
        terms.type[n] = type, slotOf[n] = slot, roleOf[n] = role;
      }
    }
    add(end);
  }

private:
  using P = typename Kernel::P;
  using Real = typename Kernel::Real;
  using V = PairNumbers<Real>;
  static constexpr int members = Kernel::members, arms = Kernel::arms, results = Kernel::results;
  static_assert(mostSlots % V::width == 0 && V::width == Simd::width);
  static constexpr bool wordCoordinates = sizeof(typename P::Coord) == 4;
  struct Terms {
    alignas(64) int index[members][mostSlots];
    alignas(64) int type[mostSlots];
    alignas(64) Real result[results][mostSlots];
    int count = 0;
  };

  [[gnu::noinline, gnu::flatten]] void evaluate(Terms& terms) const {
    const int last = terms.count - 1;
    for (int k = terms.count; k % V::width != 0; ++k) {  // copies of the last, which nobody adds
      for (int m = 0; m < members; ++m) terms.index[m][k] = terms.index[m][last];
      terms.type[k] = terms.type[last];
    }
    const bool oneType = kernel_.coefficients.extent(0) == 1;
    for (int k = 0; k <= last; k += V::width) {
      Vec3<V> arm[arms];
      load(terms, k, arm);
      const auto evaluated = [&](int type, V* result) __attribute__((always_inline)) {
        Kernel::template evaluate<V>(kernel_.template of<V>(type), arm, result);
      };
      V result[results];
      evaluated(terms.type[k], result);
      for (int r = 0; r < results; ++r) store(terms.result[r] + k, result[r]);
      if (!oneType) evaluateOthers(terms, k, evaluated);
    }
  }
  // Lanes of other types than the first one's: a type at a time.
  template <class Evaluated>
  void evaluateOthers(Terms& terms, int k, const Evaluated& evaluated) const {
    u32 left = 0;
    for (int l = 1; l < V::width; ++l) left |= static_cast<u32>(terms.type[k + l] != terms.type[k]) << l;
    while (left != 0) {
      const int type = terms.type[k + __builtin_ctz(left)];
      V result[results];
      evaluated(type, result);
      for (int r = 0; r < results; ++r) {
        alignas(64) Real lanes[V::width];
        store(lanes, result[r]);
        for (int l = 1; l < V::width; ++l)
          if (terms.type[k + l] == type) terms.result[r][k + l] = lanes[l];
      }
      for (int l = 1; l < V::width; ++l) left &= ~(static_cast<u32>(terms.type[k + l] == type) << l);
    }
  }

  void load(const Terms& terms, int k, Vec3<V>* arm) const {
    const auto& tick = kernel_.state.tick;
    if constexpr (wordCoordinates) {
      if (!kernel_.state.faces.on) {
        typename Simd::Records at[members];
        for (int m = 0; m < members; ++m)
          at[m] = Simd::template load4<16>(kernel_.state.position.data(), terms.index[m] + k);
        for (int a = 0; a < arms; ++a) {
          const auto apart = [&](int axis) {
            const auto words = at[Kernel::arm(a, 0)].word[axis] - at[Kernel::arm(a, 1)].word[axis];
            return fromInteger<V>(SignedKeys(SignedKeys::Vector(words)));
          };
          arm[a] = {apart(0) * V(tick.x), apart(1) * V(tick.y), apart(2) * V(tick.z)};
        }
        return;
      }
    }
    for (int a = 0; a < arms; ++a) {
      const int *from = terms.index[Kernel::arm(a, 1)] + k, *to = terms.index[Kernel::arm(a, 0)] + k;
      alignas(64) Real x[V::width], y[V::width], z[V::width];
      if constexpr (!wordCoordinates && wholeRecords) {
        if (!kernel_.state.faces.on) {
          for (int l = 0; l < V::width; l += 4) {
            RecordNumbers apart[4];
            forEach<4>([&](int n) __attribute__((always_inline)) {
              apart[n] = numbersOf(loadRecord(kernel_.state.position(to[l + n])) -
                                   loadRecord(kernel_.state.position(from[l + n])));
            });
            storeTransposed(apart, x + l, y + l, z + l);
          }
          arm[a] = {loadAs<V>(x) * V(tick.x), loadAs<V>(y) * V(tick.y), loadAs<V>(z) * V(tick.z)};
          continue;
        }
      }
      for (int l = 0; l < V::width; ++l) {
        const Vec3<Real> r =
            separation<Real>(kernel_.state.position(to[l]), kernel_.state.position(from[l]), tick, kernel_.state.faces);
        x[l] = r.x, y[l] = r.y, z[l] = r.z;
      }
      arm[a] = {loadAs<V>(x), loadAs<V>(y), loadAs<V>(z)};
    }
  }

  Kernel kernel_;
  int particles_;
};

}  // namespace mesowarp::backend
