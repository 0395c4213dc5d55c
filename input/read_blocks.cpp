#include "input/read_blocks.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "input/grammar/convert.hpp"
#include "input/grammar/suggest.hpp"
#include "input/schema.hpp"

namespace mesowarp::input {
namespace {

std::string title(const BlockInfo& block) { return block.many ? "[[" + block.name + "]]" : "[" + block.name + "]"; }

// "; it belongs in [run]" for a key that another block has.
std::string otherHome(const std::string& key) {
  std::string home;
  forEachBlock([&](const auto& schema, auto) {
    const auto keys = schema.keys();
    if (home.empty() && std::find(keys.begin(), keys.end(), key) != keys.end())
      home = "; it belongs in " + title(schema);
  });
  return home;
}

class Reader {
public:
  Reader(const Table& root, const std::string& file) : root_(root) { out_.deck.file = file; }

  BlocksRead read() {
    std::vector<std::string> known;
    forEachBlock([&](const auto& schema, auto member) {
      known.push_back(schema.name);
      readAll(schema, memberOf(out_.deck, member));
    });
    for (const Member& member : root_)
      if (std::find(known.begin(), known.end(), member.key) == known.end()) refuseBlock(member, known);
    return std::move(out_);
  }

private:
  void error(const Source& where, std::string message) { out_.diagnostics.push_back({where, std::move(message)}); }

  void refuseBlock(const Member& member, const std::vector<std::string>& known) {
    const std::string home = member.node.table() || member.node.array() ? "" : otherHome(member.key);
    error(member.where, fmt::format("unknown {} {}{}", member.node.table() || member.node.array() ? "block" : "key",
                                    quoted(member.key), home.empty() ? suggestion(member.key, known) : home));
    // The blocks that were meant are not there; what they would have held is not missing.
    const std::string meant = nearest(member.key, known);
    if (!meant.empty()) out_.broken.insert(meant);
  }

  // The methods of the tree's populations, before anything of them is checked.
  std::vector<const MethodBlocks*> methods() const {
    std::vector<const MethodBlocks*> found;
    const Member* populations = findMember(root_, "population");
    const Array* array = populations ? populations->node.array() : nullptr;
    for (std::size_t k = 0; array && k < array->size(); ++k) {
      const Member* kind = (*array)[k].table() ? findMember(*(*array)[k].table(), "kind") : nullptr;
      const auto* word = kind ? std::get_if<std::string>(&kind->node.data) : nullptr;
      if (const MethodBlocks* method = kindOwner(word ? *word : "")) found.push_back(method);
    }
    if (found.empty()) found.push_back(methodBlocks().front());
    return found;
  }

  // A block that no deck of a method which has it for itself may have is not missing beside that method.
  bool missing(const BlockInfo& block) const {
    if (!block.required) return false;
    for (const MethodBlocks* method : methods())
      if (!method->whyAlone().empty() && !method->takes(block.name)) return false;
    return isFor(methods(), block) && std::none_of(root_.begin(), root_.end(),
                                                   [&](const Member& m) { return nearest(m.key, {block.name}) != ""; });
  }

  template <class T>
  void readAll(const Block<T>& schema, T& object) {
    const Member* block = findMember(root_, schema.name);
    if (!block) {
      if (missing(schema)) error({}, "missing block " + title(schema));
      static const Member none{"", {}, {{}, Table{}}};
      readBlock(schema, *none.node.table(), "", object);  // for the defaults alone
    } else if (const Table* table = block->node.table()) {
      out_.deck.sources[schema.name] = block->node.where;
      readBlock(schema, *table, schema.name, object);
    } else {
      out_.broken.insert(schema.name);
      error(block->where, fmt::format("there is one {0}: write [{0}], once, not {1}", schema.name,
                                      block->node.array() ? "[[" + schema.name + "]]" : describe(block->node)));
    }
  }

