#include "physics/fluid/chain_start.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "device/tag_random.hpp"
#include "input/estimate.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/molecules/molecule_text.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "start/whole_molecules.hpp"

namespace mesowarp::fluid {
namespace {

using Point = std::array<double, 3>;

// Beads in cells no smaller than the largest distance that any of them keep, and no more cells than beads. Where none
// keeps a distance they are not remembered: there is always room.
class Beads {
public:
  Beads(const Box& box, double apart, i64 beads) : box_(box) {
    if (apart == 0.0) return;
    const double each = box.size[0] * box.size[1] * box.size[2] / static_cast<double>(beads);
    const double edge = std::max(apart, std::cbrt(each));
    for (int a = 0; a < 3; ++a) cells_[a] = std::clamp(static_cast<int>(box.size[a] / edge), 1, 512);
    cell_.resize(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2]);
  }
  bool hasRoom(const Point& at, double apart) const {
    if (apart == 0.0) return true;
    bool room = true;
    forNear(at, [&](const Point& other) {
      double squared = 0.0;
      for (int a = 0; a < 3; ++a) {
        double d = at[a] - other[a];
        if (box_.periodic[a]) d -= box_.size[a] * std::round(d / box_.size[a]);
        squared += d * d;
      }
      room = room && squared >= apart * apart;
    });
    return room;
  }
  void add(const Point& at) {
    if (!cell_.empty()) cell_[index(place(at))].push_back(at);
  }
  void remove(const Point& at) {
    if (cell_.empty()) return;
    auto& cell = cell_[index(place(at))];
    cell.erase(std::find(cell.begin(), cell.end(), at));
  }

private:
  std::array<int, 3> place(const Point& at) const {
    std::array<int, 3> p{};
    for (int a = 0; a < 3; ++a) p[a] = std::clamp(static_cast<int>(at[a] / box_.size[a] * cells_[a]), 0, cells_[a] - 1);
    return p;
  }
  std::size_t index(const std::array<int, 3>& p) const {
    return (static_cast<std::size_t>(p[2]) * cells_[1] + p[1]) * cells_[0] + p[0];
  }
  // Cells that are their own neighbours twice are visited twice, which does no harm.
  template <class Visit>
  void forNear(const Point& at, const Visit& visit) const {
    const auto p = place(at);
    for (int k = 0; k < 27; ++k) {
      const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
      std::array<int, 3> q{};
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        q[a] = p[a] + step[a];
        if (box_.periodic[a]) q[a] = (q[a] + cells_[a]) % cells_[a];
        inside = inside && q[a] >= 0 && q[a] < cells_[a];
      }
      if (!inside) continue;
      for (const Point& other : cell_[index(q)]) visit(other);
    }
  }

  Box box_;
  int cells_[3] = {0, 0, 0};
  std::vector<std::vector<Point>> cell_;
};

// What walls leave: all of the box where there are none.
class Space {
public:
  explicit Space(const input::Deck& deck) : deck_(deck) {
    if (!deck.walls.empty()) parts_ = boundary::solidOf(deck), solid_ = parts_.view();
  }
  // A bead there is so far from the walls.
  bool holds(const Point& at, double away) const {
    return deck_.walls.empty() || solid_(parts_.point(deck_, at)).distance >= away;
  }
  // And nothing is between it and the one that it is bonded to, `back` from it.
  bool holdsBond(const Point& at, const Point& back, double away) const {
    if (deck_.walls.empty()) return true;
    bool free = holds(at, away);
    for (int part = 1; free && part < parts; ++part) {
      Point p{};
      for (std::size_t a = 0; a < 3; ++a) {
        p[a] = at[a] + back[a] * part / parts;
        if (deck_.box.periodic[a]) p[a] -= std::floor(p[a] / deck_.box.size[a]) * deck_.box.size[a];
      }
      free = holds(p, 0.0);
    }
    return free;
  }

private:
  static constexpr int parts = 8;  // of a bond
  const input::Deck& deck_;
  boundary::SolidParts parts_;
  boundary::Solid solid_;
};

// Walks of one population, among the beads that there are and between the walls.
class Walker {
public:
  Walker(const Box& box, const Space& space, Beads& beads, u64 seed, double apart, double step)
      : box_(box), space_(space), beads_(beads), apart_(apart), step_(step),
        placing_(stepKey(seed, Stream::initialPosition, 1)), stepping_(stepKey(seed, Stream::chainStep, 1)) {}

