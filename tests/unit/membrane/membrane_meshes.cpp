// Meshes: those that are made, and what is wrong with others; what the table of cells tells of a shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "physics/membrane/deck/poses.hpp"
#include "physics/membrane/observe/cell_measures.hpp"
#include "tests/unit/membrane/plain_membrane.hpp"

namespace mesowarp::membrane {
namespace {

class MadeMesh : public testing::TestWithParam<int> {};

TEST_P(MadeMesh, IsClosedAndEven) {
  const int n = GetParam();
  for (const bool disc : {false, true}) {
    Surface s = disc ? bloodCellOf(n, 7.82) : sphereOf(n, 2.0);
    ASSERT_EQ(makeUsable(s), "");
    ASSERT_EQ(s.vertex.size(), static_cast<std::size_t>(n));
    ASSERT_EQ(s.triangle.size(), static_cast<std::size_t>(2 * n - 4));
    const Rings rings = ringsOf(s);
    double shortest = HUGE_VAL;
    for (std::size_t v = 0; v < s.vertex.size(); ++v) {
      EXPECT_GE(rings.ring[v].size(), 5u);
      EXPECT_LE(rings.ring[v].size(), 7u);
    }
    for (const auto& [a, b] : edgesOf(rings))
      shortest = std::min(shortest, norm(PlainMembrane::at(s, a) - PlainMembrane::at(s, b)));
    EXPECT_LT(longestEdge(s) / shortest, 2.0);
    // The disc of Evans and Fung: 135 um^2, 94 um^3; flat triangles lie within.
    const double area = disc ? 135.0 : 4.0 * M_PI, volume = disc ? 94.0 : 4.0 / 3.0 * M_PI;
    EXPECT_NEAR(areaOf(s) / area, 1.0, 0.025);
    EXPECT_NEAR(volumeOf(s) / volume, 1.0, 0.025);
  }
}
INSTANTIATE_TEST_SUITE_P(Numbers, MadeMesh, testing::Values(498, 500, 642, 2562));

TEST(BadMesh, IsNamed) {
  const Surface good = sphereOf(42, 2.0);
  const auto why = [&](auto change) {
    Surface s = good;
    change(s);
    return makeUsable(s);
  };
  EXPECT_THAT(why([](Surface& s) { s.triangle.pop_back(); }), testing::HasSubstr("open"));
  EXPECT_THAT(why([](Surface& s) { std::swap(s.triangle[3][0], s.triangle[3][1]); }),
              testing::HasSubstr("same direction"));
  EXPECT_THAT(why([](Surface& s) { s.triangle[5][1] = s.triangle[5][0]; }),
              testing::HasSubstr("triangle 5 is degenerate"));
  EXPECT_THAT(why([](Surface& s) {
                s.vertex.push_back({0, 0, 0});
              }),
              testing::HasSubstr("vertex 42 is of no triangle"));
  EXPECT_THAT(why([](Surface& s) { s.triangle.push_back(s.triangle[0]); }),
              testing::HasSubstr("more than two triangles"));
  EXPECT_THAT(why([](Surface& s) {
                const int n = static_cast<int>(s.vertex.size());
                for (int v = 0; v < n; ++v) s.vertex.push_back(s.vertex[static_cast<std::size_t>(v)] + Point{5, 0, 0});
                for (std::size_t t = 0, all = s.triangle.size(); t < all; ++t)
                  s.triangle.push_back({s.triangle[t][0] + n, s.triangle[t][1] + n, s.triangle[t][2] + n});
              }),
              testing::HasSubstr("several surfaces"));
  Surface inside = good;
  for (auto& t : inside.triangle) std::swap(t[0], t[1]);
  EXPECT_LT(volumeOf(inside), 0.0);
  EXPECT_EQ(makeUsable(inside), "");
  EXPECT_GT(volumeOf(inside), 0.0);
}

TEST(Winding, TellsInsideFromOutside) {
  const Surface s = bloodCellOf(162, 8.0);
  EXPECT_TRUE(isInside(s, {2.5, 0, 0}));
  EXPECT_TRUE(isInside(s, {0, 0, 0.1}));
  EXPECT_FALSE(isInside(s, {0, 0, 1.0}));  // in the dimple
  EXPECT_FALSE(isInside(s, {4.2, 0, 0}));
}

TEST(CellTable, HasTheEnergiesOfTheModel) {
  PlainMembrane cell({.shear = 100.0, .m = 3.5, .global = 30.0, .local = 50.0, .volume = 20.0, .bending = 2.0},
                     bloodCellOf(162, 8.0));
  for (Point& p : cell.now.vertex) p = {1.2 * p[0] + 0.1 * p[2], 0.9 * p[1], p[2] - 0.05 * p[0]};
  Mechanics m{};
  m.shear = 100.0, m.x0 = 1.0 / 2.2, m.exponent = 3.5, m.global = 30.0, m.local = 50.0, m.volume = 20.0;
  m.bending = 2.0 * std::sqrt(3.0) / 2.0, m.angles = 1, m.area0 = cell.area0, m.volume0 = cell.volume0;
  const CellMeasures told = CellMeter(cell.rest, m)(cell.now.vertex);
  EXPECT_NEAR(told.springs + told.bending + told.areaEnergy + told.volumeEnergy, cell.energy(), 1e-9 * cell.energy());
  EXPECT_NEAR(told.volume, volumeOf(cell.now), 1e-9);
}

TEST(CellTable, KnowsAxes) {
  Surface s = sphereOf(642, 2.0);
  const Pose pose = towards({1.0, 2.0, 2.0});
  for (Point& p : s.vertex) p = pose({3.0 * p[0], 2.0 * p[1], p[2]});
  Mechanics m{};
  m.x0 = 0.1, m.exponent = 2.0, m.area0 = m.volume0 = 1.0;
  const CellMeasures told = CellMeter(sphereOf(642, 2.0), m)(s.vertex);
  const double third = std::sqrt(1.0 / 3.0);  // of a sphere of radius 1
  for (const auto& [k, length] : {std::pair{0, 3.0}, {1, 2.0}, {2, 1.0}})
    EXPECT_NEAR(told.axes[static_cast<std::size_t>(k)], length * third, 0.01);
  EXPECT_NEAR(std::abs(dot(told.normal, {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0})), 1.0, 1e-3);
  EXPECT_NEAR(told.asphericity, (25.0 + 9.0 + 64.0) / (2.0 * 14.0 * 14.0), 0.01);
}

}  // namespace
}  // namespace mesowarp::membrane
