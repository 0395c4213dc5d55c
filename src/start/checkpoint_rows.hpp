// Whether the content of a checkpoint is a state that a population may take over: asked before any memory of a device
// is touched, since a hash does not tell who wrote a file. Here is what does not depend on the method.
#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "input/method.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/stored_rows.hpp"

namespace mesowarp {

// "…; the file may be damaged": for what no run can have written.
[[noreturn]] void refuseDamaged(const std::string& what);

// Who stored which rows of a method's particles, and their tags (0, 1, 2, … each once).
class CheckpointRows {
public:
  // content: the arrays of the method's population under their own names. ranks: null or of one: one.
  CheckpointRows(const io::CheckpointContent& content, const input::Deck& deck, const input::MethodBlocks& method,
                 const comm::Communicator* ranks);

  // First the shape of the arrays, on each rank alone; then the tags of all, which is collective. Both throw
  // InputError.
  void checkShapes();
  void checkTags() const;

  const io::CheckpointContent& content() const { return content_; }
  const comm::Communicator* ranks() const { return ranks_; }
  i64 all() const { return all_; }      // particles
  i64 count() const { return count_; }  // those here
  u32 tag(i64 row) const { return tag_(row); }

private:
  void checkNumber() const;
  void checkRanks() const;

  const io::CheckpointContent& content_;
  const input::Deck& deck_;
  const input::MethodBlocks& method_;
  const comm::Communicator* ranks_;  // null: one
  i64 all_ = 0, count_ = 0;
  StoredRows<u32> tag_;
};

// A checkpoint with the arrays of the population `name` alone, which are "name.…" in it, under their own names.
io::CheckpointContent contentOf(const io::CheckpointContent& content, const std::string& name);

// The arrays of profiles: first and last step of the open block, its samples, then sums. Throws InputError.
void checkProfiles(const io::CheckpointContent& content);

}  // namespace mesowarp
