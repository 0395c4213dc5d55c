// One table of the numbers at which the program changes from one form of an algorithm to another: unit, what is chosen,
// where it was measured, as date and words of a row in perf/ (NOTES.md and the logs), on an H200 unless said otherwise.
// Some of them decide over bits of results: so they are constants, not options, and nothing follows from a run's
// history.
#pragma once

namespace mesowarp::tuning {

// Particles of a rank on a GPU. Below, one thread for each does not fill it.
// Two threads share a row of neighbours. 2026-11-21, "GPU, 64 k: epilogue in whole warps".
constexpr int twoThreadsBelow = 300000;
// Four do. No row was kept.
constexpr int fourThreadsBelow = 40000;
// Rows are built for 2 x 2 x 2 cells by three threads each, from here on for 4 x 4 x 2 cells by one. 2026-11-21, "GPU
// rows: three threads a row".
constexpr int smallGroupsBelow = 300000;
// Steps are launched as one CUDA graph. 2026-11-21, "GPU, 64 k: epilogue in whole warps, … graphs of steps".
constexpr int graphsBelow = 300000;

// Particles per cell.
// Above, a warp builds the rows for a batch of a cell (ballot); up to here a block for a group of cells. 2026-11-22,
// "GPU, cells with ten particles or more".
constexpr int fullCellsAbove = 9;
// A bucket of the counting sort that would hold more is split into sub-cells, since ranks cost the square. 2026-11-21,
// "counting sort by cell with ranks", on CPU and GPU.
constexpr int fewInABucket = 8;

// Bodies on a GPU, each of which has a force with each other. The styles are those of all_pairs_shape.hpp.
// 32 steps are launched as one CUDA graph. 2026-11-22, "runs of few bodies".
constexpr int bodyGraphsBelow = 16384;
// `half`, each pair once in large tiles: fewer do not fill a GPU with pairs of them. 2026-11-22, "Fewer than 9,000
// bodies".
constexpr int halfFrom = 9000;
// `half` has four warps for a tile instead of two. No row was kept.
constexpr int fourWarpsFrom = 40000;
// `narrow`, each pair once in small tiles; below it `few`. 2026-11-22, the table of "Fewer than 9,000 bodies".
constexpr int narrowFrom = 2000;
constexpr int narrowGravityFrom = 4000;
constexpr int narrowJerkFrom = 3000;  // gravity with its derivative
// Bodies j, as many as a multiprocessor's cache holds. With more, `few` only where most threads of a wide block would
// be idle. 2026-11-22, "few bodies among very many".
constexpr int cachedBodies = 20000;

// Threads of a GPU that pack and unpack ghosts beside the pair kernel, from which more would take the device.
// 2026-11-22, "packing and unpacking by 16,384 threads".
constexpr int sideThreads = 16384;

// Bricks of a pass over a collision solvent. From here on what ranks send each other is hidden behind the pass, and
// kernels that raise and await flags themselves are slower than kernels for that. 2026-11-25, perf/log/mpcd.md, "flags
// within the kernels", on H100s: 0.689 -> 0.764 with 600, 0.917 -> 0.902 with 1,200.
constexpr int signalsBelow = 900;

// Seconds of work per step that a host thread must have, else there are fewer threads. No row was kept.
constexpr double leastWork = 50e-6;

}  // namespace mesowarp::tuning
