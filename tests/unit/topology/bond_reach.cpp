// How far ghosts reach for bonds.
#include "physics/topology/bond_reach.hpp"

#include <gtest/gtest.h>

namespace mesowarp {
namespace {

// Wanted where there is room, what there is room for where there is not, never less than needed; walls change nothing.
TEST(BondReach, AsFarAsThereIsRoom) {
  for (const bool periodic : {true, false}) {
    const Box box{{12.0, 20.0, 20.0}, {periodic, true, true}};
    EXPECT_EQ(reachWithRoom(1.3, 2.5, box, {1, 1, 1}), 2.5);
    EXPECT_EQ(reachWithRoom(1.3, 2.5, box, {2, 1, 1}), 2.5);
    EXPECT_NEAR(reachWithRoom(1.3, 9.0, box, {1, 1, 1}), 6.0, 1e-5);
    EXPECT_NEAR(reachWithRoom(1.3, 9.0, box, {2, 1, 1}), 3.0, 1e-5);
    EXPECT_NEAR(reachWithRoom(1.3, 9.0, box, {3, 1, 1}), 4.0, 1e-5);
    EXPECT_LT(reachWithRoom(1.3, 9.0, box, {3, 1, 1}), 4.0);
    EXPECT_NEAR(reachWithRoom(1.3, 9.0, box, {1, 8, 1}), 2.5, 1e-5);
    EXPECT_EQ(reachWithRoom(3.5, 9.0, box, {2, 1, 1}), 3.5);
    EXPECT_EQ(reachWithRoom(1.3, 0.0, box, {2, 2, 2}), 1.3);
  }
}

}  // namespace
}  // namespace mesowarp
