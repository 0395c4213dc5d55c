#include "physics/membrane/start/cell_start.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>

#include "core/error.hpp"
#include "device/tag_random.hpp"
#include "input/grammar/diagnostic.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/membrane/deck/poses.hpp"
#include "physics/membrane/mesh/rings.hpp"
#include "physics/membrane/packing/cell_packing.hpp"
#include "physics/membrane/sides/fill_cells.hpp"
#include "physics/membrane/start/standing.hpp"

namespace mesowarp::membrane {
namespace {

double meanEdge(const Surface& mesh) {
  double sum = 0.0;
  const auto edges = edgesOf(ringsOf(mesh));
  for (const auto& [a, b] : edges)
    sum += norm(mesh.vertex[static_cast<std::size_t>(a)] - mesh.vertex[static_cast<std::size_t>(b)]);
  return sum / static_cast<double>(edges.size());
}

// Anywhere, turned any way: a unit quaternion of four normal numbers; or about a given normal alone.
Pose randomPose(TagRandom& random, const input::BoxBlock& box, const std::vector<double>& normals) {
  Pose pose;
  if (normals.size() == 3) {
    pose = towards({normals[0], normals[1], normals[2]});
  } else {
    double q[4], square = 0.0;
    for (double& c : q) c = random.gaussian(), square += c * c;
    for (double& c : q) c /= std::sqrt(square);
    pose = rotated({q[0], q[1], q[2], q[3]});
  }
  for (std::size_t a = 0; a < 3; ++a) pose.centre[a] = random.uniform() * box.size[a];
  return pose;
}

// The largest sigma of Lennard-Jones forces between vertices of cells, which know no bound below it. 0: there are none.
double contactOf(const input::Deck& deck) {
  const auto isOfCells = [&](const std::string& species) {
    return species == "*" || std::any_of(deck.populations.begin(), deck.populations.end(),
                                         [&](const auto& p) { return isMembrane(p) && p.species == species; });
  };
  double largest = 0.0;
  for (const input::Interaction& i : deck.interactions)
    if (i.style == input::InteractionStyle::lj || i.style == input::InteractionStyle::wca)
      if (isOfCells(i.between[0]) && isOfCells(i.between[1])) largest = std::max(largest, i.sigma);
  return largest;
}

// The cells of one population.
struct CellsAtStart {
  const input::Population* population;
  u32 firstTag;
  std::shared_ptr<const Surface> mesh;
  std::vector<Pose> poses;  // empty: they find their places
  i64 count;
  u32 tagOf(std::size_t cell) const { return firstTag + static_cast<u32>(cell * mesh->vertex.size()); }
};

class CellPlacer {
public:
  CellPlacer(const input::Deck& deck, HostParticles& particles)
      : deck_(deck), particles_(particles), box_(boxOf(deck)) {
    for (const auto& [population, firstTag] : membranePopulations(deck)) {
      CellsAtStart cells{population, firstTag, meshOf(cellsOf(*population)), {}, cellCount(*population, deck.box)};
      if (cellsOf(*population).listed())
        cells.poses = listedPoses(*population);
      else if (population->initial == input::StartKind::lattice)
        cells.poses = latticePoses(*cells.mesh, deck.box, cells.count);
      edge_ = std::max(edge_, meanEdge(*cells.mesh));
      all_.push_back(std::move(cells));
    }
    if (!deck.walls.empty()) solid_ = boundary::solidOf(deck);
    for (const u32 number : particles.molecule) lastMolecule_ = std::max(lastMolecule_, number);
  }

