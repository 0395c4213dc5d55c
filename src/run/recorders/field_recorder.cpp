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

// A cell's sums over samples, and behind those of all cells, in a box that changes, of its edges and its volume.
class FieldSums {
public:
  FieldSums(std::size_t ofCells, bool ofChangingBox) : ofCells_(ofCells), numbers_(ofCells + (ofChangingBox ? 4 : 0)) {}
  bool empty() const { return samples_ == 0; }
  void clear() { sums_.clear(), samples_ = 0; }
  i64 samples() const { return samples_; }
  void add(const std::vector<double>& sample, const std::array<double, 3>& edges) {
    sums_.resize(numbers_);
    for (std::size_t k = 0; k < ofCells_; ++k) sums_[k] += sample[k];
    if (ofChangingBox()) {
      for (std::size_t a = 0; a < 3; ++a) sums_[ofCells_ + a] += edges[a];
      sums_[ofCells_ + 3] += edges[0] * edges[1] * edges[2];
    }
    ++samples_;
  }
  bool ofChangingBox() const { return numbers_ > ofCells_; }
  double edge(std::size_t axis) const { return sums_[ofCells_ + axis] / static_cast<double>(samples_); }
  double volumes() const { return sums_[ofCells_ + 3]; }  // the sum
  const std::vector<double>& numbers() const { return sums_; }
  bool restore(const double* values, std::size_t count, i64 samples) {
    if (count != (samples > 0 ? numbers_ : 0)) return false;
    sums_.assign(values, values + count), samples_ = samples;
    return true;
  }

private:
  std::size_t ofCells_, numbers_;
  std::vector<double> sums_;
  i64 samples_ = 0;
};

class FieldKind {
public:
  using Sums = FieldSums;
  using Writer = io::FieldWriter;
  using Earlier = io::EarlierOutput;

  FieldKind(const RecorderContext& context, const input::Measure& measure)
      : name_(measure.name), shape_(shapeOf(measure)), chosen_(input::namedBy(context.deck, measure.quantities)) {
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
  const BinShape& shape(const std::array<double, 3>&) const { return shape_; }
  const BinWish& wish() const { return wish_; }
  Sums sums() const { return Sums(shape_.count() * wish_.width(), layout_.boxChanges); }
  std::string bins() const { return fmt::format("{} x {} x {}", shape_.bins[0], shape_.bins[1], shape_.bins[2]); }

  void add(Sums& sums, const std::vector<double>& sample, const std::array<double, 3>& edges) const {
    sums.add(sample, edges);
  }
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
    block.values.push_back(perCell(sums, 1, [&](const double* s, double* to) { *to = s[0] / samples; }));
    for (const auto& name : chosen_) {
      if (name == "density")
        block.values.push_back(perCell(sums, 1, [&](const double* s, double* to) { *to = s[0] / volume; }));
      else if (name == "velocity")
        block.values.push_back(perCell(sums, 3, velocity));
      else if (name == "temperature")
        block.values.push_back(perCell(sums, 1, temperature));
      else if (name == "stress")
        block.values.push_back(perCell(
            sums, 6, [&](const double* s, double* to) { stress(s, s + binChannels + wish_.carried, volume, to); }));
      else
        block.values.push_back(perCell(sums, 1, [k = binChannels + carried++](const double* s, double* to) {
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
  std::vector<double> perCell(const Sums& sums, std::size_t width, const Of& of) const {
    std::vector<double> values(shape_.count() * width);
    for (std::size_t cell = 0; cell < shape_.count(); ++cell)
      of(sums.numbers().data() + cell * wish_.width(), values.data() + cell * width);
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
