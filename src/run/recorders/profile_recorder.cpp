// Profiles: in slabs, and in shells round an axis or a point.
#include <fmt/format.h>

#include "core/error.hpp"
#include "input/method.hpp"
#include "io/text/profile_writer.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "run/recorders/bin_recorder.hpp"
#include "run/recorders/profile_sums.hpp"

namespace mesowarp {
namespace {

io::ProfileLayout layoutOf(const input::Deck& deck, const input::Measure& measure) {
  io::ProfileLayout layout(input::namedBy(deck, measure.quantities));
  if (measure.style == input::MeasureStyle::cylinder)
    layout.shells = "cylinder", layout.components = {"radial", "azimuthal", "axial"};
  if (measure.style == input::MeasureStyle::sphere)
    layout.shells = "sphere", layout.components = {"radial", "azimuthal", "polar"};
  return layout;
}

BinWish wishOf(const input::Deck& deck, const input::Measure& measure, const io::ProfileLayout& layout) {
  BinWish wish;
  wish.carried = static_cast<int>(io::furtherQuantities(layout.quantities).size());
  choose(deck, measure, wish);
  return wish;
}

class ProfileKind {
public:
  using Sums = ProfileSums;
  using Writer = io::ProfileWriter;
  using Earlier = Writer::Earlier;

  ProfileKind(const RecorderContext& context, const input::Measure& measure)
      : measure_(measure), box_(context.deck.box), layout_(layoutOf(context.deck, measure)), shape_(shapeOf(measure)),
        ofChangingBox_(changesBox(context.deck)), ranks_(context.ranks), wish_(wishOf(context.deck, measure, layout_)),
        sample_(shape_.count(), wish_.width()) {}
  const BinWish& wish() const { return wish_; }
  Sums sums() const { return Sums(shape_.count(), static_cast<std::size_t>(wish_.carried), ofChangingBox_); }
  // Errors need each sample by itself.
  void add(Sums& sums, Engine& engine, const std::array<double, 3>& edges) {
    engine.addProfile(shape(edges), wish_, sample_);
    sample_.fetch(ranks_);
    sums.add(sample_.values(), binSize(measure_, edges));
    sample_.clear();
  }
  void settle(const Sums&) const {}
  // Shells keep their radii in a box that changes, and go with it.
  BinShape shape(const std::array<double, 3>& edges) const {
    BinShape shape = shape_;
    if (!ofChangingBox_ || !shape.isShells()) return shape;
    for (std::size_t a = 0; a < 3; ++a) {
      shape.center[a] *= edges[a] / box_.size[a];
      const bool across = shape.kind == BinShape::sphere || a != static_cast<std::size_t>(shape.axis);
      if (across && 2.0 * shape.outer > edges[a] * (1.0 + 1e-12))
        throw RunError(fmt::format("the box' edge along {} has become {:.6g}, and the shells of [[measure]] '{}' reach "
                                   "{} from their middle: lower radius",
                                   "xyz"[a], edges[a], measure_.name, shape.outer));
    }
    return shape;
  }
  io::ProfileBlock block(const Sums& sums, i64 first, i64 last) const {
    return averaged(sums, measure_, box_, first, last);
  }
  std::string bins() const { return std::to_string(measure_.bins); }

  Earlier look(const RecorderContext& context) const {
    return Writer::look(context.directory, measure_.name, layout_, shape_.count(), context.resumedFrom, context.marks);
  }
  Writer create(const std::string& directory) const { return Writer(directory, measure_.name, layout_); }
  Writer resume(const std::string& directory, i64 lastStep, const Earlier& earlier) const {
    return Writer::resume(directory, measure_.name, layout_, lastStep, earlier);
  }
  std::vector<std::string> missing(const Earlier& earlier) const {
    std::vector<std::string> names;
    if (earlier.csv.state() == io::EarlierOutput::State::absent) names.push_back(measure_.name + ".csv");
    if (earlier.hdf5.state() == io::EarlierOutput::State::absent) names.push_back(measure_.name + ".h5");
    return names;
  }

private:
  input::Measure measure_;
  input::BoxBlock box_;
  io::ProfileLayout layout_;
  BinShape shape_;
  bool ofChangingBox_;
  const comm::Communicator* ranks_;
  BinWish wish_;
  BinTotals sample_;
};

}  // namespace

std::unique_ptr<Recorder> makeProfileRecorder(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<BinRecorder<ProfileKind>>(context, measure);
}

}  // namespace mesowarp
