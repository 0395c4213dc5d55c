// The pass on a CPU: every thread has an equal share of the particles, in their order, and an equal share of the cells,
// to which it alone adds: plain additions, in a cache, since particles are sorted. What its particles add to the cells
// of another thread it writes down, and that thread adds it afterwards.
//
// A thread takes a group of particles that lie side by side through one stage after the other: which cells they are in;
// these cells' records; collisions; moves, and what they add; additions. With drives or walls a move is several stages,
// and those few particles that may have met a wall are looked at one by one. Between them all is in arrays in the
// nearest cache. Stages but the second and the last have no branch and no call, so GCC makes vectors of them
// (tests/vectors/solvent_loops.cpp), which it would not do in one loop with the others: 2 to 4 times as fast
// (perf/log/mpcd.md). Moves stay scalar where there are several species. Where sums are many, the last ones are a stage
// of their own.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "kernels/bricks/brick_order.hpp"
#include "kernels/bricks/brick_sums.hpp"
#include "kernels/bricks/brick_task.hpp"
#include "kernels/bricks/sort/brick_ways.hpp"

namespace mesowarp::backend {

template <int Sums>
struct StraySum {
  int cell;
  u64 sum[Sums];
};

// What each thread has written down for each other; only grows.
template <int Sums>
struct StraySums {
  std::vector<std::vector<StraySum<Sums>>> of;  // [from * threads + to]
};
template <int Sums>
StraySums<Sums>& straySums(int threads) {
  static StraySums<Sums> strays;
  strays.of.resize(static_cast<std::size_t>(threads) * threads);
  return strays;
}

constexpr int groupSize = 64;  // so that all of a group and what it needs is in the nearest cache

// N particles on their way through the stages.
template <class Task, int N>
class BrickGroup {
public:
  explicit BrickGroup(const Task& task) : task_(task) {}

  // Group number j.
  void load(int j) { task_.loadGroup(j, group_); }
  void store(int j) const { task_.storeGroup(j, group_); }

  [[gnu::noinline]] void findCells() {
    for (int q = 0; q < N; ++q) cell_[q] = cellOrNone(task_.open(group_, q), task_.before);
  }
  void fetchRecords() {
    for (int q = 0; q < N; ++q)
      if (cell_[q] >= 0) {
        const Numbers record = task_.recordOf(cell_[q]);
        for (int k = 0; k < Task::recordNumbers; ++k) record_[q][placeOf(k)] = record(k);
      }
  }
  [[gnu::noinline]] void collide() {
    for (int q = 0; q < N; ++q) {
      auto p = task_.open(group_, q);
      Numbers record;
      for (int k = 0; k < Task::recordNumbers; ++k) record.number[k] = record_[q][placeOf(k)];
      task_.collide(p, record);
      task_.closeCollided(group_, q, p, cell_[q] >= 0);
    }
  }
  // first: number of its first particle.
  void stream(int first) {
    if constexpr (Task::driven) task_.kick(group_);
    if constexpr (inSteps) move();
    keepIn(first);
    if constexpr (Task::driven) task_.kick(group_);
    arrive();
  }
  [[gnu::noinline]] void move() {
    for (int q = 0; q < N; ++q) {
      auto p = task_.open(group_, q);
      task_.move(p);
      if constexpr (Task::walled) cell_[q] = cellOrNone(p, {});
      task_.closeMoved(group_, q, p);
    }
  }
  // Those few that may have met a wall, one by one.
  void keepIn(int first) {
    if constexpr (Task::walled)
      for (int q = 0; q < N; ++q) {
        if (!task_.walls.mayMeet(cell_[q])) continue;
        auto p = task_.open(group_, q);
        task_.bounce(p, first + q);
        task_.closeMoved(group_, q, p);
      }
  }
  // What is left of their step, and what they add.
  [[gnu::noinline]] void arrive() {
    typename Task::Speeding speeding;
    for (int q = 0; q < N; ++q) {
      auto p = task_.open(group_, q);
      if constexpr (!inSteps) task_.move(p);
      task_.arrive(p);
      cell_[q] = cellOrNone(p, task_.after);
      u64 sum[soon];
      if constexpr (apart > 0)
        task_.addFirst(p, sum, speeding), task_.keepLever(p, kept_, q);
      else
        task_.add(p, sum, speeding);
      for (int k = 0; k < soon; ++k) sum_[q][k] = sum[k];
      task_.closeStreamed(group_, q, p);
    }
    task_.report(speeding);
    if constexpr (apart > 0) task_.addApart(kept_, more_);
  }
  // Calls each(cell, sums).
  template <class Each>
  void add(const Each& each) const {
    for (int q = 0; q < N; ++q) {
      if (cell_[q] < 0) {
        task_.lose();
      } else if constexpr (apart > 0) {
        u64 all[Task::sums];
        for (int k = 0; k < soon; ++k) all[k] = sum_[q][k];
        for (int k = 0; k < apart; ++k) all[soon + k] = more_[k][q];
        each(cell_[q], all);
      } else {
        each(cell_[q], sum_[q]);
      }
    }
  }

private:
  using Numbers = Record<typename Task::Number, Task::recordNumbers>;
  // Rows have a power of two of numbers, and the last one is at the end: of others GCC makes no vectors, or stops them
  // before the last particles.
  static constexpr int recordRow = static_cast<int>(std::bit_ceil(static_cast<unsigned>(Task::recordNumbers))),
                       sumRow = static_cast<int>(std::bit_ceil(static_cast<unsigned>(Task::sums - Task::sumsApart)));
  static constexpr int apart = Task::sumsApart, soon = Task::sums - apart;  // sums
  static constexpr bool inSteps = Task::driven || Task::walled;
  static constexpr int placeOf(int k) { return k + 1 < Task::recordNumbers ? k : recordRow - 1; }
  // A cell of this rank; -1: it does not have it. Without a branch.
  int cellOrNone(const typename Task::Particle& p, const GridShift& shift) const {
    int at[3];
    cellOf(task_, p, shift, at);
    const int(&span)[3] = task_.grid.span;
    const bool has = (at[0] < span[0]) & (at[1] < span[1]) & (at[2] < span[2]);
    return has ? task_.grid.index(at) : -1;
  }

