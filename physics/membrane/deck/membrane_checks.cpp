// Whether membranes can be what a deck says, and what it says of them.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "core/shear.hpp"
#include "input/estimate.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/membrane/deck/poses.hpp"
#include "physics/membrane/mesh/rings.hpp"
#include "physics/membrane/mesh/surface_files.hpp"

namespace mesowarp::membrane {
namespace {

using namespace input;

std::shared_ptr<const Surface> meshOrTold(const Deck& deck, std::size_t k, Report& report) {
  const CellKeys& keys = cellsOf(deck.populations[k]);
  const std::string path = fmt::format("population.{}.mesh", k);
  if (keys.mesh != redCell && keys.mesh != sphere && !isSurfaceFile(keys.mesh)) {
    report.error(
        path,
        fmt::format("mesh = {}: expected \"red-cell\", \"sphere\" or a file that ends in .off, .ply, .stl or .data",
                    quoted(keys.mesh)));
    return nullptr;
  }
  try {
    return meshOf(keys);
  } catch (const InputError& error) {
    report.error(path, error.what());
    return nullptr;
  }
}

void checkNumber(const Deck& deck, std::size_t k, Report& report) {
  const Population& p = deck.populations[k];
  const CellKeys& keys = cellsOf(p);
  const std::string path = fmt::format("population.{}", k);
  const int given = (p.count > 0 ? 1 : 0) + (keys.hematocrit > 0.0 ? 1 : 0) + (keys.centers.empty() ? 0 : 1) +
                    (keys.poses.empty() ? 0 : 1);
  if (p.density > 0.0)
    report.error(path + ".density", "density is for particles: give count, hematocrit, centers or poses");
  if (p.initial == StartKind::file)
    report.error(path + ".initial", "membranes start at random, on a lattice, or where centers or poses say");
  if (given != 1)
    report.error(path, fmt::format("population {} needs one of count, hematocrit, centers and poses", quoted(p.name)));
  if (keys.centers.size() % 3 != 0)
    report.error(path + ".centers",
                 fmt::format("centers has {} numbers: three are needed for each cell", keys.centers.size()));
  if (keys.normals.size() % 3 != 0 || (keys.normals.size() > 3 && keys.normals.size() != keys.centers.size()))
    report.error(path + ".normals",
                 fmt::format("normals has {} numbers: three are needed, or three for each cell of centers",
                             keys.normals.size()));
  if (!keys.poses.empty() && !keys.normals.empty())
    report.error(path + ".normals", "normals beside poses: put them into the file, as normal_x, normal_y, normal_z");
  if (!keys.poses.empty()) {
    try {
      listedPoses(p);
    } catch (const InputError& error) {
      return report.error(path + ".poses", error.what());
    }
  }
  for (std::size_t n = 0; n + 2 < keys.normals.size(); n += 3)
    if (!(norm({keys.normals[n], keys.normals[n + 1], keys.normals[n + 2]}) > 0.0))
      report.error(path + ".normals", fmt::format("the normal of cell {} is zero", n / 3));
  if (cellCount(p, deck.box) == 0 && given == 1)
    report.error(path + ".hematocrit",
                 fmt::format("hematocrit = {} is less than half a cell in this box", keys.hematocrit));
}

// Places are counted from the cell's centre, and the nearest image counts.
void checkSize(const Deck& deck, std::size_t k, const Surface& mesh, Report& report) {
  const double radius = radiusOf(mesh);
  for (std::size_t a = 0; a < 3; ++a)
    if (2.0 * radius >= 0.95 * deck.box.size[a])
      return report.error(
          fmt::format("population.{}", k),
          fmt::format("a cell of population {} reaches {:.4g} from its centre, and the box is {:.4g} along {}: "
                      "it would meet its own image; make box.size larger, or the cells smaller",
                      quoted(deck.populations[k].name), radius, deck.box.size[a], "xyz"[a]));
}

// In a sheared box, where images stand for what is beyond faces, on one rank as on several.
void checkSheared(const Deck& deck, std::size_t k, const Surface& mesh, Report& report) {
  const double seen = largestCutoff(deck) + deck.neighbor.skin, needed = ringReach(mesh);
  if (deck.own.get<Shear>().on && needed > seen)
    report.error(
        fmt::format("population.{}", k),
        fmt::format("a vertex of population {} knows others up to {:.4g} away, and in a sheared box images are "
                    "known up to {:.4g} (cutoff + skin): take a finer mesh, or a larger neighbor.skin",
                    quoted(deck.populations[k].name), needed, seen));
}

const char* placesOf(const Deck& deck, std::size_t k) {
  return cellsOf(deck.populations[k]).poses.empty() ? "centers" : "poses";
}

// The first cell of `centers` that has a vertex in a wall.
void checkWalls(const Deck& deck, std::size_t k, const Surface& mesh, Report& report) {
  if (deck.walls.empty()) return;
  try {
    const auto& poses = listedPoses(deck.populations[k]);
    const boundary::SolidParts parts = boundary::solidOf(deck);
    const boundary::Solid solid = parts.view();
    for (std::size_t c = 0; c < poses.size() && c < mostChecked; ++c) {
      for (const Point& v : mesh.vertex)
        if (const Point p = poses[c](v); !(solid(parts.point(deck, p)).distance > 0.0))
          return report.error(
              fmt::format("population.{}.{}", k, placesOf(deck, k)),
              fmt::format("cell {} stands in a wall, at {:.4g}, {:.4g}, {:.4g}: move its centre", c, p[0], p[1], p[2]));
    }
  } catch (const std::exception&) {  // a shape that cannot be, which is told elsewhere
  }
}

void checkPlaces(const Deck& deck, std::size_t k, const Surface& mesh, Report& report) {
  const CellKeys& keys = cellsOf(deck.populations[k]);
  const std::string path = fmt::format("population.{}.", k);
  const std::int64_t cells = cellCount(deck.populations[k], deck.box);
  const double volume = roomIn(deck.box, keys);
  if (!keys.listed() && static_cast<double>(cells) * volumeOf(mesh) > 0.6 * volume)
    return report.error(path + (keys.hematocrit > 0.0 ? "hematocrit" : "count"),
                        fmt::format("{} cells of volume {:.4g} fill {:.0f}% of {}: more than 60% cannot be packed",
                                    cells, volumeOf(mesh), 100.0 * static_cast<double>(cells) * volumeOf(mesh) / volume,
                                    keys.open < 1.0 ? "what walls leave of the box" : "the box"));
  if (!keys.listed() && deck.populations[k].initial == StartKind::lattice &&
      latticePoses(mesh, deck.box, cells).empty())
    return report.error(path + "initial",
                        fmt::format("{} cells do not fit the box side by side: lower their number, or take "
                                    "a box whose edges are multiples of a cell's",
                                    cells));
  if (!keys.listed()) return;
  const double apart = 0.25 * std::sqrt(areaOf(mesh) / static_cast<double>(mesh.vertex.size()));
  const std::vector<Pose>* poses = nullptr;
  try {
    poses = &listedPoses(deck.populations[k]);
  } catch (const InputError&) {  // told above
    return;
  }
  for (std::size_t c = 0; c < poses->size() && c < mostChecked; ++c) {
    const Pose& pose = (*poses)[c];
    for (const Point& p : mesh.vertex)
      for (std::size_t a = 0; a < 3; ++a)
        if (const double x = pose(p)[a]; !deck.box.periodic[a] && (x <= 0.0 || x >= deck.box.size[a]))
          return report.error(path + placesOf(deck, k),
                              fmt::format("cell {} stands in the wall at {} = {:.4g}: move its centre", c, "xyz"[a],
                                          x <= 0.0 ? 0.0 : deck.box.size[a]));
    for (std::size_t other = 0; other < c; ++other)
      if (overlap(mesh, pose, mesh, (*poses)[other], deck.box, apart))
        return report.error(path + placesOf(deck, k),
                            fmt::format("cells {} and {} overlap: move one of them", other, c));
  }
}

// A medium's friction gamma damps a motion at the rate gamma / 2; of a DPD fluid's, about 1, it takes a part.
void checkLagged(const Deck& deck, std::size_t block, const Population& p, const Mechanics& m, const Surface& mesh,
                 Report& report) {
  if (!m.lagged) return;
  double damping = 0.0;
  for (const auto& keys : thermostatsOf(deck))
    if (keys.population == p.name) damping += 0.5 * keys.friction;
  for (const Interaction& i : deck.interactions)
    if (isDpd(i) && i.gamma > 0.0) damping = std::max(damping, 0.5);
  const double breathing = breathingStiffness(m, mesh) / massOf(deck, p.species),
               phase = deck.run.timestep * std::sqrt(breathing);
  if (m.extrapolated && phase > 0.6)
    report.warning(
        fmt::format("membrane.{}.area_volume", block),
        fmt::format("area and volume of {} swing too fast to be extrapolated: dt sqrt(K / m) = {:.3g} is above "
                    "0.6; take area_volume = \"current\", lower the area and volume moduli, or run.timestep to "
                    "{:.2g}",
                    quoted(p.name), phase, 0.5 * deck.run.timestep / phase));
  const double rate = 0.5 * deck.run.timestep * breathing;
  if (!m.extrapolated && rate > damping)
    report.warning(
        fmt::format("membrane.{}.area_volume", block),
        fmt::format(
            "area and volume of the step before make the cells of {} swing more and more, at a rate of "
            "{:.3g} against a damping of about {:.3g}: take area_volume = \"extrapolated\" or \"current\", lower "
            "the area and volume moduli, or run.timestep to {:.2g}",
            quoted(p.name), rate, damping, deck.run.timestep * std::max(damping, 0.05) / rate));
}

void checkSteps(const Deck& deck, std::size_t block, const Population& p, const Mechanics& m, const Surface& mesh,
                Report& report) {
  const double dt = deck.run.timestep, phase = dt * std::sqrt(stiffness(m, mesh) / massOf(deck, p.species));
  const std::string path = fmt::format("membrane.{}.shear_modulus", block);
  const std::string what =
      fmt::format("the membrane of {} is {{}} for timestep = {}: dt sqrt(K / m) = {:.3g} of its stiffest "
                  "wave is above {{}}; at most {:.2g} is advised, or a larger mass, or fewer vertices",
                  quoted(p.name), dt, phase, 0.5 * dt / phase);
  if (phase > 2.0)
    report.error(path, fmt::format(fmt::runtime(what), "unstable", 2));
  else if (phase > 1.0)
    report.warning(path, fmt::format(fmt::runtime(what), "stiff", 1));
  checkLagged(deck, block, p, m, mesh, report);
  const double decay = dt * frictionRate(m) / massOf(deck, p.species);
  if (decay > 1.0)
    report.error(fmt::format("membrane.{}.friction", block),
                 fmt::format("friction of edges makes velocities decay by {:.3g} in a step, more than 1: lower it, or "
                             "run.timestep to {:.2g}",
                             decay, 0.2 * dt / decay));
}

void checkMechanicsOf(const Deck& deck, const Population& p, const Surface& mesh, Report& report) {
  const auto all = membranesOf(deck);
  for (std::size_t b = 0; b < all.size(); ++b)
    if (all[b].population == p.name) checkSteps(deck, b, p, mechanicsOf(deck, all[b], mesh), mesh, report);
}

void checkBlocks(const Deck& deck, Report& report) {
  std::vector<std::string> names, held;
  for (const Population& p : deck.populations)
    if (isMembrane(p)) names.push_back(p.name);
  const auto all = membranesOf(deck);
  const auto told = [&](const std::string& path, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return false;
    report.error(
        path, fmt::format("there is no population {} of kind = \"membrane\"{}", quoted(name), suggestion(name, names)));
    return true;
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string path = fmt::format("membrane.{}.population", k);
    if (told(path, all[k].population)) continue;
    if (std::find(held.begin(), held.end(), all[k].population) != held.end())
      report.error(path, fmt::format("population {} has another [[membrane]] already", quoted(all[k].population)));
    held.push_back(all[k].population);
  }
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    if (isMembrane(deck.populations[k]) && std::find(held.begin(), held.end(), deck.populations[k].name) == held.end())
      report.error(fmt::format("population.{}", k),
                   fmt::format("nothing says how the membranes of {} resist: add a [[membrane]] with population = {}",
                               quoted(deck.populations[k].name), quoted(deck.populations[k].name)));
  const auto stretches = stretchesOf(deck);
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    const std::string path = fmt::format("stretch.{}.population", k);
    if (told(path, stretches[k].population)) continue;
    for (const Population& p : deck.populations)
      if (p.name == stretches[k].population && (cellsOf(p).centers.empty() || !cellsOf(p).normals.empty()))
        report.error(path,
                     fmt::format("cells that are stretched stand as their mesh does: give population {} centers, and "
                                 "no normals",
                                 quoted(p.name)));
  }
}

}  // namespace

