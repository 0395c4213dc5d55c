#include "io/summary.hpp"

#include <nlohmann/json.hpp>

#include "io/files/file_system.hpp"

namespace mesowarp::io {

void writeSummary(const std::string& path, const nlohmann::json& summary) {
  writeFileAtomically(path, summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace mesowarp::io
