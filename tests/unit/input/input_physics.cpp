// Physics checks and estimates.
#include <gmock/gmock.h>

#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(InputPhysics, UsualDecksPassWithoutAWarning) {
  EXPECT_THAT(physicsOf(minimalDeck), IsEmpty());
  EXPECT_THAT(physicsOf(argonDeck), IsEmpty());
  EXPECT_THAT(physicsOf(argonDeck, {"run.timestep=0.005"}), IsEmpty());
  EXPECT_THAT(physicsOf(fullDeck), ElementsAre(StartsWith("deck.toml:29:1: warning: particles of \"head\" overlap")));
}

TEST(InputPhysics, NearestImageNeedsAWideBox) {
  EXPECT_THAT(physicsOf(with(minimalDeck, "size = [10.0", "size = [2.5")),
              ElementsAre("deck.toml:6:8: box.size along x is 2.5, but must be at least 2 (cutoff + skin) = 2.6: widen "
                          "the box, or set neighbor.skin to at most 0.25"));
  EXPECT_THAT(physicsOf(with(minimalDeck, "size = [10.0", "size = [2.6")), IsEmpty());
  EXPECT_THAT(physicsOf(with(fullDeck, "16.0]", "1.5]")), Each(HasSubstr("warning")));  // walled
}

TEST(InputPhysics, WallsStandAtLeastHalfACutoffApart) {
  const std::vector<Override> shortBonds{"population.1.bond_length=0.15"};
  EXPECT_THAT(physicsOf(with(fullDeck, "16.0]", "0.6]"), shortBonds), Each(HasSubstr("warning")));
  EXPECT_THAT(physicsOf(with(fullDeck, "16.0]", "0.4]"), shortBonds),
              Contains("deck.toml:12:8: box.size along z is 0.4, but between walls it must be at least half the "
                       "cutoff, 0.505108: widen the box"));
}

TEST(InputPhysics, CellsFitTheSortKey) {
  const std::vector<Override> sparse{"population.0.density=1e-6"};
  EXPECT_THAT(physicsOf(with(minimalDeck, "[10.0, 10.0, 10.0]", "[530.0, 530.0, 520.0]"), sparse),
              Contains(StartsWith("deck.toml:6:8: warning: the box has 6.63e+07 cells of cutoff + skin for 146 "
                                  "particles, and the cells alone take 7")));
  // No more than 2^26 = 6.711e7, however large the box.
  EXPECT_THAT(physicsOf(with(minimalDeck, "[10.0, 10.0, 10.0]", "[530.0, 530.0, 540.0]"), sparse),
              ElementsAre(HasSubstr("warning: the box has 6.71e+07 cells of cutoff + skin for 152 particles")));
  EXPECT_THAT(physicsOf(with(minimalDeck, "[10.0, 10.0, 10.0]", "[5000.0, 5000.0, 5000.0]"), sparse),
              ElementsAre(HasSubstr("warning: the box has 6.69e+07 cells of cutoff + skin for 1.25e+05 particles")));
}

TEST(InputPhysics, SumsFitThePrecision) {
  const std::string bitwise = with(minimalDeck, "timestep = 0.01", "timestep = 0.01\nreproducibility = \"bitwise\"");
  EXPECT_THAT(physicsOf(bitwise), IsEmpty());
  EXPECT_EQ(deckOf(bitwise).sums.accumulator, Accumulator::narumi);
  EXPECT_EQ(deckOf(bitwise).sums.range, 131072.0);  // above 8 / 0.01^2
  EXPECT_EQ(deckOf(minimalDeck).sums.accumulator, Accumulator::double_);
  EXPECT_THAT(
      physicsOf(bitwise + "[sums]\naccumulator = \"double\"\n"),
      ElementsAre(StartsWith("deck.toml:19:15: reproducibility = \"bitwise\" needs sums that no order can change")));
  EXPECT_THAT(physicsOf(minimalDeck, {"sums.accumulator=nitadori"}),
              ElementsAre(StartsWith("--set sums.accumulator=nitadori: precision = \"mixed\" and \"double\" take")));
  EXPECT_THAT(physicsOf(minimalDeck, {"run.precision=single", "sums.accumulator=nitadori"}), IsEmpty());
  EXPECT_THAT(physicsOf(minimalDeck, {"run.precision=single", "sums.accumulator=double"}),
              ElementsAre(StartsWith("--set sums.accumulator=double: accumulator = \"double\" is for precision")));
}

