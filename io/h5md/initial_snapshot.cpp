#include "io/h5md/initial_snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

constexpr double singleRounding =
    1e-6;  // relative; positions in single precision may be rounded up to or past the edge

void checkSizes(const Snapshot& s) {
  const std::size_t n = s.position.size() / 3;
  if (s.tag.size() != n || s.species.size() != n || (!s.velocity.empty() && s.velocity.size() != 3 * n) ||
      (!s.image.empty() && s.image.size() != 3 * n))
    throw RunError("its arrays are of different lengths");
  for (const double length : s.box)
    if (!(length > 0.0 && std::isfinite(length))) throw RunError("its box has no volume");
  for (std::size_t i = 0; i < 3 * n; ++i)
    if (!(s.position[i] >= 0.0 && s.position[i] <= s.box[i % 3] * (1.0 + singleRounding)))
      throw RunError(fmt::format("particle {} lies outside the box", s.tag[i / 3]));
  for (const double v : s.velocity)
    if (!std::isfinite(v)) throw RunError("it holds velocities that are not finite");
  for (const auto species : s.species)
    if (species < 0) throw RunError("it holds a negative species");
}

// A sheared box begins anew with images that have not gone anywhere, so molecules that go through its faces are moved
// bead by bead: what is in an image goes where that image has gone.
bool hasSlid(const Snapshot& s) {
  bool slid = false;
  for (std::size_t axis = 0; axis < 3; ++axis) slid = slid || std::fmod(s.slide[axis], s.box[axis]) != 0.0;
  return s.gradient >= 0 && slid;
}
Snapshot withoutSlide(Snapshot s) {
  if (s.bonds.empty() || !hasSlid(s)) return s;
  if (s.image.empty())
    throw RunError("its box is sheared, and without images nobody knows through which faces its molecules go: add "
                   "\"image\" to the fields of the output that writes it, or start from a checkpoint");
  for (std::size_t k = 0; k < s.position.size(); ++k) {
    const std::size_t axis = k % 3;
    const double to = s.position[k] + s.image[k - axis + static_cast<std::size_t>(s.gradient)] * s.slide[axis],
                 boxes = std::floor(to / s.box[axis]);
    if (s.slide[axis] == 0.0) continue;
    s.position[k] = std::clamp(to - boxes * s.box[axis], 0.0, std::nextafter(s.box[axis], 0.0));
    s.image[k] += static_cast<std::int32_t>(boxes);
  }
  s.slide = {};
  return s;
}

// Of species with a name; 0 where there is no particle, or there are several masses.
std::vector<double> massesOfSpecies(const Snapshot& s, std::size_t species) {
  std::vector<double> masses(species, 0.0);
  std::vector<bool> several(species, false);
  for (std::size_t i = 0; i < std::min(s.mass.size(), s.species.size()); ++i) {
    const auto of = static_cast<std::size_t>(s.species[i]);
    if (of >= species) continue;
    several[of] = several[of] || (masses[of] != 0.0 && masses[of] != s.mass[i]);
    masses[of] = several[of] ? 0.0 : s.mass[i];
  }
  return masses;
}

}  // namespace

FileState initialStateOf(const Snapshot& given, const std::vector<std::string>& names,
                         const std::vector<std::int32_t>& bondTypes) {
  checkSizes(given);
  const Snapshot s = withoutSlide(given);
  FileState state;
  state.slidBox = hasSlid(given);
  state.box = s.box;
  state.speciesNames = names;
  state.imagesGiven = !s.image.empty();
  const std::size_t n = s.tag.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return s.tag[a] < s.tag[b]; });
  state.massOfType = massesOfSpecies(s, names.size());
  for (const std::size_t i : order) {
    state.type.push_back(s.species[i] + 1);
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
      const double edge = s.box[k % 3];
      const bool isWrapped = s.position[k] >= edge && s.periodic[k % 3];
      const double inside = s.position[k] >= edge ? std::nextafter(edge, 0.0) : s.position[k];
      state.position.push_back(isWrapped ? 0.0 : inside);
      if (!s.image.empty()) state.image.push_back(s.image[k] + (isWrapped ? 1 : 0));
      if (!s.velocity.empty()) state.velocity.push_back(s.velocity[k]);
    }
  }
  const auto indexOf = [&](std::uint32_t tag) {
    const auto found = std::lower_bound(order.begin(), order.end(), tag,
                                        [&](std::size_t i, std::uint32_t wanted) { return s.tag[i] < wanted; });
    if (found == order.end() || s.tag[*found] != tag)
      throw RunError(fmt::format("a bond names particle {}, which does not exist", tag));
    return static_cast<std::int64_t>(found - order.begin());
  };
  if (!bondTypes.empty() && bondTypes.size() != s.bonds.size() / 2)
    throw RunError("bond_type and bonds differ in length");
  for (std::size_t b = 0; b + 1 < s.bonds.size(); b += 2)
    state.bonds.push_back({bondTypes.empty() ? 1 : bondTypes[b / 2], indexOf(s.bonds[b]), indexOf(s.bonds[b + 1])});
  const auto terms = [&]<std::size_t N>(const std::vector<std::uint32_t>& tags, std::vector<FileState::Term<N>>& all) {
    for (std::size_t t = 0; t + N <= tags.size(); t += N) {
      FileState::Term<N> term{1, {}};
      for (std::size_t m = 0; m < N; ++m) term.of[m] = indexOf(tags[t + m]);
      all.push_back(term);
    }
  };
  terms(s.angles, state.angles), terms(s.dihedrals, state.dihedrals);
  if (s.molecule.size() == n)
    for (const std::size_t i : order) state.molecule.push_back(s.molecule[i]);
  return state;
}

}  // namespace mesowarp::io
