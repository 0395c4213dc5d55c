#include "io/initial_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string_view>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_header.hpp"
#include "io/h5md_reader.hpp"
#include "io/initial_snapshot.hpp"
#include "io/lammps_data.hpp"

namespace mesowarp::io {

namespace {

constexpr std::string_view hdf5Signature = "\x89HDF\r\n\x1a\n";

template <class T>
constexpr ElementType elementTypeOf() {
  if constexpr (std::is_same_v<T, double>)
    return ElementType::f64;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return ElementType::i32;
  else
    return ElementType::u32;
}

// An array of a checkpoint; empty if it is absent and may be.
template <class T>
std::vector<T> arrayOf(const CheckpointContent& content, const std::string& name, std::size_t width, bool isRequired) {
  const auto found = content.arrays.find(name);
  if (found == content.arrays.end() && !isRequired) return {};
  if (found == content.arrays.end() || found->second.type != elementTypeOf<T>() || found->second.width != width)
    throw RunError(fmt::format("as an initial state it lacks a fitting array \"{}\" of width {}", name, width));
  std::vector<T> values(found->second.rows * width);
  if (!values.empty()) std::memcpy(values.data(), found->second.data.data(), values.size() * sizeof(T));
  return values;
}

Snapshot snapshotOf(const CheckpointContent& content) {
  Snapshot snapshot;
  const auto box = arrayOf<double>(content, "box", 3, true);
  if (box.size() != 3) throw RunError("array box should have one row");
  std::copy(box.begin(), box.end(), snapshot.box.begin());
  snapshot.position = arrayOf<double>(content, "position", 3, true);
  snapshot.image = arrayOf<std::int32_t>(content, "image", 3, false);
  snapshot.velocity = arrayOf<double>(content, "velocity", 3, false);
  snapshot.species = arrayOf<std::int32_t>(content, "species", 1, false);
  snapshot.tag = arrayOf<std::uint32_t>(content, "tag", 1, false);
  snapshot.bonds = arrayOf<std::uint32_t>(content, "bonds", 2, false);
  const std::size_t n = snapshot.position.size() / 3;
  if (snapshot.species.empty()) snapshot.species.assign(n, 0);
  if (snapshot.tag.empty()) {
    snapshot.tag.resize(n);
    std::iota(snapshot.tag.begin(), snapshot.tag.end(), 0U);
  }
  return snapshot;
}

InitialState readFromCheckpoint(const std::string& path) {
  const CheckpointContent content = readCheckpoint(path);
  return hdf5::asInputError(path, [&] {
    std::vector<std::string> names;
    if (const auto text = content.texts.find("species_names"); text != content.texts.end()) {
      std::istringstream lines(text->second);
      for (std::string line; std::getline(lines, line);) names.push_back(line);
    }
    return initialStateOf(snapshotOf(content), names, arrayOf<std::int32_t>(content, "bond_type", 1, false));
  });
}

InitialState readFromTrajectory(const std::string& path) {
  const H5mdReader reader(path);
  if (reader.frames() == 0) throw InputError(path + ": the trajectory holds no frame to start from");
  const Snapshot last = reader.read(reader.frames() - 1);
  return hdf5::asInputError(path, [&] { return initialStateOf(last, reader.speciesNames(), {}); });
}

}  // namespace

InitialState readInitialFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw InputError("initial file " + path + " does not exist");
  std::ifstream file(path, std::ios::binary);
  std::string front(std::strlen(checkpointMagic), '\0');
  file.read(front.data(), static_cast<std::streamsize>(front.size()));
  front.resize(static_cast<std::size_t>(file.gcount()));
  file.close();
  if (front.starts_with(hdf5Signature)) return readFromTrajectory(path);
  if (front == checkpointMagic) return readFromCheckpoint(path);
  return readLammpsData(path);
}

}  // namespace mesowarp::io
