// Particles of one kind of memory: what a run consists of, beside phases (step/phase.hpp). A population knows how many
// there are and where, how they go to a file, a checkpoint and a hash, and no force. On several ranks all functions are
// collective, and what they return is the same on each, unless they say otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/sums.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/h5md/snapshot.hpp"
#include "state/bins/bin_totals.hpp"

namespace mesowarp {

// What somebody wants of a step, beside that it is done.
struct Wanted {
  bool thermo = false;      // ThermoSums of this step
  bool velocities = false;  // for snapshots, profiles and the state hash
  bool forces = false;      // for snapshots
  bool virials = false;     // of each particle, for fields of stress
  bool snapshot = false;    // positions are read, nothing more is computed

  bool any() const { return thermo || velocities || forces || virials || snapshot; }
  Wanted& operator|=(const Wanted& other) {
    thermo = thermo || other.thermo, velocities = velocities || other.velocities;
    forces = forces || other.forces, virials = virials || other.virials, snapshot = snapshot || other.snapshot;
    return *this;
  }
};

// Whether a restored population goes on with the checkpoint's neighbour list, to the same bits, or with a new one.
enum class KeepList { no, yes };

struct ListCounters {
  i64 lastRebuild = 0;
  i64 rebuilds = 0;
  i64 dangerousBuilds = 0;  // builds before which a particle had left its half skin unnoticed
  i64 migrated = 0;         // particles that have gone to another rank, since this process started
  i64 ghosts = 0;           // of all ranks, now
};

// How ghosts travel, and why so.
struct TransportChoice {
  std::string name, reason;
  std::array<int, 3> parts{1, 1, 1};  // of the box, along each axis
};

class ListedPopulation;

class Population {
public:
  // ranks: null: one rank.
  Population(std::string name, const comm::Communicator* ranks) : name_(std::move(name)), ranks_(ranks) {}
  virtual ~Population() = default;
  Population(const Population&) = delete;
  Population& operator=(const Population&) = delete;

  const std::string& name() const { return name_; }
  const comm::Communicator* ranks() const { return ranks_; }
  virtual int count() const = 0;                  // of this rank's own particles
  virtual i64 total() const = 0;                  // of all ranks
  virtual i64 mobile() const { return total(); }  // those that move, and so have degrees of freedom; collective
  virtual std::size_t memoryBytes() const = 0;    // of this rank
  // Null: it has no cells and no neighbour list.
  virtual ListedPopulation* listed() { return nullptr; }

  // Before the first phase of a step, and behind the last one, when what was written is what there is.
  virtual void beginStep(const Wanted&) {}
  virtual void swapState() {}

  // Behind the phases of a step that was wanted so.
  virtual io::Snapshot snapshot(i64 step) const = 0;
  // Tags, places, images, and fields that viewers should see, of the particles of so many tags from `first` on; on
  // several ranks each has a block of whole units of them. Of populations with a neighbour list; cheaper than a
  // snapshot.
  virtual io::Snapshot placesOf(i64 /*step*/, i64 /*first*/, i64 /*count*/, i64 /*unit*/) const {
    throw std::logic_error(name_ + ": places by tags");
  }
  // What snapshots have: fields of a trajectory, and by its number the name of a species (empty: the deck's).
  virtual bool has(io::TrajectoryField) const { return true; }
  virtual std::vector<std::string> speciesNames() const { return {}; }
  // Adds one sample. Collective.
  virtual void addProfile(const BinShape& shape, const BinWish& wish, BinTotals& totals) = 0;
  // Of positions and velocities in the order of tags, as 32 hex digits; needs Wanted::velocities. The same for any
  // number of ranks and threads.
  virtual std::string stateHash() const = 0;
  // What went wrong, in words; empty: nothing. Waits for the device.
  virtual std::optional<std::string> failure() = 0;
  virtual ListCounters counters() const { return {}; }                     // waits for the device
  virtual std::optional<TransportChoice> transport() const { return {}; }  // empty: there are no ghosts

  // How several ranks share it, in words: "each with a block of the …".
  virtual std::string sharedHow() const = 0;

  // The state before a step: between rebuilds and phases. `storage` owns the bytes.
  virtual std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage) = 0;
  // Throws InputError, on all ranks alike and before anything of the device is touched, if arrays are missing or of
  // another size, or hold what cannot be: coordinates behind walls, unknown species, numbers that are not finite. Tags,
  // bonds and counters are checkCheckpoint()'s to look at.
  virtual void restore(const io::CheckpointContent& content, KeepList keep) = 0;

private:
  std::string name_;
  const comm::Communicator* ranks_;
};

}  // namespace mesowarp
