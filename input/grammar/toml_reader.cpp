#include "input/grammar/toml_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <toml++/toml.h>

namespace mesowarp::input {
namespace {

Source sourceOf(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), ""};
}

// toml++ limits how deep arrays and inline tables nest, but not dotted keys: "a.a.a. …" of a whole file would exhaust
// the stack when the tree is destroyed. No deck has more than a few dots a line, but for those of numbers in a list,
// where a comma ends what may be a key. In a line with quotes it need not: they may be around it.
constexpr int mostDots = 64;

bool hasTooManyDots(std::string_view line) {
  const bool quotes = line.find_first_of("\"'") != std::string_view::npos;
  int dots = 0;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == ',' && !quotes) dots = 0;
    const bool ellipsis = k + 1 < line.size() && line[k + 1] == '.';
    if (line[k] == '.' && !ellipsis && ++dots > mostDots) return true;
  }
  return false;
}

int lineWithTooManyDots(std::string_view text) {
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (hasTooManyDots(text.substr(begin, end - begin))) return line;
    begin = end + 1;
  }
  return 0;
}

Node toNode(const toml::node& from) {
  Node node{sourceOf(from.source()), {}};
  if (const auto* table = from.as_table()) {
    Table members;
    members.reserve(table->size());
    for (const auto& [key, value] : *table) {
      members.push_back({std::string(key.str()), sourceOf(key.source()), toNode(value)});
      // A table that a dotted header created has no place of its own; its key has.
      if (members.back().node.where.line == 0) members.back().node.where = members.back().where;
    }
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.key < b.key; });
    node.data = std::move(members);
  } else if (const auto* array = from.as_array()) {
    Array items;
    items.reserve(array->size());
    for (const auto& item : *array) items.push_back(toNode(item));
    node.data = std::move(items);
  } else if (const auto* text = from.as_string()) {
    node.data = text->get();
  } else if (const auto* integer = from.as_integer()) {
    node.data = integer->get();
  } else if (const auto* number = from.as_floating_point()) {
    node.data = number->get();
  } else if (const auto* flag = from.as_boolean()) {
    node.data = flag->get();
  }
  return node;
}

void moveTo(Node& node, const Source& where) {
  node.where = where;
  if (auto* array = node.array())
    for (auto& item : *array) moveTo(item, where);
  if (auto* table = node.table())
    for (auto& member : *table) member.where = where, moveTo(member.node, where);
}

}  // namespace

std::optional<Node> readToml(const std::string& text, std::vector<Diagnostic>& diagnostics) {
  if (text.size() > largestDeck) {
    diagnostics.push_back({{}, fmt::format("this is no deck: it is larger than {} MiB", largestDeck >> 20)});
    return std::nullopt;
  }
  if (const int line = lineWithTooManyDots(text)) {
    diagnostics.push_back({{line, 1, ""}, fmt::format("more than {} dots on one line", mostDots)});
    return std::nullopt;
  }
  try {
    const toml::parse_result parsed = toml::parse(std::string_view(text));
    return toNode(parsed);
  } catch (const toml::parse_error& error) {
    diagnostics.push_back({sourceOf(error.source()), "this is no valid TOML: " + std::string(error.description())});
  } catch (const std::exception& error) {
    diagnostics.push_back({{}, "this is no valid TOML: " + std::string(error.what())});
  }
  return std::nullopt;
}

std::optional<Node> readTomlValue(const std::string& text, const Source& where) {
  std::vector<Diagnostic> ignored;
  std::optional<Node> node;
  if (auto root = readToml("value = " + text, ignored); root && root->table()->size() == 1)
    node = std::move(root->table()->front().node);
  else if (!text.empty() && std::string("[{\"'").find(text.front()) == std::string::npos)
    node = Node{where, text};
  if (node) moveTo(*node, where);
  return node;
}

}  // namespace mesowarp::input
