#include "io/fields/xdmf_series.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

#include "core/error.hpp"
#include "io/files/file_system.hpp"

namespace mesowarp::io {
namespace {

constexpr std::string_view tail = "    </Grid>\n  </Domain>\n</Xdmf>\n";

std::string head(const std::string& name) {
  return fmt::format(R"(<?xml version="1.0" ?>
<!DOCTYPE Xdmf SYSTEM "Xdmf.dtd" []>
<Xdmf Version="2.0">
  <Domain>
    <Grid Name="{}" GridType="Collection" CollectionType="Temporal">
)",
                     name);
}

}  // namespace

void XdmfSeries::add(const std::string& grids) {
  std::string added = grids;
  if (bodyEnd_ == 0) {
    added.insert(0, head(name_));
    writeFileAtomically(path_, added + std::string(tail));
  } else if (!added.empty()) {
    // One write over the old closing tags. It only gets longer, so nothing of them is left behind the new ones.
    const FileDescriptor out = openFile(path_, O_WRONLY);
    if (::lseek(out.get(), static_cast<off_t>(bodyEnd_), SEEK_SET) < 0) throw RunError("cannot write to " + path_);
    writeAll(out, added + std::string(tail), path_);
  }
  bodyEnd_ += added.size();
}

std::string xmlText(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string XdmfGrid::text() const {
  return fmt::format(R"(        <Topology TopologyType="3DCoRectMesh" Dimensions="{} {} {}" />
        <Geometry GeometryType="ORIGIN_DXDYDZ">
          <DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">0 0 0</DataItem>
          <DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">{} {} {}</DataItem>
        </Geometry>
)",
                     cells[2] + 1, cells[1] + 1, cells[0] + 1, spacing[2], spacing[1], spacing[0]);
}

}  // namespace mesowarp::io
