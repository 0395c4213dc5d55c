// Decks of bodies run by the engine: orbits, orders of the integrators, conserved quantities, initial states, exact
// resume.
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "physics/nbody/body_method.hpp"
#include "physics/nbody/integrate/body_phase.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {
namespace {

const std::string cluster = R"(
[run]
steps = 1000
timestep = 0.01
seed = 3
precision = "double"
[integrator]
style = "leapfrog"
[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "plummer"
count = 100
total_mass = 1.0
radius = 0.589
[[interaction]]
between = "*"
style = "gravity"
softening = 0.05
)";

const std::string salt = R"(
[run]
steps = 1000
timestep = 0.002
temperature = 0.5
seed = 3
precision = "single"
[nbody]
accumulator = "narumi"
[electrostatics]
dielectric = "constant"
constant = 2.0
[[population]]
name = "ions"
kind = "bodies"
species = "A"
initial = "lattice"
count = 120
spacing = 1.3
charge = 0.2
[[interaction]]
between = "*"
style = "lj-coulomb"
epsilon = 1.0
sigma = 1.0
)";

input::Deck deckOf(const std::string& text, const std::vector<input::Override>& overrides = {}) {
  auto result = input::parseDeckText(text, "deck.toml", overrides);
  for (const auto& d : result.diagnostics) ADD_FAILURE() << input::format(d, "deck.toml");
  for (const auto& d : input::checkPhysics(result.deck)) ADD_FAILURE() << input::format(d, "deck.toml");
  return std::move(result.deck);
}

std::unique_ptr<Engine> engineOf(const input::Deck& deck) {
  const nbody::HostBodies bodies = nbody::makeInitialBodies(deck);
  auto engine = nbody::startEngine(deck, bodies);
  return engine;
}

std::unique_ptr<Engine> engineOfBodies(const input::Deck& deck, int count) {
  auto engine = std::make_unique<Engine>();
  nbody::addBodies(*engine, deck, count);
  return engine;
}

void run(Engine& engine, i64 first, i64 last) {
  for (i64 k = first; k <= last; ++k) {
    engine.rebuildIfDue(k);
    engine.advance(k, {.thermo = k == last, .velocities = true});
  }
  EXPECT_FALSE(engine.failure().has_value()) << *engine.failure();
}

double energyOf(const Engine& engine) {
  const auto& s = engine.sums();
  return 0.5 * (s.kinetic[0] + s.kinetic[1] + s.kinetic[2]) + s.potential;
}

std::string style(const std::string& name) { return "integrator.style=" + name; }
std::string step(double timestep) { return fmt::format("run.timestep={:.17g}", timestep); }

// Energy error after a time, with a step.
double driftOf(const std::string& integrator, double timestep, double time) {
  auto deck = deckOf(cluster, {style(integrator), step(timestep)});
  const auto engine = engineOf(deck);
  run(*engine, 0, 0);
  const double before = energyOf(*engine);
  run(*engine, 1, std::llround(time / timestep));
  return std::abs(energyOf(*engine) - before) / std::abs(before);
}

// Distance of a state from that of a much finer step: global errors fall as dt^order.
double orderOf(const std::string& integrator, double timestep) {
  const auto positions = [&](double dt) {
    const auto engine = engineOf(deckOf(cluster, {style(integrator), step(dt), "interaction.0.softening=0.2"}));
    const i64 last = std::llround(0.5 / dt);
    run(*engine, 0, last);
    return engine->snapshot(last).position;
  };
  const auto a = positions(timestep), b = positions(timestep / 2), c = positions(timestep / 4);
  double first = 0.0, second = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) first += std::pow(a[k] - b[k], 2), second += std::pow(b[k] - c[k], 2);
  return 0.5 * std::log2(first / second);
}

