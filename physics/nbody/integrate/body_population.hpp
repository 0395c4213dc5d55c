// Bodies of which each has a force with each other: a population without cells and without a box. On several ranks each
// has a block of the tags (BodyShare), and all arrays of the state are of that block. Of bodies, which are few, the
// root hashes all positions and all velocities.
#pragma once

#include <array>
#include <memory>
#include <vector>
#include <xxhash.h>

#include "comm/rank_part.hpp"
#include "core/error.hpp"
#include "input/deck.hpp"
#include "physics/nbody/body_force.hpp"
#include "physics/nbody/integrate/body_state.hpp"
#include "physics/nbody/start/host_bodies.hpp"
#include "state/population.hpp"

namespace mesowarp::nbody {

class BodyPopulation final : public Population {
public:
  // A rank has a block of the tags.
  BodyPopulation(const input::Deck& deck, const BodyShare& share);

  BodyState& state() { return state_; }
  const std::shared_ptr<BodyForce>& force() const { return force_; }
  void upload(const HostBodies& bodies);

  int count() const override { return state_.count(); }
  i64 total() const override { return state_.share.total(); }
  std::size_t memoryBytes() const override { return state_.bytes() + force_->bytes(); }
  io::Snapshot snapshot(i64 step) const override;
  void addProfile(const BinShape&, const BinWish&, BinTotals&) override {
    throw RunError("bodies have no box to take profiles in");
  }
  std::string stateHash() const override;
  std::optional<std::string> failure() override;
  std::string sharedHow() const override { return "each with a block of the bodies"; }
  std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage) override;
  void restore(const io::CheckpointContent& content, KeepList) override;

private:
  void checkRows(const io::CheckpointContent& content) const;
  std::string failureHere(int lost) const;
  void hashInOrder(XXH3_state_t& hashing, const Vectors& vectors) const;
  // visit(name, view) for every array of a checkpoint.
  template <class Visit>
  void forEachArray(Visit&& visit) {
    visit("position", state_.bodies.position), visit("velocity", state_.bodies.velocity);
    visit("acceleration", state_.acceleration), visit("jerk", state_.jerk), visit("ticks", state_.ticks);
    visit("mass", state_.bodies.mass), visit("charge", state_.bodies.charge), visit("type", state_.bodies.type);
  }

  input::Deck deck_;
  std::shared_ptr<BodyForce> force_;
  BodyState state_;
  std::vector<std::array<u32, 2>> excluded_;
};

// The body's forces as a deck has them.
ForceSettings forceSettings(const input::Deck& deck);

// Excluded pairs by body; pairs: each once.
backend::ExcludedPartners makeExclusions(const std::vector<std::array<u32, 2>>& pairs, int count);

}  // namespace mesowarp::nbody
