// Fields of particles side by side, as they travel between ranks; what a field is, is state/fields.hpp's to say.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "core/types.hpp"

namespace mesowarp {

enum FieldTraits : unsigned {
  moves = 1,         // reordered, and migrated, with its particle
  ghosted = 2,       // sent to ghosts
  checkpointed = 4,  // part of a checkpoint
  stepwise = 8,      // changes in every step, so ghosts' copies are refreshed in every step
  rewritten = 16,    // written anew in every step: its two buffers change places behind it
  hashed = 32,       // a method's own that is part of the state: of the state hash, and of snapshots
  shown = 64,        // a method's own of an observed step: in snapshots and profiles
  mayLack = 128,     // a checkpoint may be without it: then it is zero, and whoever has it begins anew
  parked = 256,      // goes to other ranks with its particle, but stays where it is when particles are reordered
  midstep = 512,     // summed anew in each step, for what comes behind in it: ghosts get it then
};

// Rows of several arrays side by side, as they travel between ranks.
struct FieldRows {
  static constexpr int most = 32;
  struct Column {
    u32* data;
    int words, at;  // of 32 bits, 0: a byte, which has a word of a row; where in a row
    int wordsInRow() const { return words == 0 ? 1 : words; }
    bool isQuads() const { return words != 0 && words % 4 == 0; }
  };
  Column column[most];
  int count = 0, words = 0;  // of a row; a multiple of 4

  KOKKOS_INLINE_FUNCTION void pack(int particle, u32* row) const {
    for (int c = 0; c < count; ++c) pack(c, particle, row);
  }
  KOKKOS_INLINE_FUNCTION void unpack(const u32* row, int particle) const {
    for (int c = 0; c < count; ++c) unpack(c, row, particle);
  }
  // One column: to its place in a row, to any other, and from a row.
  KOKKOS_INLINE_FUNCTION void pack(int c, int particle, u32* row) const { store(c, particle, row + column[c].at); }
  KOKKOS_INLINE_FUNCTION void store(int c, int particle, u32* to) const {
    if (column[c].words == 0)
      *to = *byteAt(c, particle);
    else
      copy(at(c, particle), to, column[c].words);
  }
  KOKKOS_INLINE_FUNCTION void unpack(int c, const u32* row, int particle) const {
    if (column[c].words == 0)
      *byteAt(c, particle) = static_cast<u8>(row[column[c].at]);
    else
      copy(row + column[c].at, at(c, particle), column[c].words);
  }
  std::size_t bytes() const { return static_cast<std::size_t>(words) * sizeof(u32); }

private:
  struct alignas(16) Words4 {
    u32 w[4];
  };
  KOKKOS_INLINE_FUNCTION u8* byteAt(int c, int particle) const {
    return reinterpret_cast<u8*>(column[c].data) + particle;
  }
  KOKKOS_INLINE_FUNCTION u32* at(int c, int particle) const {
    return column[c].data + static_cast<std::size_t>(particle) * column[c].words;
  }
  KOKKOS_INLINE_FUNCTION static void copy(const u32* from, u32* to, int n) {
    if (n % 4 == 0)
      for (int w = 0; w < n; w += 4) *reinterpret_cast<Words4*>(to + w) = *reinterpret_cast<const Words4*>(from + w);
    else
      for (int w = 0; w < n; ++w) to[w] = from[w];
  }
};

// Rows of parked fields: particle i's is place[i]. Particles that come take rows from `next` on.
struct ParkedRows {
  FieldRows rows;
  u32* place = nullptr;  // null: there are no such fields
  int next = 0;

  std::size_t bytes() const { return place ? rows.bytes() : 0; }
};

// Memory of a field, for others to store into: the current buffer and the one being written (twice the same, if there
// is one only), there while the keeper is.
struct FieldPlace {
  std::array<u32*, 2> buffer;
  int words;  // of 32 bits, of a particle
  std::shared_ptr<const void> keeper;
};

}  // namespace mesowarp
