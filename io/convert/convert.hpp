// Trajectories into other programs' text formats, one frame in memory at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace mesowarp::io {

struct ConvertOptions {
  std::size_t first = 0;  // frame index, from 0
  long long last = -1;    // frame index, included; negative: from the end, -1 is the last
  std::size_t stride = 1;
  bool unwrap = false;  // positions plus image times box, if the trajectory has images
  bool force = false;   // replace what is at outPath
  // Whether the images of particles were asked for in the deck of a trajectory that has none.
  std::function<bool(const std::string& deck)> imagesWished{};
};

// format: "lammps-dump" (id = tag + 1, mol, type = species + 1, mass, x y z ix iy iz vx vy vz, or xu yu zu when
// unwrapped), "lammps-data" and "vtk" (the last of the frames alone, with bonds) or "xyz" (extended XYZ with species
// names). What the trajectory lacks is left out; molecules are the trajectory's, or else what bonds hold together.
// outPath appears as a whole, at the end (io/files/new_file.hpp). Returns the number of frames written. Throws
// InputError (file, format, range), RunError (writing).
std::size_t convertTrajectory(const std::string& h5path, const std::string& outPath, const std::string& format,
                              const ConvertOptions& options = {});

}  // namespace mesowarp::io