  void place() {
    requireApart();
    findPlaces();
    for (const CellsAtStart& cells : all_)
      for (std::size_t c = 0; c < cells.poses.size(); ++c) {
        if (!deck_.walls.empty()) requireOffWalls(cells, c);
        put(*cells.mesh, cells.poses[c], cells.tagOf(c));
      }
  }

private:
  [[noreturn]] void fail(const CellsAtStart& cells, const std::string& what) const {
    const std::string path = fmt::format("population.{}", cells.population - deck_.populations.data());
    throw InputError(input::format({input::sourceOf(deck_, path), what}, deck_.file));
  }
  CellPacking packing(double gap) const {
    std::function<double(const Point&)> walls;
    if (!deck_.walls.empty()) walls = [this](const Point& p) { return offWalls(p); };
    return {deck_.box, gap, walls};
  }

  // What `check` leaves to the start: cells of several populations, and very many. A vertex inside of another cell.
  void requireApart() const {
    std::vector<std::pair<std::size_t, std::size_t>> numbers;
    CellPacking standing = packing(0.25 * edge_);
    std::size_t populations = 0;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      populations += all_[k].poses.empty() ? 0 : 1;
      for (std::size_t c = 0; c < all_[k].poses.size(); ++c) {
        standing.add({all_[k].mesh, all_[k].poses[c], true, false});
        numbers.emplace_back(k, c);
      }
    }
    if (populations < 2 && numbers.size() <= mostChecked) return;
    const auto overlap = standing.firstOverlap();
    if (!overlap) return;
    const auto [k, c] = numbers[overlap->first];
    const auto [l, d] = numbers[overlap->second];
    fail(all_[l], fmt::format("cell {} of population \"{}\" and cell {} of population \"{}\" overlap: move one of them",
                              c, all_[k].population->name, d, all_[l].population->name));
  }

  // One after the other, none in another; if there is no room, small ones that grow.
  void findPlaces() {
    Standing standing(deck_.box, std::max(edge_, contactOf(deck_)));
    for (const CellsAtStart& cells : all_)
      for (const Pose& pose : cells.poses) add(standing, *cells.mesh, pose);
    std::vector<std::vector<Pose>> found(all_.size());
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (!all_[k].poses.empty()) continue;
      for (i64 c = 0; c < all_[k].count; ++c) {
        const auto pose = findPlace(all_[k], static_cast<std::size_t>(c), standing);
        if (!pose) return growAll();
        found[k].push_back(*pose);
        add(standing, *all_[k].mesh, *pose);
      }
    }
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (all_[k].poses.empty()) all_[k].poses = found[k];
  }
  void growAll() {
    std::vector<std::pair<std::size_t, std::size_t>> numbers;
    const double soft = 0.3 * edge_, hard = 0.9 * contactOf(deck_);
    CellPacking packed = packing(std::max(soft, hard));
    for (std::size_t k = 0; k < all_.size(); ++k)
      for (std::size_t c = 0; c < static_cast<std::size_t>(all_[k].count); ++c) {
        const bool stands = !all_[k].poses.empty();
        TagRandom random(stepKey(deck_.run.seed, Stream::cellPose, 0), all_[k].tagOf(c));
        const auto& normals = cellsOf(*all_[k].population).normals;
        packed.add({all_[k].mesh, stands ? all_[k].poses[c] : randomPose(random, deck_.box, normals), stands,
                    normals.empty()});
        numbers.emplace_back(k, c);
      }
    if (!packed.grow(hard > soft)) {  // a force without a bound at half of sigma ends the run
      const auto [k, c] = numbers[packed.worst()];
      fail(all_[k],
           fmt::format("there is no room for so many cells: grown from small ones they touch at {:.0f}% of their "
                       "size, cell {} of population \"{}\" most: lower their number, give normals so that they "
                       "are turned alike, or take initial = \"lattice\"",
                       100.0 * packed.size(), c, all_[k].population->name));
    }
    std::vector<std::vector<Pose>> poses(all_.size());
    for (std::size_t n = 0; n < numbers.size(); ++n) poses[numbers[n].first].push_back(packed.cells()[n].pose);
    for (std::size_t k = 0; k < all_.size(); ++k) all_[k].poses = poses[k];
  }

