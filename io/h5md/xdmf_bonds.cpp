#include "io/h5md/xdmf_bonds.hpp"

#include <cmath>
#include <fmt/format.h>

#include "io/h5md/h5md_layout.hpp"

namespace mesowarp::io {
namespace {

// A frame's numbers along one axis.
std::string axisOf(XdmfSlab frame, std::size_t axis) {
  frame.start[2] = axis;
  frame.count[2] = 1;
  return "\n            " + frame.text({frame.count[1]});
}

std::string topology(const std::string& file, std::size_t bonds) {
  return fmt::format(R"(        <Topology TopologyType="Polyline" NumberOfElements="{0}" NodesPerElement="2">
          <DataItem Dimensions="{0} 2" NumberType="UInt" Precision="4" Format="HDF">{1}:/{2}</DataItem>
        </Topology>
)",
                     bonds, file, h5md::bondDataset);
}

// Images, $n, times a length. The reader gives products the type of their first array, and images are integers: 11.25
// times them would be 11 times them. So they are made numbers of the places' type first. It takes no sign before a
// number.
std::string timesImages(int n, double length) {
  return fmt::format("((($0 * 0) + ${}) * {:.17f})", n, std::abs(length));
}

// What unwraps a coordinate of a frame: as Snapshot::shift(). The reader takes operators by their order alone. That of
// XDMF 3 knows no functions here: it looks at Type, not at GeometryType, and takes the first item's text for all three
// axes, which is the places as they are, not unwrapped.
std::string geometry(const std::string& file, const H5mdWriter& trajectory, std::size_t frame) {
  const auto box = trajectory.boxOf(frame), slide = trajectory.slideOf(frame);
  const int gradient = trajectory.gradient();
  std::string text = "        <Geometry GeometryType=\"X_Y_Z\" Type=\"XYZ\">\n";
  const XdmfSlab places = frameOf(file, trajectory, TrajectoryField::position, frame),
                 images = frameOf(file, trajectory, TrajectoryField::image, frame);
  for (std::size_t k = 0; k < 3; ++k) {
    std::string place = "$0 + " + timesImages(1, box[k]);
    std::string items = axisOf(places, k) + axisOf(images, k);
    if (gradient >= 0 && slide[k] != 0.0) {
      place = fmt::format("({}) {} {}", place, slide[k] < 0.0 ? '-' : '+', timesImages(2, slide[k]));
      items += axisOf(images, static_cast<std::size_t>(gradient));
    }
    text += fmt::format(R"xml(          <DataItem Type="Function" Function="{}" Dimensions="{}" {}{}
          </DataItem>
)xml",
                        place, trajectory.particles(), places.typed(), items);
  }
  return text + "        </Geometry>\n";
}

}  // namespace

XdmfSlab frameOf(const std::string& file, const H5mdWriter& trajectory, TrajectoryField field, std::size_t frame,
                 std::size_t width) {
  const bool isInteger = field == TrajectoryField::image;
  return xdmfFrame(fmt::format("{}:/{}", file, h5md::valuePath(field)), isInteger ? "Int" : "Float",
                   !isInteger && trajectory.precision() == StoredPrecision::double_ ? 8 : 4, frame,
                   {trajectory.particles(), width});
}

bool showsBonds(const H5mdWriter& trajectory) {
  return trajectory.bonds() > 0 && trajectory.has(TrajectoryField::image);
}

// Bonds name particles by their ids, which are the rows.
std::string bondGrid(const std::string& file, const H5mdWriter& trajectory, std::size_t frame) {
  std::string text = fmt::format(R"(      <Grid Name="bonds of step {}" GridType="Uniform">
        <Time Value="{}" />
)",
                                 trajectory.steps()[frame], trajectory.times()[frame]);
  text += topology(file, trajectory.bonds()) + geometry(file, trajectory, frame);
  for (const auto field : {TrajectoryField::species, TrajectoryField::id})
    if (trajectory.has(field))
      text += fmt::format(R"(        <Attribute Name="{}" AttributeType="Scalar" Center="Node">
          <DataItem Dimensions="{}" NumberType="{}" Precision="4" Format="HDF">{}:/{}</DataItem>
        </Attribute>
)",
                          nameOf(field), trajectory.particles(), field == TrajectoryField::id ? "UInt" : "Int", file,
                          h5md::valuePath(field));
  return text + "      </Grid>\n";
}

}  // namespace mesowarp::io
