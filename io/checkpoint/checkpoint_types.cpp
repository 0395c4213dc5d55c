#include "io/checkpoint/checkpoint_types.hpp"

#include "core/error.hpp"

namespace mesowarp::io {

std::size_t elementSize(ElementType type) {
  switch (type) {
  case ElementType::u8:
    return 1;
  case ElementType::i32:
  case ElementType::u32:
  case ElementType::f32:
    return 4;
  case ElementType::i64:
  case ElementType::u64:
  case ElementType::f64:
    return 8;
  }
  return 0;
}

hid_t memoryTypeOf(ElementType type) {
  switch (type) {
  case ElementType::u8:
    return H5T_NATIVE_UINT8;
  case ElementType::i32:
    return H5T_NATIVE_INT32;
  case ElementType::u32:
    return H5T_NATIVE_UINT32;
  case ElementType::i64:
    return H5T_NATIVE_INT64;
  case ElementType::u64:
    return H5T_NATIVE_UINT64;
  case ElementType::f32:
    return H5T_NATIVE_FLOAT;
  case ElementType::f64:
    return H5T_NATIVE_DOUBLE;
  }
  throw RunError("a checkpoint array of an unknown element type");
}

ElementType elementTypeOf(const hdf5::Dataset& dataset, const std::string& path) {
  const hdf5::Datatype type(hdf5::check(H5Dget_type(dataset.get()), "read " + path));
  for (const auto candidate : {ElementType::u8, ElementType::i32, ElementType::u32, ElementType::i64, ElementType::u64,
                               ElementType::f32, ElementType::f64})
    if (H5Tequal(type.get(), hdf5::fileType(memoryTypeOf(candidate))) > 0) return candidate;
  throw RunError("array " + path + " has an unknown element type");
}

}  // namespace mesowarp::io
