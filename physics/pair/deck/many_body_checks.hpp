// What a deck's many-body forces (physics/pair/many_body.hpp) make of it. No Kokkos.
#pragma once

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp {

// Of a species' liquid without pressure, 1 / volume, by Warren's equation of state (Phys. Rev. E 68, 066702 (2003), Eq.
// 5), which was fitted for r_d = 0.75 r_c and his weight:
//   p = rho k_BT + alpha a rho^2 + 2 alpha b r_d^4 (rho^3 - c rho^2 + d),   alpha = 0.101, c = 4.16, d = 18.
// 0: it is not known, or there is none.
double liquidDensity(const input::Deck& deck, const std::string& species);
// The largest.
double liquidDensity(const input::Deck& deck);

// Forces that no energy belongs to, and attraction that nothing holds.
void checkManyBody(const input::Deck& deck, input::Report& report);

}  // namespace mesowarp
