// Checkpoints: a flat set of named arrays and texts in one HDF5 file whose 512-byte user block carries
// format version, size and a hash of everything behind it, so that truncation or any altered byte is seen.
// Written to a temporary name, flushed to disk, renamed; the last two are kept.
//
// Several ranks write and read one file together: with a communicator of more than one rank, the functions below that
// take one are collective, and what fails on one rank is thrown on all. The same content gives the same bytes on any
// number of ranks, and what n ranks wrote m ranks can read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mesowarp::comm {
class Communicator;
}

namespace mesowarp::io {

enum class ElementType { u8, i32, u32, i64, u64, f32, f64 };

std::size_t elementSize(ElementType type);

// Whose an array is. whole: every rank has the same one, and the root's is stored (others need not have its rows).
// distributed: each rank has rows of it, which are stored behind those of lower ranks.
enum class Spread { whole, distributed };

// A view of a host array, rows x width; not owned. All ranks give the same arrays (name, type, width, spread) in the
// same order.
struct ArrayView {
  std::string name;
  ElementType type;
  std::size_t rows = 0;
  std::size_t width = 1;
  const void* data = nullptr;
  Spread spread = Spread::whole;
};

struct Array {
  ElementType type;
  std::size_t rows = 0;  // here, in data
  std::size_t width = 1;
  std::vector<std::byte> data;
  Spread spread = Spread::whole;
  std::size_t firstRow = 0;   // of those here
  std::size_t totalRows = 0;  // of all ranks
};

struct CheckpointContent {
  std::map<std::string, Array> arrays;
  std::map<std::string, std::string> texts;     // resolved deck, versions, precision, …
  std::map<std::string, std::int64_t> numbers;  // step, last rebuild, counters, …
};

// Writes DIR/checkpoint-<step>.h5, texts and numbers as the root gives them. Returns its path. Throws RunError; on
// failure older checkpoints stand. heldDirectory: DIR, opened by the root; if its name leads to another directory by
// now, the checkpoint gets no name there, and nothing there is deleted.
std::string writeCheckpoint(const std::string& directory, std::int64_t step, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers,
                            const comm::Communicator* ranks = nullptr, int heldDirectory = -1);

// Whether a file begins as a checkpoint does; whether it is intact shows when it is read.
bool looksLikeCheckpoint(const std::string& path);

// Reads and verifies. Throws InputError: what is wrong, and the newest older checkpoint beside it that is intact, if
// any. Every rank gets texts, numbers and whole arrays, and of a distributed array a part:
// - if the number "ranks" is the number of these ranks, and "rank_rows" (i64, one for each rank; for an array
//   "<population>.…" it is "<population>.rank_rows") sums up to the array's rows, the rows that this rank had stored;
// - otherwise rows [total r / R, total (r + 1) / R) on rank r of R.
CheckpointContent readCheckpoint(const std::string& path, const comm::Communicator* ranks = nullptr);

// The newest checkpoint in a directory by step, without verifying it.
std::optional<std::string> newestCheckpoint(const std::string& directory);

}  // namespace mesowarp::io
