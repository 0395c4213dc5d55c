// What the mean squared displacements of particles and of molecules share: sums, tables, the diffusion coefficient.
//
// In a box that changes ([barostat], [deformation]) particles go with it without moving on their own. A displacement is
// that of the fraction s of the box, in units of the geometric mean of the edges at its two ends:
//
//   d_a = (s_a(t) - s_a(0)) sqrt(L_a(0) L_a(t))
//
// so particles that only go with the box have none. With ds = v dt / L and a diffusion coefficient D that stays, <d^2>
// = 2 D L(0) L(t) times the integral of dt / L^2, which is 2 D t exactly where the edge is linear in time, and to first
// order of its change where it is not: neither of the edges alone would do. Where edges fluctuate, an error of second
// order is left, some (dL / L)^2.
#pragma once

#include <array>
#include <cmath>

#include "physics/integrate/box/box_keys.hpp"
#include "run/measures/lag_levels.hpp"
#include "run/measures/lag_results.hpp"
#include "run/measures/measured.hpp"

namespace mesowarp {

class DisplacementSums : public Measured {
public:
  DisplacementSums(const RecorderContext& context, const input::Measure& measure)
      : measure_(measure), timestep_(context.deck.run.timestep), levels_(measure.levels),
        changing_(changesBox(context.deck)), edges_(static_cast<std::size_t>(measure.levels), context.deck.box.size) {}

  Wanted needs() const override {
    Wanted wanted;
    wanted.snapshot = true;
    return wanted;
  }
  std::size_t width() const override { return 4 * levels_.count(); }  // of each lag: origins, and three means
  std::vector<MeasuredTable> tables() const override {
    return {{"", "time", times(), {"msd", "msd_x", "msd_y", "msd_z"}},
            {"_means", "table", {0.0}, {"diffusion", "diffusion_x", "diffusion_y", "diffusion_z"}}};
  }
  std::vector<MeasuredValues> values(const SampleBlock& s, double allSamples) const override {
    MeasuredValues v{{}, std::vector<std::vector<double>>(4)}, means{{s.samples}, {}};
    for (std::size_t lag = 0; lag < levels_.count(); ++lag) {
      const double* of = s.sums.data() + 4 * lag;
      v.count.push_back(lag == 0 ? s.samples : of[0]);
      double all = 0.0;
      for (std::size_t a = 0; a < 3; ++a) {
        v.columns[a + 1].push_back(lag == 0 ? 0.0 : per(of[a + 1], of[0]));
        all += v.columns[a + 1].back();
      }
      v.columns[0].push_back(all);
    }
    const auto t = times();
    const double to = lastLag(measure_, timestep_, allSamples, t),
                 from = measure_.from > 0.0 ? measure_.from : to / 4.0;
    for (std::size_t c = 0; c < 4; ++c)
      means.columns.push_back({slope(t, v.columns[c], from, to) / (c == 0 ? 6.0 : 2.0)});
    return {v, means};
  }

protected:
  std::vector<double> times() const {
    std::vector<double> all = levels_.lags();
    for (double& t : all) t *= static_cast<double>(measure_.every) * timestep_;
    return all;
  }
  // One origin more of a lag; squared: means over all that are measured.
  static void add(std::vector<double>& sums, std::ptrdiff_t lag, const std::array<double, 3>& squared) {
    double* of = sums.data() + 4 * lag;
    of[0] += 1.0;
    for (std::size_t a = 0; a < 3; ++a) of[a + 1] += squared[a];
  }

  // What a checkpoint has behind all else, in a box that changes: its edges at origins. restoreEdges(): what is left of
  // a state; nothing, if the box of the earlier run stayed as the deck has it.
  void addEdges(std::vector<double>& state) const {
    for (std::size_t l = 0; l < edges_.size() && changing_; ++l)
      state.insert(state.end(), edges_[l].begin(), edges_[l].end());
  }
  bool restoreEdges(const double* values, std::size_t count) {
    if (count == 0) return true;
    if (!changing_ || count != 3 * edges_.size()) return false;
    for (auto& edges : edges_)
      for (double& edge : edges)
        if (edge = *values++; !(edge > 0.0 && std::isfinite(edge))) return false;
    return true;
  }
  // A sample's origin of a level, in a box of these edges, length.
  void stored(int level, i64 number, const std::array<double, 3>& edges) {
    levels_.stored(level, number);
    edges_[static_cast<std::size_t>(level)] = edges;
  }
  // What lengths of now are times, for displacements in a level; those of its origin are divided by it. 1 where the
  // edge has stayed.
  std::array<double, 3> scale(int level, const std::array<double, 3>& now) const {
    const auto& then = edges_[static_cast<std::size_t>(level)];
    return {std::sqrt(then[0] / now[0]), std::sqrt(then[1] / now[1]), std::sqrt(then[2] / now[2])};
  }

  input::Measure measure_;
  double timestep_;
  LagLevels levels_;

private:
  bool changing_;
  std::vector<std::array<double, 3>> edges_;  // of the box at each level's origin
};

}  // namespace mesowarp
