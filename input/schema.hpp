// The deck's grammar, declared once: each parameter of each block with its type, unit, default, range and meaning.
// Parsing, range checks, suggestions, the resolved deck and docs/reference.md all come from these tables; the defaults
// are those of the structs in deck.hpp. A new parameter is one member there and one line in a schema_*.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/grammar/field.hpp"

namespace mesowarp::input {

struct BlockInfo {
  std::string name;
  bool many = false;  // [[name]], any number of them; else [name], once
  bool required = false;
  std::string nameKey;  // many: --set name.NAME.key=… finds the block by this key, besides by number
  std::string about;
  std::optional<Method> only = {};  // the block is for decks of this method
};

template <class T>
struct Block : BlockInfo {
  std::vector<Field<T>> fields;

  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const auto& field : fields)
      if (all.empty() || all.back() != field.key) all.push_back(field.key);
    return all;
  }
};

// Defined for each block of the deck.
template <class T>
const Block<T>& schemaOf();

template <>
const Block<Run>& schemaOf<Run>();
template <>
const Block<Box>& schemaOf<Box>();
template <>
const Block<Integrator>& schemaOf<Integrator>();
template <>
const Block<Neighbor>& schemaOf<Neighbor>();
template <>
const Block<Sums>& schemaOf<Sums>();
template <>
const Block<Parallel>& schemaOf<Parallel>();
template <>
const Block<Nbody>& schemaOf<Nbody>();
template <>
const Block<Electrostatics>& schemaOf<Electrostatics>();
template <>
const Block<Population>& schemaOf<Population>();
template <>
const Block<Interaction>& schemaOf<Interaction>();
template <>
const Block<Bond>& schemaOf<Bond>();
template <>
const Block<Boundary>& schemaOf<Boundary>();
template <>
const Block<Drive>& schemaOf<Drive>();
template <>
const Block<Measure>& schemaOf<Measure>();
template <>
const Block<Output>& schemaOf<Output>();

// Calls visit(schema, pointer to the Deck's member: a struct or a vector of them), in the order of the reference.
template <class Visit>
void forEachBlock(Visit&& visit) {
  visit(schemaOf<Run>(), &Deck::run);
  visit(schemaOf<Box>(), &Deck::box);
  visit(schemaOf<Integrator>(), &Deck::integrator);
  visit(schemaOf<Neighbor>(), &Deck::neighbor);
  visit(schemaOf<Sums>(), &Deck::sums);
  visit(schemaOf<Parallel>(), &Deck::parallel);
  visit(schemaOf<Nbody>(), &Deck::nbody);
  visit(schemaOf<Electrostatics>(), &Deck::electrostatics);
  visit(schemaOf<Population>(), &Deck::populations);
  visit(schemaOf<Interaction>(), &Deck::interactions);
  visit(schemaOf<Bond>(), &Deck::bonds);
  visit(schemaOf<Boundary>(), &Deck::boundaries);
  visit(schemaOf<Drive>(), &Deck::drives);
  visit(schemaOf<Measure>(), &Deck::measures);
  visit(schemaOf<Output>(), &Deck::outputs);
}

// Whether a field applies to a block as it stands: its style has the parameter.
template <class T>
bool applies(const Block<T>& block, const FieldInfo& field, const T& object) {
  for (const When& condition : field.when)
    for (const auto& other : block.fields)
      if (other.key == condition.key && !condition.holds(other.get(object))) return false;
  return true;
}

// The value of a field that a deck leaves out.
template <class T>
Value defaultOf(const Field<T>& field) {
  return field.fallback ? *field.fallback : field.get(T{});
}

}  // namespace mesowarp::input
