// What a deck and a checkpoint's deck have in common, when a run is resumed.
#pragma once

#include <string>

#include "input/deck.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace mesowarp {

// Throws InputError, with all that differs, if the checkpoint is of a system that this deck cannot continue: another
// box, other species, populations or numbers of particles, other masses (velocities belong to them) or charges, other,
// fewer or reordered [[bond]] blocks, another precision or integrator. Coefficients, forces, walls' styles, drives, the
// thermostat, time step, seed and lists may change.
void refuseOtherSystem(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path);

// What a checkpoint has of input::countsOfFiles().
constexpr const char* fileCountsText = "particles_of_files";

// Throws InputError, with all that differs, if the checkpoint has sums of a [[measure]] that are of something else now.
void refuseOtherMeasures(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path);

// Likewise if a trajectory that frames are added to would have other fields: a file has those that it began with.
void refuseOtherFields(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path);

// What a checkpoint has of ElapsedTime, unless it is 0; and that of a run which goes on from it: with another time step
// time goes on from what it was.
constexpr const char* timeShiftText = "time_shift";
double timeShiftOf(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path);

}  // namespace mesowarp
