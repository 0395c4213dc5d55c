#include "physics/membrane/start/cell_start.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "device/tag_random.hpp"
#include "input/grammar/diagnostic.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/membrane/deck/poses.hpp"
#include "physics/membrane/mesh/rings.hpp"
#include "physics/membrane/sides/fill_cells.hpp"

namespace mesowarp::membrane {
namespace {

// Vertices that stand, in cells no smaller than a distance.
class Standing {
public:
  Standing(const Box& box, double apart) : box_(box), apart_(apart) {
    for (int a = 0; a < 3; ++a) cells_[a] = std::clamp(static_cast<int>(box.size[a] / apart), 1, 400);
    points_.resize(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2]);
  }
  bool hasRoom(const Point& p) const {
    int at[3];
    place(p, at);
    for (int k = 0; k < 27; ++k) {
      const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
      int to[3];
      for (int a = 0; a < 3; ++a) to[a] = (at[a] + step[a] + cells_[a]) % cells_[a];
      for (const Point& other : points_[index(to)])
        if (distance2(p, other) < apart_ * apart_) return false;
    }
    return true;
  }
  void add(const Point& p) {
    int at[3];
    place(p, at);
    points_[index(at)].push_back(p);
  }

private:
  void place(const Point& p, int* at) const {
    for (int a = 0; a < 3; ++a) {
      const double x = p[static_cast<std::size_t>(a)] / box_.size[static_cast<std::size_t>(a)];
      at[a] = std::clamp(static_cast<int>((x - std::floor(x)) * cells_[a]), 0, cells_[a] - 1);
    }
  }
  std::size_t index(const int* at) const {
    return (static_cast<std::size_t>(at[2]) * cells_[1] + at[1]) * cells_[0] + at[0];
  }
  double distance2(const Point& p, const Point& q) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      double d = p[a] - q[a];
      if (box_.periodic[a]) d -= box_.size[a] * std::round(d / box_.size[a]);
      sum += d * d;
    }
    return sum;
  }
  Box box_;
  double apart_;
  int cells_[3];
  std::vector<std::vector<Point>> points_;
};

double meanEdge(const Surface& mesh) {
  double sum = 0.0;
  const auto edges = edgesOf(ringsOf(mesh));
  for (const auto& [a, b] : edges)
    sum += norm(mesh.vertex[static_cast<std::size_t>(a)] - mesh.vertex[static_cast<std::size_t>(b)]);
  return sum / static_cast<double>(edges.size());
}

// Anywhere, turned any way: a unit quaternion of four normal numbers; or about a given normal alone.
Pose randomPose(TagRandom& random, const Box& box, const std::vector<double>& normals) {
  Pose pose;
  if (normals.size() == 3) {
    pose = towards({normals[0], normals[1], normals[2]});
  } else {
    double q[4], square = 0.0;
    for (double& c : q) c = random.gaussian(), square += c * c;
    for (double& c : q) c /= std::sqrt(square);
    const auto [w, x, y, z] = q;
    pose.x = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    pose.y = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    pose.z = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  }
  for (std::size_t a = 0; a < 3; ++a) pose.centre[a] = random.uniform() * box.size[a];
  return pose;
}

class CellPlacer {
public:
  CellPlacer(const input::Deck& deck, HostParticles& particles, double apart)
      : deck_(deck), particles_(particles), box_(boxOf(deck)), apart_(apart), standing_(box_, apart) {
    if (!deck.walls.empty()) solid_ = boundary::solidOf(deck);
    for (const u32 number : particles.molecule) lastMolecule_ = std::max(lastMolecule_, number);
  }

