// summary.json: what a run was and how it ended.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace mesowarp::io {

// Replaces path by the JSON, indented, as a whole: a reader finds the old or the new file. What is not a number is
// written as null, bytes that are not UTF-8 are replaced. Throws RunError.
void writeSummary(const std::string& path, const nlohmann::json& summary);

}  // namespace mesowarp::io
