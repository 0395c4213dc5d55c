#include "io/hdf5/hdf5_series.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "io/hdf5/hdf5_slab.hpp"

namespace mesowarp::io::hdf5 {

namespace {

constexpr hsize_t smallChunk = 16 << 10;  // bytes
constexpr hsize_t largeChunk = 64 << 20;

Shape chunkOf(const Shape& rowShape, hsize_t elementSize) {
  Shape chunk{1};
  for (const hsize_t extent : rowShape) chunk.push_back(std::max<hsize_t>(extent, 1));
  const hsize_t rowBytes = std::accumulate(chunk.begin(), chunk.end(), elementSize, std::multiplies<>());
  if (rowBytes < smallChunk) chunk[0] = smallChunk / rowBytes;
  if (rowBytes <= largeChunk) return chunk;
  const hsize_t parts = std::min((rowBytes + largeChunk - 1) / largeChunk, chunk[1]);
  chunk[1] = (chunk[1] + parts - 1) / parts;
  return chunk;
}

}  // namespace

Series Series::create(hid_t location, const std::string& path, hid_t fileType, const Shape& rowShape) {
  Series series;
  series.path_ = path;
  series.shape_.insert(series.shape_.end(), rowShape.begin(), rowShape.end());
  Shape limit = series.shape_;
  limit[0] = H5S_UNLIMITED;
  const Dataspace space(check(H5Screate_simple(static_cast<int>(limit.size()), series.shape_.data(), limit.data()),
                              "describe dataset " + path));
  const PropertyList properties = datasetProperties();
  const Shape chunk = chunkOf(rowShape, H5Tget_size(fileType));
  check(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), "set the chunks of " + path);
  // A new row's chunks get their place when the series grows, so that several ranks can write to it. Nor are zeros
  // written to every chunk before its rows.
  check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "set the allocation time of " + path);
  check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "set the fill time of " + path);
  const PropertyList links = linkProperties();
  series.dataset_ = Dataset(
      check(H5Dcreate2(location, path.c_str(), fileType, space.get(), links.get(), properties.get(), H5P_DEFAULT),
            "create dataset " + path));
  return series;
}

Series Series::open(hid_t location, const std::string& path) {
  Series series;
  series.path_ = path;
  elementCount(location, path);  // refuses implausible sizes
  series.shape_ = hdf5::shapeOf(location, path);
  if (series.shape_.empty()) throw RunError("dataset " + path + " should be a series, but is a single value");
  series.dataset_ = Dataset(check(H5Dopen2(location, path.c_str(), H5P_DEFAULT), "open dataset " + path));
  const Datatype type(check(H5Dget_type(series.dataset_.get()), "read the type of " + path));
  const H5T_class_t typeClass = H5Tget_class(type.get());
  if (typeClass != H5T_INTEGER && typeClass != H5T_FLOAT) throw RunError("dataset " + path + " does not hold numbers");
  return series;
}

hsize_t Series::rowSize() const {
  return std::accumulate(shape_.begin() + 1, shape_.end(), hsize_t{1}, std::multiplies<>());
}

bool Series::isDouble() const {
  const Datatype type(check(H5Dget_type(dataset_.get()), "read the type of " + path_));
  return H5Tget_class(type.get()) == H5T_FLOAT && H5Tget_size(type.get()) == sizeof(double);
}

bool Series::placesRowsEarly() const {
  const PropertyList properties(check(H5Dget_create_plist(dataset_.get()), "read the properties of " + path_));
  H5D_alloc_time_t time = H5D_ALLOC_TIME_DEFAULT;
  check(H5Pget_alloc_time(properties.get(), &time), "read the allocation time of " + path_);
  return time == H5D_ALLOC_TIME_EARLY;
}

void Series::resize(hsize_t rows) {
  Shape shape = shape_;
  shape[0] = rows;
  check(H5Dset_extent(dataset_.get(), shape.data()), "resize dataset " + path_);
  shape_ = shape;
}

void Series::append(hid_t type, const void* row) {
  resize(rows() + 1);
  Slab slab{Shape(shape_.size(), 0), shape_, 0};
  slab.start[0] = rows() - 1, slab.count[0] = 1;
  writeSlab(dataset_, path_, type, slab, row, nullptr);
}

// Chunks are as many entries long as a row, or shorter; then they hold one row.
Places Series::appendElsewhere() {
  resize(rows() + 1);
  const PropertyList properties(check(H5Dget_create_plist(dataset_.get()), "read the properties of " + path_));
  Shape chunk(shape_.size());
  check(H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), "read the chunks of " + path_);
  const Datatype type(check(H5Dget_type(dataset_.get()), "read the type of " + path_));
  Places places;
  places.entryBytes = std::accumulate(shape_.begin() + 2, shape_.end(), static_cast<hsize_t>(H5Tget_size(type.get())),
                                      std::multiplies<>());
  places.entriesAPiece = chunk[1];
  const hsize_t rowInChunk = (rows() - 1) % chunk[0];
  Shape at(shape_.size(), 0);
  at[0] = rows() - 1 - rowInChunk;
  for (at[1] = 0; at[1] < shape_[1]; at[1] += chunk[1]) {
    haddr_t address = HADDR_UNDEF;
    check(H5Dget_chunk_info_by_coord(dataset_.get(), at.data(), nullptr, &address, nullptr),
          "find the chunks of " + path_);
    if (address == HADDR_UNDEF) throw RunError("a row of " + path_ + " has no place in the file");
    places.addresses.push_back(address + rowInChunk * chunk[1] * places.entryBytes);
  }
  return places;
}

void Series::truncate(hsize_t rows) {
  if (rows < shape_.front()) resize(rows);
}

void Series::readRow(hsize_t row, hid_t type, void* data) const {
  if (row >= rows()) throw RunError("dataset " + path_ + " has too few rows");
  Slab slab{Shape(shape_.size(), 0), shape_, 0};
  slab.start[0] = row, slab.count[0] = 1;
  readSlab(dataset_, path_, type, slab, data, nullptr);
}

}  // namespace mesowarp::io::hdf5
