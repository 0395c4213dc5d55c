// A part of an HDF5 dataset as an XDMF DataItem that both of ParaView's readers open.
//
// That of XDMF 2 takes the two items within: start, stride and count; the dataset. That of XDMF 3 gets no numbers from
// such an item (0 points, without a word), but from the text before the two, FILE:/PATH|START:STRIDE:COUNT:SHAPE. What
// parts them is the word Type, the old one for ItemType: XDMF 2 looks at it, XDMF 3 does not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mesowarp::io {

struct XdmfSlab {
  std::string dataset;                    // FILE:/PATH
  const char* number;                     // "Float", "Int", "UInt"
  int bytes;                              // of a number
  std::vector<std::size_t> start, count;  // along each of the dataset's axes
  std::vector<std::size_t> shape;         // of the dataset as it is now; it may grow along its first axis

  // The item. extents: those that are shown, of as many numbers as count has.
  std::string text(const std::vector<std::size_t>& extents) const;
  // The end of an item's tag and the text behind it, for XDMF 3: the numbers' type and where they are.
  std::string typed() const;
};

// One frame out of a dataset [frames](extents), as long as frame + 1.
XdmfSlab xdmfFrame(std::string dataset, const char* number, int bytes, std::size_t frame,
                   const std::vector<std::size_t>& extents);

}  // namespace mesowarp::io
