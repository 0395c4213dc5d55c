#include "physics/membrane/deck/membrane_deck.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "core/error.hpp"
#include "input/estimate.hpp"
#include "input/method.hpp"
#include "physics/membrane/deck/poses.hpp"
#include "physics/membrane/mesh/cell_shapes.hpp"
#include "physics/membrane/mesh/rings.hpp"
#include "physics/membrane/mesh/surface_files.hpp"

namespace mesowarp::membrane {
namespace {

constexpr double boltzmann = 1.380649e-23;  // J / K
constexpr int mostNeighbours = 16;

Surface makeMesh(const CellKeys& keys) {
  if (keys.mesh == redCell) return bloodCellOf(keys.vertices, keys.diameter);
  if (keys.mesh == sphere) return sphereOf(keys.vertices, keys.diameter);
  Surface surface = readSurface(keys.mesh);
  for (Point& p : surface.vertex) p = keys.scale * p;
  return surface;
}

Surface usableMesh(const CellKeys& keys) {
  Surface surface = makeMesh(keys);
  const std::string bad = makeUsable(surface);
  const char* remedy = "; mend it in a mesh editor, or take mesh = \"red-cell\" or \"sphere\"";
  if (!bad.empty()) throw InputError(fmt::format("the mesh {} cannot be a membrane: {}{}", keys.mesh, bad, remedy));
  if (const int most = ringsOf(surface).mostNeighbours(); most > mostNeighbours)
    throw InputError(fmt::format("the mesh {} has a vertex with {} neighbours, more than {}{}", keys.mesh, most,
                                 mostNeighbours, remedy));
  const Point centre = centreOf(surface);
  for (Point& p : surface.vertex) p = p - centre;
  return surface;
}

}  // namespace

bool hasMembranes(const input::Deck& deck) {
  return std::any_of(deck.populations.begin(), deck.populations.end(), isMembrane);
}

std::vector<std::pair<const input::Population*, std::uint32_t>> membranePopulations(const input::Deck& deck) {
  std::vector<std::pair<const input::Population*, std::uint32_t>> all;
  const auto cells = std::find_if(deck.populations.begin(), deck.populations.end(), isMembrane);
  if (cells == deck.populations.end()) return all;
  std::int64_t first = 0;
  for (const input::Population* p : input::populationsOf(deck, input::ownerOf(*cells))) {
    if (isMembrane(*p)) all.emplace_back(p, static_cast<std::uint32_t>(first));
    first += input::particleCount(*p, deck.box);
  }
  return all;
}

bool hasTwoSides(const input::Deck& deck) {
  const auto all = membranesOf(deck);
  return hasMembranes(deck) &&
         std::any_of(all.begin(), all.end(), [](const MembraneKeys& keys) { return !keys.inside.empty(); });
}

const CellKeys& cellsOf(const input::Population& population) { return population.own.get<CellKeys>(); }

std::vector<MembraneKeys> membranesOf(const input::Deck& deck) {
  std::vector<MembraneKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, "membrane")) all.push_back(item.own.get<MembraneKeys>());
  return all;
}

bool hasCellTable(const input::Deck& deck) {
  const auto all = membranesOf(deck);
  return std::any_of(all.begin(), all.end(), [](const MembraneKeys& keys) { return keys.table_every > 0; });
}

std::vector<StretchKeys> stretchesOf(const input::Deck& deck) {
  std::vector<StretchKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, "stretch")) all.push_back(item.own.get<StretchKeys>());
  return all;
}

const MembraneKeys* membraneOf(const input::Deck& deck, const std::string& population) {
  for (const input::OwnItem& item : input::itemsOf(deck, "membrane"))
    if (const auto& keys = item.own.get<MembraneKeys>(); keys.population == population) return &keys;
  return nullptr;
}

