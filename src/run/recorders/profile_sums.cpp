#include "run/recorders/profile_sums.hpp"

#include <algorithm>
#include <cmath>

#include "physics/group/deck/group_keys.hpp"
#include "run/recorders/no_value.hpp"

namespace mesowarp {
namespace {

constexpr std::size_t channels = binChannels;

void add(BinSums& sum, const BinSums& more) {
  sum.count += more.count, sum.mass += more.mass, sum.kinetic += more.kinetic;
  for (std::size_t c = 0; c < 3; ++c) sum.momentum[c] += more.momentum[c];
  if (sum.further.size() < more.further.size()) sum.further.resize(more.further.size());
  for (std::size_t c = 0; c < more.further.size(); ++c) sum.further[c] += more.further[c];
}

BinSums totalOf(const std::vector<ProfileSubBlock>& blocks, std::size_t bin) {
  BinSums total;
  for (const auto& block : blocks) add(total, block.bins[bin]);
  return total;
}

double volumesOf(const std::vector<ProfileSubBlock>& blocks) {
  double sum = 0.0;
  for (const auto& block : blocks) sum += block.volume;
  return sum;
}

// Standard error of a mean A / W whose sub-blocks have sums a_k and weights w_k: with d_k = a_k - (A / W) w_k,
//   error^2 = sum d_k^2 / (1 - sum (w_k / W)^2) / W^2.
// n sub-blocks of one weight make that the usual sum (m_k - m)^2 / (n (n - 1)).
template <class Deviation, class Weight>
double standardError(const std::vector<ProfileSubBlock>& blocks, double total, const Deviation& deviation,
                     const Weight& weight) {
  if (!(total > 0.0)) return noValue;
  double squares = 0.0, shares = 0.0;
  for (const auto& block : blocks) {
    const double d = deviation(block), share = weight(block) / total;
    squares += d * d, shares += share * share;
  }
  return shares < 1.0 ? std::sqrt(squares / (1.0 - shares)) / total : noValue;
}

// volume: of the bin, mean; volumes: whether those of sub-blocks differ.
void addErrors(io::ProfileBlock& to, const std::vector<ProfileSubBlock>& blocks, const BinSums& s, std::size_t b,
               double samples, double volume, bool volumes) {
  const double share = volumes ? samples / volumesOf(blocks) : 1.0;
  const auto samplesOf = [=](const ProfileSubBlock& k) { return volumes ? share * k.volume : k.samples; };
  const auto massOf = [b](const ProfileSubBlock& k) { return k.bins[b].mass; };
  const auto countOf = [b](const ProfileSubBlock& k) { return k.bins[b].count; };
  const double perSample = s.count / samples;
  to.densityError.push_back(
      standardError(
          blocks, samples, [&](const ProfileSubBlock& k) { return countOf(k) - perSample * samplesOf(k); }, samplesOf) /
      volume);
  std::array<double, 3> u{};
  for (std::size_t c = 0; c < 3; ++c) {
    u[c] = s.momentum[c] / s.mass;
    to.velocityError.push_back(standardError(
        blocks, s.mass, [&](const ProfileSubBlock& k) { return k.bins[b].momentum[c] - u[c] * massOf(k); }, massOf));
  }
  const double temperature = to.temperature.back();
  // Of K - p^2 / M - 3 T n, to first order in the deviations: the mean velocity is that of the whole block.
  const auto deviation = [&](const ProfileSubBlock& k) {
    const BinSums& part = k.bins[b];
    double d = part.kinetic - 3.0 * temperature * part.count;
    for (std::size_t c = 0; c < 3; ++c) d += u[c] * (u[c] * part.mass - 2.0 * part.momentum[c]);
    return d / 3.0;
  };
  to.temperatureError.push_back(standardError(blocks, s.count, deviation, countOf));
  to.furtherError.resize(s.further.size());
  for (std::size_t c = 0; c < s.further.size(); ++c) {
    const double mean = s.further[c] / s.count;
    const auto away = [&](const ProfileSubBlock& k) { return k.bins[b].further[c] - mean * countOf(k); };
    to.furtherError[c].push_back(standardError(blocks, s.count, away, countOf));
  }
}

// Volumes and coordinates of a measure's bins.
struct BinPlaces {
  const input::Measure& measure;
  const input::BoxBlock& box;
  double bins;

