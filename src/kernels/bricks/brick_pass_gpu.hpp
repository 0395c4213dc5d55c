// The pass on a GPU: a block of threads for each brick. It loads the records of the brick's window into shared memory,
// goes once through the brick's particles, which add to the window's sums by native 32-bit atomics in shared memory,
// and at last adds these to the cells' sums, one atomic a word. The few particles that have left the window go to
// memory themselves. What bounds it is latency, so a thread loads its next particle before it works on this one, and
// the first before the records (perf/log/mpcd.md).
#pragma once

#include "device/launch_gpu.hpp"
#include "kernels/bricks/brick_task.hpp"

namespace mesowarp::backend {

template <class Task>
struct BrickPass {
  using Number = typename Task::Number;
  static constexpr int threads = 512;
  Task task;
  const int* start;  // first particle of each brick
  int particles;     // those behind the last brick's count for it

  static constexpr std::size_t sharedBytes() {
    return !Task::windowed ? 0 : windowCells * (Task::words * sizeof(u32) + Task::recordNumbers * sizeof(Number));
  }

  __device__ void operator()(char* shared) const {
    const int brick = blockIdx.x, first = start[brick],
              last = brick + 1 < task.grid.bricksInAll() ? min(start[brick + 1], particles) : particles;
    if (first >= last) return;
    if constexpr (Task::windowed)
      throughWindow(shared, brick, first, last);
    else
      for (int i = first + threadIdx.x; i < last; i += threads) withoutWindow(i);
  }

private:
  __device__ void throughWindow(char* shared, int brick, int first, int last) const {
    Number* records = reinterpret_cast<Number*>(shared);
    u32* words = reinterpret_cast<u32*>(records + windowCells * Task::recordNumbers);
    const BrickWindow from(task.grid, brick, task.before), to(task.grid, brick, task.after);
    int i = first + static_cast<int>(threadIdx.x);
    typename Task::Particle next = task.load(i < last ? i : first);
    if (task.collides) stage(from, records);
    if (task.streams)
      for (int k = threadIdx.x; k < windowCells * Task::words; k += threads) words[k] = 0;
    __syncthreads();
    while (i < last) {
      const typename Task::Particle here = next;
      const int after = i + threads;
      if (after < last) next = task.load(after);
      particle(i, here, from, to, records, words);
      i = after;
    }
    if (!task.streams) return;
    __syncthreads();
    for (int place = threadIdx.x; place < windowCells; place += threads) flush(to, place, words);
  }
  __device__ void stage(const BrickWindow& window, Number* records) const {
    for (int place = threadIdx.x; place < windowCells; place += threads) {
      const int cell = window.cell(place);
      if (cell < 0) continue;
      Number record[Task::recordStride];
      loadAligned(task.records() + static_cast<std::size_t>(cell) * Task::recordStride, record);
#pragma unroll
      for (int k = 0; k < Task::recordNumbers; ++k) records[k * windowCells + place] = record[k];
    }
  }
  __device__ void particle(int i, typename Task::Particle p, const BrickWindow& from, const BrickWindow& to,
                           const Number* records, u32* words) const {
    int in[3];
    if (task.collides) {
      for (int axis = 0; axis < 3; ++axis) in[axis] = from.behind(axis, task.leading(p, axis) + task.before.of[axis]);
      if (BrickWindow::within(in)) {
        task.collide(p, RecordAt<Number>{records + BrickWindow::placeOf(in), windowCells});
      } else {
        const int cell = from.cellBehind(in);
        if (cell >= 0)
          task.collide(p, RecordAt<Number>{task.records() + static_cast<std::size_t>(cell) * Task::recordStride, 1});
      }
    }
    if (task.streams) {
      task.stream(p, i);
      u32 word[Task::words];
      task.split(p, word);
      for (int axis = 0; axis < 3; ++axis) in[axis] = to.behind(axis, task.leading(p, axis) + task.after.of[axis]);
      if (BrickWindow::within(in)) {
        u32* at = words + BrickWindow::placeOf(in);
#pragma unroll
        for (int k = 0; k < Task::words; ++k) atomicAdd(at + k * windowCells, word[k]);
      } else {
        addToCell(to.cellBehind(in), word);
      }
    }
    task.store(i, p);
  }
  // Where a window would be too large: records from memory, sums to memory.
  __device__ void withoutWindow(int i) const {
    auto p = task.load(i);
    int at[3];
    if (task.collides) {
      cellOf(task, p, task.before, at);
      if (task.grid.has(at))
        task.collide(p, RecordAt<Number>{
                            task.records() + static_cast<std::size_t>(task.grid.index(at)) * Task::recordStride, 1});
    }
    if (task.streams) {
      task.stream(p, i);
      cellOf(task, p, task.after, at);
      if (task.grid.has(at)) {
        u64 sums[Task::sums];
        task.add(p, sums);
        addSums(task.grid.index(at), sums);
      } else {
        task.lose();
      }
    }
    task.store(i, p);
  }
  __device__ void addSums(int cell, const u64 (&sums)[Task::sums]) const {
    u64* to = task.cellSums() + static_cast<std::size_t>(cell) * Task::sums;
#pragma unroll
    for (int k = 0; k < Task::sums; ++k) atomicAdd(reinterpret_cast<unsigned long long*>(to + k), sums[k]);
  }
  __device__ void addToCell(int cell, const u32* word) const {
    if (cell < 0) return task.lose();
    u64 sums[Task::sums];
    task.join(word, sums);
    addSums(cell, sums);
  }
  __device__ void flush(const BrickWindow& window, int place, const u32* words) const {
    u32 word[Task::words];
#pragma unroll
    for (int k = 0; k < Task::words; ++k) word[k] = words[k * windowCells + place];
    u64 sums[Task::sums];
    if (!task.join(word, sums)) return;
    const int cell = window.cell(place);
    if (cell < 0) return task.lose();
    addSums(cell, sums);
  }
};

template <class Task>
void runBrickPass(const char* label, const Task& task, const DeviceArray<int>& start, int particles) {
  launchBlocks<BrickPass<Task>::threads, 2>(label, task.grid.bricksInAll(), BrickPass<Task>::threads,
                                            BrickPass<Task>::sharedBytes(),
                                            BrickPass<Task>{task, start.data(), particles});
}

}  // namespace mesowarp::backend