std::shared_ptr<const Surface> meshOf(const CellKeys& keys) {
  static std::map<std::string, std::shared_ptr<const Surface>> known;
  const bool made = keys.mesh == redCell || keys.mesh == sphere;
  const std::string what = made ? fmt::format("{} {} {}", keys.mesh, keys.vertices, keys.diameter)
                                : fmt::format("{} {}", keys.mesh, keys.scale);
  auto& mesh = known[what];
  if (!mesh) mesh = std::make_shared<const Surface>(usableMesh(keys));
  return mesh;
}

std::int64_t verticesOf(const CellKeys& keys) {
  if (keys.mesh == redCell || keys.mesh == sphere) return keys.vertices;
  try {
    return static_cast<std::int64_t>(meshOf(keys)->vertex.size());
  } catch (const InputError&) {
    return 0;
  }
}

double roomIn(const input::BoxBlock& box, const CellKeys& keys) {
  return box.size[0] * box.size[1] * box.size[2] * keys.open;
}

std::int64_t cellCount(const input::Population& population, const input::BoxBlock& box) {
  const CellKeys& keys = cellsOf(population);
  if (!keys.poses.empty()) {
    try {
      return static_cast<std::int64_t>(listedPoses(population).size());
    } catch (const InputError&) {  // told elsewhere
      return 0;
    }
  }
  if (!keys.centers.empty()) return static_cast<std::int64_t>(keys.centers.size() / 3);
  if (population.count > 0 || !(keys.hematocrit > 0.0)) return population.count;
  try {
    return std::llround(keys.hematocrit * roomIn(box, keys) / volumeOf(*meshOf(keys)));
  } catch (const InputError&) {
    return 0;
  }
}

// At a vertex, of the triangle whose edge there is longest against its length in the mesh.
static std::string tornTriangle(const Surface& mesh, std::uint32_t cell, int vertex,
                                const std::function<double(std::uint32_t)>& apart) {
  double most = 0.0;
  std::string words;
  for (std::size_t t = 0; t < mesh.triangle.size(); ++t) {
    const auto& corner = mesh.triangle[t];
    if (std::find(corner.begin(), corner.end(), vertex) == corner.end()) continue;
    for (const int other : corner) {
      if (other == vertex) continue;
      const double rest =
          norm(mesh.vertex[static_cast<std::size_t>(other)] - mesh.vertex[static_cast<std::size_t>(vertex)]);
      const double now = apart(cell + static_cast<std::uint32_t>(other));
      if (!(now > most * rest)) continue;
      most = now / rest;
      words = fmt::format(", triangle {} (vertices {}, {}, {}; its edge {} to {} is {:.3g} long, {:.3g} at rest),", t,
                          corner[0], corner[1], corner[2], vertex, other, now, rest);
    }
  }
  return words;
}

std::string partOf(const input::Deck& deck, std::uint32_t tag, const std::function<double(std::uint32_t)>& apart) {
  for (const auto& [population, first] : membranePopulations(deck)) {
    const std::int64_t vertices = verticesOf(cellsOf(*population)), number = static_cast<std::int64_t>(tag) - first;
    if (number < 0 || number >= vertices * cellCount(*population, deck.box)) continue;
    const auto vertex = static_cast<int>(number % vertices);
    return fmt::format("cell {} of population {}, vertex {}", number / vertices, population->name, vertex) +
           (apart ? tornTriangle(*meshOf(cellsOf(*population)), tag - static_cast<std::uint32_t>(vertex), vertex, apart)
                  : std::string());
  }
  return {};
}

double Mechanics::hinge() const { return 2.0 / std::sqrt(3.0) * bending; }
double Mechanics::viscosityDrawn() const { return 0.5 * std::sqrt(3.0) * (frictionAll + 0.5 * frictionAlong); }
double Mechanics::viscositySheared() const { return std::sqrt(3.0) * (frictionAll + 0.25 * frictionAlong); }

