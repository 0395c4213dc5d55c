// The arrays of a checkpoint as rows of particles, on the host.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace mesowarp {

// What a checkpoint without its arrays, or with senseless values in them, is.
inline constexpr const char* damagedAdvice = "; the checkpoint is damaged, or not of this program: resume an older one";

// Elements of bytes that need not be aligned for them.
template <class T>
struct StoredRows {
  const std::byte* data = nullptr;
  T operator()(std::int64_t i) const {
    T value;
    std::memcpy(static_cast<void*>(&value), data + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
  }
};

// An array of rows x width elements; throws InputError if there is none.
inline const io::Array& storedArray(const io::CheckpointContent& content, const std::string& name, io::ElementType type,
                                    std::size_t rows, std::size_t width) {
  const auto it = content.arrays.find(name);
  if (it == content.arrays.end()) throw InputError("the checkpoint has no array '" + name + "': it is of another deck");
  const io::Array& array = it->second;
  if (array.type != type || array.rows != rows || array.width != width ||
      array.data.size() != rows * width * io::elementSize(type))
    throw InputError("the checkpoint's '" + name + "' has another size: it is of another deck");
  return array;
}

// Particles' rows are stored as bytes.
template <class T>
StoredRows<T> storedRows(const io::CheckpointContent& content, const std::string& name, std::int64_t rows) {
  return {storedArray(content, name, io::ElementType::u8, static_cast<std::size_t>(rows), sizeof(T)).data.data()};
}

template <class V>
bool finiteVector(const V& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace mesowarp
