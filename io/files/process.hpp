// Which process this is, for those who find its files.
#pragma once

#include <string>
#include <string_view>

namespace mesowarp::io {

// Lines "host: …", "pid: …", "user: …", "since: …", "command: …", printable.
std::string whoRuns(const std::string& since);

// What a line "key: value" of a text says; empty if there is none.
std::string entryOf(std::string_view text, std::string_view key);

// Whether the process that such lines name was one of this host, and is no more.
bool isGone(std::string_view text);

// UTC, such as 2026-01-31 12:00:00 UTC.
std::string timeNow();

}  // namespace mesowarp::io
