// Kokkos aliases, precision modes and the two records a pair force reads. Every other file takes its types from here.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace mesowarp {

using Execution = Kokkos::DefaultExecutionSpace;
using Memory = Execution::memory_space;
template <class T>
using DeviceArray = Kokkos::View<T*, Memory>;
template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;
// "Light": on CUDA a kernel takes its functor as an argument, and a launch never waits for an earlier kernel.
using LightWeight = Kokkos::Experimental::WorkItemProperty::HintLightWeight_t;
using Range = Kokkos::RangePolicy<Execution, Kokkos::IndexType<int>, LightWeight>;

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
  KOKKOS_INLINE_FUNCTION T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  KOKKOS_INLINE_FUNCTION T operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

// Positions are fixed-point fractions of the period (see box.hpp): integer differences wrap to the nearest image.
// What a pair force reads of a particle: 16 bytes each in 32-bit storage, so one vector load each on a GPU.
template <class Coord>
struct alignas(sizeof(Coord) == 4 ? 16 : 32) PairPosition {
  Coord x, y, z;
  u32 signature;  // of this particle in this step: the key of its pair noise
};

template <class Store>
struct alignas(sizeof(Store) == 4 ? 16 : 32) PairVelocity {
  Store x, y, z;
  u32 species;
};

// Precision modes. Coord, Store: what pair forces read; Real: arithmetic and sums.
// splitMaster: in the integrator positions and velocities carry as many bits again; pair forces read the upper halves.
struct SinglePrecision {
  using Coord = u32;
  using Store = float;
  using Real = float;
  static constexpr bool splitMaster = false;
  static constexpr const char* name = "single";
};

struct MixedPrecision {
  using Coord = u32;
  using Store = float;
  using Real = double;
  static constexpr bool splitMaster = true;
  static constexpr const char* name = "mixed";
};

struct DoublePrecision {
  using Coord = u64;
  using Store = double;
  using Real = double;
  static constexpr bool splitMaster = false;
  static constexpr const char* name = "double";
};

template <class Coord>
struct SignedOf;
template <>
struct SignedOf<u32> {
  using type = i32;
};
template <>
struct SignedOf<u64> {
  using type = i64;
};
template <class Coord>
using Signed = typename SignedOf<Coord>::type;

}  // namespace mesowarp
