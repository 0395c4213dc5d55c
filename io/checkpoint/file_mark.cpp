#include "io/checkpoint/file_mark.hpp"

#include <algorithm>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <vector>
#include <xxhash.h>

#include "core/error.hpp"
#include "io/files/file_system.hpp"

namespace mesowarp::io {

namespace {

constexpr std::uint64_t tailSize = 64 << 10;  // bytes

}  // namespace

FileMark markOf(std::uint64_t length, const std::function<void(std::uint64_t, std::size_t, char*)>& read) {
  std::vector<char> tail(std::min(length, tailSize));
  if (!tail.empty()) read(length - tail.size(), tail.size(), tail.data());
  return {length, XXH3_64bits(tail.data(), tail.size())};
}

FileMark markOf(const std::string& path) {
  const FileDescriptor file = openFile(path, O_RDONLY);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw RunError("cannot read " + path);
  return markOf(static_cast<std::uint64_t>(status.st_size), [&](std::uint64_t address, std::size_t size, char* buffer) {
    readAll(file, address, {buffer, size}, path);
  });
}

// The hash as text, for JSON's numbers are doubles to many a reader.
std::string formatMarks(const FileMarks& marks) {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, mark] : marks) all[name] = {{"bytes", mark.length}, {"tail", std::to_string(mark.tail)}};
  return all.dump();
}

FileMarks parseMarks(const std::string& text) {
  FileMarks marks;
  try {
    const auto all = nlohmann::json::parse(text);
    for (const auto& [name, mark] : all.items())
      marks[name] = {mark.at("bytes").get<std::uint64_t>(), std::stoull(mark.at("tail").get<std::string>())};
  } catch (const std::exception& error) {
    throw RunError(std::string("its list of output files cannot be read: ") + error.what());
  }
  return marks;
}

}  // namespace mesowarp::io
