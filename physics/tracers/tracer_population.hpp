// Brownian tracers: points without forces. A population without cells; on several ranks each has a block of the tags
// (comm/tag_blocks.hpp). Positions are 64-bit fractions of the box's periods (core/box.hpp) in any precision of a run,
// so that no bit depends on ranks or threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/box.hpp"
#include "core/types.hpp"
#include "input/deck.hpp"
#include "state/fields.hpp"
#include "state/population.hpp"

namespace mesowarp::tracers {

// What kernels see.
struct TracerArrays {
  DeviceArray<u32> tag;
  DeviceArray<Vec3<u64>> position, start;
  DeviceArray<Vec3<i32>> image;  // box lengths that `position` has been taken back by since the start
};

class TracerPopulation final : public Population {
public:
  // ranks: null: one.
  TracerPopulation(const input::Deck& deck, const comm::Communicator* ranks);

  // Uniform in the box, by tags alone.
  void start(u64 seed);
  TracerArrays arrays() const { return {tag_->current, position_->current, start_->current, image_->current}; }
  const Box& box() const { return box_; }

  int count() const override { return count_; }
  i64 total() const override { return total_; }
  i64 mobile() const override { return 0; }  // none has a temperature
  std::size_t memoryBytes() const override { return fields_.bytes(); }
  io::Snapshot snapshot(i64 step) const override;
  bool has(io::TrajectoryField field) const override;
  std::vector<std::string> speciesNames() const override { return {name_}; }
  void addProfile(const BinShape&, const BinWish&, BinTotals&) override;
  std::string stateHash() const override;
  std::optional<std::string> failure() override { return std::nullopt; }
  std::string sharedHow() const override { return "each with a block of the tracers"; }
  std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage) override;
  void restore(const io::CheckpointContent& content, KeepList) override;

private:
  void checkRows(const io::CheckpointContent& content) const;

  std::string name_;  // the deck's
  Box box_;
  double timestep_;
  i64 total_, first_;
  int count_;
  FieldRegistry fields_;
  std::shared_ptr<Field<u32>> tag_;
  std::shared_ptr<Field<Vec3<u64>>> position_, start_;
  std::shared_ptr<Field<Vec3<i32>>> image_;
};

// The deck's population of tracers.
const input::Population& tracersOf(const input::Deck& deck);
// The first tag of a rank's block; ranks: null: one.
i64 firstTracer(int rank, const comm::Communicator* ranks, i64 total);

}  // namespace mesowarp::tracers
