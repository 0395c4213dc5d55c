// Initial states, made on the host from numbers keyed by tag, so that they are the same on any machine and on any
// number of threads.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "device/host_loop.hpp"
#include "input/estimate.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "input/molecules/molecule_text.hpp"
#include "input/species.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/lammps/initial_file.hpp"
#include "start/initial_positions.hpp"
#include "start/initial_velocities.hpp"
#include "start/molecule_terms.hpp"
#include "start/whole_molecules.hpp"

namespace mesowarp {
namespace {

// Adds particles of one population to the state; knows the box and the deck.
class Builder {
public:
  Builder(const input::Deck& deck, const Populations& populations, const ReadState& readState)
      : deck_(deck), readState_(readState), box_(boxOf(deck)) {
    i64 known = 0;  // without those from files
    for (const input::Population* population : populations) known += input::particleCount(*population, deck.box);
    particles_.reserve(static_cast<std::size_t>(known));
  }

  void add(const input::Population& population) {
    const i64 first = particles_.count();
    const std::size_t firstBond = particles_.bonds.size(), angles = particles_.angles.size(),
                      dihedrals = particles_.dihedrals.size();
    bool fresh = true;
    fileMolecules_.clear();
    if (population.initial == input::StartKind::file)
      fresh = !fromFile(population, first);
    else
      fromDeck(population);
    // Where a file lists none, every three or four particles in a row are one.
    const bool numbered = numbersMolecules();
    if (!deck_.angles.empty() || !deck_.dihedrals.empty() || numbered) {
      const BondedRows rows(particles_, first, firstBond);
      if (numbered) giveNumbers(population, rows);
      if (particles_.angles.size() == angles) addAngles(deck_, population, rows, particles_);
      if (particles_.dihedrals.size() == dihedrals) addDihedrals(deck_, population, rows, particles_);
    }
    runs_.push_back({&population, first, particles_.count(), fresh});
  }

  HostParticles finish() {
    InitialVelocities velocities(deck_, runs_);
    velocities.draw(particles_, 0);
    velocities.addMomentum(particles_, 0);
    if (velocities.scales()) velocities.addKinetic(particles_, 0);
    velocities.adjust(particles_, 0);
    if (!particles_.image.empty()) particles_.addImages();
    return std::move(particles_);
  }

private:
  void fromDeck(const input::Population& population) {
    ParticlePlacer placer(particles_, box_, deck_.run.seed);
    if (!population.blocks.empty()) {  // chains
      const auto beads = beadsOf(population);
      const bool bonded = std::any_of(beads.begin(), beads.end(), [](const auto& bead) { return bead.bond >= 0; });
      placer.molecules(input::particleCount(population, deck_.box) / static_cast<i64>(beads.size()), beads,
                       population.bond_length, bonded);
    } else {
      placer.single(SinglePositions(box_, deck_.run.seed, population, particles_.count()),
                    speciesNumber(deck_, population.species));
    }
  }

  std::vector<ParticlePlacer::Bead> beadsOf(const input::Population& population) const {
    const std::vector<int> parents = input::moleculeOf(population).parent;
    const auto species = input::beadSpecies(population);
    std::vector<ParticlePlacer::Bead> beads;
    for (std::size_t b = 0; b < species.size(); ++b) {
      const std::string& other = species[static_cast<std::size_t>(std::max(parents[b], 0))];
      const int bond = b == 0 ? -1 : input::blockOf(deck_.bonds, population.name, 0, std::array{species[b], other});
      beads.push_back({speciesNumber(deck_, species[b]), parents[b], bond});
    }
    return beads;
  }

  // An error about what the population's file holds, with the deck's line.
  [[noreturn]] void refuse(const input::Population& population, const std::string& message) const {
    const auto path = fmt::format("population.{}.file", &population - deck_.populations.data());
    throw InputError(input::format({input::sourceOf(deck_, path), population.file + ": " + message}, deck_.file));
  }