  static void add(Standing& standing, const Surface& mesh, const Pose& pose) {
    for (const Point& v : mesh.vertex) standing.add(pose(v));
  }
  bool fits(const Surface& mesh, const Pose& pose, const Standing& standing) const {
    return std::all_of(mesh.vertex.begin(), mesh.vertex.end(), [&](const Point& v) {
      const Point p = pose(v);
      for (std::size_t a = 0; a < 3; ++a)
        if (!deck_.box.periodic[a] && !(p[a] > 0.0 && p[a] < deck_.box.size[a])) return false;
      if (offWalls(p) < 0.25 * edge_) return false;
      return standing.hasRoom(p);
    });
  }
  std::optional<Pose> findPlace(const CellsAtStart& cells, std::size_t cell, const Standing& standing) const {
    TagRandom random(stepKey(deck_.run.seed, Stream::cellPose, 0), cells.tagOf(cell));
    for (int k = 0; k < 20000; ++k) {
      const Pose pose = randomPose(random, deck_.box, cellsOf(*cells.population).normals);
      if (fits(*cells.mesh, pose, standing)) return pose;
    }
    return std::nullopt;
  }
  // Length; of a box without walls as far as one likes.
  double offWalls(const Point& p) const {
    if (deck_.walls.empty()) return HUGE_VAL;
    return solid_.view()({{toFixed(box_, 0, p[0]), toFixed(box_, 1, p[1]), toFixed(box_, 2, p[2])}}).distance;
  }
  void requireOffWalls(const CellsAtStart& cells, std::size_t cell) const {
    if (std::all_of(cells.mesh->vertex.begin(), cells.mesh->vertex.end(),
                    [&](const Point& v) { return offWalls(cells.poses[cell](v)) > 0.0; }))
      return;
    fail(cells, fmt::format("cell {} of population \"{}\" stands in a wall: {}", cell, cells.population->name,
                            cellsOf(*cells.population).listed()
                                ? "move its centre"
                                : "take initial = \"random\", which keeps off walls, or give centers"));
  }
  void put(const Surface& mesh, const Pose& pose, u32 first) {
    particles_.addImages();
    if (!particles_.molecule.empty())
      std::fill_n(particles_.molecule.begin() + first, mesh.vertex.size(), ++lastMolecule_);
    const Shear shear = shearOf(deck_);
    const auto heightOf = [&](std::size_t i) {
      return toLength(box_, shear.gradient, particles_.position[i][static_cast<std::size_t>(shear.gradient)]);
    };
    for (std::size_t v = 0; v < mesh.vertex.size(); ++v) {
      const Point p = pose(mesh.vertex[v]);
      const double before = heightOf(first + v);  // its velocity is that of the flow there
      for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a);
        const i32 image = deck_.box.periodic[a] ? static_cast<i32>(std::floor(p[a] / box_.size[a])) : 0;
        const double wraps = box_.periodic[a] ? 0.0 : image * box_.size[a];  // of a sheared box, along the gradient
        particles_.position[first + v][a] = toFixed(box_, axis, p[a] - wraps);
        particles_.image[first + v][a] = image;
      }
      if (shear.on)
        particles_.velocity[first + v][static_cast<std::size_t>(shear.flow)] +=
            shear.rate * (heightOf(first + v) - before);
    }
  }

  const input::Deck& deck_;
  HostParticles& particles_;
  Box box_;            // of coordinates: a sheared one does not wrap along its gradient
  double edge_ = 0.0;  // mean length, of the coarsest mesh
  boundary::SolidParts solid_;
  u32 lastMolecule_ = 0;
  std::vector<CellsAtStart> all_;
};

}  // namespace

bool hasMembranes(const Populations& populations) {
  return std::any_of(populations.begin(), populations.end(), [](const auto* p) { return isMembrane(*p); });
}

void placeCells(const input::Deck& deck, const Populations& populations, HostParticles& particles) {
  if (!hasMembranes(populations)) return;
  CellPlacer(deck, particles).place();
  fillCells(deck, particles);
}

}  // namespace mesowarp::membrane
