// Tables of what walls do to the fluid near them (physics/boundary/wall_layer.hpp), from the deck. No Kokkos.
#pragma once

#include <vector>

#include "input/deck.hpp"

namespace mesowarp::boundary {

// What a run before the first step has found out, of each wall.
struct WallSettings {
  std::vector<double> drag;       // G_0 of each wall, 1 / time
  std::vector<double> dragError;  // its standard error, where it was found
  std::vector<double> outside;    // where none is needed: by how much a flow ends before the surface, length
  // Potential U of walls without particles, at nodes up to the cutoff, energy: N_0 has -dU/df more.
  std::vector<double> lift;
  double densityOff = 0.0;  // what U leaves, as a part of the fluid's density; 0: no more than noise
};

// Of a deck, as far as it says; calibration (physics/fluid/walled/wall_calibration.hpp) keeps what it finds there.
WallSettings wallSettings(const input::Deck& deck);

struct WallTables {
  std::vector<double> values;    // [wall][species][N_0, N_1, G][node]; force, force length, 1 / time
  std::vector<double> exchange;  // K, 1 / time: [wall][species][solute][node]; empty: there is none
  std::vector<double> value;     // C_w: [wall][solute]
  double reach = 0.0;            // where the nodes end, length; 0: no wall has a table
  double acts = 0.0;             // beyond, they are zero, length
  bool pushes = false;
};

// The push of a wall without particles is that of a half-space full of the fluid's particles, as if they lay anywhere.
// They do not, and the fluid would lie in layers: U takes that away.
//
// G of a wall:  (16 / 9) G_0 x^2 (1 - x), x = f / (1.5 r_c), so that int G f^2 df = G_0 r_c^3 / 5. To that, a wall on
// which the fluid bounces back adds what its particles lack by being at rest: to a flow s f the friction of partners at
// a depth d that went with - s d,
//   phi gamma rho / m  int w_D(r) e_t^2 d / max(f, r_c / 10) d^3r,   phi = eta_D / (eta_D + eta_K),
//   eta_D = (2 pi / 15) gamma rho^2 int w_D r^4 dr,   eta_K = 3 m k_BT / (8 pi gamma int w_D r^2 dr)
// (mean field). phi is the part of the stress that friction carries: what particles carry along, they bring back from
// the surface with their velocity reversed, and lack nothing. The deck's surface_friction is a factor of it. A wall
// without particles has the friction of a half-space full of particles at rest as well, and more, as what repels at
// rest holds back, too,
//   (1 + 3.5 (1 - phi)) gamma rho / m  int w_D(r) e_t^2 d^3r,   N_0 = rho int F_C(r) cos theta d^3r,
//   N_1 = rho int (s^2 / 4) F_C(r) (f / r) 2 pi s ds,   r^2 = f^2 + s^2,
// the latter the more of repelling particles behind a surface that is curved; and, where a concentration is fixed at
// it,
//   K = kappa rho int w_DC(r) (1 + d / f) d^3r,
// d the depth: the solid has the concentrations C_w - (C - C_w) d / f, so that a linear profile ends at the surface.
// The first part frozen particles have themselves.
WallTables wallTables(const input::Deck& deck, const WallSettings& settings);

// Makes the tables again as numbers change that a [[schedule]] may: a, gamma, kappa, frictions of walls, k_BT.
// Integrals over the solid, which depend on lengths alone, and the density are those of the deck that it was made of.
// U, which takes away what is proportional to a, follows a.
class WallTableMaker {
public:
  explicit WallTableMaker(const input::Deck& deck);  // the one that settings are found for
  // now: differs in such numbers alone. The bits of wallTables(now, settings), but for U.
  WallTables tables(const input::Deck& now, const WallSettings& settings) const;
  // What tables change with, of a deck.
  static std::vector<double> numbers(const input::Deck& now);

private:
  // Of a species, at the nodes, of a half-space that begins there; empty: nobody needs them.
  struct Integrals {
    double reachOfDrag = 0.0, a = 0.0;
    std::vector<double> push, drag;        // int w_C cos theta d^3r / pi, int w_D e_t^2 d^3r / pi
    std::vector<double> lacks;             // int w_D e_t^2 d / max(f, r_c / 10) d^3r / pi
    std::vector<double> exchange, mirror;  // int w_DC d^3r, int w_DC d / f d^3r
  };
  double node(std::size_t k) const;  // length
  void addExchange(const input::Deck& now, WallTables& tables) const;

  double density_, cutoff_;  // the largest
  std::vector<Integrals> of_;
};

// Beads of chains per volume between the walls; chains are counted, fluids have their density there.
double beadDensity(const input::Deck& deck);
// Particles of the fluid around the walls per volume, beads of chains among them.
double fluidDensity(const input::Deck& deck);

}  // namespace mesowarp::boundary
