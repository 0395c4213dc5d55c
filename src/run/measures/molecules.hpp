// Molecules as what bonds join, found once in a run.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "physics/observables/molecule_sums.hpp"
#include "run/recorders/recorder.hpp"
#include "step/engine.hpp"

namespace mesowarp {

class Molecules {
public:
  // population: those of its particles; between walls, those whose particles are all of species that it may hold.
  // Empty: all.
  Molecules(const input::Deck& deck, const std::string& population);

  // Of this step, for which a snapshot was wanted. Looks bonds up at the first call. Collective; the same on all ranks.
  const observables::MoleculeShapes& shapes(i64 step, Engine& engine, bool centresAlone);
  // Of those.
  const observables::MoleculeTable& table() const { return table_; }
  const observables::MoleculeParts& parts() const { return parts_; }

private:
  void find(i64 step, Engine& engine);
  void number(const std::vector<u32>& bonds, const std::vector<i32>& species);
  void makeWhole(const std::vector<u32>& bonds, const io::Snapshot& all);

  const input::Deck& deck_;
  struct Tags {
    i64 first = 0, last = std::numeric_limits<i64>::max();  // behind the last
  };
  Tags tags_;                  // that may be in one
  std::vector<bool> species_;  // and species
  bool found_ = false;
  observables::MoleculeParts parts_;
  observables::MoleculeTable table_;
  observables::MeasuredParticles particles_;
  observables::MoleculeShapes shapes_;
};

}  // namespace mesowarp