TEST(InputPhysics, WallsAndPeriodicityAgree) {
  EXPECT_THAT(physicsOf(minimalDeck, {"box.periodic=[false, true, true]"}),
              ElementsAre(HasSubstr("box.periodic is false along x, so face x- needs a [[boundary]]"),
                          HasSubstr("face x+ needs")));
  EXPECT_THAT(physicsOf(minimalDeck + "[[boundary]]\nface = \"y+\"\n"),
              ElementsAre("deck.toml:17:1: face y+ has a wall, but box.periodic is true along y: set it to false, or "
                          "leave the boundary out"));
}

TEST(InputPhysics, PopulationsHaveParticles) {
  EXPECT_THAT(physicsOf(with(minimalDeck, "density = 3.0\n", "")),
              ElementsAre("deck.toml:8:1: population \"water\" has no particles: give density or count"));
  EXPECT_THAT(physicsOf(minimalDeck, {"population.0.count=5"}),
              ElementsAre("--set population.0.count=5: population \"water\" has both density and count: give one"));
  EXPECT_THAT(physicsOf(with(minimalDeck, "3.0", "1e-4")),
              ElementsAre(StartsWith("deck.toml:11:11: population \"water\" has no particles: density = 0.0001")));
  EXPECT_THAT(physicsOf(with(minimalDeck, "3.0", "1e29")),
              Contains(StartsWith("deck.toml:11:11: too many particles: 1000000000000000000 of population \"water\"")));
  EXPECT_THAT(physicsOf(with(minimalDeck, "density = 3.0", "initial = \"file\"\nfile = \"/no/such.data\"")),
              ElementsAre("deck.toml:12:8: there is no file \"/no/such.data\""));
  EXPECT_THAT(physicsOf(with(fullDeck, "species = \"W\"", "species = \"tail\"\nmass = 2.0"),
                        {"interaction.1.between=[\"tail\", \"tail\"]"}),
              Contains(HasSubstr("species \"tail\" has mass 1 here and 2 in population \"water\"")));
}

TEST(InputPhysics, TimestepResolvesForces) {
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.08"}),
              ElementsAre(HasSubstr("warning: timestep = 0.08 is long for the repulsion on \"W\": fewer than ten steps "
                                    "a period; at most 0.061"),
                          HasSubstr("long for the friction"), HasSubstr("hotter")));
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.04", "interaction.0.gamma=20", "integrator.style=groot-warren"}),
              ElementsAre(HasSubstr("warning: timestep = 0.04 is long for the friction on \"W\": velocities decay by "
                                    "28% a step; at most 0.018")));
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.12", "interaction.0.a=1", "interaction.0.gamma=0.1"}),
              ElementsAre(HasSubstr("above 0.1")));
  EXPECT_THAT(physicsOf(argonDeck, {"run.timestep=0.02"}), ElementsAre(HasSubstr("long for the repulsion on \"Ar\"")));
}

// Against the table of docs/validation.md: temperature against the time step.
TEST(InputPhysics, TimestepKeepsTheTemperature) {
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.018"}), IsEmpty());
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.03"}),
              ElementsAre(HasSubstr("makes a fluid like this 1.8% hotter")));
  EXPECT_THAT(physicsOf(with(minimalDeck, "0.01", "0.04")),
              ElementsAre(AllOf(StartsWith("deck.toml:3:12: warning: timestep = 0.04 makes a fluid like this 2.7% "
                                           "hotter than run.temperature = 1: at most 0.019"),
                                HasSubstr("groot-warren"))));
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.04", "integrator.style=groot-warren"}), IsEmpty());
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.06", "integrator.style=groot-warren"}),
              ElementsAre(AllOf(HasSubstr("1.1% hotter"), testing::Not(HasSubstr("take integrator")))));
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.04", "integrator.style=groot-warren", "integrator.lambda=0.5"}),
              ElementsAre(HasSubstr("2.7% hotter")));
  EXPECT_THAT(physicsOf(minimalDeck, {"run.timestep=0.04", "interaction.0.gamma=0", "interaction.0.sigma=0"}),
              IsEmpty());
}

TEST(InputPhysics, BondsAreResolved) {
  EXPECT_THAT(physicsOf(fullDeck, {"bond.0.k=600"}),
              Contains(HasSubstr("warning: k = 600 is stiff for timestep = 0.01: dt sqrt(2 k / m) = 0.359")));
  EXPECT_THAT(physicsOf(fullDeck, {"bond.0.k=3e4"}),
              Contains(AllOf(HasSubstr("k = 30000 is unstable"), testing::Not(HasSubstr("warning")))));
  EXPECT_THAT(physicsOf(fullDeck, {"bond.0.r_max=0.4"}),
              Contains(HasSubstr("r_max = 0.4 must be larger than the bond_length of population \"amphiphile\", 0.4")));
  EXPECT_THAT(
      physicsOf(with(fullDeck,
                     "[[bond]]\npopulation = \"amphiphile\"\nstyle = \"fene\"\nk = 40.0\nr_max = 1.5\nexclude = true\n",
                     "")),
      Contains(HasSubstr("warning: nothing holds the molecules of \"amphiphile\" together")));
  EXPECT_THAT(physicsOf(fullDeck, {"population.1.bond_length=9"}),
              Contains(HasSubstr("bond_length = 9 does not fit the box, 16 along z")));
}

