#include "io/text/text_reader.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "io/files/file_system.hpp"

namespace mesowarp::io {

namespace {

constexpr std::string_view blank = " \t\r\v\f";

// What an error message shows of a word: printable and not too long.
std::string shown(std::string_view word) {
  std::string result(word.substr(0, 40));
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  return word.size() > 40 ? result + "..." : result;
}

// from_chars takes no plus sign.
std::string_view withoutPlus(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

}  // namespace

TextReader::TextReader(const std::string& path) : path_(path) {
  if (const auto why = whyNoFile(path); !why.empty()) throw InputError("cannot read " + path + ": it " + why);
  in_.open(path, std::ios::binary);
  if (!in_) throw InputError("cannot read " + path + ": " + systemText(errno));
}

bool TextReader::next() {
  words_.clear();
  comment_ = {};
  if (!std::getline(in_, raw_)) {
    if (in_.bad()) fail("cannot be read further");
    return false;
  }
  ++line_;
  std::string_view rest = raw_;
  if (const auto hash = rest.find('#'); hash != std::string_view::npos) {
    comment_ = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  while (true) {
    const auto begin = rest.find_first_not_of(blank);
    if (begin == std::string_view::npos) return true;
    rest.remove_prefix(begin);
    const auto end = std::min(rest.find_first_of(blank), rest.size());
    words_.push_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
}

bool TextReader::nextFilled() {
  while (next())
    if (!words_.empty()) return true;
  return false;
}

std::string TextReader::text() const { return fmt::format("{}", fmt::join(words_, " ")); }

double TextReader::real(std::size_t word, std::string_view what) const {
  if (word >= words_.size()) fail(fmt::format("{} is missing", what));
  const std::string_view given = withoutPlus(words_[word]);
  double value = 0.0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc() || end != given.data() + given.size() || !std::isfinite(value))
    fail(fmt::format("{} should be a number, not \"{}\"", what, shown(words_[word])));
  return value;
}

std::int64_t TextReader::integer(std::size_t word, std::string_view what, std::int64_t low, std::int64_t high) const {
  if (word >= words_.size()) fail(fmt::format("{} is missing", what));
  const std::string_view given = withoutPlus(words_[word]);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error == std::errc::invalid_argument || end != given.data() + given.size())
    fail(fmt::format("{} should be an integer, not \"{}\"", what, shown(words_[word])));
  if (error != std::errc() || value < low || value > high)
    fail(fmt::format("{} {} is not in {} to {}", what, shown(words_[word]), low, high));
  return value;
}

void TextReader::fail(const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", path_, line_, message));
}

}  // namespace mesowarp::io
