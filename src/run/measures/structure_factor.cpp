// S(k) of two sets of species A and B: the mean of Re(rho_A(k) rho_B(k)*) / sqrt(N_A N_B), rho(k) the sum of exp(i k r)
// over a set's particles; A = B = all: the usual one. k = 2 pi (n_x / L_x, n_y / L_y, n_z / L_z). Waves are averaged in
// shells of width 2 pi / L, L the longest edge: shell n has |k| L / (2 pi) in [n - 1/2, n + 1/2). Beside that those
// along each axis are given alone, where n is the number of waves along it.
//
// In a box that changes a wave goes with it: n stays, and k is that of the sample's box. Shells hold the n that the box
// at the start says, so that each is of the same waves throughout. The file's rows have the wave numbers of that box,
// as rows of a file are the same in all blocks, and beside S the means of |k| over waves and samples: k, k_x, k_y, k_z.
#include <algorithm>
#include <cmath>

#include "physics/integrate/box/box_keys.hpp"
#include "physics/observables/wave_sums.hpp"
#include "run/measures/chosen.hpp"
#include "run/measures/measured.hpp"

namespace mesowarp {
namespace {

class StructureFactor final : public Measured {
public:
  StructureFactor(const RecorderContext& context, const input::Measure& measure)
      : measure_(measure), box_(context.deck.box), changing_(changesBox(context.deck)),
        sets_(observables::speciesSets(named(context.deck.species, {measure.between[0]}),
                                       named(context.deck.species, {measure.between[1]}))) {
    chooseWaves();
  }

  Wanted needs() const override {
    Wanted wanted;
    wanted.snapshot = true;
    return wanted;
  }
  // A shell's sum, and one each axis; in a box that changes then the same of wave numbers.
  std::size_t width() const override { return (changing_ ? 8 : 4) * shells(); }

  void sample(i64, i64, Engine& engine, std::vector<double>& sums) override {
    Population& population = measuredPopulation(engine);
    const auto box = *observables::measuredBox(population);
    observables::see(population, observables::Seen::unwrapped, particles_);
    if (!(norm_ > 0.0)) {
      const auto sizes = observables::sizesOf(particles_, sets_, box.ranks);
      norm_ = std::sqrt(static_cast<double>(sizes.first) * static_cast<double>(sizes.second));
    }
    const auto rho = observables::waveSums(particles_, box, sets_, waves_);
    for (std::size_t k = 0; k < waves_.size(); ++k) {
      const double s =
          norm_ > 0.0
              ? (rho.first[k].real() * rho.second[k].real() + rho.first[k].imag() * rho.second[k].imag()) / norm_
              : 0.0;
      if (shellOf_[k] >= 0) sums[static_cast<std::size_t>(shellOf_[k])] += s;
      if (alongOf_[k] >= 0) sums[static_cast<std::size_t>(alongOf_[k])] += s;
    }
    if (changing_) addWaveNumbers(box.box.size, sums.data() + 4 * shells());
  }

  std::vector<MeasuredTable> tables() const override {
    std::vector<double> k;
    for (std::size_t n = 0; n < shells(); ++n)
      k.push_back(wavesIn_[n] > 0.0 ? lengths_[n] / wavesIn_[n] : 2.0 * M_PI / longest_ * static_cast<double>(n + 1));
    std::vector<std::string> columns{"s", "s_x", "s_y", "s_z"};
    if (changing_) columns.insert(columns.end(), {"k", "k_x", "k_y", "k_z"});
    return {{"", "wave_number", k, columns}};
  }

  std::vector<MeasuredValues> values(const SampleBlock& s, double) const override {
    MeasuredValues v{wavesIn_, std::vector<std::vector<double>>(changing_ ? 8 : 4)};
    for (std::size_t c = 0; c < v.columns.size(); c += 4)  // of S, of k
      for (std::size_t n = 0; n < shells(); ++n) {
        const double* of = s.sums.data() + c * shells() + n;
        v.columns[c].push_back(per(of[0], wavesIn_[n] * s.samples));
        for (std::size_t a = 0; a < 3; ++a)
          v.columns[c + a + 1].push_back(box_.periodic[a] ? of[(a + 1) * shells()] / s.samples : notKnown);
      }
    return {v};
  }

private:
  std::size_t shells() const { return static_cast<std::size_t>(measure_.n_max); }

  // Of all waves in a box of these edges, length.
  void addWaveNumbers(const std::array<double, 3>& size, double* sums) const {
    for (std::size_t k = 0; k < waves_.size(); ++k) {
      double squared = 0.0;
      for (std::size_t a = 0; a < 3; ++a) squared += std::pow(waves_[k][a] / size[a], 2);
      const double number = 2.0 * M_PI * std::sqrt(squared);
      if (shellOf_[k] >= 0) sums[shellOf_[k]] += number;
      if (alongOf_[k] >= 0) sums[alongOf_[k]] += number;
    }
  }
  // One of each pair k, -k: S is the same.
  void chooseWaves() {
    longest_ = *std::max_element(box_.size.begin(), box_.size.end());
    wavesIn_.assign(shells(), 0.0), lengths_.assign(shells(), 0.0);
    std::array<int, 3> most{};
    for (std::size_t a = 0; a < 3; ++a) most[a] = box_.periodic[a] ? measure_.n_max : 0;
    for (int z = -most[2]; z <= most[2]; ++z)
      for (int y = -most[1]; y <= most[1]; ++y)
        for (int x = 0; x <= most[0]; ++x)
          if (x > 0 || y > 0 || (y == 0 && z > 0)) addWave({x, y, z});
  }
  void addWave(const observables::Wave& n) {
    double squared = 0.0;
    int along = -1, other = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      squared += std::pow(n[a] / box_.size[a], 2);
      if (n[a] != 0) along = static_cast<int>(a), ++other;
    }
    const int shell = static_cast<int>(std::floor(std::sqrt(squared) * longest_ + 0.5)) - 1;
    const bool inShell = shell < measure_.n_max, onAxis = other == 1;
    if (!inShell && !onAxis) return;
    waves_.push_back(n);
    shellOf_.push_back(inShell ? shell : -1);
    alongOf_.push_back(onAxis ? (along + 1) * measure_.n_max + std::abs(n[static_cast<std::size_t>(along)]) - 1 : -1);
    if (!inShell) return;
    wavesIn_[static_cast<std::size_t>(shell)] += 1.0;
    lengths_[static_cast<std::size_t>(shell)] += 2.0 * M_PI * std::sqrt(squared);
  }

  input::Measure measure_;
  input::BoxBlock box_;
  bool changing_;
  DeviceArray<u32> sets_;
  observables::MeasuredParticles particles_;
  double longest_ = 0.0, norm_ = 0.0;
  std::vector<observables::Wave> waves_;
  std::vector<int> shellOf_, alongOf_;  // of each wave: where in the sums; -1: nowhere
  std::vector<double> wavesIn_, lengths_;
};

}  // namespace

std::unique_ptr<Measured> makeStructureFactor(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<StructureFactor>(context, measure);
}

}  // namespace mesowarp
