#include "physics/boundary/deck/solid_checks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/grammar/value.hpp"
#include "physics/boundary/deck/channels.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/integrate/schedule.hpp"

namespace mesowarp::boundary {

using namespace input;

namespace {

// A shape of a wall meets neither [[boundary]] nor itself; a region may.
bool isOfWall(const Deck& deck, const Shape& shape) {
  return std::any_of(deck.walls.begin(), deck.walls.end(),
                     [&](const Wall& wall) { return namesShape(wall.solid, shape.name); });
}

void checkShape(const Deck& deck, std::size_t k, Report& report) {
  const Shape& shape = deck.shapes[k];
  const bool ofWall = isOfWall(deck, shape);
  const std::string path = fmt::format("shape.{}", k);
  const auto edge = [&](std::size_t axis) { return deck.box.size[axis]; };
  const auto along = static_cast<std::size_t>(shape.axis);
  const char letter = "xyz"[along];
  if (shape.style == ShapeStyle::plane || shape.style == ShapeStyle::slab) {
    if (ofWall && !deck.box.periodic[along])
      report.error(path + ".axis",
                   fmt::format("shape {} ends at the faces across {}, which are walls already: leave out their "
                               "[[boundary]] and set box.periodic to true along {}",
                               quoted(shape.name), letter, letter));
    if (shape.style == ShapeStyle::plane && !(shape.at > 0.0 && shape.at < edge(along)))
      report.error(path + ".at", fmt::format("at = {} is outside of the box, which is {} along {}: move it in",
                                             shape.at, edge(along), letter));
    if (shape.style == ShapeStyle::slab && !(shape.from < shape.to && shape.from >= 0.0 && shape.to <= edge(along)))
      report.error(path + ".to",
                   fmt::format("a slab from {} to {} is not in the box, which is {} along {}: 0 <= from < "
                               "to <= {} is needed",
                               shape.from, shape.to, edge(along), letter, edge(along)));
    return;
  }
  if (shape.style == ShapeStyle::stl || shape.style == ShapeStyle::grid) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (shape.style == ShapeStyle::cylinder && axis == along) continue;
    if (!(shape.center[axis] >= 0.0 && shape.center[axis] <= edge(axis)))
      report.error(path + ".center", fmt::format("center = {} along {} is outside of the box, which is {} wide",
                                                 shape.center[axis], "xyz"[axis], edge(axis)));
    const double half = shape.style == ShapeStyle::box ? 0.5 * shape.size[axis] : shape.radius;
    if (!(half > 0.0))
      report.error(path + ".size", fmt::format("size along {} is {}, and must be positive", "xyz"[axis], 2.0 * half));
    else if (ofWall && deck.box.periodic[axis] && 2.0 * half > edge(axis))
      report.error(path + (shape.style == ShapeStyle::box ? ".size" : ".radius"),
                   fmt::format("shape {} is {} wide along {}, and meets its own image: the box is {}",
                               quoted(shape.name), 2.0 * half, "xyz"[axis], edge(axis)));
  }
}

// path: the key to blame.
bool checkMotion(const Deck& deck, const SolidParts& parts, std::size_t w, const std::string& path, Report& report) {
  const Wall& wall = deck.walls[w];
  const bool moves = std::any_of(wall.velocity.begin(), wall.velocity.end(), [](double v) { return v != 0.0; }) ||
                     std::any_of(wall.spin.begin(), wall.spin.end(), [](double s) { return s != 0.0; });
  if (!moves) return true;
  // At points near the surface the velocity must be along it.
  const Solid solid = parts.view();
  constexpr int points = 24;
  double worst = 0.0, fastest = 0.0;
  for (int n = 0; n < points * points * points; ++n) {
    auto at = parts.point(deck, {(n % points + 0.5) / points * deck.box.size[0],
                                 (n / points % points + 0.5) / points * deck.box.size[1],
                                 (n / points / points + 0.5) / points * deck.box.size[2]});
    const auto nearest = solid(at);
    if (nearest.wall != static_cast<int>(w) || nearest.distance < 0.0 || nearest.distance > 0.5) continue;
    double normal[3], u[3];
    solid.normal(at, normal);
    const double by[3] = {-nearest.distance * normal[0], -nearest.distance * normal[1], -nearest.distance * normal[2]};
    at = solid.moved(at, by);
    solid.normal(at, normal);
    solid.velocityAt(at, nearest.wall, u);
    worst = std::max(worst, std::abs(u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2]));
    fastest = std::max(fastest, std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
  }
  const bool along = !(worst > 0.02 * fastest);
  if (!along)
    report.error(
        path, fmt::format("wall {} would move into the fluid, with up to {:.3g}: velocity and spin must be along its "
                          "surface, which stays where it is",
                          quoted(wall.name), worst));
  return along;
}

// Also of velocities and spins that a [[schedule]] gives it at some step. Leaves the parts as they are.
void checkMotions(const Deck& deck, SolidParts& parts, std::size_t w, Report& report) {
  if (!checkMotion(deck, parts, w, fmt::format("wall.{}", w), report)) return;
  const auto all = schedulesOf(deck);
  Deck then = deck;
  const WallMotion first = parts.motions[w];
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const double value : all[k].values) {
      const ScheduledNumber number = scheduledNumber(then, all[k].key);
      if (number.kind != Scheduled::wall || !all[k].key.starts_with(fmt::format("wall.{}.", w))) continue;
      *number.number = value;
      WallMotion& motion = parts.motions[w];
      for (std::size_t a = 0; a < 3; ++a)
        motion.velocity[a] = then.walls[w].velocity[a], motion.spin[a] = then.walls[w].spin[a];
      const bool along = checkMotion(then, parts, w, fmt::format("{}.{}.values", ScheduleKeys::block, k), report);
      motion = first;
      if (!along) return;
    }
}

