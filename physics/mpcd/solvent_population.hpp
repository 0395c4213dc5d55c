// The solvent's particles: position, velocity, tag, and nothing else; 25 bytes each in 32-bit storage on a GPU (28 on
// a CPU), and as many for the buffer that they are sorted into. Positions are fixed-point fractions of the box, packed
// (kernels/bricks/packed_places.hpp). On several ranks each has those in its domain, and for some steps those that have
// just left it.
#pragma once

#include <array>
#include <functional>

#include "comm/rank_part.hpp"
#include "input/deck.hpp"
#include "kernels/bricks/sort/brick_sort.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/mpcd/deck/solvents.hpp"
#include "physics/mpcd/solvent_pass.hpp"
#include "start/host_particles.hpp"
#include "state/fields.hpp"
#include "state/population.hpp"

namespace mesowarp::mpcd {

// What does not depend on precision.
class Solvent : public Population {
public:
  using Population::Population;
  // Uniform in the box, Maxwell velocities without net momentum, by tags alone.
  virtual void start() = 0;
  // Over all ranks, of m v v and m v. Collective.
  virtual ThermoSums sums() const = 0;
  // Called before the state of a step is read that nobody has asked for.
  void onRead(std::function<void()> complete) { complete_ = std::move(complete); }
  // Called when a state has been restored.
  void onRestore(std::function<void()> restart) { restart_ = std::move(restart); }

protected:
  std::function<void()> complete_ = [] {}, restart_ = [] {};
};

template <class P>
class SolventOf final : public Solvent {
public:
  using Coord = typename P::Coord;
  using Store = typename P::Store;

  SolventOf(const input::Deck& deck, const RankPart& part);

  void start() override;
  // sorted: those that a pass which sorts stores to.
  SolventArrays<P> arrays(bool sorted = false) const;
  const Box& box() const { return box_; }
  const RankPart& part() const { return part_; }
  // Of a particle of the first species.
  double mass() const { return species_.front().mass; }
  SpeciesOfTags speciesOfTags() const { return {rows_.data(), static_cast<int>(rows_.extent(0))}; }
  void sort(const BrickGrid& grid) { beginSort(grid), endSort(); }
  // The same in two steps. In between, so many may be stored behind the others as then have arrived; those beyond
  // `stay`, so many as have left, are gone behind the second. byPass: a pass will do it.
  void beginSort(const BrickGrid& grid, const DomainBounds& stay = {}, bool byPass = false);
  void endSort(int arrived = 0, int left = 0);
  // The second step by a pass, which stores particles in arrays(true), and begins and ends between these.
  BrickPlaces beginPass(int arrived = 0);
  void endPass(int arrived = 0, int left = 0);
  const DeviceArray<int>& brickStart() const { return sort_.start(); }
  // Words that kernels set when something is wrong, [mishaps].
  int* mishap() const { return mishap_.data(); }
  FieldRegistry& fields() { return fields_; }
  void setCount(int count) { count_ = count; }
  void ensureRoom(int particles);

  ThermoSums sums() const override;

  int count() const override { return count_; }
  i64 total() const override { return total_; }
  std::size_t memoryBytes() const override;
  io::Snapshot snapshot(i64 step) const override;
  bool has(io::TrajectoryField field) const override;
  std::vector<std::string> speciesNames() const override { return names_; }
  void addProfile(const BinShape& shape, const BinWish& wish, BinTotals& totals) override;
  std::string stateHash() const override;
  std::optional<std::string> failure() override;
  std::string sharedHow() const override;
  std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage) override;
  void restore(const io::CheckpointContent& content, KeepList) override;

private:
  struct Row {
    Coord x[3];
    Store v[3];
    u32 tag;
  };
  void checkRows(const io::CheckpointContent& content) const;
  std::array<LargeVector<Coord>, 3> coordinatesHere() const;  // [axis][particle], as they are in memory
  LargeVector<Row> rowsHere() const;
  void take(LargeVector<Row> rows);
  void put(const Row* rows, int count);
  PackedPlaces<Coord> places(bool sorted) const;
  backend::BrickCoordinates<Coord> coordinates() const;

  std::vector<std::string> names_;  // of the species
  std::vector<SpeciesRow> species_;
  DeviceArray<SpeciesRow> rows_;
  Box box_;
  RankPart part_;
  double timestep_;
  u64 seed_;
  i64 total_ = 0;
  int count_ = 0, capacity_ = 0;
  std::vector<const input::Population*> given_;
  boundary::SolidParts solid_;  // of the walls around it
  FieldRegistry fields_;
  std::shared_ptr<Field<Coord>> xz_, yz_;  // positions, packed
  std::shared_ptr<Field<typename PackedPlace<Coord>::Rest>> z_;
  std::shared_ptr<Field<Store>> velocity_[3];
  std::shared_ptr<Field<u32>> tag_;
  backend::BrickSort sort_;
  DomainBounds stay_;  // of the sort that has begun
  DeviceArray<int> mishap_;
};

}  // namespace mesowarp::mpcd
