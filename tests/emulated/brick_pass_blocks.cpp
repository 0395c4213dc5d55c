// The blocks of the pass over a collision solvent on a GPU, run by threads of the host: particles and sums have the
// bits of a plain loop over the same task, for particles in their brick's window and for those that have left it.
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>

#include "kernels/bricks/brick_pass_gpu.hpp"
#include "kernels/bricks/cell_pass.hpp"
#include "kernels/bricks/cell_pass_gpu.hpp"
#include "physics/mpcd/angular/angular_rules.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/mixture/mixture_sums.hpp"
#include "physics/mpcd/sharing/border_sums.hpp"
#include "physics/mpcd/solvent_population.hpp"
#include "tests/unit/mpcd/mpcd_decks.hpp"

namespace mesowarp::test {
namespace {

using namespace mpcd;

template <class P>
struct Particles {
  using Coord = typename P::Coord;
  using Place = PackedPlace<Coord, true>;  // as a GPU has them
  std::vector<Coord> xz, yz;
  std::vector<typename Place::Rest> z;
  std::vector<typename P::Store> v[3];
  std::vector<u32> tag;
  explicit Particles(const SolventOf<P>& solvent) {
    const auto from = solvent.arrays();
    const int n = solvent.count();
    const auto room = static_cast<std::size_t>(n + 3);  // whole groups are loaded
    const auto copy = [n, room](auto& to, const auto* array) {
      to.reserve(room);
      to.assign(array, array + n);
    };
    xz.reserve(room), yz.reserve(room), z.reserve(room);
    for (int i = 0; i < n; ++i) {
      Coord at[3];
      from.places.load(i, at);
      const Place place = Place::of(at);
      xz.push_back(place.xz), yz.push_back(place.yz), z.push_back(place.z);
    }
    for (int a = 0; a < 3; ++a) copy(v[a], from.velocity[a]);
    copy(tag, from.tag);
  }
  SolventArrays<P, true> arrays() {
    SolventArrays<P, true> to{{xz.data(), yz.data(), z.data()}, {}, tag.data()};
    for (int a = 0; a < 3; ++a) to.velocity[a] = v[a].data();
    return to;
  }
  std::array<Coord, 3> x(std::size_t i) const {
    Coord at[3];
    Place{xz[i], yz[i], z[i]}.unpack(at);
    return {at[0], at[1], at[2]};
  }
  std::array<u32, 3> leading(std::size_t i) const {
    const auto at = x(i);
    return {leading32(at[0]), leading32(at[1]), leading32(at[2])};
  }
};

// Sums that lie in memory, as a plain loop adds to them.
template <class Words>
class AllInMemory {
public:
  AllInMemory(const BrickGrid& grid, bool) : sums_(static_cast<std::size_t>(grid.cellsInAll()) * Words::sums) {}
  u64* data() { return sums_.data(); }
  PlainSums<Words::sums> view() const { return {const_cast<u64*>(sums_.data())}; }

private:
  std::vector<u64> sums_;
};

template <class Words, class Join, class Body>
void overCells(AllInMemory<Words>& sums, const BrickGrid& grid, const GridShift&, const BrickFill&, const Join&,
               const Body& body) {
  for (int cell = 0; cell < grid.cellsInAll(); ++cell) backend::BodyOfCell<Words::sums, Body>{sums.view(), body}(cell);
}
// As a GPU does: by bricks.
template <class Words, class Join, class Body>
void overCells(backend::WindowedSums<Words>& sums, const BrickGrid& grid, const GridShift& shift, const BrickFill& fill,
               const Join& join, const Body& body) {
  using Pass = backend::CellPass<Words, Join, Body>;
  int word = 0;  // of the first block that would wait
  const backend::AwaitFlags await{{}, grid.bricksInAll() / 2, 1, &word, 7};
  backend::emulateBlocks(Pass{grid, shift, sums.store(), sums.data(), join, body, nullptr, fill, await},
                         grid.bricksInAll(), 1, Pass::threads, Pass::sharedBytes(grid));
  EXPECT_EQ(word, 7);
}

// Of all cells, in their order.
template <class Words>
std::vector<u64> sumsOf(AllInMemory<Words>& sums, const BrickGrid& grid, const GridShift&, const SumScale&) {
  return {sums.data(), sums.data() + static_cast<std::size_t>(grid.cellsInAll()) * Words::sums};
}
template <class Words>
std::vector<u64> sumsOf(backend::WindowedSums<Words>& sums, const BrickGrid& grid, const GridShift& shift,
                        const SumScale& scale) {
  std::vector<u64> all(sums.data(), sums.data() + static_cast<std::size_t>(grid.cellsInAll()) * Words::sums);
  const backend::WindowStore store = sums.store();
  const int places = grid.windowCells();
  for (int brick = 0; brick < grid.bricksInAll(); ++brick)
    for (int place = 0; place < places; ++place) {
      const CellAt cell = BrickWindow(grid, brick, shift).cell(place);
      if (cell < 0) continue;
      u32 word[Words::words];
      for (int w = 0; w < Words::words; ++w)
        word[w] = store.windows[static_cast<std::size_t>(brick) * static_cast<std::size_t>(store.stride) +
                                static_cast<std::size_t>(w * places + place)];
      u64 of[Words::sums];
      joinWords<Words>(scale, word, of);
      for (int k = 0; k < Words::sums; ++k)
        all[static_cast<std::size_t>(cell) * Words::sums + static_cast<std::size_t>(k)] += of[k];
    }
  return all;
}

template <int Sums>
struct KeepSums {
  u64* of;
  InnerCells inner;
  const InnerCells& none() const { return inner; }
  void operator()(int cell, const u64 (&sums)[Sums]) const {
    std::copy(sums, sums + Sums, of + static_cast<std::size_t>(cell) * Sums);
  }
};
// As who looks at cells sees them: by bricks. Those inside are zero.
template <class Words, class Join>
std::vector<u64> lookByBricks(backend::WindowedSums<Words>& sums, const BrickGrid& grid, const GridShift& shift,
                              const BrickFill& fill, const Join& join, const InnerCells& inner) {
  std::vector<u64> all(static_cast<std::size_t>(grid.cellsInAll()) * Words::sums);
  using Look = backend::CellPass<Words, Join, KeepSums<Words::sums>, backend::CellSums::stay>;
  u32 done = 0;  // blocks that have said so
  const CellParts parts(grid, inner);
  const int* const pieces = parts.borderPieces().data();
  const int number = static_cast<int>(parts.borderPieces().extent(0));
  backend::emulateBlocks(
      Look{grid, shift, sums.store(), sums.data(), join, {all.data(), inner}, pieces, fill, {{}, &done}}, number, 1,
      Look::threads, Look::sharedBytes(grid));
  EXPECT_EQ(done, static_cast<u32>(number));
  return all;
}

// Sums: who has sums of cells, as a GPU or as a CPU.
template <class P, class Rule, class Sums>
struct Form {
  using Number = typename P::Store;
  Particles<P> particles;
  using Words = typename Rule::Words;
  using Records = CellRecords<Number, Rule::storedNumbers>;
  Sums sums;
  std::vector<Number> records;
  std::vector<int> mishap = std::vector<int>(mishaps);
  BrickFill fill;
  SolventPass<P, Rule, true, NoWalls, true> task{};

