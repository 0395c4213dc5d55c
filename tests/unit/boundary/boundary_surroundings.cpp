// What a walled start knows of places before it asks how far a surface is, and what waits for a bounce.
#include <gtest/gtest.h>
#include <random>

#include "device/host_copy.hpp"
#include "physics/boundary/bounce_listed.hpp"
#include "physics/fluid/walled/surroundings.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"

namespace mesowarp::test {
namespace {

using fluid::Surroundings;

input::Deck deckWith(const std::string& periodic, const std::string& shapes, const std::string& solid) {
  return parsedDeck(
      {.size = "[40.0, 30.0, 20.0]", .shapes = shapes, .walls = wallText(solid), .box = "periodic = " + periodic});
}

const std::string gap = shapeText("gap", "style = \"slab\"\naxis = \"z\"\nfrom = 3.0\nto = 18.0");
const std::string balls = shapeText("a", "style = \"sphere\"\ncenter = [1.0, 15.0, 10.0]\nradius = 4.0") +
                          shapeText("b", "style = \"box\"\ncenter = [25.0, 15.0, 10.0]\nsize = [9.0, 9.0, 9.0]");

// It never says what is not so, and seldom that one must ask.
void expectTrue(const input::Deck& deck, double mostAsked) {
  constexpr double cutoff = 1.0;
  constexpr int points = 100000;
  const boundary::SolidParts parts = boundary::solidOf(deck);
  const Surroundings around(deck, parts, {4, 3, 2}, cutoff);
  std::mt19937 random(3);
  int asked = 0;
  for (int k = 0; k < points; ++k) {
    std::array<double, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      at[axis] = std::uniform_real_distribution<double>(0.0, deck.box.size[axis])(random);
    const double distance = parts.view()(parts.point(deck, at)).distance;
    const auto kind = around.at(at);
    asked += kind == Surroundings::near ? 1 : 0;
    if (kind == Surroundings::inFluid) {
      EXPECT_GT(distance, 0.0);
    }
    if (kind == Surroundings::inSolid) {
      EXPECT_LT(distance, -cutoff);
    }
    const auto ofCopy =
        around.ofCopy({static_cast<int>(at[0] / 10.0), static_cast<int>(at[1] / 10.0), static_cast<int>(at[2] / 10.0)});
    if (ofCopy != Surroundings::near) {
      EXPECT_EQ(kind, ofCopy);
    }
  }
  EXPECT_LT(asked, mostAsked * points);
  EXPECT_EQ(around.at({-1e-9, 1.0, 1.0}), Surroundings::near);
  EXPECT_EQ(around.at({1.0, 30.0, 1.0}), Surroundings::near);
}

TEST(BoundarySurroundings, AreTrueAroundPlates) {
  expectTrue(deckWith("[true, true, true]", gap, "not gap"), 0.3);
  expectTrue(deckWith("[true, true, false]", gap, "not gap"), 0.3);
}
TEST(BoundarySurroundings, AreTrueAroundBodies) { expectTrue(deckWith("[true, true, true]", balls, "a or b"), 0.15); }

struct AddAll {
  boundary::BounceQueue queue;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { queue.add(i); }
};
struct CountOf {
  boundary::BounceQueue queue;
  DeviceArray<int> count;
  KOKKOS_INLINE_FUNCTION void operator()(int) const { count(0) = queue.count(); }
};
struct ClearNext {
  boundary::BounceQueue queue;
  KOKKOS_INLINE_FUNCTION void operator()(int) const { queue.clearNext(); }
};

// What an earlier launch has left counts as nothing, and nothing is lost or doubled.
TEST(BoundaryQueue, IsOfOneLaunch) {
  boundary::BounceQueueMemory memory;
  memory.makeRoom(1000);
  const DeviceArray<int> count("count", 1);
  boundary::BounceQueue queue;
  const auto counted = [&] {
    Kokkos::parallel_for("count", Range(0, 1), CountOf{queue, count});
    return hostCopy(count)(0);
  };
  for (const int particles : {1000, 10, 0, 500}) {
    queue = memory.next();
    EXPECT_EQ(counted(), 0);
    Kokkos::parallel_for("add", Range(0, particles), AddAll{queue});
    ASSERT_EQ(counted(), particles);
    const auto host = hostCopy(memory.particles());
    std::vector<int> times(1000, 0);
    for (int k = 0; k < particles; ++k) ++times[static_cast<std::size_t>(host(static_cast<std::size_t>(k)))];
    for (int k = 0; k < particles; ++k) EXPECT_EQ(times[static_cast<std::size_t>(k)], 1);
    Kokkos::parallel_for("bounce", Range(0, 1), ClearNext{queue});
    ASSERT_EQ(counted(), particles);
  }
}

// Particles of the fluid and frozen ones stand apart, each of them once, whatever fills the last warp of the first up.
struct AddNear {
  boundary::NearList list;
  int particles;
  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    const int lane = thread % backend::warpThreads;
    list.add(thread, thread < particles && thread % 3 == 0, false, lane);
    list.add(thread, thread < particles && thread % 3 == 1, true, lane);
  }
};
struct SeeNear {
  boundary::NearList list;
  DeviceArray<int> seen;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const auto places = list.places();
    if (k >= places.all || places[k] == boundary::NearList::Places::none) return;
    const int i = list.particles(static_cast<std::size_t>(places[k]));
    Kokkos::atomic_add(&seen(static_cast<std::size_t>(i)), k < places.front ? 1 : 100);
  }
};

TEST(BoundaryQueue, NearParticlesAreListedByKind) {
  constexpr int room = 1024;
  for (const int particles : {0, 1, 2, 97, 1000, room}) {
    const boundary::NearList list{DeviceArray<int>("near", room), DeviceArray<int>("numbers", 2)};
    const DeviceArray<int> seen("seen", room);
    Kokkos::parallel_for("list", Range(0, room), AddNear{list, particles});
    Kokkos::parallel_for("see", Range(0, 2 * room), SeeNear{list, seen});
    const auto host = hostCopy(seen);
    for (int i = 0; i < room; ++i)
      EXPECT_EQ(host(static_cast<std::size_t>(i)), i >= particles || i % 3 == 2 ? 0 : i % 3 == 0 ? 1 : 100) << i;
  }
}

}  // namespace
}  // namespace mesowarp::test
