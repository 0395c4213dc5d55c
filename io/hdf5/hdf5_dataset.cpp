// Whole datasets of numbers.
#include <functional>
#include <numeric>

#include "io/hdf5/hdf5.hpp"

namespace mesowarp::io::hdf5 {

hid_t fileType(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT) return size == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  const bool isSigned = H5Tget_sign(type) == H5T_SGN_2;
  if (size == 1) return isSigned ? H5T_STD_I8LE : H5T_STD_U8LE;
  if (size == 4) return isSigned ? H5T_STD_I32LE : H5T_STD_U32LE;
  return isSigned ? H5T_STD_I64LE : H5T_STD_U64LE;
}

namespace {

Dataset create(hid_t location, const std::string& path, hid_t type, const Shape& shape,
               const PropertyList& properties) {
  const Dataspace space(check(shape.empty() ? H5Screate(H5S_SCALAR)
                                            : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                              "describe dataset " + path));
  const PropertyList links = linkProperties();
  const hid_t stored = H5Tget_class(type) == H5T_STRING ? type : fileType(type);
  return Dataset(
      check(H5Dcreate2(location, path.c_str(), stored, space.get(), links.get(), properties.get(), H5P_DEFAULT),
            "create dataset " + path));
}

}  // namespace

Dataset createDataset(hid_t location, const std::string& path, hid_t type, const Shape& shape) {
  const PropertyList properties = datasetProperties();
  check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "set HDF5 dataset properties");
  check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "set HDF5 dataset properties");
  return create(location, path, type, shape, properties);
}

std::uint64_t addressOf(const Dataset& dataset, const std::string& path) {
  const haddr_t address = H5Dget_offset(dataset.get());
  if (address == HADDR_UNDEF) throw RunError("dataset " + path + " has no place in the file");
  return address;
}

void writeDataset(hid_t location, const std::string& path, hid_t type, const Shape& shape, const void* data) {
  const Dataset dataset = create(location, path, type, shape, datasetProperties());
  const hsize_t count = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
  if (count == 0) return;
  check(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write dataset " + path);
}

Dataset openDataset(hid_t location, const std::string& path) {
  return Dataset(check(H5Dopen2(location, path.c_str(), H5P_DEFAULT), "open dataset " + path));
}

namespace {

Shape shapeOf(const Dataset& dataset, const std::string& path) {
  const Dataspace space(check(H5Dget_space(dataset.get()), "read dataset " + path));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  check(rank, "read the shape of " + path);
  Shape shape(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr), "read the shape of " + path);
  return shape;
}

}  // namespace

Shape shapeOf(hid_t location, const std::string& path) { return shapeOf(openDataset(location, path), path); }

hsize_t elementCount(hid_t location, const std::string& path) {
  const Shape shape = shapeOf(location, path);
  hsize_t count = 1;
  for (const hsize_t extent : shape) {
    if (extent != 0 && count > (hsize_t{1} << 40) / extent) throw RunError("dataset " + path + " is implausibly large");
    count *= extent;
  }
  return count;
}

void readAll(hid_t location, const std::string& path, hid_t type, void* data) {
  const Dataset dataset = openDataset(location, path);
  const Datatype stored(check(H5Dget_type(dataset.get()), "read dataset " + path));
  const H5T_class_t storedClass = H5Tget_class(stored.get());
  if (storedClass != H5T_INTEGER && storedClass != H5T_FLOAT && storedClass != H5T_ENUM)
    throw RunError("dataset " + path + " does not hold numbers");
  check(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "read dataset " + path);
}

}  // namespace mesowarp::io::hdf5
