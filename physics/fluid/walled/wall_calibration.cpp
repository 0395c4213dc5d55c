// Plates a gap of 2 d apart slide at +-u. Bounce-back holds the fluid at a plate, and yet within a cutoff of it
// momentum is carried less well than in the bulk, so that the profile of the bulk, slope s, ends a depth b = u / s - d
// inside of the plate. A drag G(f), which G_0 is the size of (physics/boundary/deck/wall_tables.hpp), takes up what is
// lacking: with stress tau = eta s, the flow s f feels it as
//   b changes by - rho / eta  int G f^2 df = - rho G_0 r_c^3 / (5 eta),
// which says what G_0 makes b vanish; b is not quite linear in it. So a short flow without drag says about how much is
// needed, and others with that much say what is needed, each between plates of its own: what frozen particles hold
// scatters from layer to layer, by as much as a flow's own noise. The error of b goes with 1 / u, so these are as fast
// as the heat of friction lets them be, which the first one tells. All begin with the straight line from plate to
// plate. r_c is the cutoff of DPD, whatever else acts (plate_flow.hpp).
//
// A wall without particles gets the potential U that makes the density n(f) next to it the bulk's, too: from plates at
// rest, U += alpha k_BT ln n / n_bulk, again and again (as Pivkin & Karniadakis, Phys. Rev. Lett. 96, 206001 (2006), do
// with a force).
#include "physics/fluid/walled/wall_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <spdlog/spdlog.h>

#include "core/error.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/boundary/wall_nodes.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/wall_trial.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/fluid/walled/plate_flow.hpp"
#include "physics/fluid/walled/walled_start.hpp"
#include "step/windows.hpp"

namespace mesowarp::fluid {
namespace {

// Lengths in cutoffs, times in those of a particle with thermal velocity through one.
constexpr double gap = PlateFlow::gap, bulk = 1.75;  // bulk: of the half gap
constexpr double settles = 15.0, lastsFirst = 30.0, lasts = 80.0;
constexpr double fastest = 4.0, warmer = 0.05;  // of the plates, thermal velocities; of the fluid, k_BT
constexpr int flows = 3, every = 10;
constexpr int passes = 8;                                                      // of U
constexpr double stepsOfU[passes] = {0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.3, 0.2};  // alpha
constexpr double settlesU = 4.0, lastsU = 30.0;
constexpr double mostOff = 0.06;    // of the density in the last pass, beside four times its noise
constexpr std::size_t shells = 16;  // of a cutoff

class Plates {
public:
  // start: a number; each has plates and a fluid of its own.
  Plates(const input::Deck& of, const input::Wall& like, int start) : flow_(plateFlow(of, like)) {
    deck_.run.seed += start;
  }

  struct Found {
    double friction;
    double depth;   // b
    double warmer;  // by how much the fluid is, k_BT
  };
  // The G_0 that makes b vanish, as a flow with this drag says. speed: of the plates, thermal velocities.
  Found flow(double drag, double speed, double lasting) {
    const double plates = speed * flow_.thermal;
    for (auto& wall : deck_.walls) wall.friction = drag, wall.velocity[0] = std::copysign(plates, wall.velocity[0]);
    Sums sums;
    Window window;
    run(settles, lasting, plates, [&](const Engine& engine, i64 step, bool begins) {
      add(engine.snapshot(step), sums);
      const auto quantities = window.quantities(engine);
      if (!begins) sums.force += quantities.at("wall1_force_x") - quantities.at("wall2_force_x"), ++sums.rows;
    });
    const double slope = sums.product / sums.square, area = deck_.box.size[0] * deck_.box.size[1];
    const double stress = sums.force / (2.0 * area * static_cast<double>(sums.rows)), viscosity = stress / slope;
    const double depth = plates / slope - 0.5 * gap * cutoff_;
    const double perDepth = 5.0 * viscosity / (boundary::fluidDensity(deck_) * flow_.mass * std::pow(flow_.reach, 3));
    const double kinetic = 0.5 * flow_.mass * sums.acrossFlow / static_cast<double>(sums.particles);
    return {drag + perDepth * depth, depth, kinetic / deck_.run.temperature - 1.0};
  }

