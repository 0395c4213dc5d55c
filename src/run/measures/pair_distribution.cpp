// g(r) of two sets of species A and B:
//
//   g(r) = V n(r) / ((N_A N_B - N_AB) v(r)),   v(r) = the integral of 4 pi r^2 gamma(r) over the bin
//
// with n the mean number of pairs (i, j), i of A and j another particle of B, in the bin, and N_AB the particles in
// both sets: uniform independent particles have exactly 1. gamma is the part of a shell that lies in the box, averaged
// over where its middle is: 1 in a periodic box, and between walls (axes a)
//
//   gamma(r) = 1 - r / 2 sum 1 / L_a + 2 r^2 / (3 pi) sum 1 / (L_a L_b) - r^3 / (4 pi L_x L_y L_z)
//
// The coordination number is the mean number of B's particles within r, the bin's end, of one of A's.
#include <cmath>

#include "physics/observables/pair_distances.hpp"
#include "run/measures/chosen.hpp"
#include "run/measures/group_marks.hpp"
#include "run/measures/measured.hpp"

namespace mesowarp {
namespace {

// The integral of 4 pi r^2 gamma(r) from 0 to r.
class ShellVolume {
public:
  explicit ShellVolume(const input::BoxBlock& box) {
    std::vector<double> walls;
    for (std::size_t a = 0; a < 3; ++a)
      if (!box.periodic[a]) walls.push_back(1.0 / box.size[a]);
    for (std::size_t a = 0; a < walls.size(); ++a) {
      linear_ += 0.5 * walls[a];
      for (std::size_t b = 0; b < a; ++b) square_ += 2.0 / (3.0 * M_PI) * walls[a] * walls[b];
    }
    if (walls.size() == 3) cube_ = walls[0] * walls[1] * walls[2] / (4.0 * M_PI);
  }
  double operator()(double r) const {
    return 4.0 * M_PI * r * r * r * (1.0 / 3.0 - r * (linear_ / 4.0 - r * (square_ / 5.0 - r * cube_ / 6.0)));
  }

private:
  double linear_ = 0.0, square_ = 0.0, cube_ = 0.0;
};

class PairDistribution final : public Measured {
public:
  PairDistribution(const RecorderContext& context, const input::Measure& measure)
      : measure_(measure), shells_(context.deck.box),
        volume_(context.deck.box.size[0] * context.deck.box.size[1] * context.deck.box.size[2]),
        marks_(context.deck, {measure.between[0]}, {measure.between[1]}),
        sets_(observables::speciesSets(marks_.sets(named(context.deck.species, {measure.between[0]}), 1),
                                       marks_.sets(named(context.deck.species, {measure.between[1]}), 2))) {}

  Wanted needs() const override {
    Wanted wanted;
    wanted.snapshot = true;
    return wanted;
  }
  std::size_t width() const override { return static_cast<std::size_t>(measure_.bins) + 2; }  // N_A N_B - N_AB, N_A

  void sample(i64, i64, Engine& engine, std::vector<double>& sums) override {
    Population& population = measuredPopulation(engine);
    const auto box = *observables::measuredBox(population);
    observables::see(population, observables::Seen::pairs, particles_);
    marks_.mark(population, observables::Seen::pairs, particles_);
    const auto counts = observables::pairDistances(particles_, box, sets_, measure_.r_max, measure_.bins);
    if (sizes_.first == 0) sizes_ = observables::sizesOf(particles_, sets_, box.ranks);
    for (std::size_t b = 0; b < counts.size(); ++b) sums[b] += static_cast<double>(counts[b]);
    const double first = static_cast<double>(sizes_.first), second = static_cast<double>(sizes_.second);
    sums[counts.size()] += (first * second - static_cast<double>(sizes_.both)) * (volume_ / box.box.volume());
    sums[counts.size() + 1] += first;
  }

  std::vector<MeasuredTable> tables() const override {
    return {{"", "distance", middles(0.0, measure_.r_max, measure_.bins), {"g", "coordination"}}};
  }

  std::vector<MeasuredValues> values(const SampleBlock& s, double) const override {
    const auto bins = static_cast<std::size_t>(measure_.bins);
    MeasuredValues v{{}, {{}, {}}};
    double within = 0.0;
    for (std::size_t b = 0; b < bins; ++b) {
      const double from = measure_.r_max * static_cast<double>(b) / measure_.bins,
                   to = measure_.r_max * static_cast<double>(b + 1) / measure_.bins;
      within += s.sums[b];
      v.count.push_back(s.sums[b] / s.samples);
      v.columns[0].push_back(per(s.sums[b] * volume_, s.sums[bins] * (shells_(to) - shells_(from))));
      v.columns[1].push_back(per(within, s.sums[bins + 1]));
    }
    return {v};
  }

private:
  input::Measure measure_;
  ShellVolume shells_;
  double volume_;
  GroupMarks marks_;
  DeviceArray<u32> sets_;
  observables::MeasuredParticles particles_;
  observables::SetSizes sizes_;
};

}  // namespace

std::unique_ptr<Measured> makePairDistribution(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<PairDistribution>(context, measure);
}

}  // namespace mesowarp
