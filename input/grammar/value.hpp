// Values of a deck, apart from any TOML library: what a parameter holds (Value), and the tree a deck is read as (Node).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::input {

using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<bool>, std::vector<double>,
                           std::vector<std::string>, std::map<std::string, std::string>>;

// As TOML text that reads back as the same value, bit for bit.
std::string tomlText(const Value& value);
// In quotes, with control characters escaped.
std::string quoted(const std::string& text);

struct Member;
struct Node;
using Array = std::vector<Node>;
using Table = std::vector<Member>;  // sorted by key

// A TOML value and where it stands. std::monostate: a date or a time, which no parameter takes.
struct Node {
  Source where;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Table> data;

  const Table* table() const { return std::get_if<Table>(&data); }
  Table* table() { return std::get_if<Table>(&data); }
  const Array* array() const { return std::get_if<Array>(&data); }
  Array* array() { return std::get_if<Array>(&data); }
};

struct Member {
  std::string key;
  Source where;  // of the key
  Node node;
};

const Member* findMember(const Table& table, const std::string& key);
Node* findNode(Table& table, const std::string& key);
// What a user sees in an error: `2.5`, `the string "abc"`, `an array of 2`.
std::string describe(const Node& node);

}  // namespace mesowarp::input