// One joule is run.temperature / (k_B T) energies of the deck.
Mechanics mechanicsOf(const input::Deck& deck, const MembraneKeys& keys, const Surface& mesh) {
  const double length = keys.length_unit > 0.0 ? keys.length_unit : 1.0;
  const double energy = keys.length_unit > 0.0 ? deck.run.temperature / (boltzmann * keys.kelvin) : 1.0;
  const double perArea = energy * length * length;
  Mechanics m{};
  m.shear = keys.shear_modulus * perArea, m.bending = keys.bending_modulus * energy;
  m.area0 = areaOf(mesh);
  const double radius = std::sqrt(m.area0 / (4.0 * M_PI));
  m.global = keys.area_modulus < 0.0 ? 49.0 * m.shear : keys.area_modulus * perArea;
  m.local = keys.local_area_modulus < 0.0 ? m.shear : keys.local_area_modulus * perArea;
  m.volume = keys.volume_modulus < 0.0 ? 200.0 * m.shear / radius : keys.volume_modulus * perArea * length;
  m.x0 = keys.extension, m.exponent = keys.exponent;
  m.frictionAll = keys.friction;
  m.frictionAlong = keys.friction_along < 0.0 ? keys.friction / 3.0 : keys.friction_along;
  m.volume0 =
      keys.reduced_volume > 0.0 ? keys.reduced_volume * 4.0 / 3.0 * M_PI * radius * radius * radius : volumeOf(mesh);
  m.lagged = keys.area_volume > 0, m.extrapolated = keys.area_volume == 2, m.angles = keys.angles;
  m.unit = keys.length_unit > 0.0 ? energy * length : 1.0;
  return m;
}

// The stiffest wave of a lattice of triangles of length l: its six springs, U'' = 4 mu / sqrt(3), give 6 U''; its six
// triangles 6 k_l / A0 |grad A|^2 = 2 sqrt(3) k_l; hinges about 27 k_b / l^2 from each of twelve (the waves of a
// plate, kappa q^4 a at q = 4 pi / (3 l), are softer); volume and area as a whole sum_i |N_i / 6|^2 k_v / V0.
double stiffness(const Mechanics& m, const Surface& mesh) {
  const double n = static_cast<double>(mesh.vertex.size()), each = m.area0 / n, l2 = 2.0 / std::sqrt(3.0) * each;
  return 24.0 / std::sqrt(3.0) * m.shear + 2.0 * std::sqrt(3.0) * m.local + 48.0 * m.hinge() / l2 +
         m.volume / m.volume0 * n * each * each + m.global / n * 4.0;
}

double breathingStiffness(const Mechanics& m, const Surface& mesh) {
  const std::size_t n = mesh.vertex.size();
  std::vector<Point> ofArea(n, Point{}), ofVolume(n, Point{});
  for (const auto& t : mesh.triangle) {
    const auto at = [&](std::size_t c) -> const Point& { return mesh.vertex[static_cast<std::size_t>(t[c % 3])]; };
    const Point normal = cross(at(1) - at(0), at(2) - at(0));
    for (std::size_t c = 0; c < 3; ++c) {
      const auto v = static_cast<std::size_t>(t[c]);
      ofArea[v] = ofArea[v] + 0.5 * cross(at(c + 1) - at(c + 2), unit(normal));
      ofVolume[v] = ofVolume[v] + (1.0 / 6.0) * normal;
    }
  }
  double sum = 0.0;
  for (std::size_t v = 0; v < n; ++v)
    sum += m.global / m.area0 * dot(ofArea[v], ofArea[v]) + m.volume / m.volume0 * dot(ofVolume[v], ofVolume[v]);
  return sum;
}

double ringReach(const Surface& mesh) {
  const Rings rings = ringsOf(mesh);
  double farthest = 0.0;
  for (std::size_t v = 0; v < mesh.vertex.size(); ++v)
    for (const auto* others : {&rings.ring[v], &rings.beyond[v]})
      for (const int other : *others)
        farthest = std::max(farthest, norm(mesh.vertex[static_cast<std::size_t>(other)] - mesh.vertex[v]));
  return farthest;
}

// Six edges; two neighbours that move against each other.
double frictionRate(const Mechanics& m) { return 2.0 * (6.0 * m.frictionAll + 3.0 * m.frictionAlong); }

}  // namespace mesowarp::membrane