void check(const Deck& deck, Report& report) {
  checkBlocks(deck, report);
  checkSides(deck, report);
  checkPlasma(deck, report);
  bool fileBefore = false;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& p = deck.populations[k];
    fileBefore = fileBefore || p.initial == StartKind::file;
    if (!isMembrane(p)) continue;
    const std::string path = fmt::format("population.{}", k);
    if (fileBefore && p.initial != StartKind::file)
      report.error(path, "a population from a file stands before this one: put it behind the membranes");
    const auto stands = std::find_if(deck.populations.begin(), deck.populations.begin() + static_cast<long>(k),
                                     [](const Population& other) { return !isMembrane(other); });
    if (!deck.walls.empty() && stands != deck.populations.begin() + static_cast<long>(k))
      report.error(path, fmt::format("beside walls, whose fluids are counted at the start alone, membranes come first: "
                                     "put this block before population {}",
                                     quoted(stands->name)));
    checkNumber(deck, k, report);
    const auto mesh = meshOrTold(deck, k, report);
    if (!mesh) continue;
    checkSize(deck, k, *mesh, report);
    checkSheared(deck, k, *mesh, report);
    checkPlaces(deck, k, *mesh, report);
    checkWalls(deck, k, *mesh, report);
    checkMechanicsOf(deck, p, *mesh, report);
  }
}

