#include "io/checkpoint_payload.hpp"

#include <utility>

#include "core/error.hpp"
#include "io/checkpoint_header.hpp"
#include "io/hdf5.hpp"

namespace mesowarp::io {

namespace {

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

ElementType elementTypeOf(hid_t location, const std::string& path) {
  const hdf5::Dataset dataset(hdf5::check(H5Dopen2(location, path.c_str(), H5P_DEFAULT), "open " + path));
  const hdf5::Datatype type(hdf5::check(H5Dget_type(dataset.get()), "read " + path));
  for (const auto candidate : {ElementType::u8, ElementType::i32, ElementType::u32, ElementType::i64, ElementType::u64,
                               ElementType::f32, ElementType::f64})
    if (H5Tequal(type.get(), hdf5::fileType(memoryTypeOf(candidate))) > 0) return candidate;
  throw RunError("array " + path + " has an unknown element type");
}

}  // namespace

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

void writeCheckpointPayload(const std::string& path, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers) {
  hdf5::File file = hdf5::createFile(path, checkpointHeaderSize);
  for (const char* group : {"arrays", "texts", "numbers"}) hdf5::createGroup(file.get(), group);
  for (const auto& array : arrays)
    hdf5::writeDataset(file.get(), "arrays/" + array.name, memoryTypeOf(array.type), {array.rows, array.width},
                       array.data);
  for (const auto& [name, text] : texts) {
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());  // any byte is kept, zeros at the end too
    hdf5::writeDataset(file.get(), "texts/" + name, {bytes.size()}, bytes);
  }
  for (const auto& [name, number] : numbers)
    hdf5::writeDataset(file.get(), "numbers/" + name, memoryTypeOf(ElementType::i64), {}, &number);
  hdf5::close(std::move(file), path);
}

CheckpointContent readCheckpointPayload(const std::string& path) {
  const hdf5::File file = hdf5::openFile(path, hdf5::Mode::read);
  CheckpointContent content;
  for (const auto& name : hdf5::datasetPaths(file.get(), "arrays")) {
    const std::string at = "arrays/" + name;
    const hdf5::Shape shape = hdf5::shapeOf(file.get(), at);
    if (shape.size() != 2) throw RunError("array " + name + " is not two-dimensional");
    Array array{elementTypeOf(file.get(), at), shape[0], shape[1], {}};
    array.data.resize(hdf5::elementCount(file.get(), at) * elementSize(array.type));
    if (!array.data.empty()) hdf5::readAll(file.get(), at, memoryTypeOf(array.type), array.data.data());
    content.arrays.emplace(name, std::move(array));
  }
  for (const auto& name : hdf5::datasetPaths(file.get(), "texts")) {
    const auto bytes = hdf5::readDataset<std::uint8_t>(file.get(), "texts/" + name);
    content.texts.emplace(name, std::string(bytes.begin(), bytes.end()));
  }
  for (const auto& name : hdf5::datasetPaths(file.get(), "numbers")) {
    const auto values = hdf5::readDataset<std::int64_t>(file.get(), "numbers/" + name);
    if (values.size() != 1) throw RunError("number " + name + " is not a single value");
    content.numbers.emplace(name, values.front());
  }
  return content;
}

}  // namespace mesowarp::io
