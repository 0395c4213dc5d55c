#include "input/grammar/reference.hpp"

#include <cmath>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"
#include "input/schema.hpp"

namespace mesowarp::input {
namespace {

const char* const introduction = R"(# Deck reference

Written by `mesowarp reference` from the tables in `input/schema_*.cpp`; a test holds this page against them.

A deck is a [TOML](https://toml.io) file. All quantities are in reduced units: length *r_c*, mass *m*, energy *k_BT*,
time *r_c (m / k_BT)^1/2*. `[name]` stands once; `[[name]]` may stand any number of times. Whole numbers are welcome
where a number is expected. `--set block.key=value` on the command line overrides the deck; in a list of blocks the
block is named by its number from 0 or by its name: `--set population.0.density=4`, `--set population.water.count=100`.
`mesowarp check DECK` prints every error at once and the deck with every default filled in.

```toml
[run]
steps = 10000
timestep = 0.01

[box]
size = [10.0, 10.0, 10.0]

[[population]]
name = "water"
species = "W"
density = 3.0

[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
```
)";

const char* typeName(Type type) {
  switch (type) {
  case Type::boolean:
    return "boolean";
  case Type::integer:
    return "integer";
  case Type::number:
    return "number";
  case Type::text:
    return "string";
  case Type::name:
    return "name";
  case Type::choice:
    return "choice";
  case Type::booleans:
    return "3 booleans";
  case Type::numbers:
    return "3 numbers";
  case Type::wholes:
    return "3 whole numbers";
  case Type::list:
    return "number or numbers";
  case Type::texts:
    return "strings";
  case Type::names:
    return "names";
  case Type::choices:
    return "choices";
  case Type::pair:
    return "2 names or \"*\"";
  case Type::letters:
    return "table";
  }
  return "";
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string allowed(const KeyInfo& field) {
  std::string text;
  for (const auto& word : field.choices) text += (text.empty() ? "" : ", ") + code(quoted(word));
  const Range& range = field.range;
  if (std::isfinite(range.lowest)) text += fmt::format("{} {}", range.above ? ">" : "≥", range.lowest);
  if (std::isfinite(range.highest)) text += fmt::format("{}≤ {}", text.empty() ? "" : ", ", range.highest);
  return text;
}

std::string conditions(const KeyInfo& field) {
  std::string text;
  for (const When& condition : field.when)
    text += (text.empty() ? "*Only for " : " and ") + condition.key + " = " + enumerate(condition.values, "or");
  return text.empty() ? text : text + ".* ";
}

template <class T>
std::string defaultText(const Key<T>& field) {
  if (field.required) return "**required**";
  return field.defaultText.empty() ? code(tomlText(defaultOf(field))) : field.defaultText;
}

template <class T>
std::string section(const Block<T>& block) {
  std::string text = fmt::format("\n## {}\n\n{}{}\n\n", block.many ? "[[" + block.name + "]]" : "[" + block.name + "]",
                                 block.about, block.required ? " Required." : "");
  text += "| key | type | unit | default | allowed | meaning |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const auto& field : block.fields)
    text += fmt::format("| {} | {} | {} | {} | {} | {}{} |\n", code(field.key), typeName(field.type), field.unit,
                        defaultText(field), allowed(field), conditions(field), field.about);
  return block.behind.empty() ? text : text + "\n" + block.behind;
}

}  // namespace

std::string referenceMarkdown() {
  std::string text = introduction;
  forEachBlock([&](const auto& schema, auto) { text += section(schema); });
  return text;
}

}  // namespace mesowarp::input