  Form(const SolventOf<P>& solvent, const input::Deck& deck, const Rule& rule, const BrickGrid& grid)
      : particles(solvent), sums(grid, false),
        records(Records::numbers(static_cast<std::size_t>(grid.cellsInAll()))), fill{solvent.brickStart().data(),
                                                                                     solvent.count()} {
    scale = Words::mixed ? mixtureScaleOf(deck) : scaleOf(deck, sizeof(Number) == 8);
    if constexpr (Words::mixed) task.masses = {solvent.speciesOfTags(), meanMass(deck) / solvent.mass()};
    task.grid = grid, task.rule = rule, task.scale = scale;
    task.drives = drivesOf<P>(deck, solvent.box());
    task.solvent = particles.arrays(), task.sum = sums.data(), task.mishap = mishap.data();
    task.records = Records::over(records.data(), static_cast<std::size_t>(grid.cellsInAll()));
    for (int a = 0; a < 3; ++a)
      task.ticks[a] = static_cast<typename P::Real>(collisionTime(deck) /
                                                    solvent.box().tick(a, PackedPlace<typename P::Coord>::bits));
  }
  void shift(i64 step, u64 seed) { task.before = task.after, task.after = shiftOf(task.grid, seed, step); }
  void makeRecords() {
    const CellTask cells{scale, {1, 2}, {3, 4}, 1.0};
    if constexpr (requires { task.rule.axis; }) task.rule.axis = cells.axis;
    overCells(sums, task.grid, task.after, fill, JoinWords<Words>{scale},
              MakeRecords<P, Rule, !Rule::angular>{task.grid, task.rule, cells, task.records, mishap.data()});
  }
  std::vector<u64> sumsOfCells() { return sumsOf(sums, task.grid, task.after, scale); }
  SumScale scale;
};

// The rule as blocks of a GPU have it: axes are found anew.
template <class Rule>
struct OnGpu {
  using Type = Rule;
  static Type of(const Rule& rule) { return rule; }
};
template <class P, bool Thermostat, class W>
struct OnGpu<RotationRule<P, Thermostat, W, false>> {
  using Type = RotationRule<P, Thermostat, W, true>;
  static Type of(const RotationRule<P, Thermostat, W, false>& rule) { return {rule.rotation}; }
};

// What a pass that collides or streams does with particle i.
template <class Task>
void passPlainly(const Task& task, int i) {
  auto p = task.load(i);
  int at[3];
  if (task.collides) {
    cellOf(task, p, task.before, at);
    task.collide(p, task.recordOf(task.grid.index(at)));
  }
  if (task.streams) {
    task.stream(p);
    cellOf(task, p, task.after, at);
    u64 sum[Task::sums];
    task.add(p, sum);
    for (int k = 0; k < Task::sums; ++k)
      task.cellSums()[static_cast<std::size_t>(task.grid.index(at)) * Task::sums + k] += sum[k];
  }
  task.store(i, p);
}

// In the order of particles. How many of them were out of the window that their brick has for the step before.
template <class Task>
int plainLoop(const Task& task, const DeviceArray<int>& start, int particles) {
  int brick = 0, outside = 0;
  for (int i = 0; i < particles; ++i) {
    while (brick + 1 < task.grid.bricksInAll() && i >= start(brick + 1)) ++brick;
    if (task.collides) {
      const auto p = task.load(i);
      const BrickWindow window(task.grid, brick, task.before);
      int in[3];
      for (int axis = 0; axis < 3; ++axis) in[axis] = window.behind(axis, task.leading(p, axis) + task.before.of[axis]);
      outside += window.within(in) ? 0 : 1;
    }
    passPlainly(task, i);
  }
  return outside;
}

template <bool Usual, class Form, class Solvent>
void throughBlocks(Form& form, const Solvent& population, const BrickGrid& grid, const BrickOrder& order, bool all) {
  using Task = decltype(form.task);
  using Pass = backend::BrickPass<Task, Usual>;
  const Pass pass{form.task, population.brickStart().data(), population.count(), form.sums.store(), order, false, all};
  const int bricks = order.bricks == nullptr ? grid.bricksInAll() : order.number;
  backend::emulateBlocks(pass, bricks + (order.come != nullptr ? 1 : 0), 1, Pass::threads,
                         backend::windowBytes<Task>(grid.windowCells()));
}

// The second of two species.
const std::string heavy = "[[population]]\nname = \"heavy\"\nkind = \"mpcd\"\ndensity = 2.0\nmass = 3.3\n";

input::Deck drivenDeck(std::vector<std::string> all, const std::vector<std::string>& overrides,
                       const std::string& more = "") {
  all.insert(all.end(), overrides.begin(), overrides.end());
  return solventDeck(all,
                     solvent + more + "[[drive]]\nstyle = \"sine\"\nacceleration = [0.1, 0.2, 0.0]\nacross = \"z\"\n");
}
// Of a box that is cut: in its first half.
template <class P>
void startWithin(const Domain& domain, SolventOf<P>& population) {
  population.start();
  if (!domain.cut(0)) return;
  using Place = PackedPlace<typename P::Coord>;
  const auto places = population.arrays().places;
  for (int i = 0; i < population.count(); ++i) {
    typename P::Coord x[3];
    places.load(i, x);
    x[0] = Place::kept(x[0] / 2);
    places.store(i, x);
  }
}

template <class P, class Rule>
void expectPlainLoop(const std::vector<std::string>& overrides, Rule rule, std::array<int, 3> edges = {8, 8, 8},
                     const Domain& domain = {}, int margin = 2, bool strays = true, bool aligned = false) {
  const input::Deck deck = drivenDeck({"run.timestep=0.3", "box.size=[20, 10, 17]", "population.solvent.density=3"},
                                      overrides, Rule::Words::mixed ? heavy : "");
  SolventOf<P> population(deck, {});
  startWithin(domain, population);
  BrickGrid grid = spanOf(domain, cellsOf(deck), margin);
  grid.cutInto(edges[0], edges[1], edges[2]);
  if (aligned) {
    grid.alignBricks(edges[0], edges[1], edges[2]);
    EXPECT_EQ(grid.before[0] % grid.edge[0], 0);
    EXPECT_EQ(grid.edge[0], edges[0]);
    EXPECT_LE(grid.before[0] + grid.own[0] + margin + 1, grid.span[0]);
  }
  population.sort(grid);
  using Words = typename Rule::Words;
  Form<P, Rule, AllInMemory<Words>> plain(population, deck, rule, grid);
  Form<P, typename OnGpu<Rule>::Type, backend::WindowedSums<Words>> blocks(population, deck, OnGpu<Rule>::of(rule),
                                                                           grid);
  // As bricks' windows are before they have been sorted: also those without particles are written then, in a domain.
  const auto stride = static_cast<std::size_t>(blocks.sums.store().stride);
  for (int brick = 0; brick < grid.bricksInAll(); ++brick)
    if (isOfDomain(grid, brick))
      std::fill_n(blocks.sums.store().windows + static_cast<std::size_t>(brick) * stride, stride, 5u);
  int empty = 0;
  for (int brick = 0; brick + 1 < grid.bricksInAll(); ++brick)
    empty += population.brickStart()(brick) == population.brickStart()(brick + 1) ? 1 : 0;
  EXPECT_EQ(empty > 0, domain.cut(0));
  int outside = 0, gate = 0, near = 0;
  // The cells at both ends are shared, as far as the test goes; those of a few bricks in the middle are far from them.
  InnerCells own;
  for (int axis = 0; axis < 3; ++axis) own.high[axis] = grid.span[axis];
  if (domain.cut(0)) own.low[0] = grid.before[0] - margin + 4, own.high[0] = grid.before[0] + grid.own[0] + margin - 3;
  const SharedFirst first = domain.cut(0) ? SharedFirst(grid, own, strays ? 7 : 5, 0) : SharedFirst();
  EXPECT_EQ(first.any(), domain.cut(0));
  BrickOrder order = first.any() ? first.order(&gate, &near) : BrickOrder{};
  const int turn = 3;
  if (first.any()) {
    order.come = &turn, order.turn = turn;  // one more block, which finds that all has come
    EXPECT_LT(order.number, grid.bricksInAll());
    for (int k = 0; k < order.number; ++k) EXPECT_TRUE(isOfDomain(grid, order.bricks[k])) << k;
    first.expectNoneBeyond(population.brickStart());
    const DeviceArray<int> wrong("first of bricks, one too many", population.brickStart().extent(0));
    Kokkos::deep_copy(wrong, population.brickStart());
    ++wrong(grid.bricksInAll());
    EXPECT_THROW(first.expectNoneBeyond(wrong), std::logic_error);
  }
  for (i64 step = 1; step <= 4; ++step) {
    const auto prepare = [&](auto& form) {
      form.shift(step, deck.run.seed);
      form.task.collides = step > 1, form.task.streams = step < 4;
      if (step == 4) form.task.before = form.task.after = shiftOf(grid, deck.run.seed, 3);
    };
    prepare(plain), prepare(blocks);
    outside += plainLoop(plain.task, population.brickStart(), population.count());
    if (!Words::carries && (step == 2 || step == 3))
      throughBlocks<!Words::carries>(blocks, population, grid, order, false);
    else
      throughBlocks<false>(blocks, population, grid, order, step == 1);
    if (blocks.task.streams) {
      EXPECT_EQ(blocks.sumsOfCells(), plain.sumsOfCells()) << step;
    }
    if (blocks.task.streams)
      for (int look = 0; look < 2; ++look) {
        const InnerCells inner = look == 0 ? own : InnerCells{};
        auto seen = plain.sumsOfCells();
        for (std::size_t k = 0; k < seen.size(); ++k)
          if (inner.has(grid, static_cast<int>(k / Words::sums))) seen[k] = 0;
        EXPECT_EQ(
            lookByBricks(blocks.sums, grid, blocks.task.after, blocks.fill, JoinWords<Words>{blocks.scale}, inner),
            seen)
            << step;
      }
    EXPECT_EQ(blocks.particles.xz, plain.particles.xz) << step;
    EXPECT_EQ(blocks.particles.yz, plain.particles.yz) << step;
    EXPECT_EQ(blocks.particles.z, plain.particles.z) << step;
    for (int a = 0; a < 3; ++a) EXPECT_EQ(blocks.particles.v[a], plain.particles.v[a]) << step;
    if (step < 4) plain.makeRecords(), blocks.makeRecords();
  }
  EXPECT_EQ(blocks.mishap, std::vector<int>(mishaps));
  EXPECT_EQ(gate, 4 * first.first());
  EXPECT_EQ(near, first.any() && strays ? 1 : 0);
  EXPECT_EQ(outside > 5, strays);
}

// Particles of a domain that have been sorted by `start`, but for the last ones, which have just come to it.
struct SortOfSome {
  DomainBounds stay;
  int came;
  template <class P>
  bool isHere(const Particles<P>& of, std::size_t i) const {
    const auto at = of.leading(i);
    return i + static_cast<std::size_t>(came) >= of.tag.size() || stay.way(at[0], at[1], at[2]) == direction::here;
  }
  // The first place of each counter, in the order of the bricks where they are now.
  template <class P>
  std::vector<int> places(const BrickGrid& grid, const Particles<P>& of, const DeviceArray<int>& start) const {
    std::vector<int> count(static_cast<std::size_t>(grid.bricksInAll()) * BrickWays::count + 1), next(count.size());
    const auto sorted = of.tag.size() - static_cast<std::size_t>(came);
    for (std::size_t i = 0, brick = 0; i < of.tag.size(); ++i) {
      while (i >= static_cast<std::size_t>(start(brick + 1))) ++brick;
      const auto leading = of.leading(i);
      const u32 at[3] = {leading[0], leading[1], leading[2]};
      const BrickWays ways(grid, static_cast<int>(brick));
      const int way = i < sorted ? ways.way(at) : BrickWays::elsewhere, to = grid.brickOf(at[0], at[1], at[2]);
      if (way != BrickWays::elsewhere) {
        EXPECT_EQ(ways.at(grid, way), to);
      }
      if (isHere(of, i)) ++count[BrickWays::counter(to, way)];
    }
    std::exclusive_scan(count.begin(), count.end(), next.begin(), 0);
    return next;
  }
};

// Sorts by the way: particles are those of a plain loop, each in the brick that it was in as the pass began; who has
// left is gone.
template <class P, class Rule>
void expectSortByTheWay(const std::vector<std::string>& overrides, Rule rule, std::array<int, 3> edges, bool far,
                        const Domain& domain = {}, int came = 0) {
  const input::Deck deck = drivenDeck({"run.timestep=0.25", "population.solvent.density=2"}, overrides);
  SolventOf<P> population(deck, {});
  startWithin(domain, population);
  BrickGrid grid = spanOf(domain, cellsOf(deck), 5);
  grid.cutInto(edges[0], edges[1], edges[2]);
  population.sort(grid);
  using Words = typename Rule::Words;
  Form<P, Rule, AllInMemory<Words>> plain(population, deck, rule, grid);
  Form<P, typename OnGpu<Rule>::Type, backend::WindowedSums<Words>> blocks(population, deck, OnGpu<Rule>::of(rule),
                                                                           grid);
  for (i64 step = 1; step <= 4; ++step) {  // so that they are not in their bricks any more
    const auto move = [&](auto& form) {
      form.shift(step, deck.run.seed), form.task.collides = step > 1, form.task.streams = true;
    };
    move(plain), move(blocks);
    plainLoop(plain.task, population.brickStart(), population.count());
    throughBlocks<false>(blocks, population, grid, {}, step == 1);
    plain.makeRecords(), blocks.makeRecords();
  }
  plain.shift(5, deck.run.seed), blocks.shift(5, deck.run.seed);
  const SortOfSome some{DomainBounds(domain), came};
  const auto old = blocks.particles;
  auto sorted = blocks.particles;
  std::vector<int> next = some.places(grid, old, population.brickStart());
  const std::vector<int> first = next;
  for (int i = 0; i < population.count(); ++i)
    if (some.isHere(old, static_cast<std::size_t>(i))) passPlainly(plain.task, i);
  blocks.task.sorted = sorted.arrays();
  using Task = decltype(blocks.task);
  using Pass = backend::BrickPass<Task, true, true>;
  const BrickPlaces places{next.data(), some.stay, came};
  const bool stale = came > 0;  // bricks of which nothing but these was left have windows of the pass before
  const Pass pass{blocks.task,
                  population.brickStart().data(),
                  population.count() - came,
                  blocks.sums.store(),
                  {},
                  false,
                  stale,
                  false,
                  places};
  for (int k = 0; k < came; ++k) pass(k);
  backend::emulateBlocks(pass, grid.bricksInAll(), 1, Pass::threads, Pass::sharedBytes(grid));
  EXPECT_EQ(blocks.sumsOfCells(), plain.sumsOfCells());
  std::vector<std::size_t> rowOf(old.tag.size());
  std::vector<int> seen(old.tag.size()), here(old.tag.size());
  for (std::size_t i = 0; i < rowOf.size(); ++i) rowOf[old.tag[i]] = i, here[i] = some.isHere(old, i) ? 1 : 0;
  int moved = 0, elsewhere = 0;
  for (int brick = 0; brick < grid.bricksInAll(); ++brick)
    for (int i = first[BrickWays::counter(brick, 0)]; i < first[BrickWays::counter(brick + 1, 0)]; ++i) {
      const auto k = static_cast<std::size_t>(i), row = rowOf[sorted.tag[k]];
      ++seen[row];
      const auto was = old.leading(row);
      ASSERT_EQ(grid.brickOf(was[0], was[1], was[2]), brick);
      ASSERT_EQ(sorted.x(k), plain.particles.x(row));
      for (std::size_t a = 0; a < 3; ++a) ASSERT_EQ(sorted.v[a][k], plain.particles.v[a][row]);
      const auto start = population.brickStart();
      moved += static_cast<int>(row) < start(brick) || static_cast<int>(row) >= start(brick + 1) ? 1 : 0;
      elsewhere += i >= first[BrickWays::counter(brick, BrickWays::elsewhere)] ? 1 : 0;
    }
  EXPECT_EQ(seen, here);
  EXPECT_EQ(std::count(here.begin(), here.end(), 0) > 0, domain.cut(0));
  EXPECT_GT(moved, population.count() / 20);
  EXPECT_EQ(elsewhere > came, far);
  EXPECT_EQ(blocks.mishap, std::vector<int>(mishaps));
}

TEST(EmulatedBrickPass, SortsByTheWay) {
  const RotationRule<SinglePrecision, false> rule{Rotation<float>::of(2.0)};
  expectSortByTheWay<SinglePrecision>({"box.size=[16, 10, 17]"}, rule, {8, 8, 8}, false);
  expectSortByTheWay<SinglePrecision>({"box.size=[14, 10, 10]"}, rule, {2, 5, 5}, true);
  const Domain half{{2, 1, 1}, {0, 0, 0}, {true, true, true}, {}};
  expectSortByTheWay<SinglePrecision>({"box.size=[40, 10, 10]"}, rule, {4, 5, 5}, false, half, 300);
  expectSortByTheWay<MixedPrecision>({"box.size=[12, 10, 10]", "collision.thermostat=maxwell-boltzmann"},
                                     RotationRule<MixedPrecision, true>{Rotation<double>::of(2.0)}, {4, 5, 10}, false);
  expectSortByTheWay<DoublePrecision>({"box.size=[10, 15, 10]", "collision.style=andersen"},
                                      AndersenRule<DoublePrecision>{{7, 8}, 1.0}, {10, 5, 5}, false);
}

// Counts the groups of particles that threads load, and those that are not at the thread's place of a whole line.
template <class Task>
struct WatchedTask : Task {
  std::atomic<int>*groups, *astray;
  template <class Group>
  void loadGroup(int j, Group& group) const {
    ++*groups;
    if (j % 32 != threadIdx.x % 32) ++*astray;
    Task::loadGroup(j, group);
  }
};

// Wherever a brick's particles begin: a warp whose lines begin in the middle of those of memory takes a sixth longer.
TEST(EmulatedBrickPass, WarpsLoadWholeLines) {
  using P = SinglePrecision;
  using Rule = RotationRule<P, false>;
  const input::Deck deck = drivenDeck({"run.timestep=0.2", "population.solvent.density=9"}, {"box.size=[12, 8, 8]"});
  SolventOf<P> population(deck, {});
  population.start();
  BrickGrid grid = spanOf({}, cellsOf(deck), 2);
  grid.cutInto(4, 4, 4);
  population.sort(grid);
  Form<P, Rule, backend::WindowedSums<Rule::Words>> form(population, deck, {Rotation<float>::of(2.0)}, grid);
  form.shift(1, deck.run.seed), form.task.collides = form.task.streams = true;
  std::atomic<int> groups{0}, astray{0};
  using Task = WatchedTask<decltype(form.task)>;
  using Pass = backend::BrickPass<Task, true>;
  const Pass pass{{form.task, &groups, &astray},
                  population.brickStart().data(),
                  population.count(),
                  form.sums.store(),
                  {},
                  false,
                  false};
  backend::emulateBlocks(pass, grid.bricksInAll(), 1, Pass::threads, backend::windowBytes<Task>(grid.windowCells()));
  EXPECT_GE(groups, population.count() / 4 - grid.bricksInAll());
  EXPECT_EQ(astray, 0);
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

// Whose sums are in two words each, of which the lower one carries.
TEST(EmulatedBrickPass, AngularMomentumIsThatOfAPlainLoop) {
  expectPlainLoop<SinglePrecision>({"collision.thermostat=maxwell-boltzmann"},
                                   AngularRotationRule<SinglePrecision>{{Rotation<float>::of(2.0)}});
  expectPlainLoop<DoublePrecision>({"collision.style=andersen"}, AngularAndersenRule<DoublePrecision>{{7, 8}, 1.0});
}
TEST(EmulatedBrickPass, MixturesAreThoseOfAPlainLoop) {
  expectPlainLoop<SinglePrecision>({"collision.style=andersen"},
                                   AndersenRule<SinglePrecision, MixtureWords>{{7, 8}, 1.0f});
  expectPlainLoop<DoublePrecision>({"collision.thermostat=maxwell-boltzmann"},
                                   RotationRule<DoublePrecision, true, MixtureWords>{Rotation<double>::of(2.0)});
}

// Boxes of which a window sees cells twice, or one brick is all; bricks of other shapes, thin ones at the end.
TEST(EmulatedBrickPass, SmallBoxes) {
  for (const char* size : {"box.size=[9, 12, 10]", "box.size=[12, 10, 16]"})
    expectPlainLoop<SinglePrecision>({size, "run.timestep=0.25"},
                                     RotationRule<SinglePrecision, false>{Rotation<float>::of(2.0)});
}
TEST(EmulatedBrickPass, BricksOfAnyShape) {
  for (const std::array<int, 3>& edges : {std::array{5, 4, 3}, std::array{2, 6, 8}})
    expectPlainLoop<SinglePrecision>({"box.size=[9, 8, 8]", "run.timestep=0.2", "population.solvent.density=6"},
                                     RotationRule<SinglePrecision, false>{Rotation<float>::of(2.0)}, edges);
  // All of them full, so that their places' paths are looked up.
  expectPlainLoop<SinglePrecision>({"box.size=[12, 8, 9]", "run.timestep=0.2", "population.solvent.density=6"},
                                   RotationRule<SinglePrecision, false>{Rotation<float>::of(2.0)}, {4, 4, 3});
  expectPlainLoop<MixedPrecision>({"box.size=[16, 8, 9]", "run.timestep=0.2", "collision.thermostat=maxwell-boltzmann"},
                                  RotationRule<MixedPrecision, true>{Rotation<double>::of(2.0)}, {4, 4, 3});
}
// A rank's part of the box: windows at the ends of its span have cells that it does not have.
// Those near shared cells come first and are counted; who strays out of the middle is reported.
TEST(EmulatedBrickPass, PartOfABox) {
  const RotationRule<SinglePrecision, false> rule{Rotation<float>::of(2.0)};
  const Domain half{{2, 1, 1}, {0, 0, 0}, {true, true, true}, {}};
  for (const bool aligned : {false, true}) {
    expectPlainLoop<SinglePrecision>({"box.size=[44, 9, 8]", "run.timestep=0.05"}, rule, {3, 5, 8}, half, 2, false,
                                     aligned);
    expectPlainLoop<SinglePrecision>({"box.size=[44, 11, 10]", "run.timestep=0.3"}, rule, {3, 5, 8}, half, 5, true,
                                     aligned);
  }
}

}  // namespace
}  // namespace mesowarp::test
