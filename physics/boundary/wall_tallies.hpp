// What walls get of the particles: impulses and strays, summed up over all steps.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "step/windows.hpp"

namespace mesowarp::boundary {

// As integers, so that the order of the additions cannot matter; in several rows, so that few threads meet in one word.
struct WallTallies {
  static constexpr int rows = 256;
  static constexpr double unit = 0x1p-26;  // of an impulse, mass length / time
  DeviceArray<i64> words;
  int width = 0;  // 3 a wall, and one

  KOKKOS_INLINE_FUNCTION void addImpulse(int particle, int wall, int axis, double impulse) const {
    Kokkos::atomic_add(&words(at(particle, 3 * wall + axis)), static_cast<i64>(::llrint(impulse * (1.0 / unit))));
  }
  KOKKOS_INLINE_FUNCTION void addStray(int particle) const {
    Kokkos::atomic_add(&words(at(particle, width - 1)), i64{1});
  }

private:
  KOKKOS_INLINE_FUNCTION int at(int particle, int word) const { return particle % rows * width + word; }
};

// The tallies, and columns of a table as means over the steps that its window has (step/windows.hpp).
class WallRecord {
public:
  // ranks: null: one rank.
  WallRecord(const input::Deck& deck, const SolidParts& parts, const comm::Communicator* ranks)
      : ranks_(ranks), columns_(wallColumnsOf(deck, parts)), timestep_(deck.run.timestep),
        numbers_(3 * deck.walls.size()) {
    tallies_.width = static_cast<int>(numbers_) + 1;
    tallies_.words = zeroedArray<i64>("wall tallies", static_cast<std::size_t>(WallTallies::rows * tallies_.width));
    begin_.of.assign(numbers_ + 1, 0);
  }

  const WallTallies& tallies() const { return tallies_; }
  bool forces() const { return columns_.forces; }  // somebody asks
  void at(i64 step) {
    if (!began_) begin_.step = step - 1, began_ = true;
    last_ = step;
  }

  // Of an observed step. Collective.
  void finish() {
    look_ = {last_, ofAllRanks()};
    if (strays() > mostStrays)
      throw RunError(fmt::format("step {}: {} particles have been found inside of walls, and put back to the surface. "
                                 "Usual cause: particles of a file that start there, or a time step in which they "
                                 "pass a thin wall. Lower run.timestep, or make the wall thicker.",
                                 last_, strays()));
  }
  const SumsUpTo& atBegin() const { return begin_; }
  const SumsUpTo& atLook() const { return look_; }
  // summed: in so many steps.
  void addMeans(const std::vector<i64>& summed, i64 steps, std::map<std::string, double>& quantities) const {
    const double time = static_cast<double>(std::max<i64>(1, steps)) * timestep_;
    std::vector<double> force;
    for (std::size_t k = 0; k < numbers_; ++k)
      force.push_back(static_cast<double>(summed[k]) * WallTallies::unit / time);
    columns_.addTo(quantities, force, strays());
  }

  // Words of a checkpoint: sums so far; strays before these, which checkpoints of older programs began anew at each
  // look, or else `summedFromTheStart`; and a word that those had. Collective.
  std::vector<i64> state() const {
    std::vector<i64> sums = ofAllRanks();
    sums.insert(sums.end(), {summedFromTheStart, 0});
    return sums;
  }
  void restore(const std::vector<i64>& words) {
    if (static_cast<int>(words.size()) != tallies_.width + 2) return;  // of other walls
    std::vector<i64> sums(words.begin(), words.end() - 2);
    if (words[numbers_ + 1] != summedFromTheStart) sums.back() += words[numbers_ + 1];
    std::vector<i64> host(tallies_.words.extent(0), 0);
    if (!ranks_ || ranks_->root()) std::copy(sums.begin(), sums.end(), host.begin());
    refill(tallies_.words, host);
    began_ = false, begin_.of = std::move(sums);
  }
  std::size_t bytes() const { return tallies_.words.extent(0) * sizeof(i64); }

private:
  static constexpr i64 mostStrays = 100, summedFromTheStart = -1;

  i64 strays() const { return look_.of.empty() ? 0 : look_.of.back(); }

  // Modulo 2^64.
  std::vector<i64> ofAllRanks() const {
    const auto words = hostCopy(tallies_.words);
    std::vector<i64> sums(numbers_ + 1, 0);
    for (std::size_t k = 0; k < words.extent(0); ++k) {
      i64& sum = sums[k % sums.size()];
      sum = static_cast<i64>(static_cast<u64>(sum) + static_cast<u64>(words(k)));
    }
    if (ranks_) ranks_->sum(sums.data(), static_cast<int>(sums.size()));
    return sums;
  }

  const comm::Communicator* ranks_;
  WallColumns columns_;
  double timestep_;
  std::size_t numbers_;  // 3 a wall
  WallTallies tallies_;
  bool began_ = false;
  i64 last_ = -1;  // step
  SumsUpTo begin_, look_;
};

}  // namespace mesowarp::boundary
