#include "input/grammar/printable.hpp"

#include <fmt/format.h>

namespace mesowarp::input {
namespace {

unsigned byteAt(std::string_view text, std::size_t k) {
  return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
}

// Bytes of the UTF-8 character at k, none if there is none: RFC 3629's table, overlong forms and surrogates left out.
std::size_t characterLength(std::string_view text, std::size_t k) {
  const unsigned first = byteAt(text, k), second = byteAt(text, k + 1);
  const auto follows = [&](std::size_t n) { return (byteAt(text, k + n) & 0xC0) == 0x80; };
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const bool fits = first == 0xE0 ? second >= 0xA0 : first == 0xED ? second < 0xA0 : true;
    return fits && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    const bool fits = first == 0xF0 ? second >= 0x90 : first == 0xF4 ? second < 0x90 : true;
    return fits && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool isControl(std::string_view character) {
  const unsigned first = byteAt(character, 0);
  if (character.size() == 1) return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
  return character.size() == 2 && first == 0xC2 && byteAt(character, 1) < 0xA0;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string result;
  for (std::size_t k = 0; k < text.size();) {
    if (result.size() >= most) return result + fmt::format("... ({} more bytes)", text.size() - k);
    const std::size_t length = characterLength(text, k);
    const std::string_view character = text.substr(k, length == 0 ? 1 : length);
    if (length == 0 || isControl(character))
      for (std::size_t n = 0; n < character.size(); ++n) result += fmt::format("\\x{:02X}", byteAt(character, n));
    else
      result += character;
    k += character.size();
  }
  return result;
}

}  // namespace mesowarp::input