TEST(InputPhysics, NeighborListLasts) {
  const std::vector<Override> every{"run.timestep=0.04", "integrator.style=groot-warren", "neighbor.rebuild=every",
                                    "neighbor.every=5"};
  EXPECT_THAT(physicsOf(minimalDeck, every),
              ElementsAre(HasSubstr(
                  "warning: in 5 steps fast particles (three times the thermal speed) move 0.6, more than half the "
                  "skin of 0.3: pairs would be missed; use rebuild = \"displacement\", or every = 1")));
  EXPECT_THAT(physicsOf(minimalDeck, {"neighbor.rebuild=every", "neighbor.every=1"}), IsEmpty());
  EXPECT_THAT(physicsOf(minimalDeck, {"neighbor.skin=1.5"}), ElementsAre(HasSubstr("wider than the cutoff")));
  EXPECT_THAT(physicsOf(minimalDeck, {"neighbor.skin=0.005"}), ElementsAre(HasSubstr("rebuilt nearly every step")));
}

TEST(InputPhysics, ScheduleFitsTheRun) {
  EXPECT_THAT(physicsOf(fullDeck, {"measure.0.start=20000"}),
              Contains("--set measure.0.start=20000: start = 20000 is after the run's last step, 10000"));
  EXPECT_THAT(physicsOf(fullDeck, {"measure.0.window=5"}), Contains(HasSubstr("shorter than every = 10")));
  EXPECT_THAT(physicsOf(fullDeck, {"output.table.every=0"}), Contains(HasSubstr("nothing would be written")));
  EXPECT_THAT(physicsOf(fullDeck, {"output.table.every=20000"}),
              Contains(HasSubstr("warning: every = 20000 is more than the run's 10000 steps")));
  EXPECT_THAT(physicsOf(fullDeck, {"drive.0.acceleration=[0, 0, 0]"}), Contains(HasSubstr("does nothing")));
  EXPECT_THAT(physicsOf(fullDeck, {"drive.0.across=x"}), Contains(HasSubstr("pushed against each other along x")));
}

TEST(InputEstimate, CountsParticles) {
  Population fluid;
  fluid.density = 3.0;
  EXPECT_EQ(particleCount(fluid, {{10.0, 10.0, 10.0}}), 3000);
  EXPECT_EQ(particleCount(fluid, {{1.1, 1.1, 1.1}}), 4);  // 3.993
  fluid.count = 7;
  EXPECT_EQ(particleCount(fluid, {{10.0, 10.0, 10.0}}), 7);
  Population polymer;
  polymer.kind = "polymer";
  polymer.blocks = "AAABB";
  polymer.density = 3.0;
  EXPECT_EQ(particleCount(polymer, {{1.0, 1.0, 2.1}}), 5);  // 6.3 beads
  polymer.count = 4;
  EXPECT_EQ(particleCount(polymer, {{1.0, 1.0, 2.0}}), 20);
  polymer.initial = StartKind::file;
  EXPECT_EQ(particleCount(polymer, {{1.0, 1.0, 2.0}}), 4)
      << "of a file that has been looked into: particles, not molecules";
  polymer.count = 0;
  EXPECT_EQ(particleCount(polymer, {{1.0, 1.0, 2.0}}), 0);
  fluid.count = 0, fluid.density = 1e30;
  EXPECT_EQ(particleCount(fluid, {{1e30, 1e30, 1e30}}), 1000000000000000000);
}

TEST(InputEstimate, OfWater) {
  const Estimate e = estimate(deckOf(minimalDeck));
  EXPECT_EQ(e.particles, 3000);
  EXPECT_NEAR(e.pairsPerParticle, 12.566, 1e-3);
  EXPECT_NEAR(e.listedPerParticle, 27.609, 1e-3);
  EXPECT_NEAR(e.secondsPerStep, 3000 / 3.0e6, 1e-9);  // the reference point of the model
  EXPECT_NEAR(estimate(deckOf(minimalDeck), 1e9).secondsPerStep, 3e-6, 1e-12);
  EXPECT_GT(e.memoryBytes, 3000 * 150.0);
  EXPECT_LT(e.memoryBytes, 3000 * 400.0);
}

}  // namespace
}  // namespace mesowarp::input::test
