// Fields on a grid. Density is number per volume; velocity that of the mass; temperature is of the motion relative to
// the cell's mean velocity; concentrations are means over particles; stress is
//
//   s_ab = -(1 / V) (sum m v_a v_b - p_a p_b / M + W_ab),    W_ab of a particle: half of the r_a f_b of its pairs
//
// with sums over particles and samples divided by the number of samples, p and M the cell's momentum and mass. In a box
// that changes cells are parts of it, and V is a cell's mean volume.
#include <algorithm>

#include "input/method.hpp"
#include "io/fields/field_writer.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/elapsed_time.hpp"
#include "run/recorders/bin_recorder.hpp"
#include "run/recorders/no_value.hpp"
#include "run/recorders/profile_sums.hpp"

namespace mesowarp {
namespace {

// Cells' sums over samples, and behind those, in a box that changes, of its edges and its volume.
class FieldSums {
public:
  FieldSums(std::size_t cells, std::size_t width, bool ofChangingBox)
      : totals_(cells, width), box_(ofChangingBox ? 4 : 0, 0.0) {}
  bool empty() const { return samples_ == 0; }
  void clear() {
    totals_.clear(), samples_ = 0;
    std::fill(box_.begin(), box_.end(), 0.0);
  }
  i64 samples() const { return samples_; }
  BinTotals& nextSample(const std::array<double, 3>& edges) {
    if (ofChangingBox()) {
      for (std::size_t a = 0; a < 3; ++a) box_[a] += edges[a];
      box_[3] += edges[0] * edges[1] * edges[2];
    }
    ++samples_;
    return totals_;
  }
  const BinTotals& totals() const { return totals_; }
  bool ofChangingBox() const { return !box_.empty(); }
  double edge(std::size_t axis) const { return box_[axis] / static_cast<double>(samples_); }
  double volumes() const { return box_[3]; }  // the sum
  std::vector<double> numbers() const {
    if (empty()) return {};
    std::vector<double> all = totals_.numbers();
    all.insert(all.end(), box_.begin(), box_.end());
    return all;
  }
  bool restore(const double* values, std::size_t count, i64 samples) {
    samples_ = samples;
    if (samples == 0) return count == 0;
    if (count < box_.size() || !totals_.restore(values, count - box_.size())) return false;
    box_.assign(values + count - box_.size(), values + count);
    return true;
  }

private:
  BinTotals totals_;
  std::vector<double> box_;
  i64 samples_ = 0;
};

class FieldKind {
public:
  using Sums = FieldSums;
  using Writer = io::FieldWriter;
  using Earlier = io::EarlierOutput;

  FieldKind(const RecorderContext& context, const input::Measure& measure)
      : name_(measure.name), ranks_(context.ranks), shape_(shapeOf(measure)),
        chosen_(input::namedBy(context.deck, measure.quantities)) {
    layout_.timestep = context.deck.run.timestep, layout_.timeShift = timeOf(context.deck, 0);
    for (std::size_t a = 0; a < 3; ++a) {
      layout_.grid.cells[a] = static_cast<std::size_t>(shape_.bins[a]);
      layout_.grid.spacing[a] = context.deck.box.size[a] / shape_.bins[a];
    }
    layout_.boxChanges = changesBox(context.deck);
    choose(context.deck, measure, wish_);
    layout_.quantities.push_back({"count", 1});
    for (const auto& name : chosen_) {
      layout_.quantities.push_back({name, name == "velocity" ? std::size_t{3} : name == "stress" ? 6 : 1});
      wish_.stress = wish_.stress || name == "stress";
      if (!isOwn(name)) ++wish_.carried;
    }
  }
  const BinWish& wish() const { return wish_; }
  Sums sums() const { return Sums(shape_.count(), wish_.width(), layout_.boxChanges); }
  std::string bins() const { return fmt::format("{} x {} x {}", shape_.bins[0], shape_.bins[1], shape_.bins[2]); }

