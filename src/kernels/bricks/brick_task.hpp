// What a pass over particles sorted by bricks is told: which is once through all particles, each of which reads the
// record of the cell that it is in, moves on, and adds to the sums of the cell that it comes to. What is read, done and
// added is the task's word:
//
//   Particle                     what a thread holds of a particle
//   recordNumbers, Number        of a cell's record; recordOf(cell): it
//   words                        of 32 bits that a particle adds to a cell's window
//   Words                        carries: they are halves of sums (halved_sums.hpp); else their fields cannot overflow
//   sums                         of 64 bits that a cell has; cellSums()[cell * sums + k]
//   load(i), store(i, p)         a particle from memory, and back
//   Group<N>                     particles N j, N j + 1, ... N j + N - 1 as they are loaded
//   loadGroup(j, group), storeGroup(j, group)   it from memory, where all of it have room, and back
//   storeOne(i, group, q)        one of it, which is particle i
//   open(group, q), close(group, q, p)   one of it as a particle, and back
//   closeCollided(group, q, p, collided), closeStreamed(group, q, p)   the same of one half of the pass alone
//   loadTag(i, p), loadTags(j, group)   what a pass that sorts by the way reads besides
//   storeSorted(place, p)        to its place in the new order
//   leading(p, axis)             leading bits of its coordinate
//   collide(p, record)           record(k): number k of its cell
//   stream(p)                    to its new place; false (where the task waits): it is not there yet, adds nothing, and
//                                is stored as it is
//   waits, waiting()             who is not there yet: add(i), particles, count(), clearNext(), warps
//   finish(p, i, lane)           the rest of its way, by a warp
//   split(p, words)              what it adds, in words of a window
//   join(words, sums)            words of a window, or of one particle, as sums; false: they are zero
//   grid, before, after          the cells, and the shifts with which they were read and will be added to
//   collides, streams            what of it is to be done
//   add(p, sums)                 what a particle adds, as sums
//   Speeding, add(p, sums, noted), report(noted)   the same on a CPU, which reports once for several that are too fast
//   sumsApart                    of the last sums, how many a CPU makes in a stage of their own; where there are any:
//   addFirst(p, sums, noted), keepLever(p, kept, q), addApart(kept, to)   the others; what it takes; these of a group
//
// Sums are integers, so neither the order of particles nor the number of threads can matter.
#pragma once

#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/cell_records.hpp"

namespace mesowarp {

template <class Task>
KOKKOS_FORCEINLINE_FUNCTION void cellOf(const Task& task, const typename Task::Particle& p, const GridShift& shift,
                                        int (&at)[3]) {
  at[0] = task.grid.local(0, task.leading(p, 0) + shift.of[0]);
  at[1] = task.grid.local(1, task.leading(p, 1) + shift.of[1]);
  at[2] = task.grid.local(2, task.leading(p, 2) + shift.of[2]);
}

}  // namespace mesowarp
