#include "input/grammar/convert.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"

namespace mesowarp::input {
namespace {

bool inside(const Range& range, double number) {
  return std::isfinite(number) && (range.above ? number > range.lowest : number >= range.lowest) &&
         number <= range.highest;
}

class Converter {
public:
  Converter(const KeyInfo& field, std::vector<Diagnostic>& diagnostics) : field_(field), diagnostics_(diagnostics) {}

  std::optional<Value> convert(const Node& node) {
    switch (field_.type) {
    case Type::boolean:
      return scalar<bool>(node);
    case Type::integer:
      return integer(node);
    case Type::number:
      return number(node);
    case Type::text:
      return scalar<std::string>(node);
    case Type::name:
      return text(node, false);
    case Type::choice:
      return text(node, true);
    case Type::booleans:
      return list<bool>(node, 3, [this](const Node& item) { return scalar<bool>(item); });
    case Type::numbers:
      return list<double>(node, 3, [this](const Node& item) { return number(item); });
    case Type::wholes:
      return list<double>(node, 3, [this](const Node& item) { return integer(item); });
    case Type::list:
      return numberOrNumbers(node);
    case Type::texts:
      return list<std::string>(node, 0, [this](const Node& item) { return scalar<std::string>(item); });
    case Type::names:
      return list<std::string>(node, 0, [this](const Node& item) { return text(item, false); });
    case Type::choices:
      return choices(node);
    case Type::pair:
      return pair(node);
    case Type::letters:
      return letters(node);
    }
    return std::nullopt;
  }

private:
  std::nullopt_t refuse(const Node& node, const std::string& hint = "") {
    constexpr std::size_t mostAhead = 300;  // what is wrong stands before a list that goes on, and may be cut off
    const std::string expected = expectation(field_), found = describe(node) + hint;
    diagnostics_.push_back({node.where, expected.size() < mostAhead
                                            ? fmt::format("{}: expected {}, found {}", field_.key, expected, found)
                                            : fmt::format("{}: found {}; expected {}", field_.key, found, expected)});
    return std::nullopt;
  }

  template <class T>
  std::optional<T> scalar(const Node& node) {
    const auto* value = std::get_if<T>(&node.data);
    if (!value) return refuse(node);
    return *value;
  }

  std::optional<double> number(const Node& node) {
    const auto* whole = std::get_if<std::int64_t>(&node.data);
    const auto* real = std::get_if<double>(&node.data);
    if (!whole && !real) return refuse(node);
    const double value = whole ? static_cast<double>(*whole) : *real;
    if (!(std::abs(value) <= largestNumber)) return refuse(node, ", which is no size for a simulation");
    if (!inside(field_.range, value)) return refuse(node);
    return value + 0.0;  // no negative zero
  }

  std::optional<Value> numberOrNumbers(const Node& node) {
    const auto one = [this](const Node& item) { return number(item); };
    if (!node.array()) {
      const auto value = one(node);
      return value ? std::optional<Value>(std::vector<double>{*value}) : std::nullopt;
    }
    auto values = list<double>(node, 0, one);
    if (!values) return std::nullopt;
    if (values->empty()) return refuse(node);
    return *values;
  }

  // 1e6 is taken as an integer, since it is one.
  std::optional<std::int64_t> integer(const Node& node) {
    const auto* whole = std::get_if<std::int64_t>(&node.data);
    const auto* real = std::get_if<double>(&node.data);
    const bool exact = real && std::abs(*real) < 9e15 && *real == std::floor(*real);
    if (!whole && !exact) return refuse(node);
    const std::int64_t value = whole ? *whole : static_cast<std::int64_t>(*real);
    if (!inside(field_.range, static_cast<double>(value))) return refuse(node);
    return value;
  }

  std::optional<std::string> text(const Node& node, bool isChoice) {
    const auto* value = std::get_if<std::string>(&node.data);
    if (!value) return refuse(node);
    if (!isChoice) return isName(*value) ? std::optional(*value) : refuse(node);
    if (std::find(field_.choices.begin(), field_.choices.end(), *value) != field_.choices.end()) return *value;
    const std::string near = nearest(*value, field_.choices);
    return refuse(node, near.empty() ? "" : "; did you mean " + quoted(near) + "?");
  }

  // size 0: of any length.
  template <class T, class Item>
  std::optional<std::vector<T>> list(const Node& node, std::size_t size, Item item) {
    const auto* array = node.array();
    if (!array || (size > 0 && array->size() != size)) return refuse(node);
    std::vector<T> values;
    for (const Node& element : *array)
      if (const auto value = item(element)) values.push_back(*value);
    if (values.size() != array->size()) return std::nullopt;
    return values;
  }

  std::optional<Value> choices(const Node& node) {
    auto values = list<std::string>(node, 0, [this](const Node& item) { return text(item, true); });
    if (!values) return std::nullopt;
    if (values->empty()) return refuse(node);
    for (std::size_t k = 1; k < values->size(); ++k)
      if (std::find(values->begin(), values->begin() + static_cast<std::ptrdiff_t>(k), (*values)[k]) !=
          values->begin() + static_cast<std::ptrdiff_t>(k))
        return refuse((*node.array())[k], " a second time");
    return *values;
  }

  std::optional<Value> pair(const Node& node) {
    if (const auto* all = std::get_if<std::string>(&node.data)) {
      if (*all != "*") return refuse(node, "; for one species among itself write it twice");
      return std::vector<std::string>{"*", "*"};
    }
    auto names = list<std::string>(node, 2, [this](const Node& item) -> std::optional<std::string> {
      const auto* name = std::get_if<std::string>(&item.data);
      return name && (*name == "*" || isName(*name)) ? std::optional(*name) : refuse(item);
    });
    if (!names) return std::nullopt;
    return *names;
  }

  std::optional<Value> letters(const Node& node) {
    const auto* table = node.table();
    if (!table) return refuse(node);
    std::map<std::string, std::string> values;
    for (const Member& member : *table) {
      const auto* name = std::get_if<std::string>(&member.node.data);
      if (member.key.size() != 1 || !isName(member.key))
        diagnostics_.push_back({member.where, fmt::format("{}: expected a single letter or digit, found {}", field_.key,
                                                          quoted(member.key))});
      else if (!name || !isName(*name))
        refuse(member.node);
      else
        values[member.key] = *name;
    }
    if (values.size() != table->size()) return std::nullopt;
    return values;
  }

  const KeyInfo& field_;
  std::vector<Diagnostic>& diagnostics_;
};

}  // namespace

bool isName(const std::string& text) {
  return !text.empty() && text.size() <= 100 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::optional<Value> convert(const KeyInfo& field, const Node& node, std::vector<Diagnostic>& diagnostics) {
  return Converter(field, diagnostics).convert(node);
}

}  // namespace mesowarp::input