void checkMeasure(const Deck& deck, const SolidMeasure& measure, Report& report) {
  for (std::size_t w = 0; w < deck.walls.size(); ++w)
    if (measure.area[w] == 0.0)
      report.error(fmt::format("wall.{}.solid", w),
                   fmt::format("wall {} has no surface in the box: its solid is empty, or everything, or within that "
                               "of other walls",
                               quoted(deck.walls[w].name)));
  if (measure.fluid == 0.0)
    report.error("wall.0.solid", "the walls fill the whole box: there is no room for the fluid (`not` turns a shape "
                                 "inside out)");
  else if (measure.fluid < 0.02)
    report.warning("wall.0.solid", fmt::format("the walls leave {:.2g}% of the box to the fluid, and cells and lists "
                                               "are of all of it: a smaller box is enough",
                                               100.0 * measure.fluid));
}

}  // namespace

bool checkSolid(const Deck& deck, const SolidReach& reach, Report& report) {
  const std::size_t before = report.diagnostics().size();
  for (std::size_t k = 0; k < deck.shapes.size(); ++k) checkShape(deck, k, report);
  if (deck.walls.empty()) return report.diagnostics().size() == before;
  try {
    SolidParts parts = solidOf(deck, reach);
    for (std::size_t w = 0; w < deck.walls.size(); ++w) checkMotions(deck, parts, w, report);
    auto measure = measureSolid(deck, parts, coarsePoints);
    const auto& area = measure.area;
    if (measure.fluid < 0.05 || std::find(area.begin(), area.end(), 0.0) != area.end())
      measure = measureSolid(deck, parts);
    checkMeasure(deck, measure, report);
    if (measure.fluid > 0.0) checkChannels(deck, parts, reach.shortest, report);
  } catch (const SolidError& error) {
    report.error(error.path, error.what());
  }
  return report.diagnostics().size() == before;
}

void solidDifference(const Deck& then, const Deck& now, Differences& differences) {
  differences.same("wall", "another number of [[wall]] blocks", then.walls.size(), now.walls.size());
  for (std::size_t w = 0; w < std::min(then.walls.size(), now.walls.size()); ++w) {
    const std::string path = fmt::format("wall.{}", w);
    differences.same(path + ".solid", "another solid", then.walls[w].solid, now.walls[w].solid);
    differences.same(path + ".species", "another species", then.walls[w].species, now.walls[w].species);
    differences.same(path + ".method", "another method", static_cast<int>(then.walls[w].method),
                     static_cast<int>(now.walls[w].method));
  }
  const auto placeOf = [](const Shape& s) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", s.name, static_cast<int>(s.style), s.axis, s.at, s.above,
                       s.from, s.to, fmt::join(s.center, " "), s.radius, fmt::join(s.size, " "), s.scale);
  };
  differences.same("shape", "another number of [[shape]] blocks", then.shapes.size(), now.shapes.size());
  for (std::size_t k = 0; k < std::min(then.shapes.size(), now.shapes.size()); ++k)
    if (placeOf(then.shapes[k]) != placeOf(now.shapes[k]))
      differences.add(fmt::format("shape.{}", k), fmt::format("shape {} is another", quoted(now.shapes[k].name)));
}

}  // namespace mesowarp::boundary
