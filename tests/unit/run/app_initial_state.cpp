// Initial states against straightforward loops over particles, to the last bit. tests/CMakeLists.txt runs these tests
// on 1, 2 and 3 threads.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "device/tag_random.hpp"
#include "input/estimate.hpp"
#include "input/grammar/parse.hpp"
#include "input/species.hpp"
#include "physics/fluid/fluid.hpp"

namespace mesowarp {
namespace {

using Point = std::array<double, 3>;

// The state of a deck without files, one particle after the other.
class Reference {
public:
  explicit Reference(const input::Deck& deck) : deck_(deck), box_(boxOf(deck)) {
    for (const auto& population : deck.populations) {
      const i64 count = input::particleCount(population, deck.box);
      if (population.kind == "polymer")
        chains(population, count);
      else
        for (i64 k = 0; k < count; ++k)
          place(population.initial == input::StartKind::lattice ? site(k, count) : anywhere(), population.species);
      for (i64 k = 0; k < count; ++k) populationOf_.push_back(&population);
    }
    velocities();
  }
  std::vector<std::array<u64, 3>> position;
  std::vector<Point> velocity;
  std::vector<u32> species;
  std::vector<std::array<u32, 2>> bonds;
  std::vector<std::array<i32, 3>> image;  // empty behind the last chain

private:
  void place(const Point& at, const std::string& name) {
    position.push_back({toFixed(box_, 0, at[0]), toFixed(box_, 1, at[1]), toFixed(box_, 2, at[2])});
    species.push_back(
        static_cast<u32>(std::find(deck_.species.begin(), deck_.species.end(), name) - deck_.species.begin()));
  }
  Point anywhere() const {
    TagRandom random(deck_.run.seed, Stream::initialPosition, static_cast<u32>(position.size()));
    Point at{};
    for (int axis = 0; axis < 3; ++axis) at[axis] = random.uniform() * box_.size[axis];
    return at;
  }
  Point site(i64 k, i64 count) const {
    std::array<i64, 3> sites{1, 1, 1};
    for (double spacing = std::cbrt(box_.volume() / static_cast<double>(count)); sites[0] * sites[1] * sites[2] < count;
         spacing *= 0.999)
      for (int axis = 0; axis < 3; ++axis)
        sites[axis] = std::max<i64>(1, static_cast<i64>(std::floor(box_.size[axis] / spacing + 1e-9)));
    const i64 s = k * (sites[0] * sites[1] * sites[2]) / count;
    const std::array<i64, 3> at{s % sites[0], s / sites[0] % sites[1], s / (sites[0] * sites[1])};
    Point p{};
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = (static_cast<double>(at[axis]) + 0.5) * box_.size[axis] / static_cast<double>(sites[axis]);
    return p;
  }
  void chains(const input::Population& population, i64 count) {
    const auto names = input::beadSpecies(population);
    Point at{};
    for (i64 k = 0; k < count; ++k) {
      const u32 tag = static_cast<u32>(position.size());
      const std::size_t bead = static_cast<std::size_t>(k) % names.size();
      at = bead == 0 ? anywhere() : step(at, tag, population.bond_length);
      if (bead > 0) bonds.push_back({tag - 1, tag});
      place(at, names[bead]);
      const bool bonded = std::any_of(deck_.bonds.begin(), deck_.bonds.end(),
                                      [&](const auto& b) { return b.population == population.name; });
      image.resize(position.size());  // of what is not bonded: 0
      if (bead > 0 && bonded) {
        image[tag] = image[tag - 1];
        for (int axis = 0; axis < 3; ++axis) image[tag][axis] += crossed_[axis];
      }
    }
  }
  Point step(const Point& from, u32 tag, double length) {
    TagRandom random(deck_.run.seed, Stream::chainStep, tag);
    for (;;) {
      Point d{};
      for (double& x : d) x = random.gaussian();
      const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = from[axis] + d[axis] / norm * length;
        crossed_[axis] = box_.periodic[axis] ? static_cast<i32>(std::floor(d[axis] / box_.size[axis])) : 0;
        if (box_.periodic[axis]) d[axis] -= std::floor(d[axis] / box_.size[axis]) * box_.size[axis];
        inside = inside && d[axis] >= 0.0 && d[axis] < box_.size[axis];
      }
      if (inside) return d;
    }
  }