  template <class T>
  void readAll(const Block<T>& schema, std::vector<T>& list) {
    const Member* blocks = findMember(root_, schema.name);
    if (!blocks) {
      if (missing(schema)) error({}, "missing block " + title(schema));
      return;
    }
    const Array* array = blocks->node.array();
    const bool tables = array && std::all_of(array->begin(), array->end(), [](const Node& n) { return n.table(); });
    if (!tables) {
      out_.broken.insert(schema.name);
      return error(blocks->where, fmt::format("there may be several {0} blocks: write [[{0}]], not {1}", schema.name,
                                              blocks->node.table() ? "[" + schema.name + "]" : describe(blocks->node)));
    }
    if (array->empty() && schema.required) error(blocks->where, "missing block " + title(schema));
    for (const Node& node : *array) {
      const std::string path = fmt::format("{}.{}", schema.name, list.size());
      out_.deck.sources[path] = node.where;
      T object;
      object.where = node.where;
      readBlock(schema, *node.table(), path, object);
      list.push_back(std::move(object));
    }
  }

  // First the fields that every such block has, among them its style; then those that depend on it.
  template <class T>
  void readBlock(const Block<T>& schema, const Table& table, const std::string& path, T& object) {
    const std::size_t before = out_.diagnostics.size();
    const auto keys = schema.keys();
    for (const Member& member : table) {
      if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
      const std::string home = nearest(member.key, keys).empty() ? otherHome(member.key) : "";
      error(member.where, fmt::format("unknown key {} in {}{}", quoted(member.key), title(schema),
                                      home.empty() ? suggestion(member.key, keys) : home));
    }
    std::set<std::string> failed;
    for (const auto& field : schema.fields)
      if (field.when.empty()) readField(schema, field, table, path, object, failed);
    for (const auto& field : schema.fields) {
      const bool styleUnknown =
          std::any_of(field.when.begin(), field.when.end(), [&](const When& w) { return failed.count(w.key) > 0; });
      if (field.when.empty() || styleUnknown) continue;
      if (applies(schema, field, object))
        readField(schema, field, table, path, object, failed);
      else
        refuseMisplaced(schema, field, table, object);
    }
    if (out_.diagnostics.size() > before) out_.broken.insert(schema.name);
  }

  template <class T>
  void readField(const Block<T>& schema, const Key<T>& field, const Table& table, const std::string& path, T& object,
                 std::set<std::string>& failed) {
    const Member* member = findMember(table, field.key);
    if (!member) {
      if (field.fallback) field.set(object, *field.fallback);
      if (!field.required || path.empty()) return;
      failed.insert(field.key);
      const auto keys = schema.keys();  // a misspelt key is not missing too
      const bool misspelt = std::any_of(table.begin(), table.end(), [&](const Member& m) {
        return std::find(keys.begin(), keys.end(), m.key) == keys.end() && nearest(m.key, keys) == field.key;
      });
      if (misspelt) return;
      return error(sourceOf(out_.deck, path),
                   fmt::format("{} needs {}: {}; {}", title(schema), field.key, expectation(field), field.about));
    }
    out_.deck.sources[path + "." + field.key] = member->node.where;
    if (const auto value = convert(field, member->node, out_.diagnostics))
      field.set(object, *value);
    else
      failed.insert(field.key);
  }

  // A key that is given although the block's style has no such parameter.
  template <class T>
  void refuseMisplaced(const Block<T>& schema, const KeyInfo& field, const Table& table, const T& object) {
    const Member* member = findMember(table, field.key);
    const auto fits = [&](const auto& other) { return other.key == field.key && applies(schema, other, object); };
    if (!member || std::any_of(schema.fields.begin(), schema.fields.end(), fits)) return;
    const auto* first =
        &*std::find_if(schema.fields.begin(), schema.fields.end(), [&](const auto& f) { return f.key == field.key; });
    if (first != &field) return;  // told once
    for (const When& condition : field.when) {
      const auto style = std::find_if(schema.fields.begin(), schema.fields.end(),
                                      [&](const auto& f) { return f.key == condition.key; });
      if (condition.holds(style->get(object))) continue;
      std::vector<std::string> values = condition.values;
      for (const auto& other : schema.fields)
        if (other.key == field.key && &other != &field)
          values.insert(values.end(), other.when[0].values.begin(), other.when[0].values.end());
      return error(member->where,
                   fmt::format("{} is only for {} = {}; this block has {} = {}", field.key, condition.key,
                               enumerate(values, "or"), condition.key, tomlText(style->get(object))));
    }
  }

  const Table& root_;
  BlocksRead out_;
};

}  // namespace

BlocksRead readBlocks(const Node& root, const std::string& file) { return Reader(*root.table(), file).read(); }

}  // namespace mesowarp::input
