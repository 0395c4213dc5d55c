// HDF5 layout behind the header: /arrays/<name> [rows][width], /texts/<name>, /numbers/<name>. Names may hold '/'.
#include "io/checkpoint.hpp"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/error.hpp"
#include "io/checkpoint_files.hpp"
#include "io/checkpoint_header.hpp"
#include "io/file_system.hpp"
#include "io/hdf5.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

hid_t memoryTypeOf(ElementType type) {
  switch (type) {
  case ElementType::u8: return H5T_NATIVE_UINT8;
  case ElementType::i32: return H5T_NATIVE_INT32;
  case ElementType::u32: return H5T_NATIVE_UINT32;
  case ElementType::i64: return H5T_NATIVE_INT64;
  case ElementType::u64: return H5T_NATIVE_UINT64;
  case ElementType::f32: return H5T_NATIVE_FLOAT;
  case ElementType::f64: return H5T_NATIVE_DOUBLE;
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

// Says no before anything is written, because HDF5 recovers badly from a disk that fills up.
void requireRoom(const std::string& directory, const std::vector<ArrayView>& arrays) {
  std::uint64_t needed = 1 << 20;
  for (const auto& array : arrays) needed += array.rows * array.width * elementSize(array.type);
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error) throw RunError(fmt::format("cannot write a checkpoint to {}: {}", directory, error.message()));
  if (space.available < needed)
    throw RunError(fmt::format("cannot write a checkpoint to {}: it needs {} MiB and the disk has {} MiB left; the "
                               "checkpoints before it are intact",
                               directory, needed >> 20, space.available >> 20));
}

void writePayload(const std::string& path, const std::vector<ArrayView>& arrays,
                  const std::map<std::string, std::string>& texts, const std::map<std::string, std::int64_t>& numbers) {
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

void writeHeader(const std::string& path) {
  const std::string header = formatHeader(computeHeader(path));
  const FileDescriptor file = openFile(path, O_WRONLY);
  writeAll(file, header, path);
}

CheckpointContent readPayload(const std::string& path) {
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

// "; the newest intact one before it is X: use --resume X", or that there is none.
std::string advice(const std::string& path) {
  const auto step = stepOfCheckpoint(path);
  for (const auto& file : listCheckpoints(directoryOf(path))) {
    if (fs::path(file.path).filename() == fs::path(path).filename() || (step && file.step > *step)) continue;
    if (checkpointFault(file.path).empty())
      return fmt::format("; the newest intact checkpoint before it: use --resume {}", file.path);
  }
  return "; there is no older intact checkpoint beside it";
}

}  // namespace

std::size_t elementSize(ElementType type) {
  switch (type) {
  case ElementType::u8: return 1;
  case ElementType::i32:
  case ElementType::u32:
  case ElementType::f32: return 4;
  case ElementType::i64:
  case ElementType::u64:
  case ElementType::f64: return 8;
  }
  return 0;
}

std::string writeCheckpoint(const std::string& directory, std::int64_t step, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers) {
  const std::string target = (fs::path(directory) / checkpointName(step)).string();
  const std::string temporary = (fs::path(directory) / fmt::format(".checkpoint-{}.h5.tmp", step)).string();
  requireRoom(directory, arrays);
  try {
    writePayload(temporary, arrays, texts, numbers);
    writeHeader(temporary);
    syncFile(temporary);
    renameDurably(temporary, target);
  } catch (const RunError& error) {
    ::unlink(temporary.c_str());
    throw RunError(fmt::format("checkpoint of step {} not written: {}; the checkpoints before it are intact", step,
                               error.what()));
  }
  deleteOldCheckpoints(directory, step);
  return target;
}

CheckpointContent readCheckpoint(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(fmt::format("checkpoint {} does not exist{}", path, advice(path)));
  if (fs::is_directory(status)) throw InputError(fmt::format("checkpoint {} is a directory; name a file in it", path));
  if (::access(path.c_str(), R_OK) != 0)
    throw InputError(fmt::format("checkpoint {} cannot be read: {}{}", path, systemText(errno), advice(path)));
  if (const std::string fault = checkpointFault(path); !fault.empty())
    throw InputError(fmt::format("checkpoint {} {}{}", path, fault, advice(path)));
  return hdf5::asInputError(path, [&] { return readPayload(path); });
}

std::optional<std::string> newestCheckpoint(const std::string& directory) {
  const auto files = listCheckpoints(directory);
  if (files.empty()) return std::nullopt;
  return files.front().path;
}

}  // namespace mesowarp::io
