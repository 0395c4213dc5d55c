// Collisions that keep angular momentum: in each cell, and of a cloud that meets no edge of the box, beside those that
// do not; and that they are canonical.
#include <cstring>

#include "io/checkpoint/checkpoint.hpp"
#include "physics/mpcd/angular/rigid_motion.hpp"
#include "physics/resume.hpp"
#include "tests/unit/io/io_support.hpp"
#include "tests/unit/mpcd/plain_cells.hpp"

namespace mesowarp::test {
namespace {

using Triple = std::array<double, 3>;

const std::vector<std::string> rotation{"collision.thermostat=maxwell-boltzmann", "run.precision=double"};
const std::vector<std::string> andersen{"collision.style=andersen", "run.precision=double"};
std::vector<std::string> with(std::vector<std::string> rule, const std::vector<std::string>& more) {
  rule.insert(rule.end(), more.begin(), more.end());
  return rule;
}

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

TEST(RigidMotions, AreThoseOfTheirMomentum) {
  // Sums about the centre of four particles, of two, and of three on a line.
  const double places[6] = {2.0, 1.5, 0.7, 0.3, -0.2, 0.4};
  const mpcd::RigidMotion four(places, 4, 1e-12);
  EXPECT_EQ(four.freedom(), 3);
  const double l[3] = {0.3, -0.8, 1.1};
  double omega[3];
  four.of(l, omega);
  EXPECT_NEAR((1.5 + 0.7) * omega[0] - 0.3 * omega[1] + 0.2 * omega[2], l[0], 1e-14);
  EXPECT_NEAR(-0.3 * omega[0] + (2.0 + 0.7) * omega[1] - 0.4 * omega[2], l[1], 1e-14);
  EXPECT_NEAR(0.2 * omega[0] - 0.4 * omega[1] + (2.0 + 1.5) * omega[2], l[2], 1e-14);
  const double line[6] = {0.0, 0.0, 0.5, 0.0, 0.0, 0.0}, across[3] = {0.2, 0.1, 0.0};
  for (const int particles : {2, 3}) {
    const mpcd::RigidMotion motion(line, particles, 1e-12);
    EXPECT_EQ(motion.freedom(), 2);
    motion.of(across, omega);
    EXPECT_NEAR(omega[0], 0.4, 1e-15);
    EXPECT_NEAR(omega[1], 0.2, 1e-15);
  }
  const double point[6] = {};
  EXPECT_EQ(mpcd::RigidMotion(point, 3, 1e-12).freedom(), 0);
}

// Of a cell about its corner; its particles may be on two sides of the box's end.
Triple turning(const Plain& p, const std::vector<std::size_t>& cell, const input::Deck& deck) {
  Triple sum{};
  for (const std::size_t i : cell) {
    Triple r;
    for (std::size_t a = 0; a < 3; ++a) {
      r[a] = p.x[i][a] - p.x[cell[0]][a];
      r[a] -= deck.box.size[a] * std::round(r[a] / deck.box.size[a]);
    }
    const Triple l = cross(r, p.v[i]);
    for (std::size_t a = 0; a < 3; ++a) sum[a] += l[a];
  }
  return sum;
}

TEST(AngularMomentum, IsKeptInEachCell) {
  for (const auto& rule : {rotation, andersen})
    for (const bool keeps : {true, false}) {
      // Few particles a cell: some have two, or three near a line.
      const input::Deck deck =
          solventDeck(with(rule, {std::string("collision.conserve_angular_momentum=") + (keeps ? "true" : "false"),
                                  "population.solvent.density=4"}));
      const auto engine = engineOfDeck(deck);
      solventSteps(*engine, 0, 4);
      const Plain before = streamed(Plain(engine->snapshot(4)), deck);
      solventSteps(*engine, 5, 5);
      const Plain after(engine->snapshot(5));
      double worst = 0.0, moved = 0.0;
      std::size_t pairs = 0;
      for (const auto& [number, cell] : cellsAt(after, deck, 5)) {
        pairs += cell.size() == 2 ? 1 : 0;
        const Triple l = turning(before, cell, deck), m = turning(after, cell, deck);
        const auto u = meanOf(before, cell), w = meanOf(after, cell);
        for (std::size_t a = 0; a < 3; ++a)
          worst = std::max(worst, std::abs(l[a] - m[a])), moved = std::max(moved, std::abs(u[a] - w[a]));
      }
      EXPECT_GT(pairs, 50u);
      EXPECT_LT(moved, 1e-10) << rule[0];
      if (keeps)
        EXPECT_LT(worst, 3e-9) << rule[0];
      else
        EXPECT_GT(worst, 1.0) << rule[0];
    }
}

// A cube of 5 in the middle of a box of 40, that flies apart for 3 units of time: nothing comes to the box's ends.
double cloud(const std::vector<std::string>& rule, bool keeps) {
  const input::Deck deck =
      solventDeck(with(rule, {std::string("collision.conserve_angular_momentum=") + (keeps ? "true" : "false"),
                              "box.size=[40, 40, 40]", "population.solvent.density=0.0234375"}));
  const io::test::TemporaryDirectory directory;
  const auto engine = engineOfDeck(deck);
  std::vector<std::vector<std::byte>> storage;
  const auto arrays = engine->checkpointArrays(storage);
  const std::string path =
      io::writeCheckpoint(directory.path(), 0, arrays, {{"deck", deck.resolved}}, {{"step", 0}, {"ranks", 1}});
  auto content = io::readCheckpoint(path);
  for (const char* axis : {"x", "y", "z"}) {
    auto& data = content.arrays.at(axis).data;
    for (std::size_t i = 0; i < data.size(); i += 8) {
      u64 x;
      std::memcpy(&x, &data[i], 8);
      x = (u64{1} << 63) - (u64{1} << 60) + x / 8;
      std::memcpy(&data[i], &x, 8);
    }
  }
  const auto middle = engineOfCheckpoint(content, deck, path);
  const auto momentum = [&](i64 step) {
    const Plain p(middle->snapshot(step));
    Triple sum{};
    double size = 0.0;
    for (std::size_t i = 0; i < p.x.size(); ++i) {
      const Triple l = cross({p.x[i][0] - 20.0, p.x[i][1] - 20.0, p.x[i][2] - 20.0}, p.v[i]);
      for (std::size_t a = 0; a < 3; ++a) sum[a] += l[a], size += std::abs(l[a]);
    }
    return std::pair{sum, size};
  };
  solventSteps(*middle, 0, 0);
  const Triple first = momentum(0).first;
  solventSteps(*middle, 1, 30);
  const auto [last, size] = momentum(30);
  double worst = 0.0;
  for (std::size_t a = 0; a < 3; ++a) worst = std::max(worst, std::abs(last[a] - first[a]));
  return worst / size;
}

TEST(AngularMomentum, OfACloudIsKept) {
  for (const auto& rule : {rotation, andersen}) {
    EXPECT_LT(cloud(rule, true), 1e-12) << rule[0];
    EXPECT_GT(cloud(rule, false), 1e-4) << rule[0];
  }
}

// 2 E / k_BT of a cell relative to its mean: 3 N - 3 degrees of freedom, the rigid motion's among them.
TEST(AngularMomentum, CollisionsAreCanonical) {
  for (const auto& rule : {rotation, andersen}) {
    const input::Deck deck =
        solventDeck(with(rule, {"collision.conserve_angular_momentum=true", "population.solvent.temperature=0.6",
                                "population.solvent.density=5"}));
    const auto engine = engineOfDeck(deck);
    i64 done = -1;
    CellEnergies energies;
    for (i64 step = 40; step <= 100; step += 10) {
      solventSteps(*engine, done + 1, step);
      done = step;
      const Plain p(engine->snapshot(step));
      for (const auto& [number, cell] : cellsAt(p, deck, step)) {
        if (cell.size() < 2) continue;
        const auto u = meanOf(p, cell);
        double energy = 0.0;
        for (const std::size_t i : cell) energy += squaredDistance(p.v[i], u);
        energies.add(energy, cell.size());
      }
    }
    energies.expectCanonical(rule[0]);
  }
}

TEST(AngularMomentum, LookingAndSortingChangeNothing) {
  for (const char* precision : {"single", "mixed", "double"})
    for (const auto& rule : {rotation, andersen}) {
      std::string hash;
      for (const char* sort : {"1", "50"}) {
        const input::Deck deck =
            solventDeck(with(rule, {"collision.conserve_angular_momentum=true",
                                    std::string("run.precision=") + precision, std::string("collision.sort=") + sort}));
        const auto engine = engineOfDeck(deck);
        if (sort == std::string("1"))
          for (i64 step = 0; step <= 20; ++step) solventSteps(*engine, step, step);
        else
          solventSteps(*engine, 0, 20);
        if (hash.empty()) hash = engine->stateHash();
        EXPECT_EQ(engine->stateHash(), hash) << precision << ' ' << rule[0];
      }
    }
}

}  // namespace
}  // namespace mesowarp::test
