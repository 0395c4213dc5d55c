// Walls around a collision solvent: virtual particles of the cells that they cut, which rank adds them, how much of a
// box they leave, and collisions at them.
#include "physics/mpcd/boundary/solvent_walls.hpp"

#include <numbers>

#include "device/host_copy.hpp"
#include "physics/boundary/deck/fluid_volume.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "tests/unit/mpcd/plain_cells.hpp"

namespace mesowarp::test {
namespace {

using namespace mpcd;

// A slab of 3.4 cells; its lower surface is that of `floor`, which moves.
const std::string walls = R"(
[[shape]]
name = "low"
style = "slab"
axis = "z"
from = 4.0
to = 5.7
[[shape]]
name = "high"
style = "slab"
axis = "z"
from = 5.7
to = 7.4
[[wall]]
name = "floor"
solid = "low"
velocity = [0.5, -0.25, 0.0]
[[wall]]
name = "roof"
solid = "high"
)";

using P = DoublePrecision;
using Rule = RotationRule<P, true>;
using Pass = SolventPass<P, Rule, true, SolidBoundary<P>>;

// What virtual particles add to cells in a step.
struct Added {
  BrickGrid grid;
  SumScale scale;
  SolventWalls around;
  DeviceArray<u64> sums;
  DeviceArray<int> mishap{"mishaps", mishaps};
  Pass pass{};
  u64 seed;

