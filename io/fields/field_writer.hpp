// Fields on a regular grid over the box, averaged over blocks of time: NAME.h5, with one dataset a quantity, blocks x z
// x y x x (x components), and NAME.xmf, by which ParaView opens it. What is in a block: first_step, last_step, samples,
// and time, the middle of the block; in a box that changes the mean edges of the box, by which the .xmf has the grid.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/fields/xdmf_series.hpp"
#include "io/files/earlier_output.hpp"
#include "io/hdf5/hdf5_series.hpp"

namespace mesowarp::io {

struct FieldQuantity {
  std::string name;
  std::size_t width;  // 1, 3 or 6 (a symmetric tensor: xx, xy, xz, yy, yz, zz)
};

struct FieldLayout {
  XdmfGrid grid;                           // in a box that changes: of the deck's
  bool boxChanges = false;                 // each block has edges of its own
  double timestep = 0.0, timeShift = 0.0;  // a step's time is step timestep + timeShift
  std::vector<FieldQuantity> quantities;
};

struct FieldBlock {
  std::int64_t firstStep = 0, lastStep = 0, samples = 0;
  std::array<double, 3> edges{};            // of the box, if it changes: means over the samples, length
  std::vector<std::vector<double>> values;  // of each quantity, cells x width, x fastest; NaN: no particle was there
};

class FieldWriter {
public:
  using Block = FieldBlock;
  // Creates or replaces DIRECTORY/<name>.h5 and .xmf. Throws RunError.
  FieldWriter(const std::string& directory, const std::string& name, FieldLayout layout);

  // What an earlier run left; as ProfileWriter::look() and resume(). Throws InputError.
  static EarlierOutput look(const std::string& directory, const std::string& name, const FieldLayout& layout,
                            std::int64_t step, const FileMarks& marks);
  static FieldWriter resume(const std::string& directory, const std::string& name, FieldLayout layout,
                            std::int64_t lastStep, const EarlierOutput& earlier);

  // Both files are complete on return.
  void append(const FieldBlock& block);
  void flush();
  void mark(std::int64_t step, FileMarks& marks);
  std::size_t blocks() const;

private:
  FieldWriter(std::string path, FieldLayout layout);
  void create();
  void open(hdf5::Mode mode);
  void cut(std::int64_t lastStep);
  std::size_t blocksUpTo(std::int64_t lastStep) const;
  void list(std::size_t block);

  std::string path_;
  FieldLayout layout_;
  hdf5::File file_;
  std::vector<hdf5::Series> series_;  // first_step, last_step, samples, time, edges, the quantities
  XdmfSeries xdmf_;
};

}  // namespace mesowarp::io