  // True: the file has velocities.
  bool fromFile(const input::Population& population, i64 first) {
    const io::FileState state = io::looksLikeCheckpoint(population.file)
                                    ? readState_(population.file)
                                    : io::readInitialFile(population.file, deck_.box.periodic);
    for (int axis = 0; axis < 3; ++axis)
      if (state.box[axis] > 0.0 && std::abs(state.box[axis] - box_.size[axis]) > 1e-6 * box_.size[axis])
        refuse(population,
               fmt::format(
                   "its box edge is {:.9g} along {}, but box.size is {:.9g}: a state is read into the box it is of",
                   state.box[axis], "xyz"[axis], box_.size[axis]));
    checkMasses(population, state);
    if (state.slidBox)
      particles_.warnings.push_back(population.file +
                                    ": its box is sheared, and a new run begins with images straight beside it: "
                                    "particles meet others across that face, and may overlap; let [relaxation] part "
                                    "them, or go on with --resume");
    LargeVector<u32> species(state.type.size());
    for (std::size_t k = 0; k < species.size(); ++k) species[k] = fileSpecies(population, state, k);
    ParticlePlacer(particles_, box_, deck_.run.seed).given(state.position, species);
    if (!state.velocity.empty())
      hostLoop("initial velocities, file", 0, static_cast<i64>(species.size()), [&](i64 k) {
        for (int axis = 0; axis < 3; ++axis) particles_.velocity[first + k][axis] = state.velocity[3 * k + axis];
      });
    const std::size_t firstBond = particles_.bonds.size();
    const auto isHeld = [&](const auto& block) { return block.population == population.name; };
    if (state.bonds.empty() && std::any_of(deck_.bonds.begin(), deck_.bonds.end(), isHeld))
      refuse(population,
             fmt::format("it has no bonds, and a [[bond]] block is for those of population \"{}\": begin from "
                         "LAMMPS data, a trajectory or a checkpoint, which have them, or leave the block out",
                         population.name));
    checkTypes("bond", population, state.typesTold, deck_.bonds);
    checkTypes("angle", population, state.typesTold, deck_.angles);
    checkTypes("dihedral", population, state.typesTold, deck_.dihedrals);
    for (const auto& bond : state.bonds) {
      const std::array between{speciesAt(first + bond.a), speciesAt(first + bond.b)};
      const int block = input::blockOf(deck_.bonds, population.name, bond.type, between);
      if (block < 0)
        refuse(population,
               fmt::format("bond type {} has no [[bond]] block for population \"{}\"", bond.type, population.name));
      particles_.bonds.push_back({static_cast<u32>(first + bond.a), static_cast<u32>(first + bond.b), block});
    }
    fileTerms("angle", population, state.angles, deck_.angles, first, particles_.angles);
    fileTerms("dihedral", population, state.dihedrals, deck_.dihedrals, first, particles_.dihedrals);
    fileMolecules_ = state.molecule;
    takeImages(population, state, first, firstBond);
    return !state.velocity.empty();
  }

  // What has bonds, or a file that gives molecules ids, and writes trajectories, in which molecules are told apart by
  // their numbers, or groups of them; what has forces that tell them apart. All populations, once one has.
  bool numbersMolecules() const {
    if (input::anyBetweenMolecules(deck_) || !particles_.molecule.empty()) return true;
    if (deck_.bonds.empty() && !haveMolecules(fileMolecules_)) return false;
    return !input::itemsOf(deck_, "group").empty() ||
           std::any_of(deck_.outputs.begin(), deck_.outputs.end(),
                       [](const auto& output) { return output.format == input::OutputFormat::trajectory; });
  }

  void giveNumbers(const input::Population& population, const BondedRows& rows) {
    try {
      numberMolecules(fileMolecules_, rows, nextMolecule_, particles_);
    } catch (const InputError& error) {
      refuse(population, error.what());
    }
  }

  const std::string& speciesAt(i64 tag) const { return deck_.species[particles_.species[tag]]; }

  // Blocks by type are of files that tell types; elsewhere all are 1.
  template <class Block>
  void checkTypes(const char* name, const input::Population& population, bool told,
                  const std::vector<Block>& blocks) const {
    const auto asksForType = [&](const Block& block) { return block.population == population.name && block.type > 1; };
    if (!told && std::any_of(blocks.begin(), blocks.end(), asksForType))
      refuse(population, fmt::format("a trajectory does not tell the types of its {}s, and a [[{}]] block is of one: "
                                     "begin from the checkpoint beside it, or leave `type` out",
                                     name, name));
  }

