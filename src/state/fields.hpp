// Named, typed per-particle arrays that carry their own traits (grid/field_rows.hpp). Growth, sorting, migration, halo
// and checkpoint walk the registry and never name a field, so a new field is one fields.add<…>() and touches no
// communication or I/O code.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "grid/field_rows.hpp"

namespace mesowarp {

// Device memory for one phase, handed out in pieces: lent by somebody who does not need its contents just then, or, if
// that is too small, its own, which only grows.
class Workspace {
public:
  // Starts over; bytes: of everything that will be taken, each piece rounded up to `alignment`.
  void begin(std::size_t bytes, void* lent, std::size_t lentBytes) {
    used_ = 0;
    if (bytes <= lentBytes) own_ = {};
    if (bytes > lentBytes && bytes > own_.extent(0))
      own_ = DeviceArray<char>(Kokkos::view_alloc("workspace", Kokkos::WithoutInitializing), bytes);
    memory_ = bytes > lentBytes ? own_.data() : static_cast<char*>(lent);
  }
  template <class T>
  DeviceArray<T> take(std::size_t count) {
    char* const at = memory_ + used_;
    used_ += rounded(count * sizeof(T));
    return DeviceArray<T>(reinterpret_cast<T*>(at), count);
  }
  static constexpr std::size_t alignment = 256;
  static constexpr std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
  std::size_t bytes() const { return own_.extent(0); }

private:
  DeviceArray<char> own_;
  char* memory_ = nullptr;
  std::size_t used_ = 0;
};

// Arrays of elements: where a particle's is, and where it goes; pitch: elements from a particle to the next.
template <class T, int Most = 16>
struct ElementMoves {
  static constexpr int most = Most;
  struct Move {
    const T* from;
    T* to;
    int pitch;
  };
  Move move[most];
  int count = 0;

  void add(const void* from, void* to, int pitch) {
    if (count == most) throw std::length_error("more fields than one reordering moves");
    move[count++] = {static_cast<const T*>(from), static_cast<T*>(to), pitch};
  }
};

// Elements one by one, of 8 bytes where they can be.
struct SingleMoves {
  ElementMoves<u64> pairs;
  ElementMoves<u32> words;
  ElementMoves<u8, 2> octets;

  // bytes: of a particle, a multiple of 4.
  void add(const void* from, void* to, std::size_t bytes) {
    bytes % sizeof(u64) == 0 ? addEach(pairs, from, to, bytes) : addEach(words, from, to, bytes);
  }

private:
  template <class T>
  static void addEach(ElementMoves<T>& all, const void* from, void* to, std::size_t bytes) {
    const int pitch = static_cast<int>(bytes / sizeof(T));
    for (int k = 0; k < pitch; ++k) all.add(static_cast<const T*>(from) + k, static_cast<T*>(to) + k, pitch);
  }
};

// Copies elements of several arrays from one place to another, each a number of 32-bit words: four and four together
// where they can be, on a GPU several loads ahead of the stores that need them, since each waits for memory. Or bytes.
class FieldMoves {
public:
  // bytes: of an element, a multiple of 4, or 1.
  void add(const void* from, void* to, std::size_t bytes) {
    const int words = static_cast<int>(bytes / sizeof(u32));
    if (bytes == 1)
      bytes_.add(from, to, 1);
    else if (words % 4 == 0)
      quads_.add(from, to, words / 4);
    else
      words_.add(from, to, words);
  }
  bool empty() const { return quads_.count == 0 && words_.count == 0 && bytes_.count == 0; }

  KOKKOS_INLINE_FUNCTION void operator()(int target, int source) const {
#ifdef __CUDA_ARCH__
    Place quad, word;
    while (quad.move < quads_.count || word.move < words_.count) {
      Quad quads[ahead];
      u32 words[ahead];
      const Place quadsFrom = quad, wordsFrom = word;
      quad = quads_.load(quadsFrom, source, quads);
      word = words_.load(wordsFrom, source, words);
      quads_.store(quadsFrom, target, quads);
      words_.store(wordsFrom, target, words);
    }
#else
    quads_.copy(target, source), words_.copy(target, source);  // a core looks ahead by itself
#endif
    for (int m = 0; m < bytes_.count; ++m) bytes_.move[m].to[target] = bytes_.move[m].from[source];
  }

  // The same: for kernels that move particles of a block together.
  SingleMoves oneByOne() const {
    SingleMoves all;
    quads_.addTo(all), words_.addTo(all);
    all.octets = bytes_;
    return all;
  }

private:
  static constexpr int ahead = 4;
  struct alignas(16) Quad {
    u32 word[4];
  };
  struct Place {
    int move = 0, part = 0;
  };
  // All of the elements of a particle, which lie together.
  template <class T>
  struct Moves : ElementMoves<T> {
    using ElementMoves<T>::move, ElementMoves<T>::count;

