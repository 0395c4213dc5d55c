#include "io/fields/xdmf_slab.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace mesowarp::io {

std::string XdmfSlab::typed() const {
  const std::vector<std::size_t> stride(count.size(), 1);
  return fmt::format("NumberType=\"{}\" Precision=\"{}\" Format=\"HDF\">{}|{}:{}:{}:{}", number, bytes, dataset,
                     fmt::join(start, " "), fmt::join(stride, " "), fmt::join(count, " "), fmt::join(shape, " "));
}

std::string XdmfSlab::text(const std::vector<std::size_t>& extents) const {
  const std::vector<std::size_t> stride(count.size(), 1);
  return fmt::format(R"(<DataItem Type="HyperSlab" Dimensions="{}" {}
            <DataItem Dimensions="3 {}" Format="XML">{} {} {}</DataItem>
            <DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}</DataItem>
          </DataItem>)",
                     fmt::join(extents, " "), typed(), count.size(), fmt::join(start, " "), fmt::join(stride, " "),
                     fmt::join(count, " "), fmt::join(shape, " "), number, bytes, dataset);
}

XdmfSlab xdmfFrame(std::string dataset, const char* number, int bytes, std::size_t frame,
                   const std::vector<std::size_t>& extents) {
  XdmfSlab slab{std::move(dataset), number, bytes, {frame}, {1}, {frame + 1}};
  slab.start.resize(extents.size() + 1, 0);
  slab.count.insert(slab.count.end(), extents.begin(), extents.end());
  slab.shape.insert(slab.shape.end(), extents.begin(), extents.end());
  return slab;
}

}  // namespace mesowarp::io
