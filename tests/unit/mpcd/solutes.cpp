// Particles embedded in a collision solvent: their collisions against plain ones in double precision
// written here, conservation, distributions.
#include "physics/mpcd/deck/embedded.hpp"
#include "tests/unit/mpcd/particles_in_cells.hpp"

namespace mesowarp::test {
namespace {

using mpcd::CellRandom;

input::Deck mixtureDeck(const std::vector<std::string>& overrides = {}) { return solventDeck(overrides, mixture); }

void rotate(Particles& all, const input::Deck& deck, i64 step) {
  const double alpha = mpcd::collisionOf(deck).angle * 3.14159265358979323846 / 180.0;
  for (const auto& [number, cell] : cellsAt(all, deck, step)) {
    double n[3];
    mpcd::directionOf(CellRandom(number, stepKey(deck.run.seed, Stream::cellAxis, step)).next(), n);
    const auto u = meanOf(all, cell);
    for (const std::size_t i : cell) {
      double d[3], along = 0.0;
      for (int a = 0; a < 3; ++a) d[a] = all[i].v[a] - u[a], along += n[a] * d[a];
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        all[i].v[a] = u[a] + std::cos(alpha) * d[a] + (1.0 - std::cos(alpha)) * along * n[a] +
                      std::sin(alpha) * (n[b] * d[c] - n[c] * d[b]);
      }
    }
  }
}

// Whatever the masses, momenta have so many digits, and a cell room for many of the heaviest.
TEST(GuestSums, FitEveryMassThatIsAllowed) {
  for (const char* mass : {"1e-3", "1", "1e4"}) {
    const auto deck = mixtureDeck({std::string("population.heavy.mass=") + mass, "collision.embedded=[\"heavy\"]"});
    const mpcd::GuestBits bits = mpcd::guestBits(deck);
    EXPECT_GE(std::ldexp(1.0, bits.mass), 256.0 * mpcd::embeddedMasses(deck)[0]);
    EXPECT_GE(mpcd::momentumBits(bits), 30);
  }
}

TEST(Solutes, CollideAsPlainOnes) {
  const input::Deck deck = mixtureDeck();
  const auto engine = engineOfDeck(deck);
  solventSteps(*engine, 0, 5);
  Particles plain = particlesOf(*engine, 5);
  std::size_t alone = 0, without = 0;
  for (i64 step = 10; step <= 25; step += 5) {
    for (Particle& p : plain)
      for (std::size_t a = 0; a < 3; ++a) p.x[a] += p.v[a] * mpcd::collisionTime(deck);
    for (const auto& [number, cell] : cellsAt(plain, deck, step))
      alone += cell.size() == 1 ? 1 : 0, without += cell.back() < 350 ? 1 : 0;
    rotate(plain, deck, step);
  }
  EXPECT_GT(alone, 20u);    // cells of one particle
  EXPECT_GT(without, 20u);  // and of solutes alone
  solventSteps(*engine, 6, 25);
  const Particles all = particlesOf(*engine, 25);
  ASSERT_EQ(all.size(), plain.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      const double d = all[i].x[a] - plain[i].x[a], size = deck.box.size[a];
      ASSERT_NEAR(d - size * std::round(d / size), 0.0, 1e-9) << i;
      ASSERT_NEAR(all[i].v[a], plain[i].v[a], 1e-9) << i;
    }
}

TEST(Solutes, ConserveEnergyAndMomentum) {
  for (const char* precision : {"mixed", "double"}) {
    const auto engine = engineOfDeck(mixtureDeck({std::string("run.precision=") + precision}));
    solventSteps(*engine, 0, 0);
    const ThermoSums first = engine->sums();
    solventSteps(*engine, 1, 2500);
    const ThermoSums last = engine->sums();
    const bool wide = precision == std::string("double");
    double before = 0.0, after = 0.0;
    for (int c = 0; c < 3; ++c) before += first.kinetic[c], after += last.kinetic[c];
    EXPECT_NEAR(after / before, 1.0, wide ? 1e-12 : 2e-6) << precision;
    // In units of the sum of m v of thermal motion, about.
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(last.momentum[c] / 1000.0, first.momentum[c] / 1000.0, wide ? 1e-13 : 2e-6) << precision;
  }
}

TEST(Solutes, CellsKeepTheirMomentum) {
  for (const char* rule :
       {"collision.style=srd", "collision.thermostat=maxwell-boltzmann", "collision.style=andersen"}) {
    const input::Deck deck = mixtureDeck({rule});
    const auto engine = engineOfDeck(deck);
    solventSteps(*engine, 0, 14);
    const Particles before = particlesOf(*engine, 14);  // nothing but collisions changes velocities
    solventSteps(*engine, 15, 15);
    const Particles after = particlesOf(*engine, 15);
    double moved = 0.0;
    for (const auto& [number, cell] : cellsAt(after, deck, 15)) {
      const auto u = meanOf(before, cell), w = meanOf(after, cell);
      for (std::size_t a = 0; a < 3; ++a) ASSERT_NEAR(u[a], w[a], 1e-11) << rule;
    }
    for (std::size_t i = 0; i < 350; ++i) moved += std::abs(after[i].v[0] - before[i].v[0]);
    EXPECT_GT(moved, 20.0) << rule;
    for (std::size_t i = 350; i < 400; ++i)
      for (std::size_t a = 0; a < 3; ++a) ASSERT_EQ(after[i].v[a], before[i].v[a]);  // not embedded
  }
}

// Behind a collision 2 E / k_BT of a cell's motion relative to its mean is chi-squared with 3 (N - 1) degrees of
// freedom, whatever masses meet there.
TEST(Solutes, ThermostatsAreCanonicalInEachCell) {
  for (const char* rule : {"collision.thermostat=maxwell-boltzmann", "collision.style=andersen"}) {
    const input::Deck deck = mixtureDeck({rule, "population.heavy.temperature=0.4", "run.temperature=1.7"});
    const auto engine = engineOfDeck(deck);
    CellEnergies energies;
    double heavy = 0.0;
    i64 done = -1;
    int looks = 0;
    for (i64 step = 100; step <= 1000; step += 50, ++looks) {
      solventSteps(*engine, done + 1, step);
      done = step;
      const Particles all = particlesOf(*engine, step);
      for (const auto& [number, cell] : cellsAt(all, deck, step)) {
        if (cell.size() < 2) continue;
        const auto u = meanOf(all, cell);
        double energy = 0.0;
        for (const std::size_t i : cell)
          for (std::size_t a = 0; a < 3; ++a) energy += all[i].mass * (all[i].v[a] - u[a]) * (all[i].v[a] - u[a]) / 1.7;
        energies.add(energy, cell.size());
      }
      for (std::size_t i = 0; i < 150; ++i)
        for (std::size_t a = 0; a < 3; ++a) heavy += 6.0 * all[i].v[a] * all[i].v[a] / 450.0;
    }
    energies.expectCanonical(rule);
    // 19 looks, 10 collisions apart, in which a heavy particle's velocity decays by half about: 10 independent ones.
    EXPECT_NEAR(heavy / looks, 1.7, 4.0 * 1.7 * std::sqrt(2.0 / 450.0 / 10.0)) << rule;
  }
}

// <v v'> / <v v> of a solute over one collision is 1 - (2/3) (1 - cos alpha) (1 - w) for a rotation and w for Andersen,
// w = <M / (M + m N)>, N from Poisson's distribution: exact from random places, and what its friction comes of.
TEST(Solutes, VelocitiesAreForgottenAtTheRateOfTheory) {
  const double mass = 5.0, density = 4.0;
  double weight = 0.0, probability = std::exp(-density);
  for (int n = 0; n < 60; probability *= density / ++n) weight += probability * mass / (mass + n);
  for (const bool andersen : {false, true}) {
    const input::Deck deck =
        mixtureDeck({andersen ? "collision.style=andersen" : "collision.style=srd", "box.size=[24, 24, 24]",
                     "population.heavy.count=3000", "population.heavy.mass=5", "population.solvent.mass=1",
                     "population.solvent.density=4", "collision.embedded=[\"heavy\"]", "collision.every=1"});
    const auto engine = engineOfDeck(deck);
    solventSteps(*engine, 0, 0);
    const Particles first = particlesOf(*engine, 0);
    solventSteps(*engine, 1, 1);
    const Particles next = particlesOf(*engine, 1);
    // Other solutes in the cell weigh in as well: 3000 in 13824 cells.
    double w = 0.0, others = std::exp(-3000.0 / 13824.0);
    for (int k = 0; k < 8; others *= 3000.0 / 13824.0 / ++k) {
      double p = std::exp(-density);
      for (int n = 0; n < 60; p *= density / ++n) w += others * p * mass / (mass * (1 + k) + n);
    }
    EXPECT_LT(w, weight);
    double sum = 0.0;
    for (std::size_t i = 0; i < 3000; ++i)
      for (std::size_t a = 0; a < 3; ++a) sum += mass * first[i].v[a] * next[i].v[a] / 9000.0;
    const double expected = andersen ? w : 1.0 - 2.0 / 3.0 * (1.0 - std::cos(130.0 / 57.29577951)) * (1.0 - w);
    EXPECT_NEAR(sum, expected, 4.0 * std::sqrt(2.0 / 9000.0)) << andersen;
  }
}

TEST(Solutes, LookingAndSortingChangeNothing) {
  for (const char* precision : {"single", "mixed", "double"})
    for (const char* style : {"srd", "andersen"}) {
      const std::vector<std::string> keys{std::string("run.precision=") + precision,
                                          std::string("collision.style=") + style, "run.reproducibility=bitwise"};
      auto other = keys;
      other.insert(other.end(), {"collision.sort=3", "neighbor.skin=0.7"});
      const auto watched = engineOfDeck(mixtureDeck(other)), alone = engineOfDeck(mixtureDeck(keys));
      for (i64 step = 0; step <= 43; ++step) solventSteps(*watched, step, step);
      solventSteps(*alone, 0, 43);
      EXPECT_EQ(watched->stateHash(), alone->stateHash()) << style << ' ' << precision;
    }
}

}  // namespace
}  // namespace mesowarp::test