  // U at the nodes of the tables, and what is left.
  boundary::WallSettings lift() {
    constexpr std::size_t nodes = boundary::WallNodes::ofCutoff;
    auto plates = deck_.walls;
    for (auto& wall : deck_.walls) wall.velocity = {}, wall.friction = 0.0;
    std::vector<double> inShells(shells + 1, 0.0);  // the last: at the cutoff
    auto& known = deck_.own.get<boundary::WallSettings>().lift;
    known.assign(nodes + 1, 0.0);
    double off = 0.0, noise = 0.0;  // of the density in the last pass, of quarters of a cutoff
    for (const double alpha : stepsOfU) {
      std::vector<double> count(shells, 0.0), smooth(shells, 0.0);
      double inBulk = 0.0;
      double looks = 0.0;
      run(settlesU, lastsU, 0.0,
          [&](const Engine& engine, i64 step, bool) { addCounts(engine, step, count, inBulk), looks += 1.0; });
      inBulk *= 1.0 / (2.0 * bulk) * 2.0 / shells;  // what a shell at both plates would have
      const double inQuarter = inBulk * shells / 4;
      off = 0.0, noise = std::sqrt(looks / (inQuarter * lastsU));  // a count is forgotten in a unit of time
      for (std::size_t k = 0; k < shells; k += shells / 4) {
        const auto from = count.begin() + static_cast<std::ptrdiff_t>(k);
        off = std::max(off, std::abs(std::accumulate(from, from + shells / 4, 0.0) / inQuarter - 1.0));
      }
      for (std::size_t k = 0; k < shells; ++k) {
        const auto n = [&](std::size_t j) { return std::log(std::max(0.2, count[j] / inBulk)); };
        smooth[k] = 0.5 * n(k) + 0.25 * n(k > 0 ? k - 1 : k) + 0.25 * (k + 1 < shells ? n(k + 1) : 0.0);
      }
      // Next to the surface less is screened by the fluid itself, and more is needed.
      for (std::size_t k = 0; k < shells; ++k)
        inShells[k] += alpha * (k < 4 ? 2.0 - 0.25 * static_cast<double>(k) : 1.0) * deck_.run.temperature * smooth[k];
      for (std::size_t k = 0; k <= nodes; ++k) {
        // Shells' values are those of their middles.
        const double at = std::max(0.0, static_cast<double>(k) * shells / nodes - 0.5);
        const auto j = std::min<std::size_t>(static_cast<std::size_t>(at), shells - 1);
        known[k] = inShells[j] + (at - static_cast<double>(j)) * (inShells[j + 1] - inShells[j]);
      }
    }
    deck_.walls = plates;
    deck_.own.get<boundary::WallSettings>().densityOff = off > mostOff + 4.0 * noise ? off : 0.0;
    return deck_.own.get<boundary::WallSettings>();
  }

private:
  // look(engine, step, whether it is the first), every so many steps. plates: their speed, which the fluid has by its
  // height at the start.
  template <class Look>
  void run(double settling, double lasting, double plates, const Look& look) {
    if (start_.count() == 0) start_ = makeWalledState(deck_, input::populationsOf(deck_, fluidBlocks()), flow_.width);
    HostParticles start = start_;
    fitToWalls(deck_, start);
    const double middle = 0.5 * deck_.box.size[2], half = 0.5 * gap * cutoff_;
    const Box box = boxOf(deck_);
    for (std::size_t k = 0; k < start.position.size(); ++k) {
      const double z = toLength(box, 2, start.position[k][2]) - middle;
      if (std::abs(z) < half) start.velocity[k][0] += plates * z / half;
    }
    const auto engine = startEngine(deck_, start);
    const double time = cutoff_ / flow_.thermal, dt = deck_.run.timestep;
    const i64 begin = static_cast<i64>(settling * time / dt), last = begin + static_cast<i64>(lasting * time / dt);
    for (i64 step = 0; step <= last; ++step) {
      Wanted wanted;
      const bool looks = step >= begin && (step - begin) % every == 0;
      wanted.velocities = wanted.snapshot = wanted.thermo = looks;
      engine->rebuildIfDue(step);
      engine->advance(step, wanted);
      if (looks || step % 100 == 0)
        if (const auto failure = engine->failure())
          throw RunError("the flow between plates that walls are tried in, before the run: " + *failure);
      if (looks) look(*engine, step, step == begin);
    }
  }

  void addCounts(const Engine& engine, i64 step, std::vector<double>& count, double& inBulk) const {
    const io::Snapshot fluid = engine.snapshot(step);
    const double middle = 0.5 * deck_.box.size[2];
    for (std::size_t k = 0; k < fluid.species.size(); ++k) {
      const double z = std::abs(fluid.position[3 * k + 2] - middle) / cutoff_, height = 0.5 * gap - z;
      if (z < bulk) inBulk += 1.0;
      if (height < 0.0 || height >= 1.0) continue;
      count[std::min<std::size_t>(shells - 1, static_cast<std::size_t>(height * shells))] += 1.0;
    }
  }

  struct Sums {
    double product = 0.0, square = 0.0, force = 0.0, acrossFlow = 0.0;  // the last: v_y^2 + v_z^2
    i64 rows = 0, particles = 0;
  };

