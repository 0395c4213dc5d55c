#include "io/h5md/xdmf_bonds.hpp"

#include <cmath>
#include <fmt/format.h>

#include "io/h5md/h5md_layout.hpp"

namespace mesowarp::io {
namespace {

// One axis of a frame, [N] out of a dataset [frames][N][3].
std::string axisOf(const std::string& file, const H5mdWriter& trajectory, TrajectoryField field, std::size_t frame,
                   int axis) {
  const bool isInteger = field == TrajectoryField::image;
  return fmt::format(R"(
            <DataItem ItemType="HyperSlab" Dimensions="{0}">
              <DataItem Dimensions="3 3" Format="XML">{1} 0 {2} 1 1 1 1 {0} 1</DataItem>
              <DataItem Dimensions="{3} {0} 3" NumberType="{4}" Precision="{5}" Format="HDF">{6}:/{7}</DataItem>
            </DataItem>)",
                     trajectory.particles(), frame, axis, frame + 1, isInteger ? "Int" : "Float",
                     !isInteger && trajectory.precision() == StoredPrecision::double_ ? 8 : 4, file,
                     h5md::valuePath(field));
}

// The reader of VTK 9 keeps a grid's geometry for the next one of the same topology, and knows both by the text that
// their items begin with. A topology whose item begins with another item, and no blank before it, is never kept.
std::string topology(const std::string& file, std::size_t bonds) {
  return fmt::format(R"(        <Topology TopologyType="Polyline" NumberOfElements="{0}" NodesPerElement="2">
          <DataItem ItemType="HyperSlab" Dimensions="{0} 2"><DataItem Dimensions="3 2">0 0 1 1 {0} 2</DataItem>
            <DataItem Dimensions="{0} 2" NumberType="UInt" Precision="4" Format="HDF">{1}:/{2}</DataItem>
          </DataItem>
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

// What unwraps a coordinate of a frame: as Snapshot::shift(). The reader takes operators by their order alone.
std::string geometry(const std::string& file, const H5mdWriter& trajectory, std::size_t frame) {
  const auto box = trajectory.boxOf(frame), slide = trajectory.slideOf(frame);
  const int gradient = trajectory.gradient();
  std::string text = "        <Geometry GeometryType=\"X_Y_Z\">\n";
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    std::string place = "$0 + " + timesImages(1, box[k]);
    std::string items = axisOf(file, trajectory, TrajectoryField::position, frame, axis) +
                        axisOf(file, trajectory, TrajectoryField::image, frame, axis);
    if (gradient >= 0 && slide[k] != 0.0) {
      place = fmt::format("({}) {} {}", place, slide[k] < 0.0 ? '-' : '+', timesImages(2, slide[k]));
      items += axisOf(file, trajectory, TrajectoryField::image, frame, gradient);
    }
    text += fmt::format(R"xml(          <DataItem ItemType="Function" Function="{}" Dimensions="{}">{}
          </DataItem>
)xml",
                        place, trajectory.particles(), items);
  }
  return text + "        </Geometry>\n";
}

}  // namespace

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
