#include "input/grammar/overrides.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "input/grammar/suggest.hpp"
#include "input/grammar/toml_reader.hpp"
#include "input/schema.hpp"

namespace mesowarp::input {
namespace {

constexpr std::size_t deepestPath = 8;

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else if (c != ' ' && c != '\t')
      parts.back() += c;
  }
  return parts;
}

std::optional<std::size_t> asIndex(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::optional<std::size_t>(std::stoul(text)) : std::nullopt;
}

const BlockInfo* blockNamed(const std::string& name) {
  const BlockInfo* found = nullptr;
  forEachBlock([&](const auto& schema, auto) {
    if (schema.name == name) found = &schema;
  });
  return found;
}

// The child of that key, made if there is none.
Node& childOf(Table& table, const std::string& key, const Source& where) {
  const auto at = std::lower_bound(table.begin(), table.end(), key,
                                   [](const Member& m, const std::string& k) { return m.key < k; });
  if (at != table.end() && at->key == key) return at->node;
  return table.insert(at, Member{key, where, Node{where, Table{}}})->node;
}

// One override: walks down the path and replaces what stands there.
class Setter {
public:
  Setter(const Source& where, std::vector<Diagnostic>& diagnostics) : where_(where), diagnostics_(diagnostics) {}

  void set(Node& root, const std::vector<std::string>& path, Node value) {
    Node* node = &root;
    for (std::size_t k = 0; k < path.size() && node; ++k) {
      const bool last = k + 1 == path.size();
      Array* array = node->array();
      if (array)
        node = item(*array, path, k);
      else if (Table* table = node->table())
        node = member(*table, path, k);
      else
        return refuse(fmt::format("{} is {} and has no {}", joined(path, k), describe(*node), quoted(path[k])));
      if (node && last) {
        const bool isBlock = node->table() && !value.table() && k == 0 && blockNamed(path[0]);
        if (isBlock) return refuse(fmt::format("{} is a block: name one of its keys, {}.KEY=VALUE", path[0], path[0]));
        *node = std::move(value);
        return;
      }
    }
  }

private:
  void refuse(std::string message) { diagnostics_.push_back({where_, std::move(message)}); }

  static std::string joined(const std::vector<std::string>& path, std::size_t parts) {
    std::string text;
    for (std::size_t k = 0; k < parts; ++k) text += (k ? "." : "") + path[k];
    return text;
  }

  Node* member(Table& table, const std::vector<std::string>& path, std::size_t k) {
    const BlockInfo* block = k == 0 ? blockNamed(path[0]) : nullptr;
    Node& child = childOf(table, path[k], where_);
    if (block && block->many && child.table() && child.table()->empty()) child.data = Array{};
    // A value marks its own key as overridden, so that errors about the key name the override.
    if (k + 1 == path.size())
      for (Member& m : table)
        if (m.key == path[k]) m.where = where_;
    return &child;
  }

  Node* item(Array& array, const std::vector<std::string>& path, std::size_t k) {
    const BlockInfo* block = k == 1 ? blockNamed(path[0]) : nullptr;
    std::vector<std::string> names;
    for (Node& node : array) {
      Table* table = node.table();
      Node* name = block && table ? findNode(*table, block->nameKey) : nullptr;
      const auto* text = name ? std::get_if<std::string>(&name->data) : nullptr;
      if (text && *text == path[k]) return &node;
      if (text) names.push_back(*text);
    }
    if (const auto index = asIndex(path[k])) {
      if (*index < array.size()) return &array[*index];
      if (block && *index == array.size()) return &array.emplace_back(Node{where_, Table{}});
      refuse(fmt::format("there is no {}.{}: {} has {}", joined(path, k), path[k], joined(path, k),
                         array.empty() ? "none yet, so the first is number 0"
                                       : fmt::format("{}, numbered from 0", array.size())));
    } else {
      refuse(fmt::format("there is no {} named {}{}", joined(path, k), quoted(path[k]),
                         names.empty() ? fmt::format("; name it by its number, {}.0", joined(path, k))
                                       : suggestion(path[k], names)));
    }
    return nullptr;
  }

  Source where_;
  std::vector<Diagnostic>& diagnostics_;
};

std::string blockWith(const std::string& key) {
  std::string path;
  forEachBlock([&](const auto& schema, auto) {
    const auto keys = schema.keys();
    if (path.empty() && std::find(keys.begin(), keys.end(), key) != keys.end())
      path = schema.name + (schema.many ? ".0." : ".") + key;
  });
  return path.empty() ? path : "; did you mean " + quoted(path) + "?";
}

void apply(Node& root, const Override& text, std::vector<Diagnostic>& diagnostics) {
  const Source where{0, 0, "--set " + text};
  const auto refuse = [&](std::string message) { diagnostics.push_back({where, std::move(message)}); };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return refuse("expected BLOCK.KEY=VALUE");
  const auto path = split(text.substr(0, equals));
  if (path.size() == 1)
    return refuse("expected BLOCK.KEY=VALUE" +
                  (blockNamed(path[0]) ? ", and " + path[0] + " is a block" : blockWith(path[0])));
  if (path.size() > deepestPath ||
      std::any_of(path.begin(), path.end(), [](const std::string& part) { return part.empty(); }))
    return refuse("expected BLOCK.KEY=VALUE");
  const std::size_t start = text.find_first_not_of(" \t", equals + 1);
  if (start == std::string::npos) return refuse("there is no value after the =");
  auto value = readTomlValue(text.substr(start), where);
  if (!value) return refuse("the value is no valid TOML");
  Setter(where, diagnostics).set(root, path, std::move(*value));
}

}  // namespace

void applyOverrides(Node& root, const std::vector<Override>& overrides, std::vector<Diagnostic>& diagnostics) {
  for (const Override& text : overrides) apply(root, text, diagnostics);
}

}  // namespace mesowarp::input
