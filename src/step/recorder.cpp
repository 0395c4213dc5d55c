#include "step/recorder.hpp"

#include <spdlog/spdlog.h>

namespace mesowarp {

void Recorder::save(std::vector<io::ArrayView>&, std::vector<std::vector<std::byte>>&) const {}
void Recorder::restore(const io::CheckpointContent&) {}

void tellOfNewFile(const RecorderContext& context, const std::string& name) {
  spdlog::warn("{} is missing or empty: a new one begins, without what came before step {}", name, context.resumedFrom);
}

}  // namespace mesowarp
