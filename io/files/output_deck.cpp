// deck.toml in the output directory.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <xxhash.h>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "io/files/output_directory.hpp"

namespace mesowarp::io {

namespace {

std::string hashOf(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

void OutputDirectory::writeDeck(const std::string& text) {
  namespace fs = std::filesystem;
  const std::string path = directory_ + "/deck.toml";
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error))) {
    if (const auto why = whyNoFile(path); !why.empty())
      throw RunError(fmt::format("{} {}, so the run's deck cannot be written: move it away", path, why));
    std::ifstream file(path, std::ios::binary);
    const std::string old{std::istreambuf_iterator<char>(file), {}};
    if (old != text && hashOf(old) != mark_->deckHash()) {
      std::string kept;
      for (int n = 1; kept.empty() || fs::exists(fs::symlink_status(kept, error)); ++n)
        kept = fmt::format("{}/deck.{}.toml", directory_, n);
      renameDurably(path, kept);
      notes_.push_back("deck.toml was not as the program had written it; it was kept as " + kept);
    }
    if (old == text) return mark_->setDeckHash(hashOf(text));
  }
  writeFileAtomically(path, text);
  mark_->setDeckHash(hashOf(text));
}

}  // namespace mesowarp::io
