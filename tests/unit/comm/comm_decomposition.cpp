// How the box is cut among ranks.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "comm/decomposition.hpp"
#include "core/error.hpp"

namespace mesowarp::comm {
namespace {

const Box cube{{20.0, 20.0, 20.0}, {true, true, true}};

// Ghosts of a part in the cube, at a reach of 1.3: 915 for 1 x 2 x 4, 1,000 for 2 x 2 x 2.
TEST(CommDecomposition, FewestGhosts) {
  EXPECT_EQ(decompose(1, cube, 1.3), (std::array<int, 3>{1, 1, 1}));
  EXPECT_EQ(decompose(8, cube, 1.3), (std::array<int, 3>{1, 2, 4}));
  EXPECT_EQ(decompose(64, cube, 1.3), (std::array<int, 3>{4, 4, 4}));
  EXPECT_EQ(decompose(27, cube, 1.3), (std::array<int, 3>{3, 3, 3}));
  const Box rod{{100.0, 10.0, 10.0}, {true, true, true}};
  EXPECT_EQ(decompose(8, rod, 1.3), (std::array<int, 3>{8, 1, 1}));
  const Box plate{{5.0, 60.0, 60.0}, {true, true, true}};
  EXPECT_EQ(decompose(16, plate, 1.3), (std::array<int, 3>{1, 4, 4}));
}

TEST(CommDecomposition, PrimesAreRods) {
  auto parts = decompose(13, cube, 1.3);
  std::sort(parts.begin(), parts.end());
  EXPECT_EQ(parts, (std::array<int, 3>{1, 1, 13}));
}

// 7.0 has room for 1 to 5 parts of 1.3 (two need 5.2), 5.3 for 1 to 4, 4.0 between walls for 1 to 3: what can be done
// is known, and of that the fewest ghosts are taken.
TEST(CommDecomposition, AnyNumberThatFitsIsCutAndNoOther) {
  const Box box{{7.0, 5.3, 4.0}, {true, true, false}};
  const auto ghosts = [&](const std::array<int, 3>& parts) {
    double own = 1.0, with = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double width = box.size[axis] / parts[axis];
      own *= width, with *= width + (parts[axis] > 1 ? 2.6 : 0.0);
    }
    return with - own;
  };
  for (int ranks = 1; ranks <= 70; ++ranks) {
    double fewest = 1e9;
    for (int x = 1; x <= 5; ++x)
      for (int y = 1; y <= 4; ++y)
        for (int z = 1; z <= 3; ++z)
          if (x * y * z == ranks) fewest = std::min(fewest, ghosts({x, y, z}));
    if (fewest == 1e9) {
      EXPECT_THROW(decompose(ranks, box, 1.3), InputError) << ranks;
      continue;
    }
    const auto parts = decompose(ranks, box, 1.3);
    ASSERT_EQ(parts[0] * parts[1] * parts[2], ranks);
    EXPECT_TRUE(parts[0] <= 5 && parts[1] <= 4 && parts[2] <= 3) << ranks;
    EXPECT_LE(ghosts(parts), fewest * (1.0 + 1e-12))
        << ranks << ": " << parts[0] << " x " << parts[1] << " x " << parts[2];
  }
}

// Two parts of a periodic axis have each other on both sides: their ghosts must not be the same particles.
TEST(CommDecomposition, TwoPartsNeedRoom) {
  EXPECT_TRUE(fits({{5.3, 9.0, 9.0}, {true, true, true}}, 0, 2, 1.3));
  EXPECT_FALSE(fits({{5.1, 9.0, 9.0}, {true, true, true}}, 0, 2, 1.3));
  EXPECT_TRUE(fits({{5.1, 9.0, 9.0}, {false, true, true}}, 0, 2, 1.3));
  EXPECT_TRUE(fits({{5.1, 9.0, 9.0}, {true, true, true}}, 0, 3, 1.3));
}

// What there is room for, along an axis of 12: as far as a part is wide; half of that if two of them meet on both
// sides.
TEST(CommDecomposition, TheWidestReachOfAnAxis) {
  const Box box{{12.0, 12.0, 12.0}, {true, false, true}};
  const Shear shear{true, 0, 1, 0.1};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  struct Row {
    int parts;
    double periodic, walled;
  };
  for (const auto& [parts, periodic, walled] : {Row{1, infinite, infinite}, {2, 3.0, 6.0}, {3, 4.0, 4.0}}) {
    const auto expectAt = [parts = parts](double found, double expected, const char* what) {
      if (parts == 1) {
        EXPECT_EQ(found, expected) << what;
        return;
      }
      EXPECT_LT(found, expected) << parts << " parts, " << what;  // by a tick
      EXPECT_NEAR(found, expected, 1e-6) << parts << " parts, " << what;
    };
    expectAt(widestReach(box, 0, parts), periodic, "periodic");
    expectAt(widestReach(box, 1, parts), walled, "walled");
    expectAt(widestReach(box, 1, parts, shear), periodic, "across the gradient images meet");
    EXPECT_EQ(fits(box, 0, parts, 0.0, shear), parts == 1) << "the flow is not cut";
    for (const int axis : {0, 1}) {
      EXPECT_TRUE(fits(box, axis, parts, std::min(1e9, widestReach(box, axis, parts)))) << parts;
      EXPECT_EQ(fits(box, axis, parts, widestReach(box, axis, parts) * (1.0 + 1e-12)), parts == 1) << parts;
    }
  }
}

// The narrowest axis says it, and nothing reaches further than half the box.
TEST(CommDecomposition, TheWidestReachOfABox) {
  const Box box{{12.0, 8.0, 10.0}, {true, false, true}};
  EXPECT_EQ(widestReach(box, {1, 1, 1}), 4.0);
  EXPECT_NEAR(widestReach(box, {2, 1, 1}), 3.0, 1e-6);
  EXPECT_NEAR(widestReach(box, {1, 2, 1}), 4.0, 1e-6);
  EXPECT_NEAR(widestReach(box, {1, 1, 2}), 2.5, 1e-6);
  EXPECT_NEAR(widestReach(box, {2, 3, 2}), 2.5, 1e-6);
  EXPECT_NEAR(widestReach(box, {1, 4, 1}), 2.0, 1e-6);
  EXPECT_NEAR(widestReach(box, {1, 2, 1}, {true, 0, 1, 0.1}), 2.0, 1e-6);
}

TEST(CommDecomposition, TheErrorNamesTheLargestNumber) {
  const Box box{{4.0, 4.0, 4.0}, {true, true, true}};
  try {
    decompose(100, box, 1.3);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the largest possible number of ranks is 27 (3 x 3 x 3)"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(checkDecomposition({2, 2, 2}, 4, cube, 1.3), InputError);
  EXPECT_THROW(checkDecomposition({16, 1, 1}, 16, cube, 1.3), InputError);
  EXPECT_NO_THROW(checkDecomposition({2, 2, 1}, 4, cube, 1.3));
}

// Each place once; the four ranks of a node are neighbours.
TEST(CommDecomposition, NodesTakeBlocks) {
  std::vector<int> nodeOf(16);
  for (int rank = 0; rank < 16; ++rank) nodeOf[rank] = rank / 4;
  const auto places = placeRanks({4, 4, 1}, {20.0, 20.0, 20.0}, nodeOf);
  EXPECT_EQ(std::set(places.begin(), places.end()).size(), 16u);
  for (int node = 0; node < 4; ++node) {
    int block = 1;
    for (int axis = 0; axis < 2; ++axis) {
      std::set<int> at;
      for (int k = 0; k < 4; ++k) at.insert(places[4 * node + k][axis]);
      EXPECT_EQ(*at.rbegin() - *at.begin() + 1, static_cast<int>(at.size()));
      block *= static_cast<int>(at.size());
    }
    EXPECT_EQ(block, 4);
  }
  nodeOf[15] = 0;  // nodes of different size
  const auto plain = placeRanks({4, 4, 1}, {20.0, 20.0, 20.0}, nodeOf);
  EXPECT_EQ(plain[5], (std::array<int, 3>{1, 1, 0}));
}

// Every coordinate has one owner, and its neighbours agree on where they are.
TEST(CommDecomposition, EveryTickHasOneOwner) {
  for (const bool periodic : {true, false}) {
    Domain whole{{5, 3, 1}, {0, 0, 0}, {periodic, true, true}, {}};
    for (u32 k = 0; k < 2000; ++k) {
      const u32 x = (k * 2654435761u) >> (periodic ? 0 : 1), y = k * 40503u * 65537u;
      const int owner = whole.owner({x, y, 7});
      int owners = 0;
      for (int part = 0; part < 15; ++part) {
        Domain domain = whole;
        domain.at = {part % 5, part / 5, 0};
        const int way = DomainBounds(domain).way(x, y, 7);
        owners += way == direction::here ? 1 : 0;
        if (way == direction::here) {
          EXPECT_EQ(part, owner);
        }
      }
      ASSERT_EQ(owners, 1) << x;
    }
  }
}

}  // namespace
}  // namespace mesowarp::comm
