// The pass on a GPU: a block of threads for each brick. It loads the records of the brick's window into shared memory,
// goes once through the brick's particles, which add to the window's sums by native 32-bit atomics in shared memory,
// and writes these to memory as they are (brick_sums_gpu.hpp). The few particles that have left the window go to the
// cells' sums in memory themselves. Who has come into a wall waits for a kernel behind the pass, which has a warp for
// each: a thread that follows a path would keep its block waiting, and its code took the registers of all.
//
// What bounds it is latency, at a third of the threads that a multiprocessor could have: how many bytes are under way.
// So a thread takes some particles at a time, which lie side by side, and loads the next ones before it works on these:
// 0.210 ms for one at a time and 10 million, 0.169 for two, 0.156 for four (perf/log/mpcd.md). They stay packed until
// they are wanted, since to unpack them is to wait for them. A warp's loads and stores must be whole lines: where a
// brick's first particle is in the middle of one, so is the middle of every line. Sums in many words leave a block
// fewer cells, and a multiprocessor one block, of 512 threads: with 576 the compiler keeps numbers in memory.
#pragma once

#include "device/lane_totals_gpu.hpp"
#include "device/launch/gate_gpu.hpp"
#include "device/launch_gpu.hpp"
#include "kernels/bricks/brick_order.hpp"
#include "kernels/bricks/brick_shape.hpp"
#include "kernels/bricks/brick_sums_gpu.hpp"
#include "kernels/bricks/brick_task.hpp"
#include "kernels/bricks/sort/brick_claims_gpu.hpp"
#include "kernels/bricks/window_words_gpu.hpp"

namespace mesowarp::backend {

// Usual: the pass collides and streams; else the task says at run time what it does. Sorts: it stores particles
// elsewhere, in the order of the bricks that they were in as it begins.
template <class Task, bool Usual, bool Sorts = false>
struct BrickPass {
  using Number = typename Task::Number;
  using Particle = typename Task::Particle;
  using Pair = NumberPair<Number>;
  static constexpr bool small = sizeof(Number) == 4;
  // Plain rotations need the fewest registers: more threads, each of which opens its particles one by one; so do all
  // rotations in 64-bit storage. Others open all of a group first, and fewer threads are faster. Who may come to a wall
  // asks for it by a call: then what has been opened would be kept in memory meanwhile (perf/log/mpcd.md).
  static constexpr bool slim =
      !Task::waits && !Task::noise && !Task::Words::carries && (!small || Task::recordNumbers <= 6);
  static constexpr bool oneByOne = slim || Task::waits;
  static constexpr int blocks = blocksOfPass<Task>;
  static constexpr int threads = blocks == 2 ? (slim ? 448 : 384) : (slim ? 640 : 512);
  static constexpr int together = !Usual ? 1 : small && !Task::noise && !Task::waits ? 4 : 2;
  static constexpr int pairs = Record<Number, Task::recordNumbers>::pairs;
  Task task;
  const int* start;  // first particle of each brick
  int particles;     // those behind the last brick's count for it
  WindowStore store;
  BrickOrder order;
  bool early;  // the kernel before has made the records, and none before that is still at work on particles
  bool all;    // also windows of bricks without particles are written: they have been sorted anew
  // Blocks of the next kernel may come into the room that the last ones of this pass leave, and wait there for its end.
  bool lends = false;
  BrickPlaces moves{};  // Sorts

  static std::size_t sharedBytes(const BrickGrid& grid) {
    return windowBytes<Task>(grid.windowCells()) + (Sorts ? BrickClaims::bytes() : 0);
  }
  __device__ void operator()(char* shared) const {
    if (order.come != nullptr && static_cast<int>(blockIdx.x) == order.number) {
      if (threadIdx.x == 0) awaitTurn(order.come, order.turn);
      return;
    }
    if (!early) cudaGridDependencySynchronize();
    const int brick = order.bricks == nullptr ? blockIdx.x : order.bricks[blockIdx.x], first = start[brick],
              last = brick + 1 < task.grid.bricksInAll() ? min(start[brick + 1], particles) : particles;
    throughWindow(shared, brick, first, last);
    if (static_cast<int>(blockIdx.x) < order.first) passGate();
  }