  void add(Sums& sums, Engine& engine, const std::array<double, 3>& edges) const {
    engine.addProfile(shape_, wish_, sums.nextSample(edges));
  }
  void settle(const Sums& sums) const { sums.totals().fetch(ranks_); }
  io::FieldBlock block(const Sums& sums, i64 first, i64 last) const {
    io::FieldBlock block{first, last, sums.samples(), {}, {}};
    const double samples = static_cast<double>(sums.samples());
    const auto& h = layout_.grid.spacing;
    double volume = h[0] * h[1] * h[2] * samples;
    if (sums.ofChangingBox()) {
      volume = sums.volumes() / static_cast<double>(shape_.count());
      for (std::size_t a = 0; a < 3; ++a) block.edges[a] = sums.edge(a);
    }
    int carried = 0;
    const std::vector<double> of = sums.totals().values();
    block.values.push_back(perCell(of, 1, [&](const double* s, double* to) { *to = s[0] / samples; }));
    for (const auto& name : chosen_) {
      if (name == "density")
        block.values.push_back(perCell(of, 1, [&](const double* s, double* to) { *to = s[0] / volume; }));
      else if (name == "velocity")
        block.values.push_back(perCell(of, 3, velocity));
      else if (name == "temperature")
        block.values.push_back(perCell(of, 1, temperature));
      else if (name == "stress")
        block.values.push_back(perCell(
            of, 6, [&](const double* s, double* to) { stress(s, s + binChannels + wish_.carried, volume, to); }));
      else
        block.values.push_back(perCell(of, 1, [k = binChannels + carried++](const double* s, double* to) {
          *to = s[0] > 0.0 ? s[k] / s[0] : noValue;
        }));
    }
    return block;
  }

  Earlier look(const RecorderContext& context) const {
    return Writer::look(context.directory, name_, layout_, context.resumedFrom, context.marks);
  }
  Writer create(const std::string& directory) const { return Writer(directory, name_, layout_); }
  Writer resume(const std::string& directory, i64 lastStep, const Earlier& earlier) const {
    return Writer::resume(directory, name_, layout_, lastStep, earlier);
  }
  std::vector<std::string> missing(const Earlier& earlier) const {
    if (earlier.state() == io::EarlierOutput::State::absent) return {name_ + ".h5"};
    return {};
  }

private:
  static bool isOwn(const std::string& name) {
    return name == "density" || name == "velocity" || name == "temperature" || name == "stress";
  }
  // of(sums of a cell, its numbers): s = count, mass, momentum (3), m v^2, what is carried, m v v (6), virial (6)
  template <class Of>
  std::vector<double> perCell(const std::vector<double>& sums, std::size_t width, const Of& of) const {
    std::vector<double> values(shape_.count() * width);
    for (std::size_t cell = 0; cell < shape_.count(); ++cell)
      of(sums.data() + cell * wish_.width(), values.data() + cell * width);
    return values;
  }
  static void velocity(const double* s, double* to) {
    for (int c = 0; c < 3; ++c) to[c] = s[1] > 0.0 ? s[2 + c] / s[1] : noValue;
  }
  static void temperature(const double* s, double* to) {
    if (!(s[0] > 0.0)) return void(*to = noValue);
    double ofFlow = 0.0;
    for (int c = 0; c < 3; ++c) ofFlow += s[2 + c] * s[2 + c] / s[1];
    *to = (s[5] - ofFlow) / (3.0 * s[0]);
  }
  // sums: xx, yy, zz, xy, xz, yz; the file: xx, xy, xz, yy, yz, zz.
  static void stress(const double* s, const double* sums, double volume, double* to) {
    constexpr int from[6] = {0, 3, 4, 1, 5, 2}, a[6] = {0, 0, 0, 1, 1, 2}, b[6] = {0, 1, 2, 1, 2, 2};
    for (int c = 0; c < 6; ++c) {
      const double flow = s[1] > 0.0 ? s[2 + a[c]] * s[2 + b[c]] / s[1] : 0.0;
      to[c] = -(sums[from[c]] - flow + sums[6 + from[c]]) / volume;
    }
  }

  std::string name_;
  const comm::Communicator* ranks_;
  BinShape shape_;
  BinWish wish_;
  std::vector<std::string> chosen_;
  io::FieldLayout layout_;
};

}  // namespace

std::unique_ptr<Recorder> makeFieldRecorder(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<BinRecorder<FieldKind>>(context, measure);
}

}  // namespace mesowarp
