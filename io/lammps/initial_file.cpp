#include "io/lammps/initial_file.hpp"

#include <fstream>
#include <string_view>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "io/h5md/h5md_reader.hpp"
#include "io/h5md/initial_snapshot.hpp"
#include "io/lammps/lammps_data.hpp"
#include "io/lammps/lammps_dump.hpp"

namespace mesowarp::io {

namespace {

constexpr std::string_view hdf5Signature = "\x89HDF\r\n\x1a\n";
constexpr std::string_view gsdSignature = "\xDF\x65\xDF\x65\xDF\x65\xDF\x65";

FileState readFromTrajectory(const std::string& path) {
  const H5mdReader reader(path);
  if (reader.frames() == 0) throw InputError(path + ": the trajectory holds no frame to start from");
  const Snapshot last = reader.read(reader.frames() - 1);
  FileState state = hdf5::asInputError(path, [&] { return initialStateOf(last, reader.speciesNames(), {}); });
  state.typesTold = false;
  return state;
}

bool beginsWith(const std::string& path, std::string_view signature) {
  std::ifstream file(path, std::ios::binary);
  std::string front(signature.size(), '\0');
  file.read(front.data(), static_cast<std::streamsize>(front.size()));
  return file.gcount() == static_cast<std::streamsize>(front.size()) && front == signature;
}

}  // namespace

void refuseGsd(const std::string& path) {
  if (beginsWith(path, gsdSignature))
    throw InputError(path + ": a GSD file is to be made LAMMPS data first: mesowarp convert " + path + " start.data");
}

FileState readInitialFile(const std::string& path, const std::array<bool, 3>& periodic) {
  if (const auto why = whyNoFile(path); !why.empty()) throw InputError("initial file " + path + " " + why);
  if (beginsWith(path, hdf5Signature)) return readFromTrajectory(path);
  refuseGsd(path);
  if (looksLikeLammpsDump(path)) return readLammpsDump(path, periodic);
  return readLammpsData(path, "", periodic);
}

}  // namespace mesowarp::io
