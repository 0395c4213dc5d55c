#include "physics/boundary/deck/solid_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/distance_grids.hpp"

namespace mesowarp::boundary {
namespace {

using Kind = SolidOperation::Kind;

double periodOf(const input::Deck& deck, int axis) {
  const auto a = static_cast<std::size_t>(axis);
  return deck.box.periodic[a] ? deck.box.size[a] : 2.0 * deck.box.size[a];
}

SolidOperation simple(Kind kind) {
  SolidOperation o;
  o.kind = kind;
  return o;
}

SolidOperation slab(const input::Deck& deck, int axis, double from, double to) {
  SolidOperation o = simple(Kind::slab);
  o.axis = axis, o.half[axis] = 0.5 * (to - from);
  o.center[axis] = coordinateOf(deck, axis, 0.5 * (from + to));
  return o;
}

double smallestCutoff(const input::Deck& deck) {
  double cutoff = 1e300;
  for (const auto& interaction : deck.interactions) cutoff = std::min(cutoff, interaction.cutoff);
  return cutoff < 1e300 ? cutoff : 1.0;
}

SampledDistance sampled(const input::Deck& deck, std::size_t k, const SolidReach& reach) {
  const input::Shape& shape = deck.shapes[k];
  if (shape.style == input::ShapeStyle::grid) return readDistances(shape.file);
  auto triangles = readStl(shape.file);
  for (auto& triangle : triangles)
    for (auto& corner : triangle.corner)
      for (std::size_t axis = 0; axis < 3; ++axis) corner[axis] = shape.scale * corner[axis] + shape.center[axis];
  if (const auto why = whyNotClosed(triangles); !why.empty()) throw InputError(shape.file + ": " + why);
  // Exact as far as the list of what is near walls reaches (wall_phase.hpp).
  return sampleTriangles(triangles, deck.box, shape.spacing > 0.0 ? shape.spacing : 0.25 * reach.shortest,
                         1.75 * reach.longest);
}

// Checks, the start and the run ask for the same: what was sampled last is kept, unless it is large.
SampledDistance sampledOnce(const input::Deck& deck, std::size_t k, const SolidReach& reach) {
  constexpr std::size_t mostKept = 67108864, mostGrids = 4;
  static std::vector<std::pair<std::string, SampledDistance>> kept;
  const input::Shape& shape = deck.shapes[k];
  if (shape.style == input::ShapeStyle::grid) return sampled(deck, k, reach);
  std::error_code error;
  const auto changed = std::filesystem::last_write_time(shape.file, error).time_since_epoch().count();
  const std::string key = fmt::format("{} {} {} {} {} {} {} {} {}", shape.file, error ? 0 : changed, shape.scale,
                                      fmt::join(shape.center, " "), shape.spacing, fmt::join(deck.box.size, " "),
                                      fmt::join(deck.box.periodic, " "), reach.shortest, reach.longest);
  for (const auto& [known, grid] : kept)
    if (known == key) return grid;
  SampledDistance grid = sampled(deck, k, reach);
  if (grid.value.size() > mostKept) return grid;
  if (kept.size() == mostGrids) kept.erase(kept.begin());
  kept.emplace_back(key, grid);
  return grid;
}

SolidOperation gridOf(const input::Deck& deck, std::size_t k, const SolidReach& reach, SolidParts& parts) {
  const std::string path = fmt::format("shape.{}.file", k);
  SampledDistance grid;
  try {
    grid = sampledOnce(deck, k, reach);
  } catch (const InputError& error) {
    throw SolidError(path, error.what());
  }
  DistanceGrid nodes;
  const double coarsest = 0.25 * reach.shortest;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    nodes.nodes[axis] = grid.nodes[axis], nodes.periodic[axis] = deck.box.periodic[axis];
    const double spacing = deck.box.size[axis] / (grid.nodes[axis] - (deck.box.periodic[axis] ? 0 : 1));
    if (spacing > 1.001 * coarsest)
      throw SolidError(deck.shapes[k].style == input::ShapeStyle::stl ? fmt::format("shape.{}.spacing", k) : path,
                       fmt::format("the grid of shape {} has a node every {:.4g} along {}, and needs one every {:.4g}, "
                                   "a quarter of the {}: sample it on a finer grid",
                                   input::quoted(deck.shapes[k].name), spacing, "xyz"[axis], coarsest, reach.what));
  }
  parts.values.push_back(std::move(grid.value));
  parts.grids.push_back(nodes);
  for (std::size_t g = 0; g < parts.grids.size(); ++g) parts.grids[g].value = parts.values[g].data();
  SolidOperation o = simple(Kind::grid);
  o.number = static_cast<int>(parts.grids.size()) - 1;
  return o;
}

SolidOperation primitiveOf(const input::Deck& deck, std::size_t k, const SolidReach& reach, SolidParts& parts) {
  const input::Shape& shape = deck.shapes[k];
  const double end = deck.box.size[static_cast<std::size_t>(shape.axis)];
  switch (shape.style) {
  case input::ShapeStyle::plane:
    return slab(deck, shape.axis, shape.above ? shape.at : 0.0, shape.above ? end : shape.at);
  case input::ShapeStyle::slab:
    return slab(deck, shape.axis, shape.from, shape.to);
  case input::ShapeStyle::stl:
  case input::ShapeStyle::grid:
    return gridOf(deck, k, reach, parts);
  default:
    break;
  }
  SolidOperation o = simple(shape.style == input::ShapeStyle::cylinder ? Kind::cylinder
                            : shape.style == input::ShapeStyle::sphere ? Kind::sphere
                                                                       : Kind::box);
  o.axis = shape.axis, o.radius = shape.radius;
  for (int axis = 0; axis < 3; ++axis) {
    o.center[axis] = coordinateOf(deck, axis, shape.center[static_cast<std::size_t>(axis)]);
    o.half[axis] = 0.5 * shape.size[static_cast<std::size_t>(axis)];
  }
  return o;
}

// The word at `at`, behind which that is then: a name, `not`, `and`, `or`, or a bracket. Empty: the end, or what is
// none.
std::string nextWord(const std::string& text, std::size_t& at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  if (at < text.size() && (text[at] == '(' || text[at] == ')')) return std::string(1, text[at++]);
  const auto ofName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  std::string word;
  while (at < text.size() && ofName(text[at])) word += text[at++];
  return word;
}

// solid = both { "or" both }, both = one { "and" one }, one = "not" one | "(" solid ")" | name
class Reader {
public:
  Reader(const input::Deck& deck, std::size_t wall, const SolidReach& reach, SolidParts& parts)
      : deck_(deck), path_(fmt::format("wall.{}.solid", wall)), text_(deck.walls[wall].solid), reach_(reach),
        parts_(parts) {}

