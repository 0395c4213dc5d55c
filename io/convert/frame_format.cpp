#include "io/convert/frame_format.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "core/error.hpp"
#include "io/convert/lammps_data_format.hpp"
#include "io/convert/vtk_format.hpp"

namespace mesowarp::io {

namespace {

using Out = std::back_insert_iterator<fmt::memory_buffer>;

// Bounds of a tilted box are those of a straight one around it, and each has its factor of tilt behind it.
void formatBounds(Out out, const Snapshot& s) {
  const std::array<double, 3> tilts = tiltsOf(s);
  const bool isTilted = tilts != std::array<double, 3>{};
  fmt::format_to(out, "ITEM: BOX BOUNDS{}", isTilted ? " xy xz yz" : "");
  for (const bool periodic : s.periodic) fmt::format_to(out, " {}", periodic ? "pp" : "ff");
  fmt::format_to(out, "\n");
  const auto [xy, xz, yz] = tilts;
  const std::array<double, 3> low{std::min({0.0, xy, xz}), std::min(0.0, yz), 0.0},
      more{std::max({0.0, xy, xz}), std::max(0.0, yz), 0.0};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [from, to] = boundsOf(s, axis);
    fmt::format_to(out, "{} {}{}\n", from + low[axis], to + more[axis],
                   isTilted ? fmt::format(" {}", tilts[axis]) : std::string());
  }
}

// LAMMPS manual, command dump, style custom.
void formatDump(fmt::memory_buffer& buffer, const Snapshot& s, const FrameStyle& style) {
  Out out(buffer);
  const std::size_t n = s.position.size() / 3;
  fmt::format_to(out, "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n", s.step, n);
  formatBounds(out, s);
  const bool hasImage = !s.image.empty() && !style.isUnwrapped, hasMolecule = !style.molecule.empty();
  fmt::format_to(out, "ITEM: ATOMS id{} type{} {}{}{}\n", hasMolecule ? " mol" : "", s.mass.empty() ? "" : " mass",
                 style.isUnwrapped ? "xu yu zu" : "x y z", hasImage ? " ix iy iz" : "",
                 s.velocity.empty() ? "" : " vx vy vz");
  for (std::size_t i = 0; i < n; ++i) {
    fmt::format_to(out, "{}", std::uint64_t{s.tag[i]} + 1);
    if (hasMolecule) fmt::format_to(out, " {}", style.molecule[i]);
    fmt::format_to(out, " {}", s.species[i] + 1);
    if (!s.mass.empty()) fmt::format_to(out, " {}", s.mass[i]);
    appendTriple(out, &s.position[3 * i], style.isSingle);
    if (hasImage) fmt::format_to(out, " {} {} {}", s.image[3 * i], s.image[3 * i + 1], s.image[3 * i + 2]);
    if (!s.velocity.empty()) appendTriple(out, &s.velocity[3 * i], style.isSingle);
    buffer.push_back('\n');
  }
}

// Extended XYZ: key=value pairs in the second line, as ASE and OVITO read them.
void formatXyz(fmt::memory_buffer& buffer, const Snapshot& s, const FrameStyle& style) {
  Out out(buffer);
  const std::size_t n = s.position.size() / 3;
  const auto flag = [&](std::size_t axis) { return s.periodic[axis] ? 'T' : 'F'; };
  const bool hasImage = !s.image.empty() && !style.isUnwrapped, hasMolecule = !style.molecule.empty();
  fmt::format_to(out, "{}\n", n);
  const bool hasBox = s.box[0] > 0.0;
  for (std::size_t entry = 0; hasBox && entry < 9; ++entry) {
    const std::size_t edge = entry / 3, axis = entry % 3;
    fmt::format_to(out, "{}{}{}", entry == 0 ? "Lattice=\"" : " ",
                   axis == edge                           ? s.box[axis]
                   : static_cast<int>(edge) == s.gradient ? s.slide[axis]
                                                          : 0.0,
                   entry == 8 ? "\" " : "");
  }
  fmt::format_to(out,
                 "Properties=species:S:1:pos:R:3{}{}{}{} Time={} Step={} "
                 "pbc=\"{} {} {}\"\n",
                 s.velocity.empty() ? "" : ":velo:R:3", s.mass.empty() ? "" : ":masses:R:1",
                 hasMolecule ? ":molecule:I:1" : "", hasImage ? ":image:I:3" : "", s.time, s.step, flag(0), flag(1),
                 flag(2));
  std::vector<std::string> names;  // of the species met so far
  for (std::size_t i = 0; i < n; ++i) {
    const auto species = static_cast<std::size_t>(std::max(s.species[i], 0));
    while (species < 65536 && names.size() <= species)
      names.push_back(style.nameOf(static_cast<std::int32_t>(names.size())));
    fmt::format_to(out, "{}", species < names.size() ? names[species] : style.nameOf(s.species[i]));
    appendTriple(out, &s.position[3 * i], style.isSingle);
    if (!s.velocity.empty()) appendTriple(out, &s.velocity[3 * i], style.isSingle);
    if (!s.mass.empty()) fmt::format_to(out, " {}", s.mass[i]);
    if (hasMolecule) fmt::format_to(out, " {}", style.molecule[i]);
    if (hasImage) fmt::format_to(out, " {} {} {}", s.image[3 * i], s.image[3 * i + 1], s.image[3 * i + 2]);
    buffer.push_back('\n');
  }
}

}  // namespace

std::string FrameStyle::nameOf(std::int32_t species) const {
  const auto index = static_cast<std::size_t>(species);
  std::string name = species >= 0 && index < speciesNames.size() ? speciesNames[index] : std::string();
  if (name.empty()) name = fmt::format("S{}", species);
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F || c == '"') c = '_';
  return name;
}

std::array<double, 2> boundsOf(const Snapshot& s, std::size_t axis) {
  if (s.box[axis] > 0.0) return {0.0, s.box[axis]};
  double low = 0.0, high = 0.0;
  for (std::size_t k = axis; k < s.position.size(); k += 3)
    low = std::min(low, s.position[k]), high = std::max(high, s.position[k]);
  return {low - 1.0, high + 1.0};
}

std::array<double, 3> tiltsOf(const Snapshot& s) {
  if (s.gradient == 1) return {s.slide[0], 0.0, 0.0};
  if (s.gradient == 2) return {0.0, s.slide[0], s.slide[1]};
  return {};
}

void appendTriple(std::back_insert_iterator<fmt::memory_buffer> out, const double* values, bool isSingle) {
  for (int axis = 0; axis < 3; ++axis) {
    if (isSingle)
      fmt::format_to(out, " {}", static_cast<float>(values[axis]));
    else
      fmt::format_to(out, " {}", values[axis]);
  }
}

FrameFormatter frameFormatter(const std::string& format) {
  if (format == "lammps-dump") return formatDump;
  if (format == "lammps-data") return formatLammpsData;
  if (format == "vtk") return formatVtk;
  if (format == "xyz") return formatXyz;
  throw InputError(
      fmt::format("unknown trajectory format \"{}\"; known are lammps-dump, lammps-data, vtk and xyz", format));
}

}  // namespace mesowarp::io
