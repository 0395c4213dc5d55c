// Cells at the start.
#pragma once

#include "start/host_particles.hpp"

namespace mesowarp::membrane {

bool hasMembranes(const Populations& populations);

// Puts the vertices of all membrane populations where their cells are: at `centers` or where a file says, on a lattice,
// or at random, turned any way, none in another (random sequential addition, numbers keyed by the tag of a cell's first
// vertex; the distance that vertices of different cells keep is the mesh's mean edge, or the sigma of forces between
// them). If that finds no room, all cells at random grow from small ones instead (cell_packing.hpp). Then fills
// the cells that have an inside. All populations' particles, in the order of their tags. Throws InputError, with a
// cell's number: there is no room, it stands in another, or in a wall.
void placeCells(const input::Deck& deck, const Populations& populations, HostParticles& particles);

}  // namespace mesowarp::membrane
