// Named, typed per-particle arrays that carry their own traits. Sorting, migration, halo and checkpoint walk the
// registry and never name a field, so a new field touches no communication or I/O code.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace mesowarp {

enum FieldTraits : unsigned {
  moves = 1,         // reordered, and migrated, with its particle
  ghosted = 2,       // sent to ghosts
  checkpointed = 4,  // part of a checkpoint
};

// Grow-only device memory for reorderings, shared by all fields.
class Scratch {
 public:
  template <class T>
  DeviceArray<T> get(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > memory_.extent(0)) memory_ = DeviceArray<char>(Kokkos::view_alloc("scratch", Kokkos::WithoutInitializing), bytes);
    return DeviceArray<T>(reinterpret_cast<T*>(memory_.data()), count);
  }
  std::size_t bytes() const { return memory_.extent(0); }

 private:
  DeviceArray<char> memory_;
};

class FieldBase {
 public:
  FieldBase(std::string name, unsigned traits, std::size_t width) : name_(std::move(name)), traits_(traits), width_(width) {}
  virtual ~FieldBase() = default;
  const std::string& name() const { return name_; }
  bool has(FieldTraits trait) const { return (traits_ & trait) != 0; }
  std::size_t width() const { return width_; }

  virtual std::size_t elementBytes() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual void resize(std::size_t particles) = 0;
  // new[i] = old[order[i]]
  virtual void reorder(const DeviceArray<int>& order, Scratch& scratch) = 0;
  virtual std::vector<std::byte> toHost() const = 0;
  virtual void fromHost(const std::byte* data, std::size_t bytes) = 0;

 private:
  std::string name_;
  unsigned traits_;
  std::size_t width_;
};

template <class T>
struct GatherRows {
  DeviceArray<T> to, from;
  DeviceArray<int> order;
  int width;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const std::size_t source = std::size_t(order(i)) * width, target = std::size_t(i) * width;
    for (int c = 0; c < width; ++c) to(target + c) = from(source + c);
  }
};

// `width` elements a particle, together in memory. A double-buffered field keeps the old state while the new is written.
template <class T>
class Field final : public FieldBase {
 public:
  Field(std::string name, unsigned traits, std::size_t particles, std::size_t width, bool doubleBuffered)
      : FieldBase(std::move(name), traits, width), doubleBuffered_(doubleBuffered) {
    Field::resize(particles);
  }

  DeviceArray<T> current, next;
  void swap() { std::swap(current, next); }

  std::size_t elementBytes() const override { return sizeof(T); }
  std::size_t bytes() const override { return (current.extent(0) + next.extent(0)) * sizeof(T); }
  void resize(std::size_t particles) override {
    current = DeviceArray<T>(name(), particles * width());
    if (doubleBuffered_) next = DeviceArray<T>(name() + " (next)", particles * width());
  }
  void reorder(const DeviceArray<int>& order, Scratch& scratch) override {
    const int n = static_cast<int>(order.extent(0));
    DeviceArray<T> target = doubleBuffered_ ? next : scratch.get<T>(current.extent(0));
    Kokkos::parallel_for("reorder " + name(), Range(0, n), GatherRows<T>{target, current, order, static_cast<int>(width())});
    if (doubleBuffered_) {
      swap();
    } else {
      Kokkos::deep_copy(Execution(), current, target);
    }
  }
  std::vector<std::byte> toHost() const override {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), current);
    const auto* first = reinterpret_cast<const std::byte*>(host.data());
    return {first, first + host.extent(0) * sizeof(T)};
  }
  void fromHost(const std::byte* data, std::size_t bytes) override {
    Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
        reinterpret_cast<const T*>(data), bytes / sizeof(T));
    Kokkos::deep_copy(current, host);
  }

 private:
  bool doubleBuffered_;
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
  const std::vector<std::shared_ptr<FieldBase>>& all() const { return fields_; }
  std::size_t bytes() const {
    std::size_t sum = scratch_.bytes();
    for (const auto& field : fields_) sum += field->bytes();
    return sum;
  }
  void reorder(const DeviceArray<int>& order) {
    for (const auto& field : fields_)
      if (field->has(moves)) field->reorder(order, scratch_);
  }

 private:
  std::vector<std::shared_ptr<FieldBase>> fields_;
  Scratch scratch_;
};

}  // namespace mesowarp
