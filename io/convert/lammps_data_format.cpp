#include "io/convert/lammps_data_format.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

using Out = std::back_insert_iterator<fmt::memory_buffer>;

std::size_t typesIn(const Snapshot& s, const FrameStyle& style) {
  const auto most = std::max_element(s.species.begin(), s.species.end());
  return std::max<std::size_t>(style.speciesNames.size(),
                               most == s.species.end() ? 1 : static_cast<std::size_t>(std::max(*most, 0)) + 1);
}

std::vector<double> massesOfTypes(const Snapshot& s, const FrameStyle& style) {
  std::vector<double> masses(typesIn(s, style), 0.0);
  for (std::size_t i = 0; i < s.mass.size(); ++i) {
    double& known = masses[static_cast<std::size_t>(s.species[i])];
    if (known != 0.0 && known != s.mass[i])
      throw InputError(fmt::format("particles of species \"{}\" have masses {} and {}; a LAMMPS data file has one for "
                                   "each type: convert to a dump or to extended XYZ",
                                   style.nameOf(s.species[i]), known, s.mass[i]));
    known = s.mass[i];
  }
  for (double& mass : masses)
    if (mass == 0.0) mass = 1.0;  // of species without particles, or the trajectory has no masses
  return masses;
}

void appendBounds(Out out, const Snapshot& s) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [low, high] = boundsOf(s, axis);
    fmt::format_to(out, "{} {} {}lo {}hi\n", low, high, "xyz"[axis], "xyz"[axis]);
  }
  const std::array<double, 3> tilts = tiltsOf(s);
  if (tilts != std::array<double, 3>{}) fmt::format_to(out, "{} {} {} xy xz yz\n", tilts[0], tilts[1], tilts[2]);
}

void appendAtoms(Out out, const Snapshot& s, const FrameStyle& style) {
  const bool molecular = !style.molecule.empty(), hasImage = !s.image.empty() && !style.isUnwrapped;
  fmt::format_to(out, "\nAtoms # {}\n\n", molecular ? "molecular" : "atomic");
  for (std::size_t i = 0; i < s.species.size(); ++i) {
    fmt::format_to(out, "{}", std::uint64_t{s.tag[i]} + 1);
    if (molecular) fmt::format_to(out, " {}", style.molecule[i]);
    fmt::format_to(out, " {}", s.species[i] + 1);
    appendTriple(out, &s.position[3 * i], style.isSingle);
    if (hasImage) fmt::format_to(out, " {} {} {}", s.image[3 * i], s.image[3 * i + 1], s.image[3 * i + 2]);
    fmt::format_to(out, "\n");
  }
}

// What a section is called, its members, and the terms.
struct Section {
  const char *title, *name;
  std::size_t members;
  const std::vector<int>& types;
  const std::vector<std::uint32_t>& tags;
  std::size_t count() const { return types.size(); }
};

}  // namespace

void formatLammpsData(fmt::memory_buffer& buffer, const Snapshot& s, const FrameStyle& style) {
  Out out(buffer);
  const Section sections[] = {{"Bonds", "bond", 2, style.bondType, s.bonds},
                              {"Angles", "angle", 3, style.angleType, s.angles},
                              {"Dihedrals", "dihedral", 4, style.dihedralType, s.dihedrals}};
  const std::vector<double> masses = massesOfTypes(s, style);
  fmt::format_to(out, "mesowarp, step {}, time {}\n\n{} atoms\n{} atom types\n", s.step, s.time, s.species.size(),
                 masses.size());
  for (const Section& of : sections)
    if (of.count() > 0)
      fmt::format_to(out, "{0} {1}s\n{2} {1} types\n", of.count(), of.name,
                     *std::max_element(of.types.begin(), of.types.end()));
  fmt::format_to(out, "\n");
  appendBounds(out, s);
  fmt::format_to(out, "\nMasses\n\n");
  for (std::size_t type = 0; type < masses.size(); ++type)
    fmt::format_to(out, "{} {} # {}\n", type + 1, masses[type], style.nameOf(static_cast<std::int32_t>(type)));
  appendAtoms(out, s, style);
  if (!s.velocity.empty()) fmt::format_to(out, "\nVelocities\n\n");
  for (std::size_t i = 0; 3 * i < s.velocity.size(); ++i) {
    fmt::format_to(out, "{}", std::uint64_t{s.tag[i]} + 1);
    appendTriple(out, &s.velocity[3 * i], style.isSingle);
    fmt::format_to(out, "\n");
  }
  for (const Section& of : sections) {
    if (of.count() > 0) fmt::format_to(out, "\n{}\n\n", of.title);
    for (std::size_t t = 0; t < of.count(); ++t) {
      fmt::format_to(out, "{} {}", t + 1, of.types[t]);
      for (std::size_t m = 0; m < of.members; ++m)
        fmt::format_to(out, " {}", std::uint64_t{of.tags[t * of.members + m]} + 1);
      fmt::format_to(out, "\n");
    }
  }
}

}  // namespace mesowarp::io
