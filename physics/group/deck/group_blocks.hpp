// What groups add to decks of particles in a box: grammar, completion, checks, columns.
#pragma once

#include "input/complete.hpp"
#include "input/differences.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/schema.hpp"
#include "physics/group/deck/group_keys.hpp"

namespace mesowarp::group {

void extend(input::SharedBlocks& blocks);
// [[group]], [[pull]], [[hold]]. owner: the method that they are of.
std::vector<const input::Block<input::OwnItem>*> ownLists(const input::MethodBlocks& owner);
// "groups" and "pulls" stand for the columns of each.
std::vector<std::string> ownColumns();
std::vector<std::string> namedBy(const input::Deck& deck, const std::string& word);

// Names of pulls and holds that have none.
void complete(input::BlocksRead& read);
void check(const input::Deck& deck, input::Report& report);
void difference(const input::Deck& then, const input::Deck& now, input::Differences& differences);

// A group by its name: it is there (false: it is not), and may hold something that moves.
bool checkGroup(const input::Deck& deck, const std::string& name, const std::string& path, input::Report& report);

// Whether something acts on groups.
bool act(const input::Deck& deck);
// Names of phases that stand before thermostats, and of those behind them.
std::vector<std::string> pullPhases(const input::Deck& deck);
std::vector<std::string> holdPhases(const input::Deck& deck);

}  // namespace mesowarp::group
