// The pass on a CPU: every thread has an equal share of the particles, in their order, and an equal share of the cells,
// to which it alone adds: plain additions, in a cache, since particles are sorted. What its particles add to the cells
// of another thread it writes down, and that thread adds it afterwards.
#pragma once

#include <algorithm>
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

template <class Task>
struct BrickShare {
  Task task;
  StraySums<Task::sums>* strays;
  int threads, particles;

  i64 shareOf(i64 all, int thread) const { return all * thread / threads; }
  void operator()(int thread) const {
    const int first = static_cast<int>(shareOf(particles, thread)),
              last = static_cast<int>(shareOf(particles, thread + 1));
    const int firstCell = static_cast<int>(shareOf(task.grid.cellsInAll(), thread)),
              lastCell = static_cast<int>(shareOf(task.grid.cellsInAll(), thread + 1));
    for (int i = first; i < last; ++i) {
      auto p = task.load(i);
      int at[3];
      if (task.collides) {
        cellOf(task, p, task.before, at);
        if (task.grid.has(at)) task.collide(p, task.recordOf(task.grid.index(at)));
      }
      if (task.streams) {
        task.stream(p, i);
        cellOf(task, p, task.after, at);
        add(thread, at, p, firstCell, lastCell);
      }
      task.store(i, p);
    }
  }

private:
  void add(int thread, const int (&at)[3], const typename Task::Particle& p, int firstCell, int lastCell) const {
    if (!task.grid.has(at)) return task.lose();
    StraySum<Task::sums> sum;
    task.add(p, sum.sum);
    sum.cell = task.grid.index(at);
    if (sum.cell >= firstCell && sum.cell < lastCell) {
      u64* to = task.cellSums() + static_cast<std::size_t>(sum.cell) * Task::sums;
      for (int k = 0; k < Task::sums; ++k) to[k] += sum.sum[k];
    } else {
      int other = static_cast<int>(static_cast<i64>(sum.cell) * threads / task.grid.cellsInAll());
      while (sum.cell >= shareOf(task.grid.cellsInAll(), other + 1)) ++other;
      strays->of[static_cast<std::size_t>(thread) * threads + other].push_back(sum);
    }
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
      for (const StraySum<Task::sums>& stray : came) {
        u64* to = task.cellSums() + static_cast<std::size_t>(stray.cell) * Task::sums;
        for (int k = 0; k < Task::sums; ++k) to[k] += stray.sum[k];
      }
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
