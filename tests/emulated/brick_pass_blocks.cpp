// The blocks of the pass over a collision solvent on a GPU, run by threads of the host: particles and sums have the
// bits of a plain loop over the same task, for particles in their brick's window and for those that have left it.
#include <gtest/gtest.h>

#include "kernels/bricks/brick_pass_gpu.hpp"
#include "physics/mpcd/angular/angular_rules.hpp"
#include "physics/mpcd/border_sums.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/solvent_population.hpp"
#include "tests/unit/mpcd/mpcd_decks.hpp"

namespace mesowarp::test {
namespace {

using namespace mpcd;

template <class P>
struct Particles {
  std::vector<typename P::Coord> x[3];
  std::vector<typename P::Store> v[3];
  std::vector<u32> tag;
  explicit Particles(const SolventOf<P>& solvent) : tag(solvent.arrays().tag, solvent.arrays().tag + solvent.count()) {
    const auto from = solvent.arrays();
    for (int a = 0; a < 3; ++a) {
      x[a].assign(from.position[a], from.position[a] + solvent.count());
      v[a].assign(from.velocity[a], from.velocity[a] + solvent.count());
    }
  }
  SolventArrays<P> arrays() {
    SolventArrays<P> to;
    for (int a = 0; a < 3; ++a) to.position[a] = x[a].data(), to.velocity[a] = v[a].data();
    to.tag = tag.data();
    return to;
  }
};

template <class P, class Rule>
struct Form {
  using Number = typename P::Store;
  Particles<P> particles;
  std::vector<u64> sums;
  std::vector<Number> records;
  std::vector<int> mishap = std::vector<int>(mishaps);
  SolventPass<P, Rule, true> task{};

