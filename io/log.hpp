// The program's log: spdlog's default logger, on the console and in DIR/run.log. Write with spdlog::info(…) and the
// like.
#pragma once

#include <optional>
#include <string>

namespace mesowarp::io {

struct LogOptions {
  bool quiet = false;   // console: warnings and errors only; the file has everything
  bool primary = true;  // false on ranks other than 0: nothing at all, except errors on stderr
};

// Console only, until openLogFile(): info to stdout as it is, warnings and errors to stderr with their level.
void setUpLog(const LogOptions& options = {});

// Adds DIRECTORY/run.log, appending to what is there, with time stamps and levels. Throws RunError.
void openLogFile(const std::string& directory);

// Why a line was lost, if one was (a full disk); the first such reason since setUpLog().
std::optional<std::string> logFailure();

// Before the directory is moved or the program ends.
void flushLog();

}  // namespace mesowarp::io
