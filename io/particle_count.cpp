#include "io/particle_count.hpp"

#include "core/error.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_header.hpp"
#include "io/h5md/h5md_reader.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/looks_like_hdf5.hpp"
#include "io/lammps/initial_file.hpp"
#include "io/lammps/lammps_dump.hpp"
#include "io/lammps/lammps_header.hpp"
#include "io/text/text_reader.hpp"

namespace mesowarp::io {

namespace {

std::int64_t inCheckpoint(const std::string& path) {
  if (const std::string fault = checkpointFault(path); !fault.empty())
    throw InputError("checkpoint " + path + " " + fault);
  return hdf5::asInputError(path, [&] {
    const hdf5::File file = hdf5::openFile(path, hdf5::Mode::read);
    const auto shape = hdf5::shapeOf(file.get(), "arrays/tag");  // one for each particle
    return static_cast<std::int64_t>(shape.empty() ? 0 : shape[0]);
  });
}

std::int64_t inLammpsData(const std::string& path) {
  TextReader in(path);
  if (!in.next()) in.fail("the file is empty");
  LammpsHeader header;
  while (header.atoms < 0 && in.nextFilled()) header.readLine(in);
  if (header.atoms < 0) in.fail("the header does not give the number of atoms");
  return header.atoms;
}

}  // namespace

std::int64_t particlesInFile(const std::string& path) {
  if (looksLikeCheckpoint(path)) return inCheckpoint(path);
  if (looksLikeHdf5(path)) return static_cast<std::int64_t>(H5mdReader(path).particles());
  refuseGsd(path);
  if (looksLikeLammpsDump(path)) return atomsOfLammpsDump(path);
  return inLammpsData(path);
}

}  // namespace mesowarp::io