  double temperature(std::size_t i) const {
    return populationOf_[i]->temperature < 0.0 ? deck_.run.temperature : populationOf_[i]->temperature;
  }
  void velocities() {
    const auto masses = massesOf(deck_);
    const std::size_t n = position.size();
    Point momentum{};
    double mass = 0.0, kinetic = 0.0;
    bool oneTemperature = true;
    for (std::size_t i = 0; i < n; ++i) {
      TagRandom random(deck_.run.seed, Stream::initialVelocity, static_cast<u32>(i));
      velocity.push_back({});
      for (int axis = 0; axis < 3; ++axis) {
        velocity[i][axis] = std::sqrt(temperature(i) / masses[species[i]]) * random.gaussian();
        momentum[axis] += masses[species[i]] * velocity[i][axis];
      }
      mass += masses[species[i]];
      oneTemperature = oneTemperature && temperature(i) == temperature(0);
    }
    for (std::size_t i = 0; n > 1 && i < n; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        velocity[i][axis] -= momentum[axis] / mass;
        kinetic += masses[species[i]] * velocity[i][axis] * velocity[i][axis];
      }
    const bool scaled = n > 1 && oneTemperature && kinetic > 0.0;
    const double scale = scaled ? std::sqrt(temperature(0) * 3.0 * static_cast<double>(n - 1) / kinetic) : 1.0;
    for (std::size_t i = 0; i < n; ++i)
      for (int axis = 0; axis < 3; ++axis)
        velocity[i][axis] = velocity[i][axis] * scale + populationOf_[i]->velocity[axis];
  }

  const input::Deck& deck_;
  Box box_;
  std::array<i32, 3> crossed_{};  // by the last step of a walk
  std::vector<const input::Population*> populationOf_;
};

struct Start {
  const char* name;
  const char* box;
  const char* populations;
};

const std::string front =
    "[run]\nsteps = 1\ntimestep = 0.01\nseed = 77\n[[interaction]]\nbetween = \"*\"\na = 25.0\ngamma = 4.5\n[box]\n";
const char* const periodic = "size = [9.0, 11.0, 7.0]\n";
const char* const walled = "size = [9.0, 11.0, 7.0]\nperiodic = [true, true, false]\n";
const Start starts[] = {
    {"Lattice", periodic, "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 2079\ninitial = \"lattice\"\n"},
    {"LatticeWithGaps", walled, "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1999\ninitial = \"lattice\"\n"},
    {"Random", periodic, "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1283\n"},
    {"OneParticle", periodic, "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1\n"},
    {"Cold", periodic, "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 100\ntemperature = 0.0\n"},
    {"Chains", walled,
     "[[population]]\nname = \"p\"\nkind = \"polymer\"\nblocks = \"AABBA\"\ncount = 203\nbond_length = 0.6\n"
     "[[bond]]\npopulation = \"p\"\nk = 40.0\n"},
    {"Several", periodic,
     "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1001\ninitial = \"lattice\"\nvelocity = [0.5, 0.0, -1.0]\n"
     "[[population]]\nname = \"p\"\nkind = \"polymer\"\nblocks = \"BBBBBBB\"\ncount = 101\nbond_length = 0.6\nmass = "
     "2.5\n"
     "[[population]]\nname = \"r\"\nspecies = \"C\"\ncount = 777\ntemperature = 0.3\nmass = 0.7\n"
     "[[bond]]\npopulation = \"p\"\nk = 40.0\n"},
};

void PrintTo(const Start& start, std::ostream* out) { *out << start.name; }

class InitialStates : public testing::TestWithParam<Start> {};

TEST_P(InitialStates, AreThoseOfASerialLoopToTheLastBit) {
  const auto parsed = input::parseDeckText(front + std::string(GetParam().box) + GetParam().populations, "deck.toml");
  for (const auto& d : parsed.diagnostics) ASSERT_TRUE(d.warning) << d.message;
  const Reference expected(parsed.deck);
  const HostParticles got = makeInitialState(parsed.deck);
  ASSERT_EQ(static_cast<std::size_t>(got.count()), expected.position.size());
  ASSERT_EQ(got.velocity.size(), expected.velocity.size());
  ASSERT_EQ(got.species.size(), expected.species.size());
  for (std::size_t i = 0; i < expected.position.size(); ++i) {
    ASSERT_EQ(got.position[i], expected.position[i]) << i;
    ASSERT_EQ(got.velocity[i], expected.velocity[i]) << i;
    ASSERT_EQ(got.species[i], expected.species[i]) << i;
  }
  ASSERT_EQ(got.bonds.size(), expected.bonds.size());
  for (std::size_t b = 0; b < expected.bonds.size(); ++b) {
    ASSERT_EQ((std::array<u32, 2>{got.bonds[b].a, got.bonds[b].b}), expected.bonds[b]);
    ASSERT_EQ(got.bonds[b].type, 0);
  }
  ASSERT_EQ(got.image.empty(), expected.bonds.empty());
  for (std::size_t i = 0; i < got.image.size(); ++i)
    ASSERT_EQ(got.image[i], i < expected.image.size() ? expected.image[i] : (std::array<i32, 3>{})) << i;
  EXPECT_EQ(got.mostBondsOfAParticle(), expected.bonds.empty() ? 0 : 2);
}

INSTANTIATE_TEST_SUITE_P(Starts, InitialStates, testing::ValuesIn(starts),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace mesowarp