  Added(const input::Deck& deck, const Domain& domain)
      : grid(spanOf(domain, cellsOf(deck), 2)), scale(scaleOf(deck, true)),
        around(deck, {.domain = domain}, grid, scale.mostInCell()),
        sums("sums", static_cast<std::size_t>(grid.cellsInAll()) * Rule::Words::sums), seed(deck.run.seed) {
    pass.grid = grid, pass.scale = scale, pass.sum = sums.data(), pass.mishap = mishap.data();
    pass.walls = around.boundary<P>(mishap.data(), 0, true);
  }
  std::vector<CellSums> step(i64 step) {
    Kokkos::deep_copy(sums, u64{0});
    pass.after = shiftOf(grid, seed, step);
    around.addVirtual(pass, step);
    const auto all = hostCopy(sums);
    std::vector<CellSums> cells;
    for (int cell = 0; cell < grid.cellsInAll(); ++cell)
      cells.emplace_back(scale, all.data() + static_cast<std::size_t>(cell) * Rule::Words::sums);
    return cells;
  }
};

// Of N of Poisson's distribution: sum (N - mean) and sum ((N - mean)^2 - mean), with their variances.
struct Poisson {
  double first = 0.0, second = 0.0, firstError = 0.0, secondError = 0.0;
  void add(double n, double mean) {
    first += n - mean, firstError += mean;
    second += (n - mean) * (n - mean) - mean, secondError += mean + 2.0 * mean * mean;
  }
  void expect() const {
    EXPECT_NEAR(first, 0.0, 4.0 * std::sqrt(firstError));
    EXPECT_NEAR(second, 0.0, 4.0 * std::sqrt(secondError));
  }
};

TEST(VirtualParticles, FillTheSolidOfCutCells) {
  const input::Deck deck = solventDeck({"run.temperature=1.7", "collision.virtual_density=1.5"}, solvent + walls);
  Added added(deck, {});
  Poisson below, above;
  double velocity[3] = {}, spread = 0.0, number = 0.0;
  for (i64 step = 1; step <= 40; ++step) {
    const auto cells = added.step(step);
    const double shift = static_cast<double>(added.pass.after.of[2]) * 0x1p-32 * 14.0;  // in cells
    for (int cell = 0; cell < added.grid.cellsInAll(); ++cell) {
      const double low = cell / 120 - shift, first = low < 0.0 ? low + 14.0 : low;
      // Parts of the cell beyond the surface at 4, before that at 7.4; in between all is solid, and nobody asks.
      const double up = std::clamp(first + 1.0 - 4.0, 0.0, 1.0), down = std::clamp(7.4 - first, 0.0, 1.0);
      const CellSums& sum = cells[static_cast<std::size_t>(cell)];
      if (up == 0.0 || down == 0.0) {
        EXPECT_EQ(sum.count, 0);
      } else if (up < 1.0) {
        below.add(sum.count, 15.0 * up);
        const double u[3] = {0.5, -0.25, 0.0};
        number += sum.count, spread += sum.squared;
        for (int a = 0; a < 3; ++a)
          velocity[a] += sum.velocity[a] - sum.count * u[a],
              spread -= 2.0 * u[a] * sum.velocity[a] - u[a] * u[a] * sum.count;
      } else if (down < 1.0) {
        above.add(sum.count, 15.0 * down);
      }
    }
  }
  ASSERT_GT(number, 10000.0);
  below.expect(), above.expect();
  for (const double v : velocity) EXPECT_NEAR(v, 0.0, 4.0 * std::sqrt(1.7 * number));
  EXPECT_NEAR(spread, 3.0 * 1.7 * number, 4.0 * 1.7 * std::sqrt(6.0 * number));
  EXPECT_EQ(hostCopy(added.mishap)(tooFast), 0);
}

TEST(VirtualParticles, AreNotAtWallsThatSlip) {
  const std::string slips = walls + "style = \"bounce-forward\"\n";
  Added added(solventDeck({}, solvent + slips), {});
  i64 low = 0, high = 0;
  for (i64 step = 1; step <= 5; ++step) {
    const auto cells = added.step(step);
    for (int cell = 0; cell < added.grid.cellsInAll(); ++cell)
      (cell / 120 >= 7 && cell / 120 <= 9 ? high : low) += cells[static_cast<std::size_t>(cell)].count;
  }
  EXPECT_GT(low, 0);
  EXPECT_EQ(high, 0);
}

// Each cell's by one rank alone, and the same as on one.
TEST(VirtualParticles, AreAddedByOneRank) {
  const input::Deck deck = solventDeck({"box.size=[28, 14, 30]"}, solvent + walls);
  Added whole(deck, {});
  std::map<u64, std::pair<int, double>> all;
  const auto cells = whole.step(3);
  for (int cell = 0; cell < whole.grid.cellsInAll(); ++cell)
    if (const CellSums& sum = cells[static_cast<std::size_t>(cell)]; sum.count > 0)
      all[whole.grid.global(cell)] = {sum.count, sum.velocity[0]};
  ASSERT_GT(all.size(), 400u);
  std::size_t found = 0;
  for (const int x : {0, 1, 2})
    for (const int z : {0, 1}) {
      Domain domain;
      domain.ranks = {3, 1, 2}, domain.at = {x, 0, z};
      Added part(deck, domain);
      const auto here = part.step(3);
      for (int cell = 0; cell < part.grid.cellsInAll(); ++cell)
        if (const CellSums& sum = here[static_cast<std::size_t>(cell)]; sum.count > 0) {
          ++found;
          EXPECT_EQ(all[part.grid.global(cell)], std::pair(sum.count, sum.velocity[0]));
        }
    }
  EXPECT_EQ(found, all.size());
}

double partOf(const std::string& text) {
  const input::Deck deck = input::parseDeckText(solvent + text, "deck.toml", {}).deck;
  return boundary::fluidPart(deck, solidAround(deck));
}

TEST(FluidVolume, IsThatOfTheShape) {
  EXPECT_NEAR(partOf(walls), 1.0 - 3.4 / 14.0, 1e-12);
  const std::string ball = "[[shape]]\nname = \"b\"\nstyle = \"sphere\"\ncenter = [5.1, 4.7, 6.3]\nradius = 3.2\n"
                           "[[wall]]\nname = \"w\"\nsolid = \"b\"\n";
  const double volume = 4.0 / 3.0 * std::numbers::pi * 3.2 * 3.2 * 3.2 / (12.0 * 10.0 * 14.0);
  EXPECT_NEAR(partOf(ball), 1.0 - volume, 4e-4 * volume);
  const std::string tube = "[[shape]]\nname = \"t\"\nstyle = \"cylinder\"\naxis = \"y\"\ncenter = [6.0, 0.0, 7.0]\n"
                           "radius = 5.5\n[[wall]]\nname = \"w\"\nsolid = \"not t\"\n";
  EXPECT_NEAR(partOf(tube), std::numbers::pi * 5.5 * 5.5 / (12.0 * 14.0), 2e-4);
}

// Where a particle comes to, in a channel between z = 7.4 and z = 18 of the next image: straight up to the wall, and
// back the way it came (2 u - v). Against the same by hand, for those that meet one plate in the step.
TEST(SolventWalls, ParticlesComeBackFromThePlates) {
  const input::Deck deck = solventDeck({"run.precision=double", "run.timestep=0.3"}, solvent + walls);
  const auto engine = engineOfDeck(deck);
  solventSteps(*engine, 0, 0);
  const Plain before(engine->snapshot(0));
  EXPECT_EQ(before.x.size(), static_cast<std::size_t>(std::llround(10.0 * 12.0 * 10.0 * 10.6)));
  solventSteps(*engine, 1, 1);
  const Plain after(engine->snapshot(1));
  int met = 0;
  for (std::size_t i = 0; i < before.x.size(); ++i) {
    auto x = before.x[i], v = before.v[i];
    ASSERT_FALSE(x[2] > 4.0 && x[2] < 7.4);
    const double plate = v[2] > 0.0 ? (x[2] > 7.0 ? 18.0 : 4.0) : (x[2] > 7.0 ? 7.4 : -6.6);
    const double until = (plate - x[2]) / v[2];
    const double first = std::min(until, 0.3);
    for (std::size_t a = 0; a < 3; ++a) x[a] += first * v[a];
    if (until < 0.3) {
      const double u[3] = {0.5, -0.25, 0.0};
      const bool floor = v[2] > 0.0;
      for (std::size_t a = 0; a < 3; ++a) v[a] = (floor ? 2.0 * u[a] : 0.0) - v[a], x[a] += (0.3 - until) * v[a];
      ++met;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      const double d = x[a] - after.x[i][a];
      ASSERT_NEAR(d - deck.box.size[a] * std::round(d / deck.box.size[a]), 0.0, 1e-9) << i;
    }
  }
  EXPECT_GT(met, 200);
}

TEST(SolventWalls, LookingAndSortingChangeNothing) {
  for (const char* style : {"srd", "andersen"}) {
    std::string hash;
    for (const char* sort : {"1", "50"}) {
      const input::Deck deck = solventDeck(
          {std::string("collision.style=") + style, std::string("collision.sort=") + sort}, solvent + walls);
      const auto engine = engineOfDeck(deck);
      if (sort == std::string("1"))
        for (i64 step = 0; step <= 20; ++step) solventSteps(*engine, step, step);
      else
        solventSteps(*engine, 0, 20);
      if (hash.empty()) hash = engine->stateHash();
      EXPECT_EQ(engine->stateHash(), hash) << style;
    }
  }
}

}  // namespace
}  // namespace mesowarp::test
