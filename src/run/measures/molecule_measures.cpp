// Measures of molecules: chains' sizes, and displacements of centres of mass.
//
// Rg^2 = sum m (r - R)^2 / sum m = the trace of the gyration tensor; shape anisotropy = 1 - 3 (sum of the products of
// two of its eigenvalues) / (their sum)^2: 0 of a sphere, 1 of a rod. Re is from one end to the other; molecules that
// are no linear chains have none.
#include <cmath>
#include <iterator>

#include "device/host_copy.hpp"
#include "run/measures/chosen.hpp"
#include "run/measures/displacement.hpp"
#include "run/measures/molecules.hpp"

namespace mesowarp {
namespace {

class Chains final : public Measured {
public:
  Chains(const RecorderContext& context, const input::Measure& measure)
      : measure_(measure), molecules_(context.deck, measure.population) {}

  Wanted needs() const override {
    Wanted wanted;
    wanted.snapshot = true;
    return wanted;
  }
  // Re and Rg by bins; chains with ends, all, Re^2, Rg^2, Re, Rg, anisotropy.
  std::size_t width() const override { return 2 * bins() + 7; }

  void sample(i64, i64 step, Engine& engine, std::vector<double>& sums) override {
    const auto& shapes = molecules_.shapes(step, engine, false);
    const auto sizes = observables::chainSizes(shapes, molecules_.table(), measure_.bins, measure_.r_max);
    for (std::size_t k = 0; k < sizes.counts.size(); ++k) sums[k] += static_cast<double>(sizes.counts[k]);
    const auto& all = sizes.sums;
    const double more[] = {
        all.linear,    static_cast<double>(molecules_.table().molecules), all.re2, all.rg2, all.re, all.rg,
        all.anisotropy};
    for (std::size_t k = 0; k < std::size(more); ++k) sums[2 * bins() + k] += more[k];
  }

  std::vector<MeasuredTable> tables() const override {
    return {{"", "distance", middles(0.0, measure_.r_max, measure_.bins), {"probability_re", "probability_rg"}},
            {"_means", "table", {0.0}, {"re2", "rg2", "re", "rg", "shape_anisotropy"}}};
  }
  std::vector<MeasuredValues> values(const SampleBlock& s, double) const override {
    const double* more = s.sums.data() + 2 * bins();
    const double perBin = static_cast<double>(measure_.bins) / measure_.r_max;
    MeasuredValues v{std::vector<double>(bins(), more[1] / s.samples), {{}, {}}};
    for (std::size_t b = 0; b < bins(); ++b) {
      v.columns[0].push_back(per(s.sums[b] * perBin, more[0]));
      v.columns[1].push_back(per(s.sums[bins() + b] * perBin, more[1]));
    }
    return {v,
            {{more[1] / s.samples},
             {{per(more[2], more[0])},
              {per(more[3], more[1])},
              {per(more[4], more[0])},
              {per(more[5], more[1])},
              {per(more[6], more[1])}}}};
  }

private:
  std::size_t bins() const { return static_cast<std::size_t>(measure_.bins); }

  input::Measure measure_;
  Molecules molecules_;
};

// Origins are all molecules' centres, on every rank. The mean square relative to the drift D is that of
// displacement.cpp.
class MoleculeDisplacement final : public DisplacementSums {
public:
  MoleculeDisplacement(const RecorderContext& context, const input::Measure& measure)
      : DisplacementSums(context, measure), molecules_(context.deck, measure.population),
        origins_(static_cast<std::size_t>(measure.levels)) {}

  void sample(i64 number, i64 step, Engine& engine, std::vector<double>& sums) override {
    const auto& now = molecules_.shapes(step, engine, true);
    const auto edges = observables::measuredBox(measuredPopulation(engine))->box.size;
    const auto numbers = static_cast<std::size_t>(3 * molecules_.table().molecules);
    for (const auto& due : levels_.due(number)) {
      auto& origin = origins_[static_cast<std::size_t>(due.level)];
      if (due.lag >= 0 && origin.extent(0) == numbers && numbers > 0)
        add(sums, due.lag, squared(now, origin, scale(due.level, edges)));
      if (due.store) origin = observables::centresOf(now, molecules_.table()), stored(due.level, number, edges);
    }
  }

  std::vector<double> state() const override {
    std::vector<double> all = levels_.state();
    for (const auto& origin : origins_) {
      const auto host = hostCopy(origin);
      all.push_back(static_cast<double>(host.extent(0)));
      all.insert(all.end(), host.data(), host.data() + host.extent(0));
    }
    addEdges(all);
    return all;
  }
  bool restore(const double* values, std::size_t count) override {
    const auto levels = static_cast<std::size_t>(levels_.levels());
    if (count < levels || !levels_.restore(values, levels)) return false;
    std::size_t at = levels;
    for (auto& origin : origins_) {
      if (at >= count || !(values[at] >= 0.0) || values[at] > static_cast<double>(count - at - 1)) return false;
      const auto size = static_cast<std::size_t>(values[at]);
      const std::vector<double> centres(values + at + 1, values + at + 1 + size);
      for (const double x : centres)
        if (!std::isfinite(x)) return false;
      origin = toDevice<double>("centres of molecules", centres);
      at += 1 + size;
    }
    return restoreEdges(values + at, count - at);
  }

private:
  // by: scale() of the origin's level.
  std::array<double, 3> squared(const observables::MoleculeShapes& now, const DeviceArray<double>& then,
                                const std::array<double, 3>& by) const {
    const auto moved = observables::centresMoved(now, then, molecules_.table(), {by[0], by[1], by[2]});
    double mass = 0.0;
    for (const double m : molecules_.parts().mass) mass += m;
    const double n = molecules_.table().molecules;
    std::array<double, 3> all{};
    for (std::size_t a = 0; a < 3; ++a) {
      const double drift = measure_.keep_drift || !(mass > 0.0) ? 0.0 : moved.weighted[a] / mass;
      all[a] = (moved.squared[a] - 2.0 * drift * moved.moved[a] + n * drift * drift) / n;
    }
    return all;
  }

  Molecules molecules_;
  std::vector<DeviceArray<double>> origins_;  // of each level, three of each molecule
};

}  // namespace

std::unique_ptr<Measured> makeChains(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<Chains>(context, measure);
}
std::unique_ptr<Measured> makeMoleculeDisplacement(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<MoleculeDisplacement>(context, measure);
}

}  // namespace mesowarp
