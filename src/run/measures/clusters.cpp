// Clusters: particles of some species that are joined by pairs closer than a cutoff (cluster_sizes.hpp). One that
// closes through the box counts as what it is there.
#include "physics/observables/cluster_sizes.hpp"
#include "run/measures/chosen.hpp"
#include "run/measures/measured.hpp"

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
    Population& population = measuredPopulation(engine);
    observables::see(population, observables::Seen::pairs, particles_);
    const auto found =
        observables::clusterSizes(particles_, *observables::measuredBox(population), sets_, measure_.cutoff);
    double *const particles = sums.data() + bins, *const more = sums.data() + 2 * bins;
    for (std::size_t b = 0; b < bins; ++b) {
      sums[b] += found.clusters[b], particles[b] += found.particles[b];
      more[0] += found.clusters[b], more[1] += found.particles[b];
    }
    more[2] += found.squares, more[3] += found.largest;
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
  static constexpr std::size_t bins = observables::ClusterSizes::bins;

  input::Measure measure_;
  DeviceArray<u32> sets_;
  observables::MeasuredParticles particles_;
};

}  // namespace

std::unique_ptr<Measured> makeClusters(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<Clusters>(context, measure);
}

}  // namespace mesowarp
