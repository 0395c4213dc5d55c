// The box: nearest images, walls, cells, and the drives that act along its axes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/cell_counts.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

// A pair of particles has one nearest image only if the box is at least twice as wide as pairs are listed. Between
// walls the coordinate's range is twice the box, and the cutoff, the furthest a particle may move in a step, must fit
// into it.
void checkWidth(const Deck& deck, Report& report) {
  const double cutoff = largestCutoff(deck), reach = cutoff + deck.neighbor.skin;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double size = deck.box.size[axis];
    const char letter = "xyz"[axis];
    if (!deck.box.periodic[axis]) {
      if (size < 0.5 * cutoff)
        report.error(
            "box.size",
            fmt::format(
                "box.size along {} is {}, but between walls it must be at least half the cutoff, {:.6g}: widen the box",
                letter, size, 0.5 * cutoff));
      continue;
    }
    if (size >= 2.0 * reach) continue;
    const double skin = size / 2.0 - cutoff;
    report.error(
        "box.size",
        fmt::format("box.size along {} is {}, but must be at least 2 (cutoff + skin) = {:.6g}: widen the box{}", letter,
                    size, 2.0 * reach,
                    skin > 0.0 ? fmt::format(", or set neighbor.skin to at most {:.4g}", skin) : ""));
  }
}

void checkWalls(const Deck& deck, Report& report) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const char letter = "xyz"[axis];
    for (std::size_t side = 0; side < 2; ++side) {
      const bool wall = deck.faces[axis][side] != FaceStyle::periodic;
      if (!wall && !deck.box.periodic[axis])
        report.error("box.periodic",
                     fmt::format("box.periodic is false along {0}, so face {0}{1} needs a [[boundary]]: face = \"{0}\" "
                                 "and style = \"bounce-back\" or \"bounce-forward\"",
                                 letter, "-+"[side]));
      if (!wall || !deck.box.periodic[axis]) continue;
      std::size_t k = 0;
      while (k + 1 < deck.boundaries.size() &&
             !(deck.boundaries[k].face[0] == letter && deck.boundaries[k].style != FaceStyle::periodic))
        ++k;
      report.error(
          fmt::format("boundary.{}", k),
          fmt::format(
              "face {}{} has a wall, but box.periodic is true along {}: set it to false, or leave the boundary out",
              letter, "-+"[side], letter));
    }
  }
}

void checkCells(const Deck& deck, Report& report) {
  constexpr double mebi = 1048576.0;
  const double cells = numberOfCells(deck);
  const Estimate whole = estimate(deck);
  const double bytes = bytesPerCell * cells;
  if (whole.populationsFromFiles == 0 && bytes > 256.0 * mebi && bytes > 0.5 * whole.memoryBytes)
    report.warning(
        "box.size",
        fmt::format("the box has {:.3g} cells of cutoff + skin for {:.3g} particles, and the cells alone take {:.0f} "
                    "MiB: in a box as dilute as this a wider neighbor.skin costs little and saves most of them",
                    cells, static_cast<double>(whole.particles), bytes / mebi));
}

void checkDrives(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.drives.size(); ++k) {
    const Drive& drive = deck.drives[k];
    const auto& g = drive.acceleration;
    const std::string path = fmt::format("drive.{}.acceleration", k);
    if (drive.style == DriveStyle::sine)
      report.error(fmt::format("drive.{}.style", k),
                   "style = \"sine\" does not act on fluids: use \"double-poiseuille\", or \"constant\" between walls");
    if (g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0)
      report.warning(path, "this drive has no acceleration and does nothing");
    if (drive.style == DriveStyle::double_poiseuille && g[static_cast<std::size_t>(drive.across)] != 0.0)
      report.warning(
          path,
          fmt::format(
              "the two halves are pushed against each other along {0}: a flow across {0} is driven along another axis",
              "xyz"[drive.across]));
  }
}

}  // namespace

double numberOfCells(const Deck& deck) {
  const double reach = largestCutoff(deck) + deck.neighbor.skin;
  const auto along = cellsAlong(deck.box.size, reach);
  return static_cast<double>(along[0]) * along[1] * along[2];
}

void checkGeometry(const Deck& deck, Report& report) {
  checkWidth(deck, report);
  checkWalls(deck, report);
  checkCells(deck, report);
  checkDrives(deck, report);
}

}  // namespace mesowarp::fluid
