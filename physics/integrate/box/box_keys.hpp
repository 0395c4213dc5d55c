// What a deck's [barostat] and [deformation] say (barostat.hpp, deformation.hpp). No Kokkos.
#pragma once

#include <array>
#include <cstdint>

#include "input/deck.hpp"

namespace mesowarp {

struct BarostatKeys {
  enum Coupling { isotropic, semiIsotropic, anisotropic, alongZ };
  bool on = false;
  int style = 0;                 // stochastic cell rescaling
  double pressure = 0.0;         // energy / length^3
  double tension = 0.0;          // semi-isotropic: of all interfaces across z together, energy / length^2
  double compressibility = 0.0;  // length^3 / energy
  double period = 10.0;          // tau_p, time
  int coupling = isotropic;
  std::int64_t every = 0;  // steps between changes; the parser fills in
};

struct DeformationKeys {
  bool on = false;
  std::array<bool, 3> byTable{};  // edges that a [[schedule]] of box.size says
  std::array<double, 3> rate{};   // of each edge, in units of what it was at the start, 1 / time
  std::array<double, 3> size{};   // instead: edges at step `to`, length
  std::int64_t from = 0, to = 0;  // steps; to = 0: for good
  std::int64_t every = 10;        // steps between changes

  // Whether the block itself says how edges change.
  bool byItself() const { return rate != std::array<double, 3>{} || size != std::array<double, 3>{}; }
  bool anyByTable() const { return byTable[0] || byTable[1] || byTable[2]; }
};

inline bool changesBox(const input::Deck& deck) {
  return deck.own.get<BarostatKeys>().on || deck.own.get<DeformationKeys>().on;
}

}  // namespace mesowarp