void checkMechanics(const Deck& deck, Report& report) {
  for (const Population& p : deck.populations) try {
      if (isMembrane(p)) checkMechanicsOf(deck, p, *meshOf(cellsOf(p)), report);
    } catch (const InputError&) {  // check() tells it
    }
}

// Of a cell at the start.
static std::string insideOf(const Deck& deck, const MembraneKeys& keys, const Mechanics& m) {
  double particles = 0.0;
  for (const Population& p : deck.populations)
    if (p.species == keys.outside && p.initial != inCells)
      particles += static_cast<double>(input::particleCount(p, deck.box));
  const double density = particles / (deck.box.size[0] * deck.box.size[1] * deck.box.size[2]);
  return fmt::format("{}, about {:.4g} particles a cell, as dense as {} around it; {}", keys.inside,
                     density * m.volume0, keys.outside,
                     keys.check_every > 0 ? fmt::format("searched for strays every {} steps", keys.check_every)
                                          : std::string("never searched for strays"));
}

static std::string viscosityOf(const Mechanics& m) {
  if (m.frictionAll == 0.0) return fmt::format("{:.5g}", m.viscosityDrawn());
  return fmt::format("{:.5g} in simple shear, {:.5g} drawn out in its plane, and friction resists turns of edges",
                     m.viscositySheared(), m.viscosityDrawn());
}

