#include "physics/resume.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "io/ranks.hpp"
#include "physics/observables/measured_fields.hpp"
#include "start/checkpoint_rows.hpp"

namespace mesowarp {
namespace {

input::Deck deckOf(const io::CheckpointContent& content, const std::string& path) {
  auto parsed = input::parseDeckText(deckTextOf(content, path), path);
  for (const auto& diagnostic : parsed.diagnostics)
    if (!diagnostic.warning)
      throw InputError(path + ": this mesowarp does not understand the deck in it: " + diagnostic.message);
  return std::move(parsed.deck);
}

// task(method, content with the arrays of its population under their own names) for each method of the deck.
template <class Task>
void forMethods(const io::CheckpointContent& content, const input::Deck& deck, const Task& task) {
  const auto methods = methodsIn(deck);
  task(*methods.front(), content);
  for (std::size_t k = 1; k < methods.size(); ++k)
    task(*methods[k], contentOf(content, methods[k]->blocks().population()));
}

}  // namespace

const std::string& deckTextOf(const io::CheckpointContent& content, const std::string& path) {
  const auto text = content.texts.find("deck");
  if (text == content.texts.end()) throw InputError(path + " is no checkpoint of a particle run: it has no deck");
  return text->second;
}

std::int64_t stepOf(const io::CheckpointContent& content, const std::string& path) {
  const auto step = content.numbers.find("step");
  if (step == content.numbers.end()) throw InputError(path + " is no checkpoint of a particle run: it has no step");
  if (step->second < 0) throw InputError(fmt::format("{} is at step {}{}", path, step->second, damagedAdvice));
  return step->second;
}

void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks) {
  io::onAll(io::several(ranks), [&] { checkProfiles(content); });
  forMethods(content, deck,
             [&](const Method& method, const io::CheckpointContent& own) { method.checkCheckpoint(own, deck, ranks); });
}

std::unique_ptr<Engine> engineOfCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                                           const std::string& path, const comm::Communicator* ranks) {
  stepOf(content, path);
  try {
    checkCheckpoint(content, deck, ranks);
    auto engine = std::make_unique<Engine>(io::several(ranks));
    const input::Deck then = deckOf(content, path);
    bool keep = true;
    forMethods(content, deck, [&](const Method& method, const io::CheckpointContent& own) {
      method.resume(*engine, own, deck, io::several(ranks));
      keep = keep && method.keepsList(then, deck);
    });
    observables::addMeasuredFields(*engine, deck);
    engine->restore(content, keep ? KeepList::yes : KeepList::no);
    return engine;
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

// A checkpoint holds half-step velocities; the velocities of its own step come with that step's forces.
CheckpointState stateOfCheckpoint(const std::string& path, const input::MethodBlocks& method) {
  CheckpointState state;
  state.content = io::readCheckpoint(path);
  state.deck = deckOf(state.content, path);
  const auto methods = input::methodsOf(state.deck);
  const auto it = std::find(methods.begin(), methods.end(), &method);
  if (it == methods.end())
    throw InputError(
        methods.front()->whyAlone().empty()
            ? fmt::format("{} is not of {}", path, method.inWords())
            : fmt::format("{} is of {}, {}", path, methods.front()->inWords(), methods.front()->whyAlone()));
  const auto engine = engineOfCheckpoint(state.content, state.deck, path);
  const i64 step = state.content.numbers.at("step");
  engine->advance(step, {.velocities = true, .snapshot = true});
  if (const auto failure = engine->failure()) throw InputError(path + ": " + *failure);
  const auto number = static_cast<std::size_t>(it - methods.begin());
  state.snapshot = engine->snapshot(step, number);
  if (number > 0) state.content = contentOf(state.content, method.population());
  return state;
}

}  // namespace mesowarp
