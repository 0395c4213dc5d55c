#include "start/initial_velocities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.hpp"
#include "device/host_loop.hpp"
#include "device/tag_random.hpp"
#include "input/species.hpp"

namespace mesowarp {
namespace {

double temperatureOf(const input::Population& population, const input::Deck& deck) {
  return population.temperature < 0.0 ? deck.run.temperature : population.temperature;
}

// Whether its velocities are random numbers. Frozen ones have that of their population alone.
bool drawn(const PopulationRun& run) { return run.fresh && !run.population->frozen; }

// That of all populations that move, or -1.
double oneTemperature(const input::Deck& deck, const std::vector<PopulationRun>& runs) {
  double kT = -1.0;
  for (const auto& run : runs) {
    if (run.population->frozen) continue;
    const double own = temperatureOf(*run.population, deck);
    if (kT >= 0.0 && own != kT) return -1.0;
    kT = own;
  }
  return kT;
}

}  // namespace

InitialVelocities::InitialVelocities(const input::Deck& deck, std::vector<PopulationRun> runs)
    : deck_(deck), runs_(std::move(runs)), masses_(massesOf(deck)), commonTemperature_(oneTemperature(deck, runs_)) {
  for (const auto& species : deck.species) frozen_.push_back(input::isFrozen(deck, species));
  for (const auto& run : runs_) freshCount_ += drawn(run) ? run.last - run.first : 0;
}

template <class Task>
void InitialVelocities::inPiece(const HostParticles& piece, i64 first, const Task& task) const {
  for (const auto& run : runs_) {
    const i64 begin = std::max(run.first, first), end = std::min(run.last, first + piece.count());
    if (begin < end) task(run, begin - first, end - first);
  }
}

void InitialVelocities::draw(HostParticles& piece, i64 first) const {
  const StepKey key = stepKey(deck_.run.seed, Stream::initialVelocity, 0);
  inPiece(piece, first, [&](const PopulationRun& run, i64 begin, i64 end) {
    if (run.fresh && run.population->frozen)
      hostLoop("no velocities", begin, end, [&](i64 i) { piece.velocity[i] = {}; });
    if (!drawn(run)) return;
    std::vector<double> width;
    for (std::size_t s = 0; s < masses_.size(); ++s)
      width.push_back(frozen_[s] ? 0.0 : std::sqrt(temperatureOf(*run.population, deck_) / masses_[s]));
    hostLoop("initial velocities", 0, (end - begin + TagDraws::tags - 1) / TagDraws::tags, [&](i64 block) {
      const i64 from = begin + block * TagDraws::tags, to = std::min<i64>(from + TagDraws::tags, end);
      const TagDraws draws(key, static_cast<u32>(first + from), 6);
      for (i64 i = from; i < to; ++i)
        for (int axis = 0; axis < 3; ++axis)
          piece.velocity[i][axis] = width[piece.species[i]] * draws.gaussian(static_cast<int>(i - from), 2 * axis);
    });
  });
}

void InitialVelocities::addMomentum(const HostParticles& piece, i64 first) {
  Vector momentum{sums_[0], sums_[1], sums_[2]};
  double mass = sums_[3], count = sums_[5];
  inPiece(piece, first, [&](const PopulationRun& run, i64 begin, i64 end) {
    for (i64 i = begin; drawn(run) && i < end; ++i) {
      if (frozen_[piece.species[i]]) continue;
      const double m = masses_[piece.species[i]];
      for (int axis = 0; axis < 3; ++axis) momentum[axis] += m * piece.velocity[i][axis];
      mass += m, count += 1.0;
    }
  });
  sums_ = {momentum[0], momentum[1], momentum[2], mass, sums_[4], count};
}

InitialVelocities::Vector InitialVelocities::mean() const {
  return {sums_[0] / sums_[3], sums_[1] / sums_[3], sums_[2] / sums_[3]};
}

void InitialVelocities::addKinetic(const HostParticles& piece, i64 first) {
  const Vector mean = this->mean();
  double kinetic = sums_[4];
  inPiece(piece, first, [&](const PopulationRun& run, i64 begin, i64 end) {
    for (i64 i = begin; drawn(run) && i < end; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const double v = piece.velocity[i][axis] - mean[axis];
        if (!frozen_[piece.species[i]]) kinetic += masses_[piece.species[i]] * v * v;
      }
  });
  sums_[4] = kinetic;
}

void InitialVelocities::adjust(HostParticles& piece, i64 first) const {
  const bool centred = freshCount_ > 1 && sums_[5] > 0.0, scaled = scales() && sums_[4] > 0.0;
  const Vector mean = centred ? this->mean() : Vector{};
  const Box box = boxOf(deck_);
  const Shear shear = shearOf(deck_);
  const auto flowAt = [&](const std::array<u64, 3>& at) {
    return shear.rate * (toLength(box, shear.gradient, at[shear.gradient]) - 0.5 * box.size[shear.gradient]);
  };
  const double scale = scaled ? std::sqrt(commonTemperature_ * 3.0 * (sums_[5] - 1.0) / sums_[4]) : 1.0;
  inPiece(piece, first, [&](const PopulationRun& run, i64 begin, i64 end) {
    hostLoop("initial velocities, mean", begin, end, [&](i64 i) {
      for (int axis = 0; axis < 3; ++axis) {
        double& v = piece.velocity[i][axis];
        const bool drawnHere = drawn(run) && !frozen_[piece.species[i]];
        if (drawnHere && centred) v -= mean[axis];
        if (drawnHere && scaled) v *= scale;
        v += run.population->velocity[axis];
      }
      if (shear.on && run.fresh) piece.velocity[i][shear.flow] += flowAt(piece.position[i]);
    });
  });
}

}  // namespace mesowarp
