#include "io/initial_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_header.hpp"
#include "io/h5md_reader.hpp"
#include "io/lammps_data.hpp"

namespace mesowarp::io {

namespace {

constexpr std::string_view hdf5Signature = "\x89HDF\r\n\x1a\n";

template <class T>
constexpr ElementType elementTypeOf() {
  if constexpr (std::is_same_v<T, double>) return ElementType::f64;
  else if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::i32;
  else return ElementType::u32;
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

void checkSizes(const Snapshot& s) {
  const std::size_t n = s.position.size() / 3;
  if (s.tag.size() != n || s.species.size() != n || (!s.velocity.empty() && s.velocity.size() != 3 * n) ||
      (!s.image.empty() && s.image.size() != 3 * n))
    throw RunError("its arrays are of different lengths");
  for (const double length : s.box)
    if (!(length > 0.0 && std::isfinite(length))) throw RunError("its box has no volume");
  for (std::size_t i = 0; i < 3 * n; ++i)
    if (!(s.position[i] >= 0.0 && s.position[i] <= s.box[i % 3]))
      throw RunError(fmt::format("particle {} lies outside the box", s.tag[i / 3]));
  for (const double v : s.velocity)
    if (!std::isfinite(v)) throw RunError("it holds velocities that are not finite");
  for (const auto species : s.species)
    if (species < 0) throw RunError("it holds a negative species");
}

InitialState initialStateOf(const Snapshot& s, const std::vector<std::string>& names,
                            const std::vector<std::int32_t>& bondTypes) {
  checkSizes(s);
  InitialState state;
  state.box = s.box;
  state.speciesNames = names;
  const std::size_t n = s.tag.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return s.tag[a] < s.tag[b]; });
  for (const std::size_t i : order) {
    state.type.push_back(s.species[i] + 1);
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
      // Positions in single precision may have been rounded up to the box's edge.
      const bool isAtEdge = s.position[k] >= s.box[k % 3];
      state.position.push_back(isAtEdge ? 0.0 : s.position[k]);
      if (!s.image.empty()) state.image.push_back(s.image[k] + (isAtEdge ? 1 : 0));
      if (!s.velocity.empty()) state.velocity.push_back(s.velocity[k]);
    }
  }
  const auto indexOf = [&](std::uint32_t tag) {
    const auto found = std::lower_bound(order.begin(), order.end(), tag,
                                        [&](std::size_t i, std::uint32_t wanted) { return s.tag[i] < wanted; });
    if (found == order.end() || s.tag[*found] != tag) throw RunError(fmt::format("a bond names particle {}, which does not exist", tag));
    return static_cast<std::int64_t>(found - order.begin());
  };
  if (!bondTypes.empty() && bondTypes.size() != s.bonds.size() / 2) throw RunError("bond_type and bonds differ in length");
  for (std::size_t b = 0; b + 1 < s.bonds.size(); b += 2)
    state.bonds.push_back({bondTypes.empty() ? 1 : bondTypes[b / 2], indexOf(s.bonds[b]), indexOf(s.bonds[b + 1])});
  return state;
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
