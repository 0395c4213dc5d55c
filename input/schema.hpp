// The deck's grammar, declared once: each parameter of each block with its type, unit, default, range and meaning.
// Parsing, range checks, suggestions, the resolved deck and docs/reference.md all come from these tables; the defaults
// are those of the structs in deck.hpp. A new parameter that all methods share is one member there and one line in a
// schema_*.cpp; what a method adds, and blocks of its own, stand in its folder under physics/ (method.hpp).
#pragma once

#include <tuple>

#include "input/deck.hpp"
#include "input/grammar/block.hpp"
#include "input/method.hpp"

namespace mesowarp::input {

// The blocks that input/ has structs for, in the order of the reference. Methods' own follow [parallel].
struct SharedBlocks {
  std::tuple<Block<Run>, Block<BoxBlock>, Block<Integrator>, Block<Neighbor>, Block<Sums>, Block<Parallel>,
             Block<Population>, Block<Interaction>, Block<Bond>, Block<Angle>, Block<Dihedral>, Block<Boundary>,
             Block<Shape>, Block<Wall>, Block<Drive>, Block<Measure>, Block<Output>>
      all;

  template <class T>
  Block<T>& of() {
    return std::get<Block<T>>(all);
  }
};

// With all that methods add.
const SharedBlocks& sharedBlocks();

template <class T>
const Block<T>& schemaOf() {
  return std::get<Block<T>>(sharedBlocks().all);
}

// A method's own block of this description; its parameters live in the deck's `own`, as a Part.
template <class Part>
Block<Deck> ownBlock(BlockInfo info, std::vector<Key<Part>> fields) {
  Block<Deck> block{std::move(info), {}};
  for (auto& field : fields) block.fields.push_back(inOwn<Deck>(std::move(field)));
  return block;
}
struct Itself {};
// Of a block that there may be several of, a Block<OwnItem>: its parameters live in each item's `own`.
template <class Part>
Block<OwnItem> ownList(BlockInfo info, std::vector<Key<Part>> fields) {
  Block<OwnItem> block{std::move(info), {}};
  for (auto& field : fields) block.fields.push_back(inOwn<OwnItem>(std::move(field)));
  return block;
}
struct InList {
  std::string name;
};

template <class M>
M& memberOf(Deck& deck, M Deck::*member) {
  return deck.*member;
}
template <class M>
const M& memberOf(const Deck& deck, M Deck::*member) {
  return deck.*member;
}
inline Deck& memberOf(Deck& deck, Itself) { return deck; }
inline const Deck& memberOf(const Deck& deck, Itself) { return deck; }
inline std::vector<OwnItem>& memberOf(Deck& deck, const InList& list) { return deck.lists[list.name]; }
inline const std::vector<OwnItem>& memberOf(const Deck& deck, const InList& list) { return itemsOf(deck, list.name); }

// Calls visit(schema, place), in the order of the reference; memberOf(deck, place): a struct or a vector of them.
template <class Visit>
void forEachBlock(Visit&& visit) {
  visit(schemaOf<Run>(), &Deck::run);
  visit(schemaOf<BoxBlock>(), &Deck::box);
  visit(schemaOf<Integrator>(), &Deck::integrator);
  visit(schemaOf<Neighbor>(), &Deck::neighbor);
  visit(schemaOf<Sums>(), &Deck::sums);
  visit(schemaOf<Parallel>(), &Deck::parallel);
  for (const MethodBlocks* method : methodBlocks()) {
    for (const Block<Deck>* block : method->ownBlocks()) visit(*block, Itself{});
    for (const Block<OwnItem>* block : method->ownLists()) visit(*block, InList{block->name});
  }
  visit(schemaOf<Population>(), &Deck::populations);
  visit(schemaOf<Interaction>(), &Deck::interactions);
  visit(schemaOf<Bond>(), &Deck::bonds);
  visit(schemaOf<Angle>(), &Deck::angles);
  visit(schemaOf<Dihedral>(), &Deck::dihedrals);
  visit(schemaOf<Boundary>(), &Deck::boundaries);
  visit(schemaOf<Shape>(), &Deck::shapes);
  visit(schemaOf<Wall>(), &Deck::walls);
  visit(schemaOf<Drive>(), &Deck::drives);
  visit(schemaOf<Measure>(), &Deck::measures);
  visit(schemaOf<Output>(), &Deck::outputs);
}

}  // namespace mesowarp::input
