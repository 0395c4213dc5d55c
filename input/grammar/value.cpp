#include "input/grammar/value.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

namespace mesowarp::input {
namespace {

// The shortest decimal that reads back as the same double, always recognisable as TOML's floating point.
std::string numberText(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_not_of("+-0123456789") == std::string::npos) text += ".0";
  return text;
}

template <class List, class ToText>
std::string listText(const List& list, ToText toText) {
  std::string text = "[";
  for (std::size_t k = 0; k < list.size(); ++k) text += (k ? ", " : "") + toText(list[k]);
  return text + "]";
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a UTF-8 character
  return text.substr(0, end) + "...";
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const auto code = static_cast<unsigned char>(c);
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    if (code == 0xC2 && next >= 0x80 && next < 0xA0)  // U+0080 to U+009F, which terminals obey, too
      result += fmt::format("\\u{:04X}", next), ++k;
    else if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (code < 0x20 || code == 0x7F)
      result += fmt::format("\\u{:04X}", code);
    else
      result += c;
  }
  return result + "\"";
}

std::string tomlText(const Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>)
          return v ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::int64_t>)
          return std::to_string(v);
        else if constexpr (std::is_same_v<T, double>)
          return numberText(v);
        else if constexpr (std::is_same_v<T, std::string>)
          return quoted(v);
        else if constexpr (std::is_same_v<T, std::vector<bool>>)
          return listText(v, [](bool b) { return std::string(b ? "true" : "false"); });
        else if constexpr (std::is_same_v<T, std::vector<double>>)
          return listText(v, numberText);
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return listText(v, quoted);
        else {
          std::string text;
          for (const auto& [key, item] : v) text += (text.empty() ? "" : ", ") + quoted(key) + " = " + quoted(item);
          return text.empty() ? "{}" : "{ " + text + " }";
        }
      },
      value);
}

const Member* findMember(const Table& table, const std::string& key) {
  const auto it = std::lower_bound(table.begin(), table.end(), key,
                                   [](const Member& m, const std::string& k) { return m.key < k; });
  return it != table.end() && it->key == key ? &*it : nullptr;
}

Node* findNode(Table& table, const std::string& key) {
  const Member* member = findMember(table, key);
  return member ? const_cast<Node*>(&member->node) : nullptr;
}

std::string describe(const Node& node) {
  if (const auto* flag = std::get_if<bool>(&node.data)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&node.data)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&node.data)) return numberText(*number);
  if (const auto* text = std::get_if<std::string>(&node.data)) return "the string " + quoted(shortened(*text));
  if (const auto* array = node.array()) return fmt::format("an array of {}", array->size());
  return node.table() ? "a table" : "a date or time";
}

}  // namespace mesowarp::input