  // A molecule from this tag on, each bead at a step from its parent; empty: it has found no way.
  std::vector<Point> molecule(u32 first, const std::vector<int>& parents) {
    const auto beads = parents.size();
    TagRandom places(placing_, first), steps(stepping_, first);
    for (int attempt = 0; attempt < 200; ++attempt) {
      std::vector<Point> made;
      while (made.size() < beads) {
        const int parent = parents[made.size()];
        const Point at = parent < 0 ? start(places) : next(steps, made[static_cast<std::size_t>(parent)]);
        if (at[0] < 0.0) break;
        beads_.add(at), made.push_back(at);
      }
      if (made.size() == beads) return made;
      for (const Point& at : made) beads_.remove(at);
    }
    return {};
  }

private:
  static constexpr int tries = 500;

  Point start(TagRandom& random) const {
    for (int k = 0; k < tries; ++k) {
      Point at{};
      for (int a = 0; a < 3; ++a) at[a] = random.uniform() * box_.size[a];
      if (space_.holds(at, apart_) && beads_.hasRoom(at, apart_)) return at;
    }
    return {-1.0, 0.0, 0.0};
  }
  // The bead before keeps its distance by the step, which may be just `apart`.
  Point next(TagRandom& random, const Point& from) {
    beads_.remove(from);
    Point found{-1.0, 0.0, 0.0};
    for (int k = 0; k < tries && found[0] < 0.0; ++k) {
      Point d{random.gaussian(), random.gaussian(), random.gaussian()};
      const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      bool inside = norm > 0.0;
      Point back{};
      for (int a = 0; a < 3; ++a) {
        back[a] = -d[a] / norm * step_;
        d[a] = from[a] + d[a] / norm * step_;
        if (box_.periodic[a]) d[a] -= std::floor(d[a] / box_.size[a]) * box_.size[a];
        inside = inside && d[a] >= 0.0 && d[a] < box_.size[a];
      }
      if (inside && space_.holdsBond(d, back, apart_) && beads_.hasRoom(d, apart_)) found = d;
    }
    beads_.add(from);
    return found;
  }

  Box box_;
  const Space& space_;
  Beads& beads_;
  double apart_, step_;
  StepKey placing_, stepping_;
};

void place(const Box& box, HostParticles& particles, i64 first, const std::vector<Point>& molecule,
           const std::vector<int>& parents) {
  particles.addImages();
  for (std::size_t b = 0; b < molecule.size(); ++b) {
    const std::size_t tag = static_cast<std::size_t>(first) + b;
    for (int a = 0; a < 3; ++a) particles.position[tag][a] = toFixed(box, a, molecule[b][a]);
    particles.image[tag] = {0, 0, 0};
    if (parents[b] < 0) continue;
    const std::size_t from = static_cast<std::size_t>(first + parents[b]);
    particles.image[tag] = nearestImage(box, particles.position[from], particles.image[from], particles.position[tag]);
  }
}

}  // namespace

void placeChains(const input::Deck& deck, const Populations& populations, HostParticles& particles) {
  const Box box = boxOf(deck);
  double apart = 0.0;
  i64 placed = 0;
  const auto walks = [&](const input::Population& p) {
    return apartOf(p) > 0.0 || (!deck.walls.empty() && p.kind == Kind::polymer && p.initial != input::StartKind::file);
  };
  for (const input::Population* p : populations)
    if (walks(*p)) apart = std::max(apart, apartOf(*p)), placed += input::particleCount(*p, deck.box);
  if (placed == 0) return;
  const Space space(deck);
  Beads all(box, apart, placed);
  i64 first = 0;
  for (const input::Population* p : populations) {
    const i64 beads = input::particleCount(*p, deck.box), length = static_cast<i64>(p->blocks.size());
    const auto refuse = [&](const std::string& why) {
      const std::string path = fmt::format("population.{}.apart", p - deck.populations.data());
      throw InputError(input::format({input::sourceOf(deck, path), why}, deck.file));
    };
    if (first < 0 && apartOf(*p) > 0.0)
      refuse("a population from a file stands before this one: put it behind those whose beads are kept apart");
    if (!walks(*p)) {
      first = p->initial == input::StartKind::file || first < 0 ? -1 : first + beads;
      continue;
    }
    Walker walker(box, space, all, deck.run.seed, apartOf(*p), p->bond_length);
    const std::vector<int> parents = input::moleculeOf(*p).parent;
    for (i64 m = 0; m < beads / length; ++m, first += length) {
      const auto molecule = walker.molecule(static_cast<u32>(first), parents);
      if (molecule.empty())
        refuse(fmt::format("chain {} of population \"{}\" has found no way between the others{}: lower apart, or the "
                           "number of chains",
                           m, p->name, deck.walls.empty() ? "" : " and the walls"));
      place(box, particles, first, molecule, parents);
    }
  }
}

}  // namespace mesowarp::fluid
