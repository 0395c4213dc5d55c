// An XDMF file of grids in the order of time: XML that points into an HDF5 file beside it, complete and valid after
// each call.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace mesowarp::io {

class XdmfSeries {
public:
  // Nothing is written yet; a file of that name is replaced by the first add(). name: of the collection.
  XdmfSeries(std::string path, std::string name) : path_(std::move(path)), name_(std::move(name)) {}
  // Grids to come behind those that are there. Throws RunError.
  void add(const std::string& grids);

private:
  std::string path_, name_;
  std::size_t bodyEnd_ = 0;  // bytes before the closing tags
};

// Text as it may stand between tags, or in quotes.
std::string xmlText(const std::string& text);

// A regular grid that begins at the box's corner, x first.
struct XdmfGrid {
  std::array<std::size_t, 3> cells;
  std::array<double, 3> spacing;  // length
  // Its topology and geometry.
  std::string text() const;
};

}  // namespace mesowarp::io