    KOKKOS_INLINE_FUNCTION void copy(int target, int source) const {
      for (int m = 0; m < count; ++m) {
        const std::size_t pitch = move[m].pitch;
        for (std::size_t p = 0; p < pitch; ++p) move[m].to[target * pitch + p] = move[m].from[source * pitch + p];
      }
    }
    void addTo(SingleMoves& all) const {
      for (int m = 0; m < count; ++m)
        all.add(move[m].from, move[m].to, static_cast<std::size_t>(move[m].pitch) * sizeof(T));
    }
    KOKKOS_INLINE_FUNCTION const T& fromPart(const Place& p, int source) const {
      return move[p.move].from[static_cast<std::size_t>(source) * move[p.move].pitch + p.part];
    }
    KOKKOS_INLINE_FUNCTION T& toPart(const Place& p, int target) const {
      return move[p.move].to[static_cast<std::size_t>(target) * move[p.move].pitch + p.part];
    }
    KOKKOS_INLINE_FUNCTION Place after(const Place& p) const {
      return p.part + 1 < move[p.move].pitch ? Place{p.move, p.part + 1} : Place{p.move + 1, 0};
    }
    // The next `ahead` parts from a place on, or what is left of them; returns the place behind them.
    KOKKOS_INLINE_FUNCTION Place load(Place p, int source, T* held) const {
      for (int k = 0; k < ahead && p.move < count; ++k, p = after(p)) held[k] = fromPart(p, source);
      return p;
    }
    KOKKOS_INLINE_FUNCTION void store(Place p, int target, const T* held) const {
      for (int k = 0; k < ahead && p.move < count; ++k, p = after(p)) toPart(p, target) = held[k];
    }
  };
  Moves<Quad> quads_;
  Moves<u32> words_;
  ElementMoves<u8, 2> bytes_;
};

class FieldBase {
public:
  FieldBase(std::string name, unsigned traits, std::size_t width)
      : name_(std::move(name)), traits_(traits), width_(width) {}
  virtual ~FieldBase() = default;
  const std::string& name() const { return name_; }
  bool has(unsigned traits) const { return (traits_ & traits) == traits; }
  std::size_t width() const { return width_; }

  virtual std::size_t elementBytes() const = 0;
  std::size_t rowBytes() const { return width_ * elementBytes(); }  // of a particle
  virtual std::size_t bytes() const = 0;
  // Room for so many particles; what is stored stays.
  virtual void grow(std::size_t particles) = 0;
  virtual void* data(bool next) = 0;                       // of the current buffer, or of the one being written
  virtual std::shared_ptr<const void> keeper() const = 0;  // of both
  // A reordering, new[i] = old[order[i]], in three parts: what it takes from the workspace, the moves to make for each
  // particle, and what is left to do once they are made (for each particle again, in place).
  virtual std::size_t workspaceBytes() const = 0;
  virtual void beginReorder(Workspace& workspace, FieldMoves& moves) = 0;
  virtual void endReorder(FieldMoves& copies) = 0;
  virtual void swapBuffers() = 0;
  virtual void copyToNext(std::size_t particles) = 0;                                           // of the first ones
  virtual std::vector<std::byte> toHost(std::size_t particles, bool ofNext = false) const = 0;  // the first ones
  virtual void fromHost(const std::byte* data, std::size_t bytes) = 0;

private:
  std::string name_;
  unsigned traits_;
  std::size_t width_;
};

// `width` elements a particle, together in memory. A double-buffered field keeps the old state while the new is
// written.
template <class T>
class Field final : public FieldBase {
public:
  Field(std::string name, unsigned traits, std::size_t particles, std::size_t width, bool doubleBuffered)
      : FieldBase(std::move(name), traits, width), doubleBuffered_(doubleBuffered) {
    current = zeroedArray<T>(this->name(), particles * width);
    if (doubleBuffered_) next = zeroedArray<T>(this->name() + " (next)", particles * width);
  }

  DeviceArray<T> current, next;
  void swap() { std::swap(current, next); }

  void swapBuffers() override { swap(); }
  void copyToNext(std::size_t particles) override {
    copyOnDevice(next.data(), current.data(), particles * width() * sizeof(T));
  }

