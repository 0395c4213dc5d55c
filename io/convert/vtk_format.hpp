// One frame as a VTK file (legacy format, PolyData), for convertTrajectory(): what ParaView shows bonds of.
#pragma once

#include <fmt/format.h>

#include "io/convert/frame_format.hpp"

namespace mesowarp::io {

// Points are particles, each a vertex, lines are bonds. Molecules are whole: each lies where its first particle is in
// the box (unless positions are unwrapped already, or the trajectory has no images). Values of points: species,
// molecule, mass, velocity.
void formatVtk(fmt::memory_buffer& out, const Snapshot& snapshot, const FrameStyle& style);

}  // namespace mesowarp::io