std::vector<std::pair<std::string, std::string>> expectations(const Deck& deck) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Population& p : deck.populations) {
    const MembraneKeys* keys = isMembrane(p) ? membraneOf(deck, p.name) : nullptr;
    if (!keys) continue;
    try {
      const auto mesh = meshOf(cellsOf(p));
      const Mechanics m = mechanicsOf(deck, *keys, *mesh);
      const double reduced = m.volume0 / (4.0 / 3.0 * M_PI * std::pow(m.area0 / (4.0 * M_PI), 1.5));
      const auto edges = edgesOf(ringsOf(*mesh)).size();
      all.emplace_back(
          "cells of " + p.name,
          fmt::format("{}, each {} vertices, {} edges, area {:.5g}, volume {:.5g} (reduced {:.4g}), longest "
                      "edge {:.3g}",
                      cellCount(p, deck.box), mesh->vertex.size(), edges, m.area0, m.volume0, reduced,
                      longestEdge(*mesh)));
      all.emplace_back(
          "mechanics of " + p.name,
          fmt::format("shear {:.5g}, area compression {:.5g}, Young's modulus {:.5g}, Poisson's ratio {:.4g}, "
                      "bending {:.5g} ({:.4g} an edge), viscosity {}; energy / length^2, energy, mass / time",
                      m.shear, m.areaCompression(), m.young(), m.poisson(), m.bending, m.hinge(), viscosityOf(m)));
      if (!keys->inside.empty()) all.emplace_back("inside of " + p.name, insideOf(deck, *keys, m));
      if (const auto plasma = plasmaOf(deck, *keys)) all.emplace_back("fluid around " + p.name, plasmaText(*plasma, m));
    } catch (const InputError&) {
    }
  }
  return all;
}

