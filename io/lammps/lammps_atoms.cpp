#include "io/lammps/lammps_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace mesowarp::io {

namespace {

constexpr std::int64_t maxId = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t maxImage = 1 << 20;  // box lengths; LAMMPS itself stops at 512 or 1048576

// id [molecule] type [charge] x y z [image flags]; instead of a charge a temperature (dpd), a density (mdpd), a
// temperature and a heat capacity (edpd).
struct Style {
  std::string_view name;
  std::size_t typeWord, xWord;
};
constexpr std::array<Style, 9> styles{{{"atomic", 1, 2},
                                       {"charge", 1, 3},
                                       {"bond", 2, 3},
                                       {"angle", 2, 3},
                                       {"molecular", 2, 3},
                                       {"full", 2, 4},
                                       {"dpd", 1, 3},
                                       {"mdpd", 1, 3},
                                       {"edpd", 1, 4}}};

std::string_view firstWord(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, std::min(text.find_first_of(" \t\r"), text.size()));
}

bool isInteger(std::string_view word) { return word.find_first_not_of("+-0123456789") == std::string_view::npos; }

}  // namespace

void LammpsAtoms::start(const TextReader& in, const std::string& style, std::int64_t typeCount) {
  style_ = style.empty() ? std::string(firstWord(in.comment())) : style;
  typeCount_ = typeCount;
  if (style_.empty()) return;
  const auto found = std::find_if(styles.begin(), styles.end(), [&](const Style& s) { return s.name == style_; });
  if (found == styles.end())
    in.fail(fmt::format("atom style \"{}\" is not supported; known are atomic, charge, bond, angle, molecular, full, "
                        "dpd, mdpd and edpd",
                        style_.substr(0, 40)));
  typeWord_ = found->typeWord;
  xWord_ = found->xWord;
}

// Without a hint. Six and nine columns are molecular or charge: a charge is hardly ever written like an integer.
void LammpsAtoms::chooseColumns(const TextReader& in) {
  const auto& words = in.words();
  const std::size_t columns = words.size();
  if (columns == 5 || columns == 8)
    typeWord_ = 1, xWord_ = 2;
  else if (columns == 6 || columns == 9)
    typeWord_ = isInteger(words[2]) ? 2 : 1, xWord_ = 3;
  else if (columns == 7 || columns == 10)
    typeWord_ = 2, xWord_ = 4;
  else
    in.fail(fmt::format("a line of Atoms with {} columns fits no known atom style; name it behind the section's title, "
                        "as in \"Atoms # molecular\"",
                        columns));
}

void LammpsAtoms::readLine(const TextReader& in) {
  if (xWord_ == 0) chooseColumns(in);
  const std::size_t columns = in.words().size();
  if (columns != xWord_ + 3 && columns != xWord_ + 6)
    in.fail(fmt::format("a line of Atoms should have {} columns, or {} with image flags, not {}", xWord_ + 3,
                        xWord_ + 6, columns));
  if (atoms_.empty()) flagged_ = columns == xWord_ + 6;
  if (flagged_ != (columns == xWord_ + 6))
    in.fail(fmt::format("this line of Atoms has {} image flags, but those before it have {}: give all of them or none",
                        flagged_ ? "no" : "three", flagged_ ? "three" : "none"));
  Atom atom{};
  atom.id = in.integer(0, "atom id", 1, maxId);
  atom.line = in.line();
  atom.type = static_cast<std::int32_t>(in.integer(typeWord_, "atom type", 1, typeCount_));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    atom.position[axis] = in.real(xWord_ + axis, "coordinate");
    if (flagged_)
      atom.image[axis] = static_cast<std::int32_t>(in.integer(xWord_ + 3 + axis, "image flag", -maxImage, maxImage));
  }
  if (xWord_ == 4 || (xWord_ == 3 && typeWord_ == 1))
    in.real(xWord_ - 1, style_.ends_with("dpd") ? "number" : "charge");
  if (typeWord_ == 2) atom.molecule = in.integer(1, "molecule id", 0, maxId);
  atoms_.push_back(atom);
}

double LammpsAtoms::placed(const TextReader& in, const Atom& atom, std::size_t axis, double offset, double length,
                           bool periodic, double& boxes) const {
  constexpr double rounding = 1e-9;  // of the box; bounds and coordinates may have been written with fewer digits
  boxes = 0.0;
  if (!periodic) {
    if (!(offset >= -rounding * length && offset <= (1.0 + rounding) * length))
      in.fail(fmt::format("atom {} (line {}) lies outside the box along {}, where box.periodic is false", atom.id,
                          atom.line, "xyz"[axis]));
    return std::clamp(offset, 0.0, std::nextafter(length, 0.0));
  }
  boxes = std::floor(offset / length);
  if (!(std::abs(boxes) <= static_cast<double>(maxImage)))
    in.fail(fmt::format("atom {} (line {}) is too far outside the box", atom.id, atom.line));
  const double x = offset - boxes * length;
  if (x < length) return std::max(x, 0.0);  // rounding
  boxes += 1.0;
  return 0.0;
}

void LammpsAtoms::finish(const TextReader& in, const std::array<double, 3>& origin, const std::array<bool, 3>& periodic,
                         FileState& state) {
  std::sort(atoms_.begin(), atoms_.end(), [](const Atom& a, const Atom& b) { return a.id < b.id; });
  for (std::size_t i = 1; i < atoms_.size(); ++i)
    if (atoms_[i].id == atoms_[i - 1].id)
      in.fail(fmt::format("two atoms have id {}: lines {} and {}", atoms_[i].id,
                          std::min(atoms_[i].line, atoms_[i - 1].line), std::max(atoms_[i].line, atoms_[i - 1].line)));
  state.imagesGiven = flagged_;
  for (const Atom& atom : atoms_) {
    state.type.push_back(atom.type);
    if (typeWord_ == 2) state.molecule.push_back(atom.molecule);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double boxes = 0.0;
      state.position.push_back(
          placed(in, atom, axis, atom.position[axis] - origin[axis], state.box[axis], periodic[axis], boxes));
      state.image.push_back(periodic[axis] ? atom.image[axis] + static_cast<std::int32_t>(boxes) : 0);
    }
  }
}

std::size_t LammpsAtoms::indexOf(const TextReader& in, std::size_t word) const {
  const std::int64_t id = in.integer(word, "atom id", 1, maxId);
  const auto found =
      std::lower_bound(atoms_.begin(), atoms_.end(), id, [](const Atom& a, std::int64_t b) { return a.id < b; });
  if (found == atoms_.end() || found->id != id) in.fail(fmt::format("there is no atom with id {}", id));
  return static_cast<std::size_t>(found - atoms_.begin());
}

}  // namespace mesowarp::io