  bool areSlabs() const { return measure.style == input::MeasureStyle::profile; }
  double edge(double b) const { return measure.inner_radius + b * (measure.radius - measure.inner_radius) / bins; }
  double middle(double b) const {
    return areSlabs() ? (b + 0.5) * box.size[static_cast<std::size_t>(measure.axis)] / bins : edge(b + 0.5);
  }
  double volume(double b) const {
    if (areSlabs()) return box.size[0] * box.size[1] * box.size[2] / bins;
    const double from = edge(b), to = edge(b + 1.0);
    if (measure.style == input::MeasureStyle::cylinder)
      return M_PI * (to * to - from * from) * box.size[static_cast<std::size_t>(measure.axis)];
    return 4.0 / 3.0 * M_PI * (to * to * to - from * from * from);
  }
};

}  // namespace

BinShape shapeOf(const input::Measure& measure) {
  using Style = input::MeasureStyle;
  BinShape shape = BinShape::across(measure.axis, measure.bins);
  shape.kind = measure.style == Style::profile    ? BinShape::slabs
               : measure.style == Style::field    ? BinShape::grid
               : measure.style == Style::cylinder ? BinShape::cylinder
                                                  : BinShape::sphere;
  if (measure.style == Style::field)
    for (std::size_t a = 0; a < 3; ++a) shape.bins[a] = static_cast<int>(measure.cells[a]);
  shape.center = measure.center, shape.inner = measure.inner_radius, shape.outer = measure.radius;
  return shape;
}

double binSize(const input::Measure& measure, const std::array<double, 3>& edges) {
  if (measure.style == input::MeasureStyle::sphere) return 1.0;
  if (measure.style == input::MeasureStyle::cylinder) return edges[static_cast<std::size_t>(measure.axis)];
  return edges[0] * edges[1] * edges[2];
}

void choose(const input::Deck& deck, const input::Measure& measure, BinWish& wish) {
  const auto& names = measure.of_species;
  if (names.empty() || std::find(names.begin(), names.end(), "*") != names.end()) return;
  wish.species.assign(deck.species.size(), false), wish.markField = group::groupField;
  for (const auto& name : names) {
    const auto it = std::find(deck.species.begin(), deck.species.end(), name);
    if (it != deck.species.end())
      wish.species[static_cast<std::size_t>(it - deck.species.begin())] = true;
    else
      wish.marks |= group::bitOf(deck, name);
  }
}

std::vector<BinSums> ProfileSums::emptyBins() const {
  BinSums empty;
  empty.further.resize(further_);
  return std::vector<BinSums>(bins_, empty);
}

std::vector<BinSums>& ProfileSums::nextSample() {
  const bool full = blocks_.empty() || blocks_.back().samples >= length_;
  if (full && blocks_.size() == most) {
    for (std::size_t k = 0; k < most / 2; ++k) {
      if (k > 0) blocks_[k] = std::move(blocks_[2 * k]);
      blocks_[k].samples += blocks_[2 * k + 1].samples, blocks_[k].volume += blocks_[2 * k + 1].volume;
      for (std::size_t b = 0; b < bins_; ++b) mesowarp::add(blocks_[k].bins[b], blocks_[2 * k + 1].bins[b]);
    }
    blocks_.resize(most / 2);
    length_ *= 2.0;
  }
  if (full) blocks_.push_back({0.0, 0.0, emptyBins()});
  blocks_.back().samples += 1.0;
  return blocks_.back().bins;
}

void ProfileSums::add(const std::vector<double>& sample, double volume) {
  auto& bins = nextSample();
  blocks_.back().volume += volume;
  const double* v = sample.data();
  for (std::size_t b = 0; b < bins_; ++b, v += channels + further_)
    mesowarp::add(bins[b], {v[0], v[1], {v[2], v[3], v[4]}, v[5], {v + channels, v + channels + further_}});
}

void ProfileSums::clear() {
  blocks_.clear();
  length_ = 1.0;
}

i64 ProfileSums::samples() const {
  double all = 0.0;
  for (const auto& block : blocks_) all += block.samples;
  return static_cast<i64>(all);
}

std::vector<double> ProfileSums::numbers() const {
  std::vector<double> values{length_};
  for (const auto& block : blocks_) {
    values.push_back(block.samples);
    if (ofChangingBox_) values.push_back(block.volume);
    for (const BinSums& s : block.bins) {
      values.insert(values.end(), {s.count, s.mass, s.momentum[0], s.momentum[1], s.momentum[2], s.kinetic});
      values.insert(values.end(), s.further.begin(), s.further.end());
    }
  }
  return values;
}

bool ProfileSums::restore(const double* values, std::size_t count, i64 samples) {
  clear();
  const std::size_t perBin = channels + further_, own = ofChangingBox_ ? 2 : 1, perBlock = own + perBin * bins_;
  const auto block = [&](double ofSamples, const double* v) {
    blocks_.push_back({ofSamples, ofChangingBox_ ? v[-1] : 0.0, emptyBins()});
    for (std::size_t b = 0; b < bins_; ++b, v += perBin)
      blocks_.back().bins[b] = {v[0], v[1], {v[2], v[3], v[4]}, v[5], {v + channels, v + perBin}};
  };
  if (count == perBin * bins_ && !ofChangingBox_) {
    if (samples > 0) block(static_cast<double>(samples), values);
    return true;
  }
  if (count == 0 || (count - 1) % perBlock != 0 || (count - 1) / perBlock > most) return false;
  length_ = values[0];
  for (std::size_t at = 1; at < count; at += perBlock) block(values[at], values + at + own);
  return this->samples() == samples;
}

io::ProfileBlock averaged(const ProfileSums& sums, const input::Measure& measure, const input::BoxBlock& box, i64 first,
                          i64 last) {
  const std::size_t bins = sums.subBlocks().front().bins.size();
  const double samples = static_cast<double>(sums.samples());
  const BinPlaces places{measure, box, static_cast<double>(bins)};
  const double grown = sums.ofChangingBox() ? volumesOf(sums.subBlocks()) / samples / binSize(measure, box.size) : 1.0;
  io::ProfileBlock block;
  block.firstStep = first, block.lastStep = last, block.samples = sums.samples(), block.axis = measure.axis;
  for (std::size_t b = 0; b < bins; ++b) {
    const BinSums s = totalOf(sums.subBlocks(), b);
    const double perSample = s.count / samples, binVolume = grown * places.volume(static_cast<double>(b));
    block.coordinate.push_back(places.middle(static_cast<double>(b)));
    block.count.push_back(perSample);
    block.density.push_back(perSample / binVolume);
    double meanKinetic = 0.0;
    for (const double p : s.momentum) {
      block.velocity.push_back(s.mass > 0.0 ? p / s.mass : noValue);
      meanKinetic += s.mass > 0.0 ? p * p / s.mass : 0.0;
    }
    block.temperature.push_back(s.count > 0.0 ? (s.kinetic - meanKinetic) / (3.0 * s.count) : noValue);
    block.further.resize(s.further.size());
    for (std::size_t c = 0; c < s.further.size(); ++c)
      block.further[c].push_back(s.count > 0.0 ? s.further[c] / s.count : noValue);
    if (block.samples >= fewestSamplesForErrors)
      addErrors(block, sums.subBlocks(), s, b, samples, binVolume, sums.ofChangingBox());
  }
  return block;
}

}  // namespace mesowarp