// A cell's vertices are known by their tags, so the mesh must be the same.
void difference(const Deck& then, const Deck& now, Differences& differences) {
  for (std::size_t k = 0; k < std::min(then.populations.size(), now.populations.size()); ++k) {
    if (!isMembrane(then.populations[k]) || !isMembrane(now.populations[k])) continue;
    const CellKeys &before = cellsOf(then.populations[k]), &after = cellsOf(now.populations[k]);
    const std::string path = fmt::format("population.{}.", k);
    const bool file = after.mesh != redCell && after.mesh != sphere;
    differences.same(path + "vertices", "another mesh", verticesOf(before), verticesOf(after));
    if (!file) differences.same(path + "mesh", "another mesh", before.mesh, after.mesh);
    if (!file) differences.same(path + "diameter", "another mesh", before.diameter, after.diameter);
    if (file) differences.same(path + "scale", "another mesh", before.scale, after.scale);
    const MembraneKeys *was = membraneOf(then, then.populations[k].name),
                       *is = membraneOf(now, now.populations[k].name);
    if (!was || !is) continue;
    const std::string block = fmt::format("population.{}", k);
    differences.same(block, "another species inside of a membrane", was->inside, is->inside);
    differences.same(block, "another species outside of a membrane", was->outside, is->outside);
  }
}

std::string phaseOf(const std::string& population) { return "membranes of " + population; }

std::vector<std::string> phases(const Deck& deck) {
  std::vector<std::string> all;
  for (const Population& p : deck.populations)
    if (isMembrane(p)) all.push_back(phaseOf(p.name));
  return all;
}

bool keepEnergy(const Deck& deck) {
  const auto all = membranesOf(deck);
  return stretchesOf(deck).empty() && std::all_of(all.begin(), all.end(), [](const MembraneKeys& keys) {
           return !(keys.friction > 0.0) && !(keys.friction_along > 0.0);
         });
}

}  // namespace mesowarp::membrane
