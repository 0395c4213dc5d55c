// HDF5 in RAII: handles that close themselves, typed reads and writes, failures as RunError with HDF5's own reason.
// Readers of files from outside wrap their work in asInputError().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <hdf5.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/checkpoint/file_mark.hpp"
#include "io/ranks.hpp"

namespace mesowarp::io::hdf5 {

using Close = herr_t (*)(hid_t);

// Owns one HDF5 identifier.
template <Close closer>
class Handle {
public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) closer(id_);
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  // Gives the identifier up, to close it oneself and see whether that worked.
  hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

private:
  hid_t id_ = H5I_INVALID_HID;
};

using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Dataspace = Handle<H5Sclose>;
using Datatype = Handle<H5Tclose>;
using Attribute = Handle<H5Aclose>;
using PropertyList = Handle<H5Pclose>;

using Shape = std::vector<hsize_t>;

// Passes a non-negative result on; otherwise throws RunError "cannot <what>: <HDF5's innermost reason>".
hid_t check(hid_t result, const std::string& what);

// Runs a reader; what fails in it is the fault of the file: RunError becomes InputError "<path>: …".
template <class Function>
auto asInputError(const std::string& path, Function&& function) {
  try {
    return std::forward<Function>(function)();
  } catch (const RunError& error) {
    throw InputError(path + ": " + error.what());
  }
}

// Files. A user block is room in front of HDF5's own data (0, or a power of two from 512 on). Nothing is locked:
// viewers may open what a run is writing. One process uses hdf5_driver.hpp, with which failed writes show in flush()
// and close(); several ranks open a file together, through MPI-IO, and then all that changes its structure is
// collective.
File createFile(const std::string& path, hsize_t userBlock = 0);
enum class Mode { read, readWrite };
File openFile(const std::string& path, Mode mode, Ranks ranks = nullptr);
void flush(const File& file, const std::string& path);
// Throws RunError if a write to the file has failed so far.
void requireWritten(const File& file, const std::string& path);
// Has task(copy) change a copy of the file beside it, which then takes its place: whole, or not at all.
void changeInCopy(const std::string& path, const std::function<void(const std::string& copy)>& task);
// For a checkpoint: all that was written so far is on the disk, and the file can be brought back to what it is now from
// now on (undo_journal.hpp). For files that one process opened. Throws RunError.
FileMark mark(const File& file, const std::string& path, std::int64_t step);
// Closes and reports what failed while closing; a handle's destructor cannot.
void close(File file, const std::string& path);

// Groups and links. Paths may hold '/', missing groups in between are created.
Group createGroup(hid_t location, const std::string& path);
Group openGroup(hid_t location, const std::string& path);
bool exists(hid_t location, const std::string& path);
void hardLink(hid_t location, const std::string& from, const std::string& to);
// Paths of all datasets below a group, in alphabetical order.
std::vector<std::string> datasetPaths(hid_t location, const std::string& group);

template <class T>
hid_t memoryType() {
  if constexpr (std::is_same_v<T, double>)
    return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, float>)
    return H5T_NATIVE_FLOAT;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return H5T_NATIVE_INT32;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return H5T_NATIVE_UINT32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return H5T_NATIVE_INT64;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return H5T_NATIVE_UINT64;
  else {
    static_assert(std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::byte>);
    return H5T_NATIVE_UINT8;
  }
}

// The little-endian file type of a native memory type.
hid_t fileType(hid_t memoryType);

// An empty dataset whose place in the file is laid down at once, so that its rows can be written later.
Dataset createDataset(hid_t location, const std::string& path, hid_t memoryType, const Shape& shape);
// Where such a dataset lies in the file. Throws RunError.
std::uint64_t addressOf(const Dataset& dataset, const std::string& path);
Dataset openDataset(hid_t location, const std::string& path);

// Datasets of a fixed shape; data holds as many elements as the shape says.
void writeDataset(hid_t location, const std::string& path, hid_t memoryType, const Shape& shape, const void* data);
Shape shapeOf(hid_t location, const std::string& path);

template <class T>
void writeDataset(hid_t location, const std::string& path, const Shape& shape, const std::vector<T>& data) {
  writeDataset(location, path, memoryType<T>(), shape, data.data());
}

// All of a dataset, converted to T (numbers only). Implausible sizes are refused before any memory is taken.
void readAll(hid_t location, const std::string& path, hid_t memoryType, void* data);
hsize_t elementCount(hid_t location, const std::string& path);

template <class T>
std::vector<T> readDataset(hid_t location, const std::string& path) {
  std::vector<T> data(elementCount(location, path));
  readAll(location, path, memoryType<T>(), data.data());
  return data;
}

// Scalar or one-dimensional texts, UTF-8 of fixed length.
void writeText(hid_t location, const std::string& path, const std::string& text);
std::string readText(hid_t location, const std::string& path);
void writeTexts(hid_t location, const std::string& path, const std::vector<std::string>& texts);
std::vector<std::string> readTexts(hid_t location, const std::string& path);

// Attributes of the object at path ("." for the location itself).
void writeAttribute(hid_t location, const std::string& path, const std::string& name, const std::string& text);
void writeAttribute(hid_t location, const std::string& path, const std::string& name,
                    const std::vector<std::string>& texts);
void writeAttribute(hid_t location, const std::string& path, const std::string& name,
                    const std::vector<std::int32_t>& values);
std::vector<std::string> readTextAttribute(hid_t location, const std::string& path, const std::string& name);

// Creation properties that every object gets: no time stamps (same run, same bytes), intermediate groups.
PropertyList datasetProperties();
PropertyList linkProperties();

}  // namespace mesowarp::io::hdf5
