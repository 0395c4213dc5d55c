// What the mean squared displacements of particles and of molecules share: sums, tables, the diffusion coefficient.
#pragma once

#include <array>

#include "run/measures/lag_levels.hpp"
#include "run/measures/lag_results.hpp"
#include "run/measures/measured.hpp"

namespace mesowarp {

class DisplacementSums : public Measured {
public:
  DisplacementSums(const RecorderContext& context, const input::Measure& measure)
      : measure_(measure), timestep_(context.deck.run.timestep), levels_(measure.levels) {}

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

  input::Measure measure_;
  double timestep_;
  LagLevels levels_;
};

}  // namespace mesowarp
