// One text of a checkpoint, before it is read as a whole.
#pragma once

#include <optional>
#include <string>

namespace mesowarp::io {

// Nothing is verified. Nothing if the file has no such text, is no checkpoint or cannot be read.
std::optional<std::string> textInCheckpoint(const std::string& path, const std::string& name);

}  // namespace mesowarp::io