TEST(NbodyIntegrators, OrdersAreTwoAndFour) {
  EXPECT_NEAR(orderOf("leapfrog", 0.03125), 2.0, 0.1);
  EXPECT_NEAR(orderOf("velocity-verlet", 0.03125), 2.0, 0.1);
  EXPECT_NEAR(orderOf("hermite", 0.03125), 4.0, 0.25);
}

// Energy errors: leapfrog's fall with dt^2, Hermite's at least with dt^4.
TEST(NbodyIntegrators, EnergyErrorsFallWithTheStep) {
  const double leap = driftOf("leapfrog", 0.0078125, 0.25), leapHalf = driftOf("leapfrog", 0.00390625, 0.25);
  EXPECT_NEAR(leap / leapHalf, 4.0, 0.6);
  const double hermite = driftOf("hermite", 0.0078125, 0.25), hermiteHalf = driftOf("hermite", 0.00390625, 0.25);
  EXPECT_GT(hermite / hermiteHalf, 12.0);
  EXPECT_LT(hermite, leap);
}

TEST(NbodyIntegrators, VerletIsLeapfrogButForRounding) {
  const auto a = engineOf(deckOf(cluster, {style("leapfrog")})),
             b = engineOf(deckOf(cluster, {style("velocity-verlet")}));
  run(*a, 0, 50), run(*b, 0, 50);
  const auto x = a->snapshot(50).position, y = b->snapshot(50).position;
  double largest = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) largest = std::max(largest, std::abs(x[k] - y[k]));
  EXPECT_LT(largest, 1e-11);
  EXPECT_GT(largest, 0.0);
}

// Steps that nobody looks at may wait and come together: the same bits, whoever looks when, also where looking takes
// memory.
TEST(NbodyIntegrators, StepsThatWaitAreTheSameSteps) {
  for (const std::string integrator : {"leapfrog", "velocity-verlet", "hermite", "hermite-block", "langevin"}) {
    const auto deck = integrator == "langevin" ? deckOf(salt, {style(integrator), "integrator.friction=1"})
                                               : deckOf(cluster, {style(integrator), "population.0.count=700"});
    const auto a = engineOf(deck), b = engineOf(deck);
    run(*a, 0, 210);  // looks at each step
    for (i64 k = 0; k <= 210; ++k) {
      b->advance(k, {.thermo = k == 70, .velocities = k == 100 || k == 210});
      if (k == 75 || k == 76) {
        EXPECT_FALSE(b->failure().has_value());
      }
      std::vector<std::vector<std::byte>> storage;
      if (k == 180) b->checkpointArrays(storage);
    }
    EXPECT_EQ(a->stateHash(), b->stateHash()) << integrator;
  }
}

struct File {
  std::string path;
  explicit File(const std::string& text) : path(testing::TempDir() + "/nbody_" + std::to_string(::getpid()) + ".txt") {
    std::ofstream(path) << text;
  }
  ~File() { std::remove(path.c_str()); }
};

std::string fromFile(const std::string& text, const std::string& path, const std::string& more = "") {
  const auto begin = text.find("initial ="), end = text.find("[[interaction]]");
  std::string result = text;
  result.replace(begin, end - begin, "initial = \"file\"\nfile = \"" + path + "\"\n" + more);
  const auto species = result.find("species = ");  // types stand for it
  if (more.find("types") != std::string::npos) result.erase(species, result.find('\n', species) - species);
  return result;
}

