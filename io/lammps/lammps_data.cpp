#include "io/lammps/lammps_data.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <tuple>

#include "io/lammps/lammps_atoms.hpp"
#include "io/lammps/lammps_header.hpp"
#include "io/text/text_reader.hpp"

namespace mesowarp::io {

namespace {

constexpr std::array<std::string_view, 15> skippedSections{
    "Pair Coeffs",           "PairIJ Coeffs",       "Bond Coeffs",
    "Angle Coeffs",          "Dihedral Coeffs",     "Improper Coeffs",
    "BondBond Coeffs",       "BondAngle Coeffs",    "MiddleBondTorsion Coeffs",
    "EndBondTorsion Coeffs", "AngleTorsion Coeffs", "AngleAngleTorsion Coeffs",
    "BondBond13 Coeffs",     "AngleAngle Coeffs",   "Bond Type Labels"};

class DataFile {
public:
  DataFile(const std::string& path, std::string style, const std::array<bool, 3>& periodic)
      : in_(path), style_(std::move(style)), periodic_(periodic) {}

  FileState read() {
    if (!in_.next()) in_.fail("the file is empty");  // the first line is a title, whatever it says
    bool more = in_.nextFilled();
    for (; more && !isSection(); more = in_.nextFilled()) header_.readLine(in_);
    header_.check(in_);
    state_.box = header_.box;
    while (more) more = readSection();
    if (atoms_.count() == 0 && header_.atoms > 0) in_.fail("there is no Atoms section");
    if (header_.bonds > 0 && !hasBonds_)
      in_.fail(fmt::format("{} bonds announced, but there is no Bonds section", header_.bonds));
    for (const auto& [announced, found, what] : {std::tuple{header_.angles, state_.angles.size(), "Angles"},
                                                 {header_.dihedrals, state_.dihedrals.size(), "Dihedrals"},
                                                 {header_.impropers, impropers_.size(), "Impropers"}})
      if (announced > 0 && found == 0)
        in_.fail(fmt::format("{} announced, but there is no {} section", announced, what));
    // The angle between the planes of their first and last three, as dihedrals': of types behind the dihedrals'.
    for (FileState::Term<4> term : impropers_) {
      term.type += static_cast<int>(header_.dihedralTypes);
      state_.dihedrals.push_back(term);
    }
    return std::move(state_);
  }

private:
  // Header lines begin with a number, section names with a letter.
  bool isSection() const {
    const char first = in_.words().front().front();
    return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
  }

  // Reads the section whose name is the current line, and goes on to the next section's name; false at the end.
  bool readSection() {
    const std::string name = in_.text();
    if (name == "Atoms") return readAtoms();
    if (name == "Masses") return readMasses();
    if (name == "Velocities") return readVelocities();
    if (name == "Bonds") return readBonds();
    if (name == "Angles") return readTerms<3>("Angles", "angle", header_.angles, header_.angleTypes, state_.angles);
    if (name == "Dihedrals")
      return readTerms<4>("Dihedrals", "dihedral", header_.dihedrals, header_.dihedralTypes, state_.dihedrals);
    if (name == "Impropers")
      return readTerms<4>("Impropers", "improper", header_.impropers, header_.improperTypes, impropers_);
    if (std::find(skippedSections.begin(), skippedSections.end(), name) == skippedSections.end())
      in_.fail(fmt::format("section \"{}\" is not supported", name.substr(0, 60)));
    bool more = in_.nextFilled();
    while (more && !isSection()) more = in_.nextFilled();
    return more;
  }

  // Calls readLine for each of the announced lines.
  template <class ReadLine>
  bool readLines(std::string_view section, std::int64_t count, ReadLine&& readLine) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (!in_.nextFilled() || isSection())
        in_.fail(fmt::format("section {} ends after {} of {} lines", section, i, count));
      readLine();
    }
    const bool more = in_.nextFilled();
    if (more && !isSection()) in_.fail(fmt::format("section {} has more than the {} lines announced", section, count));
    return more;
  }

  bool readAtoms() {
    if (hasAtoms_) in_.fail("a second Atoms section");
    hasAtoms_ = true;
    atoms_.start(in_, style_, header_.atomTypes);
    const bool more = readLines("Atoms", header_.atoms, [&] { atoms_.readLine(in_); });
    atoms_.finish(in_, header_.origin, periodic_, state_);
    return more;
  }

