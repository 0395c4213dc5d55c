// Measures of molecules: chains' sizes, and displacements of centres of mass.
//
// Rg^2 = sum m (r - R)^2 / sum m = the trace of the gyration tensor; shape anisotropy = 1 - 3 (sum of the products of
// two of its eigenvalues) / (their sum)^2: 0 of a sphere, 1 of a rod. Re is from one end to the other; molecules that
// are no linear chains have none.
#include <cmath>

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
    double* more = sums.data() + 2 * bins();
    for (std::size_t m = 0; m < shapes.size(); ++m) {
      const auto& g = shapes[m].gyration;
      const double rg2 = g[0] + g[1] + g[2];
      const double products = g[0] * g[1] + g[1] * g[2] + g[2] * g[0] - g[3] * g[3] - g[4] * g[4] - g[5] * g[5];
      more[1] += 1.0, more[3] += rg2, more[5] += std::sqrt(rg2);
      if (rg2 > 0.0) more[6] += 1.0 - 3.0 * products / (rg2 * rg2);
      count(sums.data() + bins(), std::sqrt(rg2));
      if (!molecules_.linear()[m]) continue;
      double re2 = 0.0;
      for (const double e : shapes[m].endToEnd) re2 += e * e;
      more[0] += 1.0, more[2] += re2, more[4] += std::sqrt(re2);
      count(sums.data(), std::sqrt(re2));
    }
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
  void count(double* sums, double length) const {
    const double at = length / measure_.r_max * static_cast<double>(measure_.bins);
    if (at < static_cast<double>(measure_.bins)) sums[static_cast<std::size_t>(at)] += 1.0;
  }

  input::Measure measure_;
  Molecules molecules_;
};

// Origins are all molecules' centres, on every rank.
class MoleculeDisplacement final : public DisplacementSums {
public:
  MoleculeDisplacement(const RecorderContext& context, const input::Measure& measure)
      : DisplacementSums(context, measure), molecules_(context.deck, measure.population),
        origins_(static_cast<std::size_t>(measure.levels)) {}

  void sample(i64 number, i64 step, Engine& engine, std::vector<double>& sums) override {
    const auto& shapes = molecules_.shapes(step, engine, true);
    std::vector<double> now;
    for (const auto& shape : shapes) now.insert(now.end(), shape.centre.begin(), shape.centre.end());
    const auto edges = observables::measuredBox(measuredPopulation(engine))->box.size;
    for (const auto& due : levels_.due(number)) {
      auto& origin = origins_[static_cast<std::size_t>(due.level)];
      if (due.lag >= 0 && origin.size() == now.size() && !now.empty())
        add(sums, due.lag, squared(now, origin, scale(due.level, edges)));
      if (due.store) origin = now, stored(due.level, number, edges);
    }
  }

  std::vector<double> state() const override {
    std::vector<double> all = levels_.state();
    for (const auto& origin : origins_) {
      all.push_back(static_cast<double>(origin.size()));
      all.insert(all.end(), origin.begin(), origin.end());
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
      origin.assign(values + at + 1, values + at + 1 + size);
      for (const double x : origin)
        if (!std::isfinite(x)) return false;
      at += 1 + size;
    }
    return restoreEdges(values + at, count - at);
  }

private:
  // by: scale() of the origin's level.
  std::array<double, 3> squared(const std::vector<double>& now, const std::vector<double>& then,
                                const std::array<double, 3>& by) const {
    const auto& mass = molecules_.parts().mass;
    std::array<double, 3> all{};
    for (std::size_t a = 0; a < 3; ++a) {
      const auto moved = [&, a](std::size_t m) { return now[3 * m + a] * by[a] - then[3 * m + a] / by[a]; };
      double drift = 0.0, masses = 0.0;
      for (std::size_t m = 0; m < mass.size() && !measure_.keep_drift; ++m)
        drift += mass[m] * moved(m), masses += mass[m];
      if (masses > 0.0) drift /= masses;
      for (std::size_t m = 0; m < mass.size(); ++m) {
        const double d = moved(m) - drift;
        all[a] += d * d;
      }
      all[a] /= static_cast<double>(mass.size());
    }
    return all;
  }

  Molecules molecules_;
  std::vector<std::vector<double>> origins_;  // of each level, three of each molecule
};

}  // namespace

std::unique_ptr<Measured> makeChains(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<Chains>(context, measure);
}
std::unique_ptr<Measured> makeMoleculeDisplacement(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<MoleculeDisplacement>(context, measure);
}

}  // namespace mesowarp