// Two bodies around each other: after a period they are where they were, and the orbit is Kepler's. Eccentricity 0.5,
// semi-axis 1, G = 2, masses 1 and 3: period 2 pi sqrt(1 / 8).
TEST(NbodyIntegrators, TwoBodiesMoveAsKeplerSays) {
  const double total = 4.0, g = 2.0, e = 0.5, period = 2.0 * M_PI / std::sqrt(g * total);
  const double r = 1.0 - e, v = std::sqrt(g * total * (1.0 + e) / (1.0 - e));  // at the nearest point
  const File file(fmt::format("# x y z vx vy vz mass\n{} 0 0 0 {} 0 1\n{} 0 0 0 {} 0 3\n", 0.75 * r, 0.75 * v,
                              -0.25 * r, -0.25 * v));
  const std::string text = fromFile(cluster, file.path);
  struct Case {
    std::string integrator;
    double tolerance;
  };
  for (const auto& [integrator, tolerance] :
       {Case{"leapfrog", 2e-3}, Case{"hermite", 3e-7}, Case{"hermite-block", 1e-6}}) {
    const int steps = 1000;
    std::vector<std::string> changes{style(integrator), "interaction.0.constant=2", "interaction.0.softening=0",
                                     step(period / steps)};
    if (integrator == "hermite-block") changes.push_back("integrator.accuracy=0.003");
    const auto engine = engineOf(deckOf(text, {changes.begin(), changes.end()}));
    run(*engine, 0, steps / 2);
    // Half a period later they are furthest apart, 1 + e.
    auto x = engine->snapshot(steps / 2).position;
    EXPECT_NEAR(x[0] - x[3], -(1.0 + e), tolerance) << integrator;
    EXPECT_NEAR(x[1] - x[4], 0.0, tolerance) << integrator;
    run(*engine, steps / 2 + 1, steps);
    x = engine->snapshot(steps).position;
    EXPECT_NEAR(x[0] - x[3], r, 3.0 * tolerance) << integrator;
    EXPECT_NEAR(x[1] - x[4], 0.0, 3.0 * tolerance) << integrator;
    EXPECT_NEAR(energyOf(*engine), -g * 3.0 / 2.0, 3.0 * tolerance) << integrator;
  }
}

// Quantities that gravity conserves, over a crossing time, and the block scheme's goal: 1e-7 over ten time units is the
// example's; here 256 bodies over two.
TEST(NbodyIntegrators, BlockStepsConserveEnergyAndMomenta) {
  const auto engine = engineOf(deckOf(cluster, {style("hermite-block"), "run.precision=mixed", "population.0.count=256",
                                                "run.timestep=0.0625", "interaction.0.softening=0.004"}));
  run(*engine, 0, 0);
  const double energy = energyOf(*engine);
  const auto before = engine->quantities();
  run(*engine, 1, 32);
  EXPECT_LT(std::abs(energyOf(*engine) / energy - 1.0), 3e-7);
  const auto after = engine->quantities();
  for (const char* axis : {"angular_momentum_x", "angular_momentum_y", "angular_momentum_z"})
    EXPECT_NEAR(after.at(axis), before.at(axis), 1e-6);
  for (const double p : engine->sums().momentum) EXPECT_NEAR(p, 0.0, 1e-6);
}

TEST(NbodyStates, PlummerIsInEquilibrium) {
  const auto engine =
      engineOf(deckOf(cluster, {"population.0.count=8000", "interaction.0.softening=0", "run.precision=single"}));
  run(*engine, 0, 0);
  // K = 3 pi G M^2 / (64 b) and virial ratio 1/2; standard errors of 8,000 bodies are about 1%.
  const double kinetic = 3.0 * M_PI / (64.0 * 0.589), e = energyOf(*engine);
  EXPECT_NEAR(engine->quantities().at("virial_ratio"), 0.5, 0.02);
  EXPECT_NEAR(e, -kinetic, 0.03 * kinetic);
  const auto s = engine->snapshot(0);
  std::array<double, 3> mean{};
  int inside = 0;
  for (std::size_t i = 0; i < s.mass.size(); ++i) {
    double r2 = 0.0;
    for (int c = 0; c < 3; ++c) mean[c] += s.position[3 * i + c], r2 += std::pow(s.position[3 * i + c], 2);
    inside += r2 < 0.589 * 0.589;
  }
  for (const double m : mean) EXPECT_NEAR(m, 0.0, 1e-9);
  // Within the scale length lies 2^(-3/2) of the mass (of 0.999 of it, since the outermost thousandth is left out).
  EXPECT_NEAR(inside / 8000.0, std::pow(2.0, -1.5) / 0.999, 4.0 * std::sqrt(0.35 * 0.65 / 8000.0));
}