  // The terms that a file lists, of those blocks of the deck that are for them.
  template <std::size_t N, class Block>
  void fileTerms(const char* name, const input::Population& population,
                 const std::vector<io::FileState::Term<N>>& listed, const std::vector<Block>& blocks, i64 first,
                 std::vector<HostParticles::Term<N>>& terms) {
    for (const auto& term : listed) {
      std::array<std::string, N> species;
      HostParticles::Term<N> made{};
      for (std::size_t m = 0; m < N; ++m)
        made.tag[m] = static_cast<u32>(first + term.of[m]), species[m] = speciesAt(first + term.of[m]);
      made.type = input::blockOf(blocks, population.name, term.type, species);
      if (made.type < 0)
        refuse(population, fmt::format("{} type {} has no [[{}]] block for population \"{}\"", name, term.type, name,
                                       population.name));
      terms.push_back(made);
    }
  }

  // Those that the file gives are those of the species that its types are; own files may have them in single precision,
  // dumps in six digits.
  void checkMasses(const input::Population& population, const io::FileState& state) const {
    for (std::size_t type = 0; type < state.massOfType.size(); ++type) {
      const double mass = state.massOfType[type];
      const std::string& species = speciesOfType(population, state, type);
      const input::SpeciesKeys* own = input::speciesKeys(deck_, species);
      const bool ofSpecies = own && own->mass > 0.0;
      const double expected = species.empty() ? population.mass : input::massOf(deck_, species);
      if (mass > 0.0 && std::abs(mass - expected) > 1e-5 * expected)
        refuse(population,
               ofSpecies
                   ? fmt::format("its particles of type {} have mass {:.9g}, species \"{}\" has {:.9g}: set its mass",
                                 type + 1, mass, species, expected)
                   : fmt::format("its particles have mass {:.9g}, population \"{}\" has {:.9g}: set its mass", mass,
                                 population.name, expected));
    }
  }

  // The file's images, along periodic axes, and those of molecules that it leaves torn.
  void takeImages(const input::Population& population, const io::FileState& state, i64 first, std::size_t firstBond) {
    const bool some = std::any_of(state.image.begin(), state.image.end(), [](auto boxes) { return boxes != 0; });
    if (!some && state.bonds.empty()) return;
    particles_.addImages();
    hostLoop("initial images, file", 0, static_cast<i64>(state.image.size() / 3), [&](i64 k) {
      for (int axis = 0; axis < 3; ++axis)
        particles_.image[first + k][axis] = deck_.box.periodic[axis] ? state.image[3 * k + axis] : 0;
    });
    const MoleculeImages found = makeWhole(particles_, box_, first, firstBond, state.imagesGiven,
                                           shearOf(deck_).on ? shearOf(deck_).gradient : -1);
    for (const auto& warning : found.warnings(population.file)) particles_.warnings.push_back(warning);
  }

  u32 fileSpecies(const input::Population& population, const io::FileState& state, std::size_t k) const {
    const std::size_t type = static_cast<std::size_t>(state.type[k]);
    if (!population.types.empty() && type > population.types.size())
      refuse(population,
             fmt::format("it has particles of type {}, but types names {} species", type, population.types.size()));
    return speciesNumber(deck_, speciesOfType(population, state, type - 1));
  }

  // type: from 0. What the deck says, or else what the file does, if the deck has a species of that name.
  const std::string& speciesOfType(const input::Population& population, const io::FileState& state,
                                   std::size_t type) const {
    if (type < population.types.size()) return population.types[type];
    if (population.types.empty() && type < state.speciesNames.size())
      if (const auto it = std::find(deck_.species.begin(), deck_.species.end(), state.speciesNames[type]);
          it != deck_.species.end())
        return *it;
    return population.species;
  }

  const input::Deck& deck_;
  const ReadState& readState_;
  Box box_;
  HostParticles particles_;
  std::vector<PopulationRun> runs_;
  std::vector<std::int64_t> fileMolecules_;  // of the population being added
  u32 nextMolecule_ = 1;
};

}  // namespace

Box boxOf(const input::Deck& deck) {
  Box box{deck.box.size, deck.box.periodic};
  if (const Shear shear = shearOf(deck); shear.on) box.periodic[shear.gradient] = false;
  return box;
}

Shear shearOf(const input::Deck& deck) { return deck.own.get<Shear>(); }

std::vector<double> massesOf(const input::Deck& deck) {
  std::vector<double> masses;
  for (const auto& species : deck.species) masses.push_back(input::massOf(deck, species));
  return masses;
}

HostParticles makeInitialState(const input::Deck& deck, const Populations& populations, const ReadState& readState) {
  Builder builder(deck, populations, readState);
  for (const input::Population* population : populations) builder.add(*population);
  return builder.finish();
}

}  // namespace mesowarp