  // Number k of those that have come, which are in no brick's window yet. Sorts.
  __device__ void operator()(int k) const {
    const int i = particles + k;
    auto p = task.load(i);
    task.loadTag(i, p);
    u32 at[3];
    for (int axis = 0; axis < 3; ++axis) at[axis] = task.leading(p, axis);
    const int place = BrickClaims::claimElsewhere(task.grid, moves, at);
    const bool arrived = pass(p);
    task.storeSorted(place, p);
    await(arrived, place);
  }

  // Number k of those that wait, as they were stored: what is left of its step.
  __device__ void finish(int k, int lane) const {
    const int i = task.waiting().particles[k];
    auto p = task.load(i);
    task.finish(p, i, lane);
    if (lane != 0) return;
    addAt(p);
    task.store(i, p);
  }

private:
  // With all that the block has written.
  __device__ void passGate() const {
    __syncthreads();
    if (threadIdx.x == 0) countAtGate(order.gate);
  }
  __device__ bool collides() const { return Usual || task.collides; }
  __device__ bool streams() const { return Usual || task.streams; }

  // Of a thread, some particles that lie side by side: number j of the groups that the particles are cut into.
  using Few = typename Task::template Group<together>;
  __device__ void sortGroup(int j, int first, int last, const Few& few, const BrickClaims& claims,
                            const BrickWindow& from, const BrickWindow& to, int places, const Pair* records,
                            u32* words) const {
    const unsigned warp = BrickClaims::warpHere();
#pragma unroll
    for (int q = 0; q < together; ++q) {
      const int i = j * together + q;
      auto p = task.open(few, q);
      const u32 at[3] = {task.leading(p, 0), task.leading(p, 1), task.leading(p, 2)};
      const auto claim = claims.claim(warp, at, i >= first && i < last);
      const bool arrived = !claim.is || particle(p, from, to, places, records, words);
      const int place = claims.placeOf(warp, claim);
      if (claim.is) task.storeSorted(place, p);
      await(arrived, place);
    }
  }
  __device__ void keep(int j, int first, int last, const Few& few) const {
    if (j * together >= first && (j + 1) * together <= last) return task.storeGroup(j, few);
#pragma unroll
    for (int q = 0; q < together; ++q) {
      const int i = j * together + q;
      if (i >= first && i < last) task.storeOne(i, few, q);
    }
  }
  __device__ void keep(int j, int first, int last, const Particle (&p)[together]) const {
    if (j * together >= first && (j + 1) * together <= last) {
      Few few{};
#pragma unroll
      for (int q = 0; q < together; ++q) task.close(few, q, p[q]);
      return task.storeGroup(j, few);
    }
#pragma unroll
    for (int q = 0; q < together; ++q) {
      const int i = j * together + q;
      if (i >= first && i < last) task.store(i, p[q]);
    }
  }
  __device__ void throughWindow(char* shared, int brick, int first, int last) const {
    if (first >= last && !all && brick + 1 < task.grid.bricksInAll()) {  // there are zeros
      if (early) cudaGridDependencySynchronize();
      return;
    }
    const int room = task.grid.windowCells();
    u32* words = reinterpret_cast<u32*>(shared);
    Pair* records = reinterpret_cast<Pair*>(words + store.stride);
    const BrickWindow from(task.grid, brick, task.before), to(task.grid, brick, task.after);
    const BrickClaims claims(task.grid, brick, moves, shared + windowBytes<Task>(room));
    int j = wholeLines(first / together) + static_cast<int>(threadIdx.x);
    const int end = (last + together - 1) / together;
    Few next{};
    if (j < end) task.loadGroup(j, next);
    for (int k = threadIdx.x; k < store.stride / 4; k += threads)
      reinterpret_cast<uint4*>(words)[k] = make_uint4(0, 0, 0, 0);
    if (early) cudaGridDependencySynchronize();
    if (lends) cudaTriggerProgrammaticLaunchCompletion();
    if (collides()) stage(from, room, records);
    if constexpr (Sorts) claims.begin();
    __syncthreads();
    while (j < end) {
      Few here = next;
      const int after = j + threads;
      if (after < end) task.loadGroup(after, next);
      if constexpr (Sorts) {
        task.loadTags(j, here);
        sortGroup(j, first, last, here, claims, from, to, room, records, words);
      } else if constexpr (oneByOne) {
#pragma unroll
        for (int q = 0; q < together; ++q) {
          const int i = j * together + q;
          if (i < first || i >= last) continue;
          auto p = task.open(here, q);
          await(particle(p, from, to, room, records, words), i);
          task.close(here, q, p);
        }
        keep(j, first, last, here);
      } else {
        Particle p[together];
#pragma unroll
        for (int q = 0; q < together; ++q) p[q] = task.open(here, q);
#pragma unroll
        for (int q = 0; q < together; ++q) {
          const int i = j * together + q;
          if (i >= first && i < last) await(particle(p[q], from, to, room, records, words), i);
        }
        keep(j, first, last, p);
      }
      j = after;
    }
    if (!streams()) return;
    __syncthreads();
    u32* const window = store.windows + static_cast<std::size_t>(brick) * store.stride;
    for (int k = threadIdx.x; k < store.stride / 4; k += threads)
      reinterpret_cast<uint4*>(window)[k] = reinterpret_cast<const uint4*>(words)[k];
    if (!to.isWhole()) findLost(to, room, words);
  }
  __device__ void stage(const BrickWindow& window, int places, Pair* records) const {
    for (int place = threadIdx.x; place < places; place += threads) {
      const CellAt cell = window.cell(place);
      if (cell.index < 0) continue;
      const auto record = task.recordOf(cell);
#pragma unroll
      for (int k = 0; k < pairs; ++k) records[k * places + place] = {record.number[2 * k], record.number[2 * k + 1]};
    }
  }
  __device__ void await(bool arrived, int place) const {
    if constexpr (Task::waits)
      if (!arrived) task.waiting().add(place);
  }
  // Whether it has arrived.
  __device__ bool particle(Particle& p, const BrickWindow& from, const BrickWindow& to, int places, const Pair* records,
                           u32* words) const {
    int in[3];
    if (collides()) {
      for (int axis = 0; axis < 3; ++axis) in[axis] = from.behind(axis, task.leading(p, axis) + task.before.of[axis]);
      if (from.within(in)) {
        task.collide(p, loadPairs<Number, Task::recordNumbers>(records + from.placeOf(in), places));
      } else {
        const CellAt cell = from.cellBehind(in);
        if (cell.index >= 0) task.collide(p, task.recordOf(cell));
      }
    }
    if (streams()) {
      if (!task.stream(p)) return false;
      u32 word[Task::words];
      task.split(p, word);
      for (int axis = 0; axis < 3; ++axis) in[axis] = to.behind(axis, task.leading(p, axis) + task.after.of[axis]);
      if (to.within(in)) {
        addWords<typename Task::Words>(words + to.placeOf(in), places, word);
      } else {
        addToCell(to.cellBehind(in), word);
      }
    }
    return true;
  }
  // Of one that is in no window: records from memory, sums to memory.
  __device__ bool pass(Particle& p) const {
    int at[3];
    if (task.collides) {
      cellOf(task, p, task.before, at);
      if (task.grid.has(at)) task.collide(p, task.recordOf(task.grid.index(at)));
    }
    if (task.streams) {
      if (!task.stream(p)) return false;
      addAt(p);
    }
    return true;
  }
  __device__ void addAt(const Particle& p) const {
    int at[3];
    cellOf(task, p, task.after, at);
    if (!task.grid.has(at)) return task.lose();
    u64 sums[Task::sums];
    task.add(p, sums);
    addSums(task.grid.index(at), sums);
  }
  __device__ void addSums(int cell, const u64 (&sums)[Task::sums]) const {
    if (order.near != nullptr && static_cast<int>(blockIdx.x) >= order.first && !order.calm.has(task.grid, cell))
      *order.near = 1;
    u64* to = task.cellSums() + static_cast<std::size_t>(cell) * Task::sums;
#pragma unroll
    for (int k = 0; k < Task::sums; ++k) atomicAdd(reinterpret_cast<unsigned long long*>(to + k), sums[k]);
    if (store.strayed != nullptr) atomicOr(store.strayed + cell / 32, 1u << cell % 32);
  }
  __device__ void addToCell(int cell, const u32* word) const {
    if (cell < 0) return task.lose();
    u64 sums[Task::sums];
    task.join(word, sums);
    addSums(cell, sums);
  }
  // Particles in places whose cells this rank does not have.
  __device__ void findLost(const BrickWindow& window, int places, const u32* words) const {
    for (int place = threadIdx.x; place < places; place += threads) {
      u32 word[Task::words];
#pragma unroll
      for (int k = 0; k < Task::words; ++k) word[k] = words[k * places + place];
      u64 sums[Task::sums];
      if (task.join(word, sums) && window.cell(place) < 0) task.lose();
    }
  }
};

// Of all that wait behind a pass: a warp for each.
template <class Pass>
struct FinishSteps {
  Pass pass;
  __device__ void operator()(int worker) const {
    const auto& waiting = pass.task.waiting();
    if (worker == 0) waiting.clearNext();
    for (int k = worker / warpThreads, count = waiting.count(); k < count; k += waiting.warps)
      pass.finish(k, worker % warpThreads);
  }
};

template <bool Usual, bool Sorts, class Task, class Words>
void launchBrickPass(const char* label, const Task& task, const WindowedSums<Words>& sums, const int* start,
                     int particles, const BrickOrder& order, bool early, bool all, const BrickPlaces& places) {
  using Pass = BrickPass<Task, Usual, Sorts>;
  const int bricks = order.bricks == nullptr ? task.grid.bricksInAll() : order.number;
  // Not where what packs wants that room, but when it has it behind it: the block that waits does not lend. Nor few
  // blocks, which would be unevenly spread over the multiprocessors.
  const bool lends = (order.gate == nullptr || order.come != nullptr) && bricks > 4 * multiprocessors;
  if constexpr (Sorts)
    launchRange<128, 4>("stream and collide arrivals", places.came,
                        Pass{task, start, particles, sums.store(), {}, false, false, false, places});
  launchEarly<Pass::threads, Pass::blocks>(
      label, bricks + (order.come != nullptr ? 1 : 0), Pass::threads, Pass::sharedBytes(task.grid),
      Pass{task, start, particles, sums.store(), order, early, all, lends, places});
  if constexpr (Task::waits)
    if (task.streams) {
      using Behind = BrickPass<Task, false>;  // one for all passes
      Behind behind{task, start, particles, sums.store()};
      if (Sorts) behind.task.solvent = task.sorted;
      launchRange<128, 4>("finish steps in walls", task.waiting().warps * warpThreads, FinishSteps<Behind>{behind});
    }
}

// A pass of that task can sort by the way. Those that add up much could, too, and gain little: one kernel for each.
template <class Task>
constexpr bool sortsByTheWay = !Task::Words::carries;

// early: between the kernel that has made the records and this one there is none, and it waited for the pass before.
// all: the first that streams behind a sort. places: where particles are stored, of a task that collides and streams.
template <class Task, class Words>
void runBrickPass(const char* label, const Task& task, const WindowedSums<Words>& sums, const DeviceArray<int>& start,
                  int particles, const BrickOrder& order, bool early, bool all, const BrickPlaces& places = {}) {
  if constexpr (sortsByTheWay<Task>) {
    if (places.next != nullptr)
      return launchBrickPass<true, true>(label, task, sums, start.data(), particles, order, early, all, places);
    if (task.collides && task.streams)
      return launchBrickPass<true, false>(label, task, sums, start.data(), particles, order, early, all, places);
  }
  launchBrickPass<false, false>(label, task, sums, start.data(), particles, order, early, all, places);
}

}  // namespace mesowarp::backend
