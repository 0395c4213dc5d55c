#include "io/log.hpp"

#include <filesystem>
#include <memory>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "core/error.hpp"
#include "input/grammar/printable.hpp"
#include "io/progress.hpp"

namespace mesowarp::io {

namespace {

bool isPrimary = true;
std::optional<std::string> failure;

// Clears a progress line that stands on the terminal, then the level, unless it is info.
class Prefix : public spdlog::custom_flag_formatter {
public:
  explicit Prefix(bool isTerminal) : isTerminal_(isTerminal) {}

  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const auto append = [&](std::string_view text) { out.append(text.data(), text.data() + text.size()); };
    if (isTerminal_) append("\r\033[K");
    if (message.level == spdlog::level::warn) append("warning: ");
    if (message.level >= spdlog::level::err) append("error: ");
    if (message.level < spdlog::level::info) append("debug: ");
  }

  std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<Prefix>(isTerminal_);
  }

private:
  bool isTerminal_;
};

// The message, with nothing in it that a terminal obeys: it may quote a file.
class Words : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const std::string text = input::printable({message.payload.data(), message.payload.size()}, longestMessage);
    out.append(text.data(), text.data() + text.size());
  }

  std::unique_ptr<spdlog::custom_flag_formatter> clone() const override { return std::make_unique<Words>(); }

private:
  static constexpr std::size_t longestMessage = 10000;
};

std::unique_ptr<spdlog::formatter> consoleFormatter(bool isTerminal) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<Prefix>('*', isTerminal).add_flag<Words>('~').set_pattern("%*%~");
  return formatter;
}

std::unique_ptr<spdlog::formatter> fileFormatter() {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<Words>('~').set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %~");
  return formatter;
}

// Passes on what is below a level; warnings and errors go to stderr instead.
class StdoutSink : public spdlog::sinks::stdout_sink_mt {
public:
  void log(const spdlog::details::log_msg& message) override {
    if (message.level < spdlog::level::warn) spdlog::sinks::stdout_sink_mt::log(message);
  }
};

}  // namespace

void setUpLog(const LogOptions& options) {
  isPrimary = options.primary;
  auto logger = std::make_shared<spdlog::logger>("mesowarp");
  auto errors = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  errors->set_level(options.primary ? spdlog::level::warn : spdlog::level::err);
  errors->set_formatter(consoleFormatter(isTerminal(STDERR_FILENO)));
  logger->sinks().push_back(errors);
  if (options.primary && !options.quiet) {
    auto console = std::make_shared<StdoutSink>();
    console->set_formatter(consoleFormatter(isTerminal(STDOUT_FILENO)));
    logger->sinks().push_back(console);
  }
  failure.reset();
  logger->set_error_handler([](const std::string& why) {
    if (!failure) failure = why;
  });
  logger->set_level(spdlog::level::info);
  logger->flush_on(spdlog::level::info);  // a run that is killed leaves a complete log
  spdlog::set_default_logger(logger);
}

void openLogFile(const std::string& directory) {
  if (!isPrimary) return;
  const std::string path = (std::filesystem::path(directory) / "run.log").string();
  try {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    file->set_formatter(fileFormatter());
    spdlog::default_logger()->sinks().push_back(file);
  } catch (const spdlog::spdlog_ex& error) {
    throw RunError("cannot open the log file " + path + ": " + error.what());
  }
}

std::optional<std::string> logFailure() { return failure; }

void flushLog() { spdlog::default_logger()->flush(); }

}  // namespace mesowarp::io
