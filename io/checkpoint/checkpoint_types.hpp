// Element types of checkpoint arrays as HDF5 has them.
#pragma once

#include <string>

#include "io/checkpoint/checkpoint.hpp"
#include "io/hdf5/hdf5.hpp"

namespace mesowarp::io {

inline constexpr const char* distributedAttribute = "distributed";

hid_t memoryTypeOf(ElementType type);

// Of a stored dataset; throws RunError if it is none of ours.
ElementType elementTypeOf(const hdf5::Dataset& dataset, const std::string& path);

}  // namespace mesowarp::io