  void read() {
    next();
    either();
    if (!word_.empty()) refuse(fmt::format("expected `and`, `or` or the end, found {}", input::quoted(word_)));
    parts_.operations.push_back(simple(Kind::wall));
  }

private:
  [[noreturn]] void refuse(const std::string& why) const { throw SolidError(path_, "solid: " + why); }

  void next() {
    word_ = nextWord(text_, at_);
    if (word_.empty() && at_ < text_.size())
      refuse(fmt::format("expected names of shapes, not, and, or and brackets, found {}",
                         input::quoted(std::string(1, text_[at_]))));
  }

  void either() {
    both();
    while (word_ == "or") next(), both(), join(Kind::unite);
  }
  void both() {
    one();
    while (word_ == "and") next(), one(), join(Kind::intersect);
  }
  void one() {
    if (word_ == "not") {
      next(), one();
      parts_.operations.push_back(simple(Kind::complement));
      return;
    }
    if (word_ == "(") {
      if (++depth_ > 100) refuse("brackets are nested too deeply");
      next(), either();
      if (word_ != ")") refuse("a bracket is not closed");
      --depth_;
      return next();
    }
    if (word_.empty() || word_ == ")" || word_ == "and" || word_ == "or")
      refuse(word_.empty() ? "a shape is missing at the end"
                           : fmt::format("a shape is missing before {}", input::quoted(word_)));
    shape();
    next();
  }
  void shape() {
    std::vector<std::string> names;
    for (const auto& known : deck_.shapes) names.push_back(known.name);
    const auto found = std::find(names.begin(), names.end(), word_);
    if (found == names.end())
      refuse(fmt::format("there is no [[shape]] {}{}", input::quoted(word_), input::suggestion(word_, names)));
    parts_.operations.push_back(primitiveOf(deck_, static_cast<std::size_t>(found - names.begin()), reach_, parts_));
    if (++waiting_ > Solid::deepest)
      refuse(fmt::format("more than {} shapes wait for each other: use fewer brackets", Solid::deepest));
  }
  void join(Kind kind) {
    parts_.operations.push_back(simple(kind));
    --waiting_;
  }

  const input::Deck& deck_;
  std::string path_;
  const std::string& text_;
  const SolidReach& reach_;
  SolidParts& parts_;
  std::size_t at_ = 0;
  std::string word_;  // empty: the end
  int waiting_ = 0, depth_ = 0;
};

}  // namespace

bool namesShape(const std::string& solid, const std::string& shape) {
  std::size_t at = 0;
  for (std::string word = nextWord(solid, at); !word.empty(); word = nextWord(solid, at))
    if (word == shape) return true;
  return false;
}

std::uint64_t coordinateOf(const input::Deck& deck, int axis, double length) {
  double fraction = length / periodOf(deck, axis);
  fraction -= std::floor(fraction);
  const double scaled = fraction * 0x1p64;
  return scaled < 0x1p64 ? static_cast<std::uint64_t>(scaled) : 0;
}

Solid::Point SolidParts::point(const input::Deck& deck, const std::array<double, 3>& x) const {
  return {{coordinateOf(deck, 0, x[0]), coordinateOf(deck, 1, x[1]), coordinateOf(deck, 2, x[2])}};
}

SolidReach reachOfForces(const input::Deck& deck) {
  return {smallestCutoff(deck), input::largestCutoff(deck) + deck.neighbor.skin, "cutoff"};
}

SolidParts solidOf(const input::Deck& deck, const SolidReach& reach) {
  SolidParts parts;
  for (int axis = 0; axis < 3; ++axis) parts.tick[axis] = std::ldexp(periodOf(deck, axis), -64);
  for (std::size_t w = 0; w < deck.walls.size(); ++w) {
    Reader(deck, w, reach, parts).read();
    const input::Wall& wall = deck.walls[w];
    WallMotion motion;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      motion.velocity[axis] = wall.velocity[a], motion.spin[axis] = wall.spin[a];
      motion.about[axis] = coordinateOf(deck, axis, wall.about[a]);
      if (wall.velocity[a] != 0.0 || wall.spin[a] != 0.0) motion.moves = 1;
    }
    motion.slips = wall.style == input::WallStyle::bounce_forward ? 1 : 0;
    parts.motions.push_back(motion);
  }
  return parts;
}

}  // namespace mesowarp::boundary