  void add(const io::Snapshot& fluid, Sums& sums) const {
    const double middle = 0.5 * deck_.box.size[2];
    for (std::size_t k = 0; k < fluid.species.size(); ++k) {
      const double z = fluid.position[3 * k + 2] - middle;
      if (std::abs(z) > bulk * cutoff_) continue;
      const double* v = fluid.velocity.data() + 3 * k;
      sums.product += z * v[0], sums.square += z * z;
      sums.acrossFlow += v[1] * v[1] + v[2] * v[2], ++sums.particles;
    }
  }

  PlateFlow flow_;
  input::Deck& deck_ = flow_.deck;
  const double cutoff_ = flow_.cutoff;
  HostParticles start_;
};

struct Friction {
  double mean = 0.0, error = 0.0, outside = 0.0;
};
Friction frictionOf(const input::Deck& deck, const input::Wall& like) {
  const auto rough = Plates(deck, like, 0).flow(0.0, PlateFlow::speedOfPlates, lastsFirst);
  const double speed = std::clamp(PlateFlow::speedOfPlates * std::sqrt(warmer / std::max(rough.warmer, 0.01 * warmer)),
                                  PlateFlow::speedOfPlates, fastest);
  double sum = 0.0, squares = 0.0, depth = 0.0;
  for (int k = 1; k <= flows; ++k) {
    const auto found = Plates(deck, like, k).flow(std::max(0.0, rough.friction), speed, lasts);
    sum += found.friction, squares += found.friction * found.friction, depth += found.depth / flows;
  }
  const double mean = sum / flows, outside = mean < 0.0 && rough.friction <= 0.0 ? -depth : 0.0;
  const double variance = std::max(0.0, squares / flows - mean * mean) / (flows - 1);
  return {std::max(0.0, mean), std::sqrt(variance), outside};
}

bool needsSomething(const input::Wall& wall) {
  return leavesFriction(wall) || wall.method == input::WallMethod::effective;
}

}  // namespace

bool needsCalibration(const input::Deck& deck) { return wantsTrial(deck) && whyNoTrial(deck).empty(); }

void calibrateWalls(input::Deck& deck) {
  auto& settings = deck.own.get<boundary::WallSettings>();
  settings.drag.assign(deck.walls.size(), 0.0), settings.dragError = settings.outside = settings.drag;
  for (const auto method : {input::WallMethod::frozen, input::WallMethod::effective}) {
    const auto find = [&](const auto& test) {
      return std::find_if(deck.walls.begin(), deck.walls.end(),
                          [&](const auto& wall) { return test(wall) && wall.method == method; });
    };
    const auto open = find(leavesFriction), like = open != deck.walls.end() ? open : find(needsSomething);
    if (like == deck.walls.end()) continue;
    spdlog::info("what walls need is found out in a flow between plates, before the run");
    if (method == input::WallMethod::effective) {
      const auto of = Plates(deck, *like, 0).lift();
      settings.lift = of.lift, settings.densityOff = of.densityOff;
    }
    if (open == deck.walls.end()) continue;
    const auto found = frictionOf(deck, *open);
    for (std::size_t w = 0; w < deck.walls.size(); ++w)
      if (leavesFriction(deck.walls[w]) && deck.walls[w].method == method)
        settings.drag[w] = found.mean, settings.dragError[w] = found.error, settings.outside[w] = found.outside;
  }
}

std::string densityInWords(const input::Deck& calibrated) {
  const double off = calibrated.own.get<boundary::WallSettings>().densityOff;
  if (off == 0.0) return {};
  return fmt::format(
      "next to walls without particles the fluid's density is off by up to {:.0f}%: a run.timestep that is too long "
      "for the fluid does that (`mesowarp check` tells), or walls of method = \"frozen\" are needed",
      100.0 * off);
}

std::vector<std::string> frictionInWords(const input::Deck& calibrated) {
  const auto settings = boundary::wallSettings(calibrated);
  std::vector<std::string> words;
  for (std::size_t w = 0; w < calibrated.walls.size(); ++w) {
    if (!leavesFriction(calibrated.walls[w])) continue;
    words.push_back(
        fmt::format("wall \"{}\": friction {:.4g} was found between plates, with a standard error of {:.2g}; given in "
                    "the deck it saves the search",
                    calibrated.walls[w].name, settings.drag[w], settings.dragError[w]));
    if (settings.outside[w] > 0.02 * input::largestCutoff(calibrated))
      words.push_back(
          fmt::format("wall \"{}\" holds more than it should: a flow in the bulk ends {:.2g} outside of it. A "
                      "smaller surface_friction ({:.4g} here) takes that away",
                      calibrated.walls[w].name, settings.outside[w], calibrated.walls[w].surfaceFriction));
  }
  return words;
}

}  // namespace mesowarp::fluid
