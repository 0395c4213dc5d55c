// Positions as a solvent's passes stream them through memory, which is what limits a pass on a GPU: of each coordinate,
// a fraction of the period, the leading 24 bits in 32-bit storage and 53 in 64-bit, as many as a float and a double
// have. On a GPU x and y are stored as they are, and in the bits that these leave free two pieces of z; what is left of
// z has an array of its own: 9 bytes for 12, and 20 for 24. On a CPU the pass is bound by instructions, and coordinates
// are stored one by one; their bits are the same.
#pragma once

#include "core/box.hpp"
#include "device/config.hpp"

namespace mesowarp {

// Numbers that lie side by side, to be moved at once.
template <class T, int N>
struct alignas(N * sizeof(T) < 16 ? N * sizeof(T) : 16) SideBySide {
  T value[N];
};

// A byte. Who stores one of type u8 could change anything, as a compiler has to think.
enum class Octet : u8 {};

// Dense: packed.
template <class Coord, bool Dense = backend::onGpu>
struct PackedPlace {
  using Rest = std::conditional_t<!Dense, Coord, std::conditional_t<sizeof(Coord) == 4, Octet, u32>>;
  static constexpr int bits = sizeof(Coord) == 4 ? 24 : 53, spare = 8 * static_cast<int>(sizeof(Coord)) - bits;
  static constexpr int bytes = static_cast<int>(2 * sizeof(Coord) + sizeof(Rest));  // of a particle
  static constexpr Coord tick = Coord(1) << spare, mask = tick - 1;  // coordinates are multiples of a tick

  Coord xz, yz;  // x and the last bits of z; y and those before them
  Rest z;        // its leading bits: as many as there are; all of them, if not dense

  KOKKOS_FORCEINLINE_FUNCTION static Coord kept(Coord c) { return c & ~mask; }
  KOKKOS_FORCEINLINE_FUNCTION static PackedPlace of(const Coord (&x)[3]) {
    if constexpr (Dense)
      return {x[0] | (x[2] >> spare & mask), x[1] | (x[2] >> 2 * spare & mask), static_cast<Rest>(x[2] >> 3 * spare)};
    else
      return {x[0], x[1], x[2]};
  }
  KOKKOS_FORCEINLINE_FUNCTION void unpack(Coord (&x)[3]) const {
    if constexpr (Dense) {
      x[0] = kept(xz), x[1] = kept(yz);
      x[2] = static_cast<Coord>(z) << 3 * spare | (yz & mask) << 2 * spare | (xz & mask) << spare;
    } else {
      x[0] = xz, x[1] = yz, x[2] = z;
    }
  }
};

// What is left of z of N particles, as it was loaded: bytes are taken out of a word when they are wanted.
template <class Rest, int N>
struct RestOfGroup : SideBySide<Rest, N> {
  KOKKOS_FORCEINLINE_FUNCTION Rest at(int q) const { return this->value[q]; }
  KOKKOS_FORCEINLINE_FUNCTION void set(int q, Rest z) { this->value[q] = z; }
};
template <int N>
struct RestOfGroup<Octet, N> {
  using Word = std::conditional_t<N == 4, u32, std::conditional_t<N == 2, u16, u8>>;
  static_assert(sizeof(Word) == N);
  Word word;
  KOKKOS_FORCEINLINE_FUNCTION Octet at(int q) const { return static_cast<Octet>(word >> 8 * q & 255); }
  KOKKOS_FORCEINLINE_FUNCTION void set(int q, Octet z) {
    word = static_cast<Word>((word & ~(u32{255} << 8 * q)) | static_cast<u32>(z) << 8 * q);
  }
};

// Of particles, an array for each part.
template <class Coord, bool Dense = backend::onGpu>
struct PackedPlaces {
  using One = PackedPlace<Coord, Dense>;
  Coord *xz, *yz;
  typename One::Rest* z;

  KOKKOS_FORCEINLINE_FUNCTION void load(int i, Coord (&x)[3]) const { One{xz[i], yz[i], z[i]}.unpack(x); }
  KOKKOS_FORCEINLINE_FUNCTION void store(int i, const One& one) const { xz[i] = one.xz, yz[i] = one.yz, z[i] = one.z; }
  KOKKOS_FORCEINLINE_FUNCTION void store(int i, const Coord (&x)[3]) const { store(i, One::of(x)); }
  KOKKOS_FORCEINLINE_FUNCTION void leading(int i, u32 (&at)[3]) const {
    Coord x[3];
    load(i, x);
    for (int a = 0; a < 3; ++a) at[a] = leading32(x[a]);
  }
  // Of N particles that lie side by side, as they are loaded and stored. Nothing is unpacked before it is wanted: that
  // would wait for what has been loaded ahead, and take registers.
  template <int N>
  struct Group {
    SideBySide<Coord, N> xz, yz;
    RestOfGroup<typename One::Rest, N> z;
    KOKKOS_FORCEINLINE_FUNCTION One at(int q) const { return {xz.value[q], yz.value[q], z.at(q)}; }
    KOKKOS_FORCEINLINE_FUNCTION void set(int q, const One& one) {
      xz.value[q] = one.xz, yz.value[q] = one.yz, z.set(q, one.z);
    }
  };
  // Of particles N j, N j + 1, ... N j + N - 1.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void loadGroup(int j, Group<N>& group) const {
    group.xz = groupsOf<SideBySide<Coord, N>>(xz)[j], group.yz = groupsOf<SideBySide<Coord, N>>(yz)[j];
    group.z = groupsOf<RestOfGroup<typename One::Rest, N>>(z)[j];
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void storeGroup(int j, const Group<N>& group) const {
    groupsOf<SideBySide<Coord, N>>(xz)[j] = group.xz, groupsOf<SideBySide<Coord, N>>(yz)[j] = group.yz;
    groupsOf<RestOfGroup<typename One::Rest, N>>(z)[j] = group.z;
  }

private:
  template <class Few, class T>
  KOKKOS_FORCEINLINE_FUNCTION static Few* groupsOf(T* of) {
    return reinterpret_cast<Few*>(of);
  }
};

}  // namespace mesowarp