TEST(NbodyStates, SphereIsUniformAndHasItsTemperature) {
  auto deck =
      deckOf(cluster, {"population.0.initial=sphere", "population.0.count=4000", "population.0.temperature=0.001"});
  const nbody::HostBodies b = nbody::makeInitialBodies(deck);
  int inner = 0;
  double squares = 0.0;
  for (std::size_t i = 0; i < b.position.size(); ++i) {
    const auto& x = b.position[i];
    const double r = std::hypot(x[0], x[1], x[2]);
    EXPECT_LE(r, 0.589);
    inner += r < 0.589 / 2.0;
    for (const double v : b.velocity[i]) squares += v * v;
  }
  EXPECT_NEAR(inner / 4000.0, 0.125, 4.0 * std::sqrt(0.125 * 0.875 / 4000.0));
  EXPECT_NEAR(squares / 4000.0 / (3.0 * 3999.0), 0.001, 1e-12);
}

TEST(NbodyStates, SeedsMatterAndTagsDecide) {
  const auto a = nbody::makeInitialBodies(deckOf(cluster)), same = nbody::makeInitialBodies(deckOf(cluster)),
             other = nbody::makeInitialBodies(deckOf(cluster, {"run.seed=4"}));
  EXPECT_EQ(a.position, same.position);
  EXPECT_NE(a.position, other.position);
}

