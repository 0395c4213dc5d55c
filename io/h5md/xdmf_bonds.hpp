// A trajectory's bonds as lines for ParaView and VTK: grids of XDMF that point into the HDF5 file. Frames there.
#pragma once

#include <cstddef>
#include <string>

#include "io/fields/xdmf_slab.hpp"
#include "io/h5md/h5md.hpp"

namespace mesowarp::io {

// A frame's places, images, velocities, forces, [frames][N][3], or solutes, [frames][N][S]. file: of the dataset, as
// text.
XdmfSlab frameOf(const std::string& file, const H5mdWriter& trajectory, TrajectoryField field, std::size_t frame,
                 std::size_t width = 3);

// Whether there is something to show: bonds, and images, by which molecules that go through a face are whole.
bool showsBonds(const H5mdWriter& trajectory);

// Frame `frame`: places are unwrapped, as by Snapshot::shift(); of each end of a bond species and id. file: the
// trajectory's name, as it may stand in XML. On the root.
std::string bondGrid(const std::string& file, const H5mdWriter& trajectory, std::size_t frame);

}  // namespace mesowarp::io
