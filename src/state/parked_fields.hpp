// Fields that are read now and then, and too large to follow every sort: their rows stay where they are, and a place, a
// number of 32 bits that moves with the particle, says which row is whose. A sort then moves 4 bytes of a particle
// instead of all rows. On several ranks leavers take their rows along; those that come get rows behind all others, and
// when there is no room for more, rows are put into the order of particles, which those of leavers do not outlast.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "state/fields.hpp"

namespace mesowarp {

class ParkedFields;

// `words` of 64 bits a particle. On the host, so in checkpoints, rows are in the order of particles.
class ParkedField final : public FieldBase {
public:
  ParkedField(const std::string& name, unsigned traits, std::size_t rows, std::size_t words, ParkedFields& owner);
  u64* words() const { return current_.data(); }
  void settle(const u32* place, int particles);

  std::size_t elementBytes() const override { return sizeof(u64); }
  std::size_t bytes() const override { return (current_.extent(0) + other_.extent(0)) * sizeof(u64); }
  void grow(std::size_t particles) override;
  void* data(bool) override { return current_.data(); }
  std::shared_ptr<const void> keeper() const override;
  std::size_t workspaceBytes() const override { return 0; }
  void beginReorder(Workspace&, FieldMoves&) override {}
  void endReorder(FieldMoves&) override {}
  void swapBuffers() override {}
  void copyToNext(std::size_t) override {}
  std::vector<std::byte> toHost(std::size_t particles, bool) const override;
  void fromHost(const std::byte* data, std::size_t bytes) override;

private:
  DeviceArray<u64> current_, other_;  // other: to settle into; made when that is first asked for
  ParkedFields* owner_;
};

// Those of a population, and the places of their rows.
class ParkedFields {
public:
  // particles: there are now; capacity: of the registry's fields.
  ParkedFields(FieldRegistry& fields, int particles, int capacity);
  // Zero at first, and part of checkpoints, which may lack it.
  void add(const std::string& name, int words);
  // Null: there is none of that name.
  u64* words(const std::string& name) const;
  const u32* places() const { return place_->current.data(); }
  // Puts rows into the order of particles, and forgets those of particles that have gone.
  void settle(int particles);
  // The first particles' rows are in their order.
  void settled(int particles);

  // For a migration: rows of all that are parked, whether there is room for those that come, and that they have come.
  ParkedRows rows() const;
  bool hasRoom(int arrivals) const;
  void arrived(int arrivals) { next_ += arrivals; }

private:
  FieldRegistry& fields_;
  std::shared_ptr<Field<u32>> place_;
  std::vector<std::shared_ptr<ParkedField>> all_;
  int next_;  // row that nobody has had since the last settling
};

}  // namespace mesowarp