  std::size_t elementBytes() const override { return sizeof(T); }
  std::size_t bytes() const override { return (current.extent(0) + next.extent(0)) * sizeof(T); }
  void grow(std::size_t particles) override {
    const auto larger = zeroedArray<T>(name(), particles * width());
    copyOnDevice(larger.data(), current.data(), current.extent(0) * sizeof(T));
    current = larger;
    if (doubleBuffered_) next = DeviceArray<T>(), next = zeroedArray<T>(name() + " (next)", particles * width());
  }
  void* data(bool ofNext) override { return ofNext && doubleBuffered_ ? next.data() : current.data(); }
  std::shared_ptr<const void> keeper() const override {
    return std::make_shared<std::pair<DeviceArray<T>, DeviceArray<T>>>(current, next);
  }
  std::size_t workspaceBytes() const override {
    return doubleBuffered_ ? 0 : Workspace::rounded(current.extent(0) * sizeof(T));
  }
  void beginReorder(Workspace& workspace, FieldMoves& moves) override {
    moved_ = doubleBuffered_ ? next : workspace.take<T>(current.extent(0));
    moves.add(current.data(), moved_.data(), width() * sizeof(T));
  }
  void endReorder(FieldMoves& copies) override {
    if (doubleBuffered_) {
      swap();
    } else {
      copies.add(moved_.data(), current.data(), width() * sizeof(T));
    }
    moved_ = {};
  }
  std::vector<std::byte> toHost(std::size_t particles, bool ofNext = false) const override {
    std::vector<std::byte> rows(particles * width() * sizeof(T));
    copyToHost(rows.data(), (ofNext && doubleBuffered_ ? next : current).data(), rows.size());
    return rows;
  }
  void fromHost(const std::byte* data, std::size_t bytes) override { copyToDevice(current.data(), data, bytes); }

private:
  bool doubleBuffered_;
  DeviceArray<T> moved_;
};

// The registry: a structure of arrays.
class FieldRegistry {
public:
  template <class T>
  std::shared_ptr<Field<T>> add(const std::string& name, unsigned traits, std::size_t particles, std::size_t width = 1,
                                bool doubleBuffered = false) {
    auto field = std::make_shared<Field<T>>(name, traits, particles, width, doubleBuffered);
    fields_.push_back(field);
    return field;
  }
  void adopt(std::shared_ptr<FieldBase> field) { fields_.push_back(std::move(field)); }
  const std::vector<std::shared_ptr<FieldBase>>& all() const { return fields_; }
  void grow(std::size_t particles) {
    for (const auto& field : fields_) field->grow(particles);
  }
  // Behind a step: what was written is what there is.
  void swapState() {
    for (const auto& field : fields_)
      if (field->has(rewritten)) field->swapBuffers();
  }
  std::shared_ptr<FieldBase> find(const std::string& name) const {
    for (const auto& field : fields_)
      if (field->name() == name) return field;
    return nullptr;
  }
  // The fields that have all of these traits, as rows; next: what is written anew in every step, from the buffers
  // being written.
  FieldRows rows(unsigned traits, bool next = false) const {
    FieldRows all;
    for (const auto& field : fields_) {
      if (!field->has(traits)) continue;
      if (all.count == FieldRows::most)
        throw std::length_error("particles of this deck have more fields than travel between ranks: take fewer "
                                "[[measure]] blocks of style msd and vacf, or one rank");
      const int words = static_cast<int>(field->rowBytes() / sizeof(u32));
      all.column[all.count++] = {static_cast<u32*>(field->data(next && field->has(rewritten))), words, 0};
    }
    return aligned(all);
  }
  // Memory of the fields that have all of these traits.
  std::vector<FieldPlace> places(unsigned traits) const {
    std::vector<FieldPlace> all;
    for (const auto& field : fields_)
      if (field->has(traits))
        all.push_back({{static_cast<u32*>(field->data(false)), static_cast<u32*>(field->data(true))},
                       static_cast<int>(field->rowBytes() / sizeof(u32)),
                       field->keeper()});
    return all;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& field : fields_) sum += field->bytes();
    return sum;
  }
  std::size_t workspaceBytes() const {
    std::size_t sum = 0;
    for (const auto& field : fields_)
      if (field->has(moves)) sum += field->workspaceBytes();
    return sum;
  }
  FieldMoves beginReorder(Workspace& workspace) {
    FieldMoves all;
    for (const auto& field : fields_)
      if (field->has(moves)) field->beginReorder(workspace, all);
    return all;
  }
  FieldMoves endReorder() {
    FieldMoves all;
    for (const auto& field : fields_)
      if (field->has(moves)) field->endReorder(all);
    return all;
  }

private:
  // Columns of whole quads first, so that they are aligned.
  static FieldRows aligned(const FieldRows& any) {
    FieldRows rows;
    for (const bool quads : {true, false})
      for (int c = 0; c < any.count; ++c)
        if (any.column[c].isQuads() == quads) {
          rows.column[rows.count++] = {any.column[c].data, any.column[c].words, rows.words};
          rows.words += any.column[c].wordsInRow();
        }
    rows.words = (rows.words + 3) / 4 * 4;
    return rows;
  }
  std::vector<std::shared_ptr<FieldBase>> fields_;
};

}  // namespace mesowarp
