#include "io/h5md/xdmf.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "io/h5md/h5md_layout.hpp"
#include "io/h5md/xdmf_bonds.hpp"

namespace mesowarp::io {

namespace {

// One frame's [N][3].
std::string slab(const std::string& file, const H5mdWriter& trajectory, TrajectoryField field, std::size_t frame) {
  return "          " + frameOf(file, trajectory, field, frame).text({trajectory.particles(), 3}) + "\n";
}

// One solute's [N] out of a frame of [frames][N][S].
std::string column(const std::string& file, const H5mdWriter& trajectory, std::size_t solute, std::size_t frame) {
  XdmfSlab slab = frameOf(file, trajectory, TrajectoryField::concentration, frame, trajectory.solutes().size());
  slab.start[2] = solute;
  slab.count[2] = 1;
  return "          " + slab.text({trajectory.particles()}) + "\n";
}

std::string constant(const std::string& file, const H5mdWriter& trajectory, TrajectoryField field) {
  const bool isReal = field == TrajectoryField::mass;
  const std::string_view type = isReal ? "Float" : field == TrajectoryField::id ? "UInt" : "Int";
  return fmt::format(
      R"(          <DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}:/{}</DataItem>
)",
      trajectory.particles(), type, isReal ? 8 : 4, file, h5md::valuePath(field));
}

// A vertex for each particle. The reader of XDMF 3 has none unless it is told which, and ids are the rows.
std::string vertices(const std::string& file, const H5mdWriter& trajectory) {
  const std::string tag = fmt::format(
      "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\"", trajectory.particles());
  if (!trajectory.has(TrajectoryField::id)) return tag + " />";
  return tag + ">\n" + constant(file, trajectory, TrajectoryField::id) + "        </Topology>";
}

std::string grid(const std::string& file, const H5mdWriter& trajectory, std::size_t frame) {
  std::string text = fmt::format(R"(      <Grid Name="step {}" GridType="Uniform">
        <Time Value="{}" />
        {}
        <Geometry GeometryType="XYZ">
{}        </Geometry>
)",
                                 trajectory.steps()[frame], trajectory.times()[frame], vertices(file, trajectory),
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