  Task task_;
  typename Task::template Group<N> group_{};
  int cell_[N];
  typename Task::Number record_[N][recordRow]{};
  u64 sum_[N][sumRow];
  // Many sums are made each of all particles, one sum after the other: in rows GCC would make no vectors of them.
  double kept_[apart > 0 ? 6 : 1][apart > 0 ? N : 1];
  u64 more_[apart > 0 ? apart : 1][apart > 0 ? N : 1];
};

template <class Task>
void addSums(const Task& task, int cell, const u64* sum) {
  u64* to = task.cellSums() + static_cast<std::size_t>(cell) * Task::sums;
  if constexpr (Task::sums == 4) {
    typedef u64 Four __attribute__((vector_size(32), aligned(8), may_alias));
    *reinterpret_cast<Four*>(to) += *reinterpret_cast<const Four*>(sum);
  } else {
    for (int k = 0; k < Task::sums; ++k) to[k] += sum[k];
  }
}

template <class Task>
struct BrickShare {
  Task task;
  StraySums<Task::sums>* strays;
  int threads, particles;

  void operator()(int thread) const {
    const Share cells = shareOf(task.grid.cellsInAll(), thread), groups = shareOf(particles / groupSize, thread);
    BrickGroup<Task, groupSize> group(task);
    for (int j = groups.first; j < groups.last; ++j) pass(thread, cells, j, j * groupSize, group);
    if (thread + 1 < threads) return;
    BrickGroup<Task, 1> one(task);
    for (int i = groups.last * groupSize; i < particles; ++i) pass(thread, cells, i, i, one);
  }

private:
  struct Share {
    int first, last;
    bool has(int k) const { return k >= first && k < last; }
  };
  Share shareOf(i64 all, int thread) const {
    return {static_cast<int>(all * thread / threads), static_cast<int>(all * (thread + 1) / threads)};
  }
  template <class Group>
  void pass(int thread, const Share& cells, int j, int first, Group& group) const {
    group.load(j);
    if (task.collides) group.findCells(), group.fetchRecords(), group.collide();
    if (task.streams) {
      group.stream(first);
      group.add(
          [&](int cell, const u64* sum) { cells.has(cell) ? addSums(task, cell, sum) : writeDown(thread, cell, sum); });
    }
    group.store(j);
  }
  void writeDown(int thread, int cell, const u64* sum) const {
    int other = static_cast<int>(static_cast<i64>(cell) * threads / task.grid.cellsInAll());
    while (!shareOf(task.grid.cellsInAll(), other).has(cell)) ++other;
    StraySum<Task::sums> stray{cell, {}};
    std::copy_n(sum, Task::sums, stray.sum);
    strays->of[static_cast<std::size_t>(thread) * threads + other].push_back(stray);
  }
};

template <class Task>
struct AddStrays {
  Task task;
  StraySums<Task::sums>* strays;
  int threads;
  void operator()(int thread) const {
    for (int from = 0; from < threads; ++from) {
      auto& came = strays->of[static_cast<std::size_t>(from) * threads + thread];
      for (const StraySum<Task::sums>& stray : came) addSums(task, stray.cell, stray.sum);
      came.clear();
    }
  }
};

template <class Task>
constexpr bool sortsByTheWay = false;

template <class Task, class Words>
void runBrickPass(const char* label, const Task& task, const BrickSums<Words>& /*sums*/,
                  const DeviceArray<int>& /*start*/, int particles, const BrickOrder& /*order*/, bool /*early*/,
                  bool /*all*/, const BrickPlaces& /*places*/ = {}) {
  const int threads = Execution().concurrency();
  StraySums<Task::sums>& strays = straySums<Task::sums>(threads);
  Kokkos::parallel_for(label, Range(0, threads), BrickShare<Task>{task, &strays, threads, particles});
  if (task.streams && threads > 1)
    Kokkos::parallel_for("sums for other threads' cells", Range(0, threads), AddStrays<Task>{task, &strays, threads});
}

}  // namespace mesowarp::backend
