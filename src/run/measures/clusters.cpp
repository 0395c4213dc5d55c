// Clusters: particles of some species that are joined by pairs closer than a cutoff. The device finds pairs, each rank
// keeps those that join something new to it, and all ranks join those of all.
//
// Sizes are counted in bins 1, 2, 3 to 4, 5 to 8, … A cluster that closes through the box counts as what it is there.
#include <algorithm>

#include "physics/observables/close_pairs.hpp"
#include "run/measures/chosen.hpp"
#include "run/measures/measured.hpp"
#include "run/measures/union_find.hpp"

namespace mesowarp {
namespace {

class Clusters final : public Measured {
public:
  Clusters(const RecorderContext& context, const input::Measure& measure) : measure_(measure) {
    const auto in =
        named(context.deck.species, measure.of_species.empty() ? std::vector<std::string>{"*"} : measure.of_species);
    sets_ = observables::speciesSets(in, in);
  }

  Wanted needs() const override {
    Wanted wanted;
    wanted.snapshot = true;
    return wanted;
  }
  // Of each bin clusters and particles; clusters, particles, squares of sizes, the largest.
  std::size_t width() const override { return 2 * bins + 4; }

  void sample(i64, i64, Engine& engine, std::vector<double>& sums) override {
    for (const double size : sizes(engine)) {
      std::size_t bin = 0;
      for (double end = 1.0; end < size; end *= 2.0) ++bin;
      sums[bin] += 1.0, sums[bins + bin] += size;
      sums[2 * bins] += 1.0, sums[2 * bins + 1] += size, sums[2 * bins + 2] += size * size;
      largest_ = std::max(largest_, size);
    }
    sums[2 * bins + 3] += largest_;
    largest_ = 0.0;
  }

  std::vector<MeasuredTable> tables() const override {
    std::vector<double> ends;
    for (std::size_t b = 0; b < bins; ++b) ends.push_back(static_cast<double>(u64{1} << b));
    return {{"", "largest_size", ends, {"clusters", "share_of_particles"}},
            {"_means", "table", {0.0}, {"clusters", "mean_size", "mean_size_of_a_particle", "largest"}}};
  }
  std::vector<MeasuredValues> values(const SampleBlock& s, double) const override {
    MeasuredValues v{{}, {{}, {}}};
    const double* more = s.sums.data() + 2 * bins;
    for (std::size_t b = 0; b < bins; ++b) {
      v.count.push_back(s.sums[b] / s.samples);
      v.columns[0].push_back(s.sums[b] / s.samples);
      v.columns[1].push_back(per(s.sums[bins + b], more[1]));
    }
    return {v,
            {{s.samples},
             {{more[0] / s.samples}, {per(more[1], more[0])}, {per(more[2], more[1])}, {more[3] / s.samples}}}};
  }

private:
  static constexpr std::size_t bins = 33;

  std::vector<double> sizes(Engine& engine) {
    Population& population = measuredPopulation(engine);
    const auto box = *observables::measuredBox(population);
    observables::see(population, observables::Seen::pairs, particles_);
    const auto mine = observables::closePairs(particles_, box, sets_, measure_.cutoff);
    std::vector<u32> tags = observables::tagsOf(particles_, sets_);
    const auto total = static_cast<std::size_t>(box.total);
    UnionFind here(total);
    std::vector<std::array<u32, 2>> joining;
    for (const auto& [a, b] : mine)
      if (here.join(a, b)) joining.push_back({a, b});
    if (box.ranks) {
      const auto parts = static_cast<std::size_t>(box.ranks->size());
      for (const auto& [a, b] : box.ranks->toEach(std::vector<std::vector<std::array<u32, 2>>>(parts, joining)))
        here.join(a, b);
      tags = box.ranks->toEach(std::vector<std::vector<u32>>(parts, tags));
    }
    std::vector<double> size(total, 0.0), all;
    for (const u32 tag : tags) size[here.lowest(tag)] += 1.0;
    for (const double one : size)
      if (one > 0.0) all.push_back(one);
    return all;
  }

  input::Measure measure_;
  DeviceArray<u32> sets_;
  observables::MeasuredParticles particles_;
  double largest_ = 0.0;
};

}  // namespace

std::unique_ptr<Measured> makeClusters(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<Clusters>(context, measure);
}

}  // namespace mesowarp
