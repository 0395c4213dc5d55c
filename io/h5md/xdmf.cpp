#include "io/h5md/xdmf.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "io/h5md/h5md_layout.hpp"
#include "io/h5md/xdmf_bonds.hpp"

namespace mesowarp::io {

namespace {

// One frame's [N][3] out of a dataset [frames][N][3]. The dataset is declared with as many frames as it has when the
// entry is written; it may have grown since.
std::string slab(const std::string& file, const H5mdWriter& trajectory, TrajectoryField field, std::size_t frame) {
  const std::size_t n = trajectory.particles();
  const bool isInteger = field == TrajectoryField::image;
  const int bytes = !isInteger && trajectory.precision() == StoredPrecision::double_ ? 8 : 4;
  return fmt::format(R"(          <DataItem ItemType="HyperSlab" Dimensions="{0} 3">
            <DataItem Dimensions="3 3" Format="XML">{1} 0 0 1 1 1 1 {0} 3</DataItem>
            <DataItem Dimensions="{2} {0} 3" NumberType="{3}" Precision="{4}" Format="HDF">{5}:/{6}</DataItem>
          </DataItem>
)",
                     n, frame, frame + 1, isInteger ? "Int" : "Float", bytes, file, h5md::valuePath(field));
}

// One solute's [N] out of a frame of [frames][N][S].
std::string column(const std::string& file, const H5mdWriter& trajectory, std::size_t solute, std::size_t frame) {
  return fmt::format(R"(          <DataItem ItemType="HyperSlab" Dimensions="{0}">
            <DataItem Dimensions="3 3" Format="XML">{1} 0 {2} 1 1 1 1 {0} 1</DataItem>
            <DataItem Dimensions="{3} {0} {4}" NumberType="Float" Precision="{5}" Format="HDF">{6}:/{7}</DataItem>
          </DataItem>
)",
                     trajectory.particles(), frame, solute, frame + 1, trajectory.solutes().size(),
                     trajectory.precision() == StoredPrecision::double_ ? 8 : 4, file,
                     h5md::valuePath(TrajectoryField::concentration));
}

std::string constant(const std::string& file, const H5mdWriter& trajectory, TrajectoryField field) {
  const bool isReal = field == TrajectoryField::mass;
  const std::string_view type = isReal ? "Float" : field == TrajectoryField::id ? "UInt" : "Int";
  return fmt::format(
      R"(          <DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}:/{}</DataItem>
)",
      trajectory.particles(), type, isReal ? 8 : 4, file, h5md::valuePath(field));
}

std::string grid(const std::string& file, const H5mdWriter& trajectory, std::size_t frame) {
  std::string text = fmt::format(R"(      <Grid Name="step {}" GridType="Uniform">
        <Time Value="{}" />
        <Topology TopologyType="Polyvertex" NumberOfElements="{}" NodesPerElement="1" />
        <Geometry GeometryType="XYZ">
{}        </Geometry>
)",
                                 trajectory.steps()[frame], trajectory.times()[frame], trajectory.particles(),
                                 slab(file, trajectory, TrajectoryField::position, frame));
  for (const auto field : {TrajectoryField::image, TrajectoryField::velocity, TrajectoryField::force,
                           TrajectoryField::species, TrajectoryField::mass, TrajectoryField::id}) {
    if (!trajectory.has(field)) continue;
    const bool isConstant = h5md::isConstant(field);
    text += fmt::format(R"(        <Attribute Name="{}" AttributeType="{}" Center="Node">
{}        </Attribute>
)",
                        nameOf(field), isConstant ? "Scalar" : "Vector",
                        isConstant ? constant(file, trajectory, field) : slab(file, trajectory, field, frame));
  }
  for (std::size_t s = 0; trajectory.has(TrajectoryField::concentration) && s < trajectory.solutes().size(); ++s)
    text += fmt::format(R"(        <Attribute Name="{}" AttributeType="Scalar" Center="Node">
{}        </Attribute>
)",
                        xmlText(trajectory.solutes()[s]), column(file, trajectory, s, frame));
  return text + "      </Grid>\n";
}

}  // namespace

XdmfWriter::XdmfWriter(std::string path)
    : series_(path, "trajectory"),
      bonds_(std::filesystem::path(path).replace_extension("").string() + "-bonds.xmf", "bonds") {}

void XdmfWriter::update(const H5mdWriter& trajectory) {
  const std::string file = xmlText(std::filesystem::path(trajectory.path()).filename().string());
  std::string added, lines;
  const bool shows = showsBonds(trajectory);
  for (; frames_ < trajectory.frames(); ++frames_) {
    added += grid(file, trajectory, frames_);
    if (shows) lines += bondGrid(file, trajectory, frames_);
  }
  series_.add(added);
  if (shows) bonds_.add(lines);
}

}  // namespace mesowarp::io
