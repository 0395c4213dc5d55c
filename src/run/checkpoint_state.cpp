#include "run/checkpoint_state.hpp"

#include <cstring>
#include <map>

#include "physics/methods.hpp"
#include "run/checkpoint_check.hpp"
#include "core/error.hpp"
#include "state/particles.hpp"
#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "input/species.hpp"
#include "io/h5md/initial_snapshot.hpp"

namespace mesowarp {
namespace {

const io::Array* arrayOf(const io::CheckpointContent& content, const std::string& name) {
  const auto it = content.arrays.find(name);
  return it == content.arrays.end() ? nullptr : &it->second;
}

// A field's elements, which a checkpoint stores as bytes.
template <class T>
std::vector<T> elementsOf(const io::Array& array) {
  std::vector<T> values(array.data.size() / sizeof(T));
  std::memcpy(values.data(), array.data.data(), values.size() * sizeof(T));
  return values;
}

input::Deck deckOf(const io::CheckpointContent& content, const std::string& path) {
  auto parsed = input::parseDeckText(deckTextOf(content, path), path);
  for (const auto& diagnostic : parsed.diagnostics)
    if (!diagnostic.warning)
      throw InputError(path + ": this mesowarp does not understand the deck in it: " + diagnostic.message);
  return std::move(parsed.deck);
}

// The snapshot's bonds have lost their types; the fields have them. Each bond stands in the rows of both its particles.
std::vector<std::int32_t> bondTypesOf(const io::CheckpointContent& content, const std::vector<u32>& bonds) {
  std::vector<std::int32_t> types;
  if (bonds.empty()) return types;
  const auto tag = elementsOf<u32>(*arrayOf(content, "tag"));
  const auto partner = elementsOf<u32>(*arrayOf(content, "bond_partner"));
  const auto type = elementsOf<i32>(*arrayOf(content, "bond_type"));
  const std::size_t width = partner.size() / tag.size();
  std::map<std::pair<u32, u32>, i32> typeOf;
  for (std::size_t slot = 0; slot < partner.size(); ++slot)
    if (partner[slot] != noBond) typeOf[{tag[slot / width], partner[slot]}] = type[slot];
  for (std::size_t b = 0; b + 1 < bonds.size(); b += 2) types.push_back(typeOf.at({bonds[b], bonds[b + 1]}) + 1);
  return types;
}

// Whether both decks' lists have the same pairs; one of another reach may lack some that the state has come to since
// its last build.
bool sameReach(const input::Deck& a, const input::Deck& b) {
  if (input::methodOf(a) == input::Method::bodies) return true;
  return input::largestCutoff(a) == input::largestCutoff(b) && a.neighbor.skin == b.neighbor.skin;
}

}  // namespace

std::unique_ptr<Engine> engineOfCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                                           const std::string& path, const comm::Communicator* ranks,
                                           const PartOf& partOf) {
  stepOf(content, path);
  try {
    checkCheckpoint(content, deck, ranks);
    const io::Array *tag = arrayOf(content, "tag"), *partner = arrayOf(content, "bond_partner");
    const int bonds = partner ? static_cast<int>(partner->width / sizeof(u32)) : 0;
    const RankPart part = partOf ? partOf(static_cast<i64>(tag->totalRows)) : RankPart{};
    auto engine = std::move(makeEngine(deck, static_cast<int>(tag->rows), bonds, backend::defaultSort, part).engine);
    engine->restore(content, sameReach(deckOf(content, path), deck) ? KeepList::yes : KeepList::no);
    return engine;
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

// A checkpoint holds half-step velocities; the velocities of its own step come with that step's forces.
io::InitialState stateOfCheckpoint(const std::string& path) {
  const io::CheckpointContent content = io::readCheckpoint(path);
  const input::Deck deck = deckOf(content, path);
  if (input::methodOf(deck) == input::Method::bodies) throw InputError(path + " is of bodies, which have no box");
  const auto engine = engineOfCheckpoint(content, deck, path);
  const i64 step = content.numbers.at("step");
  engine->advance(step, {.velocities = true, .snapshot = true});
  if (const auto failure = engine->failure()) throw InputError(path + ": " + *failure);
  const io::Snapshot snapshot = engine->snapshot(step);
  return io::initialStateOf(snapshot, deck.species, bondTypesOf(content, snapshot.bonds));
}

io::Snapshot bodiesOfCheckpoint(const std::string& path, std::vector<std::string>& species,
                                std::vector<double>& charge) {
  const io::CheckpointContent content = io::readCheckpoint(path);
  const input::Deck deck = deckOf(content, path);
  if (input::methodOf(deck) != input::Method::bodies) throw InputError(path + " is not of bodies");
  const auto engine = engineOfCheckpoint(content, deck, path);
  const i64 step = content.numbers.at("step");
  engine->advance(step, {.velocities = true, .snapshot = true});
  if (const auto failure = engine->failure()) throw InputError(path + ": " + *failure);
  species = deck.species;
  charge = elementsOf<double>(*arrayOf(content, "charge"));
  return engine->snapshot(step);
}

}  // namespace mesowarp
