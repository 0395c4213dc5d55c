// What a deck says of transport: dissolved species (solutes), their fluxes, reactions and sources. No Kokkos.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::transport {

constexpr int mostSolutes = 64, mostReactions = 32, mostSources = 64;

// [transport]
struct TransportKeys {
  std::vector<std::string> solutes;
  bool randomFlux = false;
  std::vector<double> soluteMass;  // m_s, of each, or one for all
  double density = 0.0;            // rho of the random flux, particles per volume; filled in
  double fluxRange = 0.0;          // of fluxes in fixed point; filled in
  std::vector<std::string> reactions;
  std::vector<double> rates;  // k of each reaction; filled in
};

// [[interaction]] of style "tdpd".
struct FluxKeys {
  std::vector<double> kappa;  // of each solute, or one for all; 1 / time
  double cutoff = 0.0;        // r_cc, length; filled in
  double exponent = 2.0;      // s_c of w_DC = (1 - r/r_cc)^s_c
};

// [[population]]
struct SoluteKeys {
  std::vector<double> concentration;  // of each solute, or one for all
};

// Where a source acts or an initial concentration holds.
enum class Shape { everywhere, box, sphere, cylinder };
struct FilledRegion {
  Shape shape = Shape::everywhere;
  std::array<double, 3> low{}, high{};  // box: corners, length
  std::array<double, 3> center{};       // sphere; cylinder: a point of its axis
  double radius = 0.0;
  int axis = 2;  // cylinder: along it
};

// [[source]]: dC/dt = rate + linear C
struct SoluteSource : FilledRegion {
  std::string solute;
  double rate = 0.0;    // concentration / time
  double linear = 0.0;  // 1 / time
  std::string species;  // of particles; empty: all
};

// [[concentration]]: what particles begin with, instead of their population's; later blocks over earlier ones.
struct InitialConcentration : FilledRegion {
  std::string solute;
  double value = 0.0;                // concentration
  std::array<double, 3> gradient{};  // concentration / length; from the middle of the box on
  double amplitude = 0.0;            // concentration, of a sine wave along an axis with so many periods
  int waveAxis = 0;
  int periods = 1;
  std::string species;  // of particles; empty: all
};

bool hasTransport(const input::Deck& deck);  // some interaction is of our style
const TransportKeys& transportOf(const input::Deck& deck);
std::vector<SoluteSource> sourcesOf(const input::Deck& deck);
std::vector<InitialConcentration> initialConcentrationsOf(const input::Deck& deck);
inline bool isTransport(const input::Interaction& interaction) {
  return interaction.style == input::InteractionStyle::tdpd;
}

// The k-th of a list that has one number for all, or one for each.
inline double numberOf(const std::vector<double>& list, std::size_t k) {
  return list.empty() ? 0.0 : list.size() == 1 ? list[0] : k < list.size() ? list[k] : 0.0;
}

// How concentrations lie in memory: `stride` numbers a particle. One traversal with the forces takes up to 12 solutes,
// padded to `width` (1, 4 or 12); each further twelve have a traversal of fluxes alone, and random fluxes one for every
// four.
struct Layout {
  int solutes, width, stride, furtherDozens, randomFours;
};
Layout layoutOf(const input::Deck& deck);

// Labels of the forces, in their order in a step; whether a table asks for totals, and what sums them.
std::vector<std::string> pairForces(const input::Deck& deck);
bool wantsTotals(const input::Deck& deck);
constexpr const char *forceLabel = "pair tdpd", *fluxLabel = "pair flux", *randomLabel = "pair random flux",
                     *totalsPhase = "totals of solutes";

// "A + 2 B -> C : 0.5", mass action: the rate is k [A] [B]^2.
struct Reaction {
  struct Term {
    int solute, number;
  };
  std::vector<Term> reactants, changes;  // changes: of each solute once, products less reactants
  double rate = 0.0;                     // k
};
// What is wrong with the text; empty: `reaction` holds it.
std::string readReaction(const std::string& text, const std::vector<std::string>& solutes, Reaction& reaction);

// Those of the deck that read well, with the rates that it has now; their texts.
std::vector<std::pair<std::string, Reaction>> reactionsOf(const input::Deck& deck);

// The integral of r^n (1 - r/r_c)^p over r from 0 to r_c.
double weightIntegral(int n, double exponent, double cutoff);
// Eqs. 11 and 12 of Blumers et al. (Comput. Phys. Commun. 2017) with g(r) = 1, rho the density of all particles:
// self-diffusion of particles, and the Fickian flux's part of the diffusion coefficient. The kinematic viscosity, too,
// of Groot & Warren (1997) for any exponent, for the Schmidt number; it is an estimate.
double particleDiffusion(const input::Interaction& pair, double temperature, double density);
double fickianDiffusion(const input::Interaction& pair, std::size_t solute, double density);
double kinematicViscosity(const input::Interaction& pair, double temperature, double density);
// Particles of all populations in a box per volume; 0: one is from a file, and nobody has counted.
double numberDensity(const input::Deck& deck);
// The largest concentration that particles begin with.
double largestConcentration(const input::Deck& deck);

}  // namespace mesowarp::transport
