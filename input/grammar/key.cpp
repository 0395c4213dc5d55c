#include "input/grammar/key.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"

namespace mesowarp::input {
namespace {

std::string rangeText(const Range& range) {
  const bool low = std::isfinite(range.lowest), high = std::isfinite(range.highest);
  if (low && high && !range.above) return fmt::format(" from {} to {}", range.lowest, range.highest);
  return (low ? fmt::format(" {} {}", range.above ? ">" : ">=", range.lowest) : "") +
         (high ? fmt::format("{} <= {}", low ? " and" : "", range.highest) : "");
}

std::string typeText(const KeyInfo& field) {
  switch (field.type) {
  case Type::boolean:
    return "true or false";
  case Type::integer:
    return "an integer";
  case Type::number:
    return "a number";
  case Type::text:
    return "a string";
  case Type::name:
    return "a name of letters, digits, _ and -";
  case Type::choice:
    return (field.choices.size() > 2 ? "one of " : "") + enumerate(field.choices, "or");
  case Type::booleans:
    return "three times true or false, such as [true, true, false]";
  case Type::numbers:
    return "three numbers";
  case Type::wholes:
    return "three whole numbers";
  case Type::list:
    return "a number or a list of numbers, each";
  case Type::texts:
    return "a list of strings";
  case Type::names:
    return "a list of names";
  case Type::choices:
    return "a list of some of " + enumerate(field.choices, "and");
  case Type::pair:
    return "the names of two species, such as [\"A\", \"B\"], or \"*\"";
  case Type::letters:
    return "a table of names, such as { A = \"head\", B = \"tail\" }";
  }
  return "";
}

}  // namespace

bool When::holds(const Value& value) const {
  const auto* word = std::get_if<std::string>(&value);
  return word && std::find(values.begin(), values.end(), *word) != values.end();
}

std::string expectation(const KeyInfo& field) {
  return typeText(field) + rangeText(field.range) + (field.unit.empty() ? "" : " (" + field.unit + ")");
}

}  // namespace mesowarp::input
