// What a pass over particles sorted by bricks is told: which is once through all particles, each of which reads the
// record of the cell that it is in, moves on, and adds to the sums of the cell that it comes to. What is read, done and
// added is the task's word:
//
//   Particle                     what a thread holds of a particle
//   recordNumbers, Number        of a cell's record; records()[cell * recordStride + k]
//   words                        of 32 bits that a particle adds to a cell's window; whose fields cannot overflow
//   sums                         of 64 bits that a cell has; sums()[cell * sums + k]
//   load(i), store(i, p)         a particle from memory, and back
//   leading(p, axis)             leading bits of its coordinate
//   collide(p, record)           record(k): number k of its cell
//   stream(p, i)                 to its new place
//   split(p, words)              what it adds, in words of a window
//   join(words, sums)            words of a window, or of one particle, as sums; false: they are zero
//   grid, before, after          the cells, and the shifts with which they were read and will be added to
//   collides, streams            what of it is to be done
//   windowed                     false: words are too many for the memory that threads of a GPU share; then it has
//   add(p, sums)                 what a particle adds, as sums (a CPU has it always)
//
// Sums are integers, so neither the order of particles nor the number of threads can matter.
#pragma once

#include "kernels/bricks/brick_grid.hpp"

namespace mesowarp {

// Rows in memory that begin at multiples of 16 bytes, 16 at a time: a warp's rows lie apart, so what it costs is the
// number of instructions.
template <class Number>
struct alignas(16) SixteenBytes {
  static constexpr int numbers = 16 / sizeof(Number);
  Number number[numbers];
};
template <class Number, int N>
KOKKOS_FORCEINLINE_FUNCTION void loadAligned(const Number* row, Number (&to)[N]) {
  using Pack = SixteenBytes<Number>;
  static_assert(N % Pack::numbers == 0);
  for (int k = 0; k < N; k += Pack::numbers) {
    const Pack pack = *reinterpret_cast<const Pack*>(row + k);
    for (int q = 0; q < Pack::numbers; ++q) to[k + q] = pack.number[q];
  }
}
template <class Number, int N>
KOKKOS_FORCEINLINE_FUNCTION void storeAligned(Number* row, const Number (&from)[N]) {
  using Pack = SixteenBytes<Number>;
  static_assert(N % Pack::numbers == 0);
  for (int k = 0; k < N; k += Pack::numbers) {
    Pack pack;
    for (int q = 0; q < Pack::numbers; ++q) pack.number[q] = from[k + q];
    *reinterpret_cast<Pack*>(row + k) = pack;
  }
}

// A record in memory, its numbers `pitch` apart.
template <class Number>
struct RecordAt {
  const Number* at;
  int pitch;
  KOKKOS_FORCEINLINE_FUNCTION Number operator()(int k) const { return at[k * pitch]; }
};

template <class Task>
KOKKOS_FORCEINLINE_FUNCTION void cellOf(const Task& task, const typename Task::Particle& p, const GridShift& shift,
                                        int (&at)[3]) {
  for (int axis = 0; axis < 3; ++axis) at[axis] = task.grid.local(axis, task.leading(p, axis) + shift.of[axis]);
}

}  // namespace mesowarp