  void place(const input::Population& population, u32 firstTag) {
    const CellKeys& keys = cellsOf(population);
    const Surface& mesh = *meshOf(keys);
    const i64 cells = cellCount(population, deck_.box);
    const auto lattice = keys.centers.empty() && population.initial == input::InitialState::lattice
                             ? latticePoses(mesh, deck_.box, cells)
                             : std::vector<Pose>();
    for (i64 c = 0; c < cells; ++c) {
      const u32 first = firstTag + static_cast<u32>(c * static_cast<i64>(mesh.vertex.size()));
      const Pose pose = !keys.centers.empty() ? listedPose(keys, static_cast<std::size_t>(c))
                        : !lattice.empty()    ? lattice[static_cast<std::size_t>(c)]
                                              : findPlace(population, mesh, first, c);
      if (!deck_.walls.empty()) requireOffWalls(population, mesh, pose, c);
      put(mesh, pose, first);
    }
  }

private:
  bool fits(const Surface& mesh, const Pose& pose) const {
    return std::all_of(mesh.vertex.begin(), mesh.vertex.end(), [&](const Point& v) {
      const Point p = pose(v);
      for (std::size_t a = 0; a < 3; ++a)
        if (!box_.periodic[a] && !(p[a] > 0.0 && p[a] < box_.size[a])) return false;
      if (offWalls(p) < 0.25 * apart_) return false;
      return standing_.hasRoom(p);
    });
  }
  // Length; of a box without walls as far as one likes.
  double offWalls(const Point& p) const {
    if (deck_.walls.empty()) return HUGE_VAL;
    return solid_.view()({{toFixed(box_, 0, p[0]), toFixed(box_, 1, p[1]), toFixed(box_, 2, p[2])}}).distance;
  }
  void requireOffWalls(const input::Population& population, const Surface& mesh, const Pose& pose, i64 cell) const {
    if (std::all_of(mesh.vertex.begin(), mesh.vertex.end(), [&](const Point& v) { return offWalls(pose(v)) > 0.0; }))
      return;
    const std::string path = fmt::format("population.{}", &population - deck_.populations.data());
    const std::string why = fmt::format("cell {} of population \"{}\" stands in a wall: {}", cell, population.name,
                                        cellsOf(population).centers.empty()
                                            ? "take initial = \"random\", which keeps off walls, or give centers"
                                            : "move its centre");
    throw InputError(input::format({input::sourceOf(deck_, path), why}, deck_.file));
  }
  Pose findPlace(const input::Population& population, const Surface& mesh, u32 first, i64 cell) const {
    TagRandom random(stepKey(deck_.run.seed, Stream::cellPose, 0), first);
    for (int k = 0; k < 20000; ++k) {
      const Pose pose = randomPose(random, box_, cellsOf(population).normals);
      if (fits(mesh, pose)) return pose;
    }
    const std::string path = fmt::format("population.{}", &population - deck_.populations.data());
    const std::string why =
        fmt::format("cell {} of population \"{}\" has found no place between the others: lower their "
                    "number, give normals so that they are turned alike, or take initial = \"lattice\"",
                    cell, population.name);
    throw InputError(input::format({input::sourceOf(deck_, path), why}, deck_.file));
  }
  void put(const Surface& mesh, const Pose& pose, u32 first) {
    particles_.addImages();
    if (!particles_.molecule.empty())
      std::fill_n(particles_.molecule.begin() + first, mesh.vertex.size(), ++lastMolecule_);
    for (std::size_t v = 0; v < mesh.vertex.size(); ++v) {
      const Point p = pose(mesh.vertex[v]);
      standing_.add(p);
      for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a);
        particles_.position[first + v][a] = toFixed(box_, axis, p[a]);
        particles_.image[first + v][a] = box_.periodic[a] ? static_cast<i32>(std::floor(p[a] / box_.size[a])) : 0;
      }
    }
  }

  const input::Deck& deck_;
  HostParticles& particles_;
  Box box_;
  double apart_;
  Standing standing_;
  boundary::SolidParts solid_;
  u32 lastMolecule_ = 0;
};

}  // namespace

bool hasMembranes(const Populations& populations) {
  return std::any_of(populations.begin(), populations.end(), [](const auto* p) { return isMembrane(*p); });
}

void placeCells(const input::Deck& deck, const Populations& populations, HostParticles& particles) {
  if (!hasMembranes(populations)) return;
  double apart = 0.0;
  for (const input::Population* p : populations)
    if (isMembrane(*p)) apart = std::max(apart, meanEdge(*meshOf(cellsOf(*p))));
  CellPlacer placer(deck, particles, apart);
  for (const auto& [population, firstTag] : membranePopulations(deck)) placer.place(*population, firstTag);
  fillCells(deck, particles);
}

}  // namespace mesowarp::membrane
