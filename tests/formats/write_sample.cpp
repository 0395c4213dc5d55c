// Writes a small trajectory in all formats for test_formats.py, which computes the same numbers:
//   write_sample DIRECTORY  ->  trajectory.h5, trajectory.xmf, trajectory.dump, trajectory.xyz, and double.* likewise
// Particle i of n in frame f, axis k: position (7 i + 3 k + f) mod 10 / 10 x box[k], velocity i - 10 k + f / 8,
// image (i + k + f) mod 3 - 1, force 2 i + k, species i mod 2, mass 1 + i mod 2.
#include <cstdio>
#include <exception>
#include <string>

#include "io/convert/convert.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/xdmf.hpp"

namespace {

using namespace mesowarp::io;

constexpr int particles = 20, frames = 4;

Snapshot frameOf(int frame) {
  Snapshot s;
  s.step = 50 * frame;
  s.time = 0.5 * frame;
  s.box = {8.25, 10.0, 12.5};
  for (int i = 0; i < particles; ++i) {
    s.tag.push_back(static_cast<std::uint32_t>(i));
    s.species.push_back(i % 2);
    s.mass.push_back(1.0 + i % 2);
    for (int k = 0; k < 3; ++k) {
      s.position.push_back((7 * i + 3 * k + frame) % 10 / 10.0 * s.box[static_cast<std::size_t>(k)]);
      s.velocity.push_back(i - 10 * k + frame / 8.0);
      s.image.push_back((i + k + frame) % 3 - 1);
      s.force.push_back(2 * i + k);
    }
    if (i % 5 != 0) s.bonds.insert(s.bonds.end(), {static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i)});
  }
  return s;
}

void write(const std::string& base, StoredPrecision precision) {
  using enum TrajectoryField;
  const std::string file = base + ".h5";
  XdmfWriter xdmf(base + ".xmf");
  {  // interrupted after an abandoned frame, and resumed
    H5mdWriter writer(file, {"0.1", "tester", "[run]\nsteps = 150\n", {"water", "oil"}},
                      {position, image, velocity, force, species, mass, id}, precision);
    for (const int frame : {0, 1, 3}) {
      writer.append(frameOf(frame));
      xdmf.update(writer);
    }
  }
  H5mdWriter writer = H5mdWriter::resume(file, 50);
  XdmfWriter resumed(base + ".xmf");
  for (int frame = 2; frame < frames; ++frame) {
    resumed.update(writer);
    writer.append(frameOf(frame));
  }
  resumed.update(writer);
  convertTrajectory(file, base + ".dump", "lammps-dump");
  convertTrajectory(file, base + ".xyz", "xyz");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_sample DIRECTORY\n");
    return 2;
  }
  try {
    write(std::string(argv[1]) + "/trajectory", StoredPrecision::single);
    write(std::string(argv[1]) + "/double", StoredPrecision::double_);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