  bool readMasses() {
    state_.massOfType.assign(static_cast<std::size_t>(header_.atomTypes), 0.0);
    return readLines("Masses", header_.atomTypes, [&] {
      if (in_.words().size() != 2) in_.fail("a line of Masses should be: type mass");
      const auto type = static_cast<std::size_t>(in_.integer(0, "atom type", 1, header_.atomTypes));
      const double mass = in_.real(1, "mass");
      if (mass <= 0.0) in_.fail("a mass must be positive");
      if (state_.massOfType[type - 1] != 0.0) in_.fail(fmt::format("a second mass of type {}", type));
      state_.massOfType[type - 1] = mass;
    });
  }

  bool readVelocities() {
    if (!hasAtoms_) in_.fail("section Velocities must come after section Atoms");
    state_.velocity.assign(3 * atoms_.count(), 0.0);
    std::vector<bool> seen(atoms_.count(), false);
    return readLines("Velocities", header_.atoms, [&] {
      if (in_.words().size() != 4) in_.fail("a line of Velocities should be: id vx vy vz");
      const std::size_t i = atoms_.indexOf(in_, 0);
      if (seen[i]) in_.fail("a second velocity of atom " + std::string(in_.words()[0]));
      seen[i] = true;
      for (std::size_t axis = 0; axis < 3; ++axis) state_.velocity[3 * i + axis] = in_.real(1 + axis, "velocity");
    });
  }

  bool readBonds() {
    if (!hasAtoms_) in_.fail("section Bonds must come after section Atoms");
    if (hasBonds_) in_.fail("a second Bonds section");
    hasBonds_ = true;
    return readLines("Bonds", header_.bonds, [&] {
      if (in_.words().size() != 4) in_.fail("a line of Bonds should be: id type atom atom");
      in_.integer(0, "bond id", 1, std::numeric_limits<std::int64_t>::max());
      FileState::Bond bond{};
      bond.type = static_cast<int>(in_.integer(1, "bond type", 1, std::max<std::int64_t>(header_.bondTypes, 1)));
      bond.a = static_cast<std::int64_t>(atoms_.indexOf(in_, 2));
      bond.b = static_cast<std::int64_t>(atoms_.indexOf(in_, 3));
      if (bond.a == bond.b) in_.fail("a bond joins an atom to itself");
      state_.bonds.push_back(bond);
    });
  }

  template <std::size_t N>
  bool readTerms(const char* section, const std::string& name, std::int64_t count, std::int64_t types,
                 std::vector<FileState::Term<N>>& terms) {
    if (!hasAtoms_) in_.fail(fmt::format("section {} must come after section Atoms", section));
    if (!terms.empty()) in_.fail(fmt::format("a second {} section", section));
    return readLines(section, count, [&] {
      if (in_.words().size() != N + 2)
        in_.fail(fmt::format("a line of {} should be: id type and {} atoms", section, N));
      in_.integer(0, name + " id", 1, std::numeric_limits<std::int64_t>::max());
      FileState::Term<N> term{};
      term.type = static_cast<int>(in_.integer(1, name + " type", 1, std::max<std::int64_t>(types, 1)));
      for (std::size_t m = 0; m < N; ++m) {
        term.of[m] = static_cast<std::int64_t>(atoms_.indexOf(in_, 2 + m));
        for (std::size_t l = 0; l < m; ++l)
          if (term.of[l] == term.of[m])
            in_.fail(fmt::format("{} {} names an atom twice", name == "dihedral" ? "a" : "an", name));
      }
      terms.push_back(term);
    });
  }

  TextReader in_;
  std::string style_;
  std::array<bool, 3> periodic_;
  LammpsAtoms atoms_;
  FileState state_;
  std::vector<FileState::Term<4>> impropers_;
  LammpsHeader header_;
  bool hasAtoms_ = false, hasBonds_ = false;
};

}  // namespace

FileState readLammpsData(const std::string& path, const std::string& style, const std::array<bool, 3>& periodic) {
  return DataFile(path, style, periodic).read();
}

}  // namespace mesowarp::io
