// A dataset that grows along its first dimension: one row a frame, a block or a step. In a file of several ranks all
// functions but the accessors are collective.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/hdf5.hpp"
#include "io/ranks.hpp"

namespace mesowarp::io::hdf5 {

class Series {
public:
  Series() = default;

  // An empty series of rows of shape rowShape ({} for scalars), stored as fileType. Chunks: whole rows up to about
  // 16 KiB, else parts of one row of at most about 1 MiB.
  static Series create(hid_t location, const std::string& path, hid_t fileType, const Shape& rowShape,
                       Ranks ranks = nullptr);
  static Series open(hid_t location, const std::string& path, Ranks ranks = nullptr);

  // The number of rows, and their shape.
  hsize_t rows() const { return shape_.front(); }
  Shape rowShape() const { return {shape_.begin() + 1, shape_.end()}; }
  hsize_t rowSize() const;
  // Whether several ranks can append to it: rows get their place in the file before they are written.
  bool placesRowsEarly() const;
  bool isDouble() const;

  // Appends one row of rowSize() elements; of several ranks, the root's.
  void append(hid_t memoryType, const void* row);
  // Appends one row of which each rank has `count` entries of its first dimension, from `first` on.
  void appendPart(hid_t memoryType, hsize_t first, hsize_t count, const void* part);
  // Drops all rows from `rows` on.
  void truncate(hsize_t rows);

  template <class T>
  void append(const std::vector<T>& row) {
    if (row.size() != rowSize()) throw RunError("a row of the wrong length for " + path_);
    append(memoryType<T>(), row.data());
  }

  template <class T>
  std::vector<T> read(hsize_t row) const {
    std::vector<T> data(rowSize());
    readRow(row, memoryType<T>(), data.data());
    return data;
  }

private:
  void readRow(hsize_t row, hid_t memoryType, void* data) const;
  void resize(hsize_t rows);

  Ranks ranks_ = nullptr;
  Dataset dataset_;
  std::string path_;
  Shape shape_{0};
};

}  // namespace mesowarp::io::hdf5
