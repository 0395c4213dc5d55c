#include "io/lammps/lammps_dump.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "io/text/text_reader.hpp"

namespace mesowarp::io {

namespace {

constexpr std::string_view firstLine = "ITEM: TIMESTEP";
constexpr std::int64_t maxAtoms = std::numeric_limits<std::uint32_t>::max();  // tags have 32 bits
constexpr std::int64_t maxType = 1000000, maxFlag = 1 << 20;
constexpr std::int64_t maxMolecule = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

bool isBeforeFrame(std::string_view line) { return line == "ITEM: UNITS" || line == "ITEM: TIME"; }

// How positions are written.
struct Kind {
  std::array<std::string_view, 3> names;
  bool scaled, unwrapped;
};
constexpr std::array<Kind, 4> kinds{{{{"x", "y", "z"}, false, false},
                                     {{"xs", "ys", "zs"}, true, false},
                                     {{"xu", "yu", "zu"}, false, true},
                                     {{"xsu", "ysu", "zsu"}, true, true}}};

class Dump {
public:
  Dump(const std::string& path, const std::array<bool, 3>& periodic) : in_(path), periodic_(periodic) {}

  FileState read() {
    constexpr const char* wanted = "a LAMMPS dump should begin with \"ITEM: TIMESTEP\"";
    if (!nextFrame(wanted)) in_.fail(wanted);
    while (readFrame()) {
    }
    return ordered();
  }

private:
  void need(bool more) {
    if (!more) in_.fail("the dump ends within a frame");
  }

  // To ITEM: TIMESTEP, behind what LAMMPS's dump_modify puts before it; false: the file ends. otherwise: what is wrong
  // with any other line.
  bool nextFrame(const std::string& otherwise) {
    while (in_.nextFilled()) {
      if (in_.text() == firstLine) return true;
      if (!isBeforeFrame(in_.text())) in_.fail(otherwise);
      need(in_.nextFilled());
    }
    return false;
  }

  // From the line behind ITEM: TIMESTEP; whether there is another frame.
  bool readFrame() {
    state_ = {};
    id_.clear();
    atoms_ = -1;
    need(in_.nextFilled());
    in_.integer(0, "time step", 0, std::numeric_limits<std::int64_t>::max());
    while (true) {
      need(in_.nextFilled());
      const std::string item = in_.text();
      if (item == "ITEM: NUMBER OF ATOMS") {
        need(in_.nextFilled());
        atoms_ = in_.integer(0, "number of atoms", 0, maxAtoms);
      } else if (item.starts_with("ITEM: BOX BOUNDS")) {
        readBounds(item);
      } else if (item.starts_with("ITEM: ATOMS")) {
        readAtoms();
        return nextFrame(fmt::format("a frame has more than its {} atoms", atoms_));
      } else {
        in_.fail(fmt::format("\"{}\" is not supported", item.substr(0, 60)));
      }
    }
  }

  void readBounds(const std::string& item) {
    if (item.find(" xy") != std::string::npos || item.find("abc") != std::string::npos)
      in_.fail("tilted (triclinic) boxes are not supported");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      need(in_.nextFilled());
      origin_[axis] = in_.real(0, "lower box bound");
      state_.box[axis] = in_.real(1, "upper box bound") - origin_[axis];
      if (!(state_.box[axis] > 0.0)) in_.fail("the upper box bound must be above the lower one");
    }
  }

  std::size_t column(std::string_view name) const {
    const auto found = std::find(in_.words().begin() + 2, in_.words().end(), name);
    return found == in_.words().end() ? none : static_cast<std::size_t>(found - in_.words().begin()) - 2;
  }

  template <std::size_t N>
  std::array<std::size_t, N> columns(const std::array<std::string_view, N>& names) const {
    std::array<std::size_t, N> result{};
    for (std::size_t k = 0; k < N; ++k) result[k] = column(names[k]);
    return result;
  }

  static bool all(const std::array<std::size_t, 3>& columns) {
    return std::find(columns.begin(), columns.end(), none) == columns.end();
  }