TEST(NbodyStates, TextFilesGiveEverything) {
  const File file("1 2 3 4 5 6 0.5 -1 2\n# nothing\n-1 2 3 4 5 6 1.5 1 1  # the second\n");
  const auto deck = deckOf(fromFile(salt, file.path, "types = [\"A\", \"B\"]\n"), {"population.0.temperature=0.5"});
  const nbody::HostBodies p = nbody::makeInitialBodies(deck);
  EXPECT_EQ(p.position, (std::vector<std::array<double, 3>>{{1, 2, 3}, {-1, 2, 3}}));
  EXPECT_EQ(p.mass, (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(p.charge, (std::vector<double>{-1, 1}));
  EXPECT_EQ(std::vector<u32>(p.species.begin(), p.species.end()), (std::vector<u32>{1, 0}));
  const File bad("1 2 3 4 5 6\n1 2 3 4 5\n");
  EXPECT_THROW(nbody::makeInitialBodies(deckOf(fromFile(salt, bad.path, "types = [\"A\"]\n"))), InputError);
}

// Forces in fixed point leave the momentum alone, to the last bit of each step's kicks.
TEST(NbodySalt, EnergyAndMomentumAreConserved) {
  const auto engine = engineOf(deckOf(salt));
  run(*engine, 0, 0);
  const double energy = energyOf(*engine);
  run(*engine, 1, 300);
  EXPECT_LT(std::abs(energyOf(*engine) - energy), 2e-3 * std::abs(energy));
  for (const double p : engine->sums().momentum) EXPECT_NEAR(p, 0.0, 1e-12);
}

// BAOAB at equilibrium: temperature within its own fluctuations, from a start at half of it.
TEST(NbodySalt, LangevinKeepsTheTemperature) {
  const auto engine =
      engineOf(deckOf(salt, {style("langevin"), "integrator.friction=5", "population.0.temperature=0.25"}));
  double mean = 0.0;
  for (i64 k = 0; k <= 2000; ++k) {
    engine->advance(k, {.thermo = k > 500});
    const auto& s = engine->sums();
    if (k > 500) mean += (s.kinetic[0] + s.kinetic[1] + s.kinetic[2]) / 360.0 / 1500.0;
  }
  // 360 degrees of freedom, correlated over 1 / (2 friction) = 50 steps: 1500 steps are about 15 independent samples.
  EXPECT_NEAR(mean, 0.5, 4.0 * 0.5 * std::sqrt(2.0 / 360.0 / 15.0));
}

TEST(NbodySalt, OverflowStopsTheRun) {
  const auto engine = engineOf(deckOf(salt, {"nbody.range=1e-3"}));
  engine->advance(0, {});
  ASSERT_TRUE(engine->failure().has_value());
  EXPECT_NE(engine->failure()->find("nbody.range"), std::string::npos);
}

TEST(NbodySalt, CoincidingBodiesAreAFailure) {
  const File file("0 0 0 0 0 0\n2 0 0 0 0 0\n1 0 0 0 0 0\n");
  const auto deck = deckOf(fromFile(salt, file.path), {"nbody.accumulator=double-sum", "population.0.species=A"});
  nbody::HostBodies bodies = nbody::makeInitialBodies(deck);  // which refuses those that begin in one place
  bodies.position[1] = bodies.position[0];
  const auto engine = nbody::startEngine(deck, bodies);
  engine->advance(0, {}), engine->advance(1, {});
  ASSERT_TRUE(engine->failure().has_value());
  EXPECT_NE(engine->failure()->find("body 0"), std::string::npos);
}

io::CheckpointContent contentOf(Engine& engine) {
  std::vector<std::vector<std::byte>> storage;
  io::CheckpointContent content;
  for (const io::ArrayView& view : engine.checkpointArrays(storage)) {
    io::Array array{view.type, view.rows, view.width, {}};
    array.data.resize(view.rows * view.width * io::elementSize(view.type));
    std::memcpy(array.data.data(), view.data, array.data.size());
    content.arrays.emplace(view.name, std::move(array));
  }
  return content;
}

class NbodyRestart : public testing::TestWithParam<std::string> {
protected:
  input::Deck deck() const {
    const std::string all = GetParam(), name = all.substr(0, all.find(' '));
    const input::Override bits(name == all ? "run.reproducibility=deterministic" : "run.reproducibility=bitwise");
    if (name == "hermite-block")
      return deckOf(cluster, {style(name), "run.precision=mixed", "run.timestep=0.0625", bits});
    if (name == "langevin") return deckOf(salt, {style(name), "integrator.friction=1", bits});
    if (name == "velocity-verlet") return deckOf(salt, {style(name), bits});
    return deckOf(cluster, {style(name), bits});
  }
  std::string hashAfter(i64 last) const {
    const auto engine = engineOf(deck());
    run(*engine, 0, last);
    return engine->stateHash();
  }
};

TEST_P(NbodyRestart, SameBitsTwice) {
  EXPECT_EQ(hashAfter(20), hashAfter(20));
  EXPECT_NE(hashAfter(20), hashAfter(19));
}

TEST_P(NbodyRestart, ResumedRunHasTheSameBits) {
  const std::string unbroken = hashAfter(20);
  for (const i64 stop : {0, 1, 7}) {
    const auto first = engineOf(deck());
    if (stop > 0) run(*first, 0, stop - 1);
    const auto content = contentOf(*first);
    const auto second = engineOfBodies(deck(), static_cast<int>(first->particles()));
    second->restore(content);
    run(*second, stop, 20);
    EXPECT_EQ(second->stateHash(), unbroken) << stop;
    run(*first, stop, 20);
    EXPECT_EQ(first->stateHash(), unbroken) << "after its checkpoint";
  }
  auto content = contentOf(*engineOf(deck()));
  content.arrays.erase("velocity");
  EXPECT_THROW(engineOfBodies(deck(), 100)->restore(content), InputError);
}

INSTANTIATE_TEST_SUITE_P(Integrators, NbodyRestart,
                         testing::Values("leapfrog", "velocity-verlet", "langevin", "hermite", "hermite-block",
                                         "leapfrog bitwise", "velocity-verlet bitwise", "langevin bitwise",
                                         "hermite bitwise", "hermite-block bitwise"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::erase_if(name, [](char c) { return c == '-' || c == ' '; });
                           return name;
                         });

}  // namespace
}  // namespace mesowarp::test
