// The engine: everything of a step that runs on the device, behind one virtual call a phase. For particles in a box it
// is a template over the precision mode (engine_impl.hpp), compiled once for each; for bodies there is body_engine.hpp.
//
// advance(k) completes step k: forces f_k, velocities v_k, and on to x_{k+1}. Snapshots and profiles taken after
// advance(k) show step k.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "start/host_particles.hpp"
#include "device/config.hpp"
#include "comm/rank_part.hpp"
#include "core/sums.hpp"
#include "input/deck.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/h5md/snapshot.hpp"
#include "physics/observables/profile.hpp"

namespace mesowarp {

struct Wanted {
  bool thermo = false;      // ThermoSums of this step
  bool velocities = false;  // for snapshots, profiles and the state hash
  bool forces = false;      // for snapshots
  bool snapshot = false;    // positions are read, nothing more is computed

  bool any() const { return thermo || velocities || forces || snapshot; }
  Wanted& operator|=(const Wanted& other) {
    thermo = thermo || other.thermo, velocities = velocities || other.velocities;
    forces = forces || other.forces, snapshot = snapshot || other.snapshot;
    return *this;
  }
};

struct EngineCounters {
  i64 lastRebuild = 0;
  i64 rebuilds = 0;
  i64 dangerousBuilds = 0;  // builds before which a particle had left its half skin unnoticed
  i64 migrated = 0;         // particles that have gone to another rank, since this process started
  i64 ghosts = 0;           // of all ranks, now
};

// Whether a restored engine goes on with the checkpoint's neighbour list, to the same bits, or with a new one.
enum class KeepList { no, yes };

// On several ranks every function is collective, and what it returns is the same on each, unless it says otherwise.
class Engine {
public:
  virtual ~Engine() = default;
  virtual void initialize(const HostParticles& particles) = 0;
  virtual void rebuildIfDue(i64 step) = 0;
  virtual void advance(i64 step, const Wanted& wanted) = 0;

  virtual const ThermoSums& sums() const = 0;
  // Further quantities of an observed step, by the names of their columns.
  virtual std::map<std::string, double> quantities() const { return {}; }
  virtual io::Snapshot snapshot(i64 step) const = 0;
  virtual void addProfile(int axis, std::vector<BinSums>& bins) = 0;
  // Of positions and velocities in the order of tags, as 32 hex digits; needs Wanted::velocities. The same for any
  // number of ranks and threads.
  virtual std::string stateHash() const = 0;
  // What went wrong, in words; empty: nothing. On a GPU this waits for the device.
  virtual std::optional<std::string> failure() = 0;

  virtual EngineCounters counters() const = 0;              // on a GPU this waits for the device
  virtual std::size_t memoryBytes() const = 0;              // of this rank
  virtual i64 particles() const = 0;                        // of all ranks
  virtual std::string transportName() const { return {}; }  // how ghosts travel, and why so; empty: there are none
  virtual std::string transportReason() const { return {}; }

  // The state before advance(step): call between rebuildIfDue(step) and advance(step). `storage` owns the bytes.
  virtual std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage) = 0;
  // Throws InputError, on all ranks alike and before anything of the device is touched, if arrays are missing or of
  // another size, or hold what cannot be: coordinates behind walls, unknown species, numbers that are not finite. Tags,
  // bonds and counters are checkCheckpoint()'s to look at.
  virtual void restore(const io::CheckpointContent& content, KeepList keep = KeepList::yes) = 0;
};

// particles: of this rank. sort: all styles give the same bits, in different time.
std::unique_ptr<Engine> makeEngine(const input::Deck& deck, int particles, int bondsPerParticle,
                                   SortStyle sort = backend::defaultSort, const RankPart& part = {});

// Defined in engine_single/mixed/double.device.cpp.
std::unique_ptr<Engine> makeSingleEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                                         const RankPart& part);
std::unique_ptr<Engine> makeMixedEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                                        const RankPart& part);
std::unique_ptr<Engine> makeDoubleEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                                         const RankPart& part);

}  // namespace mesowarp