  Form(const SolventOf<P>& solvent, const input::Deck& deck, const Rule& rule, const BrickGrid& grid)
      : particles(solvent), sums(static_cast<std::size_t>(grid.cellsInAll()) * Rule::Words::sums),
        records(static_cast<std::size_t>(grid.cellsInAll()) * Rule::recordStride) {
    task.grid = grid, task.rule = rule, task.scale = scaleOf(deck, sizeof(Number) == 8);
    task.drives = drivesOf<P>(deck, solvent.box());
    task.solvent = particles.arrays(), task.record = records.data(), task.sum = sums.data(),
    task.mishap = mishap.data();
    for (int a = 0; a < 3; ++a)
      task.ticks[a] =
          static_cast<typename P::Real>(collisionTime(deck) / solvent.box().tick(a, 8 * sizeof(typename P::Coord)));
  }
  void shift(i64 step, u64 seed) { task.before = task.after, task.after = shiftOf(task.grid, seed, step); }
  void makeRecords() {
    const CellTask cells{task.scale, {1, 2}, {3, 4}, 1.0};
    for (int cell = 0; cell < task.grid.cellsInAll(); ++cell)
      MakeRecords<P, Rule>{task.grid, task.rule, cells, sums.data(), records.data(), mishap.data()}(cell);
  }
};

// In the order of particles. How many of them were out of the window that their brick has for the step before.
template <class Task>
int plainLoop(const Task& task, const DeviceArray<int>& start, int particles) {
  int brick = 0, outside = 0;
  for (int i = 0; i < particles; ++i) {
    while (brick + 1 < task.grid.bricksInAll() && i >= start(brick + 1)) ++brick;
    auto p = task.load(i);
    int at[3];
    if (task.collides) {
      cellOf(task, p, task.before, at);
      const BrickWindow window(task.grid, brick, task.before);
      int in[3];
      for (int axis = 0; axis < 3; ++axis) in[axis] = window.behind(axis, task.leading(p, axis) + task.before.of[axis]);
      outside += BrickWindow::within(in) ? 0 : 1;
      const auto* record = task.records() + static_cast<std::size_t>(task.grid.index(at)) * Task::recordStride;
      task.collide(p, RecordAt<typename Task::Number>{record, 1});
    }
    if (task.streams) {
      task.stream(p, i);
      cellOf(task, p, task.after, at);
      u64 sum[Task::sums];
      task.add(p, sum);
      for (int k = 0; k < Task::sums; ++k)
        task.cellSums()[static_cast<std::size_t>(task.grid.index(at)) * Task::sums + k] += sum[k];
    }
    task.store(i, p);
  }
  return outside;
}

template <class P, class Rule>
void expectPlainLoop(const std::vector<std::string>& overrides, Rule rule) {
  std::vector<std::string> all{"run.timestep=0.3", "box.size=[20, 10, 17]", "population.solvent.density=3"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  const input::Deck deck =
      solventDeck(all, solvent + "[[drive]]\nstyle = \"sine\"\nacceleration = [0.1, 0.2, 0.0]\nacross = \"z\"\n");
  SolventOf<P> population(deck, {});
  population.start();
  const BrickGrid grid = spanOf({}, cellsOf(deck), 2);
  population.sort(grid);
  Form<P, Rule> plain(population, deck, rule, grid), blocks(population, deck, rule, grid);
  int outside = 0;
  for (i64 step = 1; step <= 4; ++step) {
    for (auto* form : {&plain, &blocks}) {
      form->shift(step, deck.run.seed);
      form->task.collides = step > 1, form->task.streams = step < 4;
      if (step == 4) form->task.before = form->task.after = shiftOf(grid, deck.run.seed, 3);
    }
    outside += plainLoop(plain.task, population.brickStart(), population.count());
    using Pass = backend::BrickPass<SolventPass<P, Rule, true>>;
    backend::emulateBlocks(Pass{blocks.task, population.brickStart().data(), population.count()}, grid.bricksInAll(), 1,
                           Pass::threads, Pass::sharedBytes());
    EXPECT_EQ(blocks.sums, plain.sums) << step;
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(blocks.particles.x[a], plain.particles.x[a]) << step;
      EXPECT_EQ(blocks.particles.v[a], plain.particles.v[a]) << step;
    }
    if (step < 4) plain.makeRecords(), blocks.makeRecords();
  }
  EXPECT_EQ(blocks.mishap, std::vector<int>(mishaps));
  EXPECT_GT(outside, 5);
}

TEST(EmulatedBrickPass, RotationIsThatOfAPlainLoop) {
  expectPlainLoop<SinglePrecision>({}, RotationRule<SinglePrecision, false>{Rotation<float>::of(2.0)});
  expectPlainLoop<MixedPrecision>({"collision.thermostat=maxwell-boltzmann"},
                                  RotationRule<MixedPrecision, true>{Rotation<double>::of(2.0)});
  expectPlainLoop<DoublePrecision>({"collision.thermostat=maxwell-boltzmann"},
                                   RotationRule<DoublePrecision, true>{Rotation<double>::of(2.0)});
}

TEST(EmulatedBrickPass, AndersenIsThatOfAPlainLoop) {
  expectPlainLoop<SinglePrecision>({"collision.style=andersen"}, AndersenRule<SinglePrecision>{{7, 8}, 1.0f});
  expectPlainLoop<DoublePrecision>({"collision.style=andersen"}, AndersenRule<DoublePrecision>{{7, 8}, 1.0});
}

// Without a window.
TEST(EmulatedBrickPass, AngularMomentumIsThatOfAPlainLoop) {
  expectPlainLoop<SinglePrecision>({"collision.thermostat=maxwell-boltzmann"},
                                   AngularRotationRule<SinglePrecision>{{Rotation<float>::of(2.0)}});
  expectPlainLoop<DoublePrecision>({"collision.style=andersen"}, AngularAndersenRule<DoublePrecision>{{7, 8}, 1.0});
}

// Boxes of which a window sees cells twice, or one brick is all.
TEST(EmulatedBrickPass, SmallBoxes) {
  for (const char* size : {"box.size=[9, 12, 10]", "box.size=[12, 10, 16]"})
    expectPlainLoop<SinglePrecision>({size, "run.timestep=0.25"},
                                     RotationRule<SinglePrecision, false>{Rotation<float>::of(2.0)});
}

}  // namespace
}  // namespace mesowarp::test
