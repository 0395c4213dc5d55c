// On a GPU who has come into the solid in a step waits in a queue for a kernel of its own, which has a warp for each:
// few are in a step, and one thread that follows a path keeps all others of its kernel waiting.
#pragma once

#include "core/types.hpp"
#include "device/lane_totals_gpu.hpp"
#include "physics/boundary/bounce.hpp"

namespace mesowarp::boundary {

// The search for the place where a path meets the surface, by a warp that has but one path.
struct HalvingByWarp {
  int lane;
  template <class Test>
  struct Votes {
    const Test& inFluid;
    int lane;
    KOKKOS_INLINE_FUNCTION u32 operator()(double first, double apart) const {
      return backend::votes(inFluid(first + lane * apart));
    }
  };
  template <class Test>
  KOKKOS_INLINE_FUNCTION double operator()(const Test& inFluid) const {
    if constexpr (backend::onGpu)
      return halvedByMany(Votes<Test>{inFluid, lane});
    else
      return Halving{}(inFluid);
  }
  template <class Test>
  KOKKOS_INLINE_FUNCTION double among(const Test& inFluid, double first) const {
    if constexpr (backend::onGpu)
      return amongByMany(Votes<Test>{inFluid, lane}, first);
    else
      return Halving{}.among(inFluid, first);
  }
};

// What a step finds in the solid. Steps count in turns in one of two numbers; the kernel that bounces, behind that
// which counts, clears the other one. (Threads that exchange one number until nobody came between wait for each other.)
struct BounceQueue {
  static constexpr int warps = 132 * 16;        // that go through it
  int *particles = nullptr, *filled = nullptr;  // two numbers
  u32 launch = 0;

  KOKKOS_INLINE_FUNCTION void add(int i) const { particles[Kokkos::atomic_fetch_add(filled + (launch & 1u), 1)] = i; }
  KOKKOS_INLINE_FUNCTION int count() const { return filled[launch & 1u]; }
  // Also in a step that does nothing.
  KOKKOS_INLINE_FUNCTION void clearNext() const { filled[~launch & 1u] = 0; }
};

// Its memory.
class BounceQueueMemory {
public:
  // All of so many particles can be in it.
  void makeRoom(std::size_t particles) {
    if (particles_.extent(0) >= particles) return;
    particles_ = DeviceArray<int>("particles in walls", particles + particles / 8);
    filled_ = DeviceArray<int>("numbers in walls", 2);
  }
  // Of the next step.
  BounceQueue next() { return {particles_.data(), filled_.data(), ++launch_}; }
  const DeviceArray<int>& particles() const { return particles_; }
  std::size_t bytes() const { return sizeof(int) * (particles_.extent(0) + filled_.extent(0)); }

private:
  DeviceArray<int> particles_, filled_;
  u32 launch_ = 0;
};

}  // namespace mesowarp::boundary
