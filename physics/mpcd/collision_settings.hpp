// What the steps of a collision solvent need of a deck, as kernels take it.
#pragma once

#include "physics/mpcd/deck/mpcd_deck.hpp"
#include "physics/mpcd/deck/mpcd_margin.hpp"
#include "physics/mpcd/solvent_pass.hpp"

namespace mesowarp::mpcd {

std::array<int, 3> cellsOf(const input::Deck& deck);
SumScale scaleOf(const input::Deck& deck, bool wide);
SumScale mixtureScaleOf(const input::Deck& deck);
// Up to a cell, by the step alone.
GridShift shiftOf(const BrickGrid& grid, u64 seed, i64 step);
// sqrt(k_BT / m), of a velocity component.
double thermalSpeed(const input::Deck& deck, double mass);
template <class P>
SolventDrives<P> drivesOf(const input::Deck& deck, const Box& box);

}  // namespace mesowarp::mpcd
