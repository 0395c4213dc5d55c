#include "io/fields/distance_file.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_driver.hpp"

namespace mesowarp::io {

void writeDistances(const std::string& directory, const std::string& name, const XdmfGrid& grid,
                    const std::vector<float>& distance) {
  const auto path = (std::filesystem::path(directory) / (name + ".h5")).string();
  const hdf5::Shape nodes{grid.cells[2] + 1, grid.cells[1] + 1, grid.cells[0] + 1};
  // A new file takes the place of what has the name, be that an earlier run's, or a link that leads elsewhere.
  hdf5::File file = hdf5::createFile(path + ".tmp");
  hdf5::writeDataset(file.get(), "distance", nodes, distance);
  hdf5::writeDataset(file.get(), "spacing", {3}, std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
  hdf5::close(std::move(file), path);
  syncFile(path + ".tmp");
  renameDurably(path + ".tmp", path);
  XdmfSeries xdmf((std::filesystem::path(directory) / (name + ".xmf")).string(), name);
  xdmf.add(fmt::format(R"(      <Grid Name="walls" GridType="Uniform">
        <Time Value="0" />
{}        <Attribute Name="distance" AttributeType="Scalar" Center="Node">
          <DataItem Dimensions="{} {} {}" NumberType="Float" Precision="4" Format="HDF">{}.h5:/distance</DataItem>
        </Attribute>
      </Grid>
)",
                       grid.text(), nodes[0], nodes[1], nodes[2], xmlText(name)));
}

}  // namespace mesowarp::io
