// What walls get of the particles: impulses and strays, since a table's last row.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/zeroed.hpp"
#include "device/host_copy.hpp"
#include "physics/boundary/deck/wall_columns.hpp"

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

// The tallies, and columns of a table as means since the last row.
class WallRecord {
public:
  // ranks: null: one rank.
  WallRecord(const input::Deck& deck, const SolidParts& parts, const comm::Communicator* ranks)
      : ranks_(ranks), columns_(wallColumnsOf(deck, parts)), timestep_(deck.run.timestep) {
    const int walls = static_cast<int>(deck.walls.size());
    tallies_.width = 3 * walls + 1;
    tallies_.words = zeroedArray<i64>("wall tallies", static_cast<std::size_t>(WallTallies::rows * tallies_.width));
    force_.assign(static_cast<std::size_t>(3 * walls), 0.0);
  }

  const WallTallies& tallies() const { return tallies_; }
  bool forces() const { return columns_.forces; }  // a table asks
  void at(i64 step) { last_ = step; }

  // Of an observed step; what has been summed up begins anew. Collective.
  void finish() {
    const std::vector<i64> sums = ofAllRanks();
    const double time = static_cast<double>(std::max<i64>(1, last_ - observed_)) * timestep_;
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] = static_cast<double>(sums[k]) * WallTallies::unit / time;
    strayed_ += sums.back();
    Kokkos::deep_copy(tallies_.words, i64{0});
    observed_ = last_;
    if (strayed_ > mostStrays)
      throw RunError(fmt::format("step {}: {} particles have been found inside of walls, and put back to the surface. "
                                 "Usual cause: particles of a file that start there, or a time step in which they "
                                 "pass a thin wall. Lower run.timestep, or make the wall thicker.",
                                 last_, strayed_));
  }
  void fill(std::map<std::string, double>& quantities) const { columns_.fill(force_, strayed_, quantities); }

  // Words of a checkpoint. Collective.
  std::vector<i64> state() const {
    std::vector<i64> sums = ofAllRanks();
    sums.insert(sums.end(), {strayed_, observed_});
    return sums;
  }
  void restore(const std::vector<i64>& sums) {
    if (static_cast<int>(sums.size()) != tallies_.width + 2) return;  // of other walls
    strayed_ = sums[sums.size() - 2], observed_ = sums.back();
    auto host = Kokkos::create_mirror_view(tallies_.words);
    Kokkos::deep_copy(host, i64{0});
    const bool mine = !ranks_ || ranks_->root();
    for (int k = 0; mine && k < tallies_.width; ++k) host(k) = sums[static_cast<std::size_t>(k)];
    Kokkos::deep_copy(tallies_.words, host);
  }
  std::size_t bytes() const { return tallies_.words.extent(0) * sizeof(i64); }

private:
  static constexpr i64 mostStrays = 100;

  // Impulses and strays since the last observed step.
  std::vector<i64> ofAllRanks() const {
    const auto words = hostCopy(tallies_.words);
    std::vector<i64> sums(static_cast<std::size_t>(tallies_.width), 0);
    for (std::size_t k = 0; k < words.extent(0); ++k) sums[k % sums.size()] += words(k);
    if (ranks_) ranks_->sum(sums.data(), static_cast<int>(sums.size()));
    return sums;
  }

  const comm::Communicator* ranks_;
  WallColumns columns_;
  double timestep_;
  WallTallies tallies_;
  i64 last_ = -1;  // step
  i64 observed_ = -1, strayed_ = 0;
  std::vector<double> force_;  // on each wall, of the last observed step
};

}  // namespace mesowarp::boundary
