#include "io/checkpoint_header.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>
#include <xxhash.h>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

constexpr std::size_t blockSize = 1 << 16;  // bytes hashed at a time

// Reads "<label> <number>\n" off the front of text; false if it does not stand there.
template <class Number>
bool takeLine(std::string_view& text, std::string_view label, int base, Number& number) {
  if (!text.starts_with(label)) return false;
  text.remove_prefix(label.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end == text.data() + text.size() || *end != '\n') return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

std::string readHeaderBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(checkpointHeaderSize, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace

std::string formatHeader(const CheckpointHeader& header) {
  std::string text = fmt::format("{}version {}\npayload {:020}\nxxh3-64 {:016x}\n", checkpointMagic, header.version,
                                 header.payloadSize, header.hash);
  text.resize(checkpointHeaderSize - 1, ' ');
  return text + '\n';
}

CheckpointHeader computeHeader(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(checkpointHeaderSize);
  if (!file) throw RunError("cannot read " + path);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(state.get());
  CheckpointHeader header;
  std::vector<char> block(blockSize);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    XXH3_64bits_update(state.get(), block.data(), count);
    header.payloadSize += count;
  }
  if (file.bad()) throw RunError("cannot read " + path);
  header.hash = XXH3_64bits_digest(state.get());
  return header;
}

std::string checkpointFault(const std::string& path) {
  const std::string bytes = readHeaderBytes(path);
  const std::string_view magic = checkpointMagic;
  const std::string_view front = std::string_view(bytes).substr(0, magic.size());
  if (bytes.size() < checkpointHeaderSize && magic.starts_with(front))
    return fmt::format("is truncated: it has only {} bytes", bytes.size());
  if (front != magic) return "is not a mesowarp checkpoint";
  if (bytes.size() < checkpointHeaderSize) return fmt::format("is truncated: it has only {} bytes", bytes.size());

  std::string_view rest = std::string_view(bytes).substr(magic.size());
  CheckpointHeader claimed;
  if (!takeLine(rest, "version ", 10, claimed.version)) return "is altered: its header is damaged";
  if (claimed.version != checkpointVersion)
    return fmt::format("has checkpoint format version {}; this mesowarp reads version {}", claimed.version,
                       checkpointVersion);
  if (!takeLine(rest, "payload ", 10, claimed.payloadSize) || !takeLine(rest, "xxh3-64 ", 16, claimed.hash) ||
      formatHeader(claimed) != bytes)
    return "is altered: its header is damaged";

  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) return "cannot be read: " + error.message();
  const std::uint64_t expected = claimed.payloadSize + checkpointHeaderSize;
  if (size < expected) return fmt::format("is truncated: it has {} of its {} bytes", size, expected);
  if (size > expected) return fmt::format("is altered: it has {} bytes instead of {}", size, expected);
  try {
    if (computeHeader(path).hash != claimed.hash) return "is altered: its content does not match its hash";
  } catch (const RunError&) {
    return "cannot be read to its end";
  }
  return "";
}

}  // namespace mesowarp::io
