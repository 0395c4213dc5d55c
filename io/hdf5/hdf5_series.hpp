// A dataset that grows along its first dimension: one row per frame, block or step.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_places.hpp"

namespace mesowarp::io::hdf5 {

class Series {
public:
  Series() = default;

  // An empty series of rows of shape rowShape ({} for scalars), stored as fileType. Chunks: whole rows up to about
  // 16 KiB, else equal parts of one row of at most about 64 MiB.
  static Series create(hid_t location, const std::string& path, hid_t fileType, const Shape& rowShape);
  static Series open(hid_t location, const std::string& path);

  // The number of rows, and their shape.
  hsize_t rows() const { return shape_.front(); }
  Shape rowShape() const { return {shape_.begin() + 1, shape_.end()}; }
  hsize_t rowSize() const;
  // Whether rows get their place in the file before they are written, so that appendElsewhere() works.
  bool placesRowsEarly() const;
  bool isDouble() const;

  // Appends one row of rowSize() elements.
  void append(hid_t memoryType, const void* row);
  // Appends a row that others write: returns where in the file its entries belong.
  Places appendElsewhere();
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

  Dataset dataset_;
  std::string path_;
  Shape shape_{0};
};

}  // namespace mesowarp::io::hdf5
