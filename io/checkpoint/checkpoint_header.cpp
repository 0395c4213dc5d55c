#include "io/checkpoint/checkpoint_header.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint_hash.hpp"
#include "io/files/file_system.hpp"

namespace mesowarp::io {

namespace {

constexpr const char* hashLabel(unsigned version) { return version == 1 ? "xxh3-64 " : "xxh3-64 of blocks "; }

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
  std::string text = fmt::format("{}version {}\npayload {:020}\n{}{:016x}\n", checkpointMagic, header.version,
                                 header.payloadSize, hashLabel(header.version), header.hash);
  text.resize(checkpointHeaderSize - 1, ' ');
  return text + '\n';
}

CheckpointHeader computeHeader(const std::string& path, Ranks ranks) {
  onAll(ranks, [&] { syncFile(path); });
  CheckpointHeader header;
  header.payloadSize = payloadSizeOf(path, ranks);
  header.hash = hashOfBlocks(path, header.payloadSize, ranks);
  return header;
}

namespace {

// What the header and the file's size tell; the header, if nothing is wrong.
std::string faultOfHeader(const std::string& path, CheckpointHeader& claimed) {
  const std::string bytes = readHeaderBytes(path);
  const std::string_view magic = checkpointMagic;
  const std::string_view front = std::string_view(bytes).substr(0, magic.size());
  if (bytes.size() < checkpointHeaderSize && magic.starts_with(front))
    return fmt::format("is truncated: it has only {} bytes", bytes.size());
  if (front != magic) return "is not a mesowarp checkpoint";
  if (bytes.size() < checkpointHeaderSize) return fmt::format("is truncated: it has only {} bytes", bytes.size());

  std::string_view rest = std::string_view(bytes).substr(magic.size());
  if (!takeLine(rest, "version ", 10, claimed.version)) return "is altered: its header is damaged";
  if (claimed.version == 0 || claimed.version > checkpointVersion)
    return fmt::format("has checkpoint format version {}; this mesowarp reads versions 1 to {}", claimed.version,
                       checkpointVersion);
  if (!takeLine(rest, "payload ", 10, claimed.payloadSize) ||
      !takeLine(rest, hashLabel(claimed.version), 16, claimed.hash) || formatHeader(claimed) != bytes)
    return "is altered: its header is damaged";

  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) return "cannot be read: " + error.message();
  const std::uint64_t expected = claimed.payloadSize + checkpointHeaderSize;
  if (size < expected) return fmt::format("is truncated: it has {} of its {} bytes", size, expected);
  if (size > expected) return fmt::format("is altered: it has {} bytes instead of {}", size, expected);
  return "";
}

}  // namespace

std::string checkpointFault(const std::string& path, Ranks ranks) {
  CheckpointHeader claimed;
  std::string fault;
  onRoot(ranks, [&] { fault = faultOfHeader(path, claimed); });
  if (several(ranks)) fault = ranks->fromRank(0, fault);
  if (!fault.empty()) return fault;
  claimed.version = static_cast<unsigned>(fromRoot(ranks, std::uint64_t{claimed.version}));
  claimed.payloadSize = fromRoot(ranks, claimed.payloadSize);
  claimed.hash = fromRoot(ranks, claimed.hash);
  if (claimed.version == 1 && several(ranks))
    return "has format version 1, which does not tell ranks their rows: resume it on one rank; the next checkpoint is "
           "for any number of them";
  try {
    const std::uint64_t hash =
        claimed.version == 1 ? hashOfWhole(path) : hashOfBlocks(path, claimed.payloadSize, ranks);
    if (hash != claimed.hash) return "is altered: its content does not match its hash";
  } catch (const RunError&) {
    return "cannot be read to its end";
  }
  return "";
}

}  // namespace mesowarp::io
