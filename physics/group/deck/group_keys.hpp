// What decks say of groups: [[group]] names a set of particles in a box, [[pull]] and [[hold]] act on them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::input {
class MethodBlocks;
}

namespace mesowarp::group {

constexpr std::size_t mostGroups = 32;  // a bit of a word each
constexpr double nowhere = std::numeric_limits<double>::infinity();

// Particles that meet all that is given; who is in it is found once, when the run starts.
struct GroupKeys {
  static constexpr const char* block = "group";
  std::string name;
  std::vector<std::string> species, populations;
  std::string molecules, particles;                           // numbers, "1:20, 25"
  std::string region;                                         // shapes with not, and, or and brackets
  std::vector<std::string> anyOf, noneOf;                     // groups of blocks above
  std::array<double, 3> lower{-nowhere, -nowhere, -nowhere};  // of a box, length
  std::array<double, 3> upper{nowhere, nowhere, nowhere};
};

// force: on all together, shared out by mass; each: on each particle; spring: of the centre of mass to a point that may
// move; tow: to one that starts where the centre of mass is in step 0; couple: to the centre of mass of another group.
enum class PullStyle { force, each, acceleration, spring, tow, couple };

struct PullKeys {
  static constexpr const char* block = "pull";
  std::string name, group;
  PullStyle style = PullStyle::force;
  std::array<double, 3> force{}, acceleration{};
  double k = 0.0, r0 = 0.0;  // energy / length^2; length
  std::array<bool, 3> along{true, true, true};
  std::array<double, 3> at{}, velocity{};  // of the point, length, length / time
  std::string other;                       // group

  bool isSpring() const { return style >= PullStyle::spring; }
};

// Particles that keep this velocity whatever acts on them.
struct HoldKeys {
  static constexpr const char* block = "hold";
  std::string name, group;
  std::array<double, 3> velocity{};  // length / time
};

template <class Keys>
std::vector<Keys> allOf(const input::Deck& deck) {
  std::vector<Keys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, Keys::block)) all.push_back(item.own.get<Keys>());
  return all;
}
// The method whose particles groups are of: the one that has their blocks.
const input::MethodBlocks& ownerOfGroups();
inline bool hasGroups(const input::Deck& deck) { return !input::itemsOf(deck, GroupKeys::block).empty(); }

// Its bit in particles' words; 0: there is no such group.
std::uint32_t bitOf(const input::Deck& deck, const std::string& group);
// Of groups that a [[hold]] keeps.
std::uint32_t heldBits(const input::Deck& deck);
// The species that a group may hold, as far as its species and populations say.
std::vector<std::string> speciesIn(const input::Deck& deck, const GroupKeys& group);

// "1:20, 25, 100:200:2": numbers and ranges of them, both ends included, with a stride.
struct NumberRange {
  std::int64_t first, last, stride;
  bool holds(std::int64_t n) const { return n >= first && n <= last && (n - first) % stride == 0; }
};
// Throws std::invalid_argument with the piece that is none.
std::vector<NumberRange> rangesOf(const std::string& text);

// Names of phases.
std::string phaseOf(const PullKeys& keys);
std::string phaseOf(const HoldKeys& keys);
constexpr const char* groupField = "groups";  // of particles: the word of their groups' bits
constexpr const char* sumsPhase = "sums of groups";
// Words of output.columns; a group's columns are group_NAME_temperature and so on.
constexpr const char *groupColumns = "groups", *pullColumns = "pulls";
bool wantsSums(const input::Deck& deck);
std::string columnOf(const GroupKeys& keys, const std::string& quantity);
std::string columnOf(const PullKeys& keys, const std::string& quantity);
std::string columnOf(const HoldKeys& keys, const std::string& quantity);

}  // namespace mesowarp::group
