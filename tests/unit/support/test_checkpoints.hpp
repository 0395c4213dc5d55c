// An engine's checkpoint in memory, as a file gives it back.
#pragma once

#include <cstring>

#include "step/engine.hpp"

namespace mesowarp::test {

inline io::CheckpointContent contentOf(Engine& engine) {
  std::vector<std::vector<std::byte>> storage;
  io::CheckpointContent content;
  for (const io::ArrayView& view : engine.checkpointArrays(storage)) {
    io::Array array{view.type, view.rows, view.width, {}};
    array.data.resize(view.rows * view.width * io::elementSize(view.type));
    std::memcpy(array.data.data(), view.data, array.data.size());
    content.arrays.emplace(view.name, std::move(array));
  }
  return content;
}

}  // namespace mesowarp::test
