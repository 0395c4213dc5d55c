// What decks of bodies have beside what all decks have: own blocks, keys and words.
#pragma once

#include <array>
#include <string>

#include "input/deck.hpp"

namespace mesowarp::nbody {

enum class Exclude { on_the_fly, afterwards };
enum class Dielectric { none, constant, linear, sigmoidal };

// [nbody]
struct NbodyBlock {
  input::Accumulator accumulator = input::Accumulator::single;  // completed by what run.precision suggests
  double range = 0.0;  // of sums with an offset, force (gravity: acceleration); 0: from the first step
  Exclude exclude = Exclude::on_the_fly;
};

// [electrostatics]: D(r) = permittivity, permittivity r, or exp(alpha r^3 + beta r^2 + gamma r + delta)
struct ElectrostaticsBlock {
  Dielectric dielectric = Dielectric::none;
  double constant = 1.0;  // Coulomb's
  double permittivity = 1.0;
  double alpha = 0.0, beta = 0.0, gamma = 0.0, delta = 0.0;
};

// [[population]]
struct BodyKeys {
  double total_mass = 0.0;         // of all; 0: count times mass
  double charge = 0.0;             // of each
  double radius = 0.0;             // of the sphere; Plummer's scale length
  double spacing = 0.0;            // on a lattice
  std::array<double, 3> center{};  // where plummer, sphere and lattice lie
  std::string exclusions;          // file of pairs without forces
};
struct InitialBodies {
  static constexpr const char *plummer = "plummer", *sphere = "sphere";
};

// [[interaction]]
struct LawKeys {
  double constant = 1.0;   // gravity: G
  double softening = 0.0;  // gravity: length
};
struct LawStyle {
  static constexpr const char *gravity = "gravity", *ljCoulomb = "lj-coulomb";
};

// [integrator]
struct SchemeKeys {
  double friction = 0.0;   // langevin: decay rate of velocities, 1 / time
  int corrections = 1;     // hermite, hermite-block: how often a step is corrected
  double accuracy = 0.02;  // hermite-block: Aarseth's eta
  int levels = 24;         // hermite-block: the shortest step is timestep / 2^levels
};
struct SchemeStyle {
  static constexpr const char *leapfrog = "leapfrog", *langevin = "langevin", *hermite = "hermite",
                              *hermiteBlock = "hermite-block";
};
enum class Scheme { velocity_verlet, leapfrog, langevin, hermite, hermite_block };
Scheme schemeOf(const input::Integrator& integrator);

inline const BodyKeys& keysOf(const input::Population& population) { return population.own.get<BodyKeys>(); }
inline const LawKeys& keysOf(const input::Interaction& interaction) { return interaction.own.get<LawKeys>(); }
inline const SchemeKeys& keysOf(const input::Integrator& integrator) { return integrator.own.get<SchemeKeys>(); }

// The quasi-double paper's methods that a precision of bodies has: double arithmetic sums in double alone; mixed, whose
// differences keep what a float loses, has those that keep it too.
bool accumulatorFits(input::Precision precision, input::Accumulator accumulator);

}  // namespace mesowarp::nbody
