#include "io/frames/surface_frames.hpp"

#include <fmt/format.h>
#include <utility>

#include "core/error.hpp"
#include "io/fields/xdmf_slab.hpp"

namespace mesowarp::io {
namespace {

constexpr const char* what = "file of surfaces";

std::string ofSolute(const std::string& solute) { return "concentration/" + solute; }

std::string constant(const SurfaceLayout& layout, const char* dataset, const std::string& shape) {
  return fmt::format("<DataItem Dimensions=\"{}\" NumberType=\"Int\" Precision=\"8\" Format=\"HDF\">{}.h5:/{}/{}"
                     "</DataItem>\n",
                     shape, SurfaceFrames::name, xmlText(layout.name), dataset);
}

// One frame out of a dataset [frames][vertices] or [frames][vertices][3].
std::string slab(const SurfaceLayout& layout, const std::string& dataset, bool isVector, std::size_t frame) {
  const std::vector<std::size_t> extents =
      isVector ? std::vector<std::size_t>{layout.vertices, 3} : std::vector<std::size_t>{layout.vertices};
  const std::string path = fmt::format("{}.h5:/{}/{}", SurfaceFrames::name, xmlText(layout.name), xmlText(dataset));
  return xdmfFrame(path, "Float", 8, frame, extents).text(extents) + "\n";
}

std::string attribute(const std::string& name, const std::string& item) {
  return fmt::format("        <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">\n          {}"
                     "        </Attribute>\n",
                     xmlText(name), item);
}

}  // namespace

SurfaceFrames::SurfaceFrames(std::vector<SurfaceLayout> layouts) : layouts_(std::move(layouts)) {
  for (const SurfaceLayout& layout : layouts_) {
    FrameGroup& group = groups_.emplace_back();
    group.name = layout.name;
    group.values.push_back({"position", {layout.vertices, 3}});
    for (const auto& solute : layout.solutes) group.values.push_back({ofSolute(solute), {layout.vertices}});
    group.constants.push_back({"triangles", {layout.triangles.size() / 3, 3}, layout.triangles});
    group.constants.push_back({"cell", {layout.vertices}, layout.cell});
  }
}

EarlierOutput SurfaceFrames::look(const std::string& directory, std::int64_t step, const FileMarks& marks) const {
  return FrameFile::look(pathIn(directory), what, groups_, step, marks);
}

void SurfaceFrames::create(const std::string& directory) {
  file_.emplace_back(pathIn(directory), groups_);
  xdmf_.emplace_back(directory + "/" + name + ".xmf", name);
}

void SurfaceFrames::resume(const std::string& directory, std::int64_t lastStep, const EarlierOutput& earlier) {
  file_.push_back(FrameFile::resume(pathIn(directory), what, groups_, lastStep, earlier));
  xdmf_.emplace_back(directory + "/" + name + ".xmf", name);
  if (file_.front().lastStep(0) >= 0) list();
}

void SurfaceFrames::append(std::int64_t step, double time,
                           const std::vector<std::vector<std::vector<double>>>& values) {
  for (std::size_t k = 0; k < layouts_.size(); ++k) file_.front().append(k, step, time, values[k]);
  list();
}

void SurfaceFrames::list() {
  std::string added;
  for (; listed_ < file_.front().steps(layouts_.size() - 1).size(); ++listed_) added += grid(listed_);
  xdmf_.front().add(added);
}

// Several populations are one collection of a frame.
std::string SurfaceFrames::grid(std::size_t frame) const {
  const std::string title = fmt::format("step {}", file_.front().steps(0)[frame]),
                    time = fmt::format("        <Time Value=\"{}\" />\n", file_.front().times(0)[frame]);
  if (layouts_.size() == 1) return surface(layouts_.front(), title, time, frame);
  std::string text =
      fmt::format("      <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Spatial\">\n{}", title, time);
  for (const auto& layout : layouts_) text += surface(layout, xmlText(layout.name), "", frame);
  return text + "      </Grid>\n";
}

std::string SurfaceFrames::surface(const SurfaceLayout& layout, const std::string& title, const std::string& time,
                                   std::size_t frame) const {
  const std::size_t triangles = layout.triangles.size() / 3;
  std::string text = fmt::format("      <Grid Name=\"{}\" GridType=\"Uniform\">\n{}        <Topology "
                                 "TopologyType=\"Triangle\" NumberOfElements=\"{}\">\n          {}        "
                                 "</Topology>\n        <Geometry GeometryType=\"XYZ\">\n          {}        "
                                 "</Geometry>\n",
                                 title, time, triangles, constant(layout, "triangles", fmt::format("{} 3", triangles)),
                                 slab(layout, "position", true, frame));
  text += attribute("cell", constant(layout, "cell", std::to_string(layout.vertices)));
  for (const auto& solute : layout.solutes) text += attribute(solute, slab(layout, ofSolute(solute), false, frame));
  return text + "      </Grid>\n";
}

}  // namespace mesowarp::io
