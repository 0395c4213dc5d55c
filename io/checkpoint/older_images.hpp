// Box crossings as checkpoints of before have them.
#pragma once

#include "io/checkpoint/checkpoint.hpp"

namespace mesowarp::io {

// Images of 10 bits for each axis, in rows of 4 bytes, become those of 21 bits (core/images.hpp), in rows of 8.
// Anything else stays as it is.
void widenImages(CheckpointContent& content);

}  // namespace mesowarp::io