  void readAtoms() {
    if (atoms_ < 0 || state_.box[0] == 0.0) in_.fail("a frame should tell its number of atoms and its box first");
    const std::size_t id = column("id"), type = column("type"), width = in_.words().size() - 2;
    if (id == none || type == none)
      in_.fail("a dump to start from needs the columns id and type: dump … custom … id type x y z ix iy iz vx vy vz");
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return all(columns(k.names)); });
    if (kind == kinds.end())
      in_.fail("a dump to start from needs the columns x y z, xs ys zs, xu yu zu or xsu ysu zsu");
    const auto x = columns(kind->names), image = columns<3>({"ix", "iy", "iz"}), v = columns<3>({"vx", "vy", "vz"});
    state_.imagesGiven = kind->unwrapped || all(image);
    const std::size_t mass = column("mass"), molecule = column("mol");
    std::vector<bool> several;
    for (std::int64_t i = 0; i < atoms_; ++i) {
      need(in_.nextFilled());
      if (in_.words().size() != width) in_.fail(fmt::format("a line of atoms should have {} columns", width));
      id_.push_back(in_.integer(id, "atom id", 1, std::numeric_limits<std::int64_t>::max()));
      state_.type.push_back(static_cast<std::int32_t>(in_.integer(type, "atom type", 1, maxType)));
      if (molecule != none) state_.molecule.push_back(in_.integer(molecule, "molecule id", 0, maxMolecule));
      if (mass != none) takeMass(static_cast<std::size_t>(state_.type.back()) - 1, in_.real(mass, "mass"), several);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double given = in_.real(x[axis], "coordinate");
        place(kind->scaled ? given * state_.box[axis] : given - origin_[axis], axis,
              all(image) && !kind->unwrapped ? in_.integer(image[axis], "image flag", -maxFlag, maxFlag) : 0);
        if (all(v)) state_.velocity.push_back(in_.real(v[axis], "velocity"));
      }
    }
  }

  // 0 of a type whose atoms have several.
  void takeMass(std::size_t type, double mass, std::vector<bool>& several) {
    auto& masses = state_.massOfType;
    if (type >= masses.size()) masses.resize(type + 1, 0.0), several.resize(type + 1, false);
    several[type] = several[type] || (masses[type] != 0.0 && masses[type] != mass);
    masses[type] = several[type] ? 0.0 : mass;
  }

  void place(double offset, std::size_t axis, std::int64_t image) {
    constexpr double rounding = 1e-6;  // of the box: dumps are written with few digits
    const double length = state_.box[axis];
    if (!periodic_[axis]) {
      if (!(offset >= -rounding * length && offset <= (1.0 + rounding) * length))
        in_.fail(fmt::format("an atom outside the box along {}, where box.periodic is false", "xyz"[axis]));
      state_.position.push_back(std::clamp(offset, 0.0, std::nextafter(length, 0.0)));
      state_.image.push_back(0);
      return;
    }
    const double boxes = std::floor(offset / length);
    if (!(std::abs(boxes) <= static_cast<double>(maxFlag))) in_.fail("an atom too far outside the box");
    const double inside = std::max(offset - boxes * length, 0.0);
    const bool isWrapped = inside >= length;  // rounding
    state_.position.push_back(isWrapped ? 0.0 : inside);
    state_.image.push_back(static_cast<std::int32_t>(image + static_cast<std::int64_t>(boxes) + (isWrapped ? 1 : 0)));
  }

  FileState ordered() {
    std::vector<std::size_t> order(id_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id_[a] < id_[b]; });
    FileState result;
    result.box = state_.box, result.imagesGiven = state_.imagesGiven, result.massOfType = state_.massOfType;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t i = order[k];
      if (k > 0 && id_[i] == id_[order[k - 1]]) in_.fail(fmt::format("two atoms have id {}", id_[i]));
      result.type.push_back(state_.type[i]);
      if (!state_.molecule.empty()) result.molecule.push_back(state_.molecule[i]);
      for (std::size_t c = 3 * i; c < 3 * i + 3; ++c) {
        result.position.push_back(state_.position[c]);
        result.image.push_back(state_.image[c]);
        if (!state_.velocity.empty()) result.velocity.push_back(state_.velocity[c]);
      }
    }
    return result;
  }

  TextReader in_;
  std::array<bool, 3> periodic_;
  FileState state_;  // in the file's order
  std::vector<std::int64_t> id_;
  std::array<double, 3> origin_{};
  std::int64_t atoms_ = -1;
};

}  // namespace

bool looksLikeLammpsDump(const std::string& path) {
  if (!whyNoFile(path).empty()) return false;
  std::ifstream file(path, std::ios::binary);
  std::string front(firstLine.size(), '\0');
  file.read(front.data(), static_cast<std::streamsize>(front.size()));
  return front == firstLine || isBeforeFrame(std::string_view(front).substr(0, front.find_first_of("\r\n")));
}

std::int64_t atomsOfLammpsDump(const std::string& path) {
  TextReader in(path);
  std::int64_t atoms = -1;
  while (in.nextFilled())
    if (in.text() == "ITEM: NUMBER OF ATOMS" && in.nextFilled()) atoms = in.integer(0, "number of atoms", 0, maxAtoms);
  if (atoms < 0) in.fail("the dump has no frame");
  return atoms;
}

FileState readLammpsDump(const std::string& path, const std::array<bool, 3>& periodic) {
  return Dump(path, periodic).read();
}

}  // namespace mesowarp::io
