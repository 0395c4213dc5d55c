// The XDMF side file by which ParaView and VTK open a trajectory: XML that points into the HDF5 file. Of one with bonds
// and images a second one, NAME-bonds.xmf, has the bonds as lines.
#pragma once

#include <cstddef>
#include <string>

#include "io/fields/xdmf_series.hpp"
#include "io/h5md/h5md.hpp"

namespace mesowarp::io {

class XdmfWriter {
public:
  // Nothing is written yet. A file of that name from an earlier run is replaced by the first update().
  explicit XdmfWriter(std::string path);

  // Adds the trajectory's frames that are not listed yet: all of them at first, hence also after a resume. The file is
  // complete and valid after each call. The trajectory should lie in the same directory. Throws RunError.
  // Of a trajectory of several ranks, on the root alone.
  void update(const H5mdWriter& trajectory);

private:
  XdmfSeries series_, bonds_;
  std::size_t frames_ = 0;  // listed so far
};

}  // namespace mesowarp::io
