#include "step/engine.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <xxhash.h>

#include "core/error.hpp"

namespace mesowarp {
namespace {

// Places of this step; the closing phase writes those of the next.
bool movesListed(const Phase& phase) {
  if (!phase.population().listed() || dynamic_cast<const ClosingPhase*>(&phase)) return false;
  const auto uses = phase.uses();
  return std::any_of(uses.begin(), uses.end(),
                     [](const FieldUse& use) { return use.field == "position" && use.kind == FieldUse::writes; });
}

}  // namespace

// Of a phase's state in a checkpoint: its name, with _ for blanks.
static std::string arrayOf(const Phase& phase) {
  std::string name = "phase." + phase.name();
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

void Engine::addPopulation(std::unique_ptr<Population> population) {
  if (ListedPopulation* listed = population->listed()) {
    if (keeper_) throw std::logic_error("two populations with a neighbour list: what meets in pair forces is one");
    LaunchedSteps& steps = *this;
    keeper_ = std::make_unique<ListKeeper>(*listed, steps);
  }
  populations_.push_back(std::move(population));
}

void Engine::add(std::unique_ptr<Phase> phase) {
  const auto known = [&](const auto& p) { return p.get() == &phase->population(); };
  if (std::none_of(populations_.begin(), populations_.end(), known))
    throw std::logic_error("phase \"" + phase->name() + "\" works on a population that the engine has not got");
  phases_.push_back(std::move(phase));
}

void Engine::rebuildIfDue(i64 step) {
  if (!keeper_) return;
  const auto changes = [&](const auto& phase) { return phase->changesBox(step); };
  if (std::none_of(phases_.begin(), phases_.end(), changes)) return keeper_->rebuildIfDue(step);
  keeper_->confirmForNext();  // what is launched again later would see the new lengths
  for (const auto& phase : phases_)
    if (phase->changesBox(step)) phase->changeBox(step);
  keeper_->rebuildNow(step);
}

// What several phases sum up on several ranks is not repeated in the middle of a step, nor is what does not ask whether
// it may run.
bool Engine::mustRun(i64 step, const Wanted& wanted) const {
  if (wanted.any()) return true;
  int ofListed = 0;
  bool ofSeveral = false;
  for (const auto& phase : phases_) {
    if (!phase->due(step)) continue;
    if (!phase->repeatable()) return true;
    if (!phase->population().listed() || dynamic_cast<const PhaseOfNext*>(phase.get())) continue;
    ++ofListed, ofSeveral = phase->population().listed()->isShared();
  }
  return ofSeveral && ofListed > 1;
}

// What phases need in addition.
Wanted Engine::withPhases(i64 step, Wanted wanted) const {
  for (const auto& phase : phases_) wanted.thermo = wanted.thermo || phase->wantsSums(step);
  const Wanted asked = wanted;
  for (const auto& phase : phases_) wanted |= phase->looksAt(asked);
  return wanted;
}

void Engine::advance(i64 step, const Wanted& asked) {
  const Wanted wanted = withPhases(step, asked);
  if (keeper_) keeper_->before(mustRun(step, wanted));
  launchStep(step, wanted);
  if (wanted.thermo) {
    if (ranks_) sums_.overRanks([&](auto* values, int count) { ranks_->sum(values, count); });
    for (const auto& phase : phases_)
      if (phase->wantsSums(step)) phase->look(step, sums_);
    for (const auto& phase : phases_) phase->finishSums(sums_);
  }
  if (keeper_) keeper_->behind(step);
}

void Engine::launchStep(i64 step, const Wanted& wanted) {
  sums_ = {};
  PhaseStep s;
  s.step = step, s.wanted = wanted, s.guard = guard(step);
  s.sums = wanted.thermo || wanted.virials ? &sums_ : nullptr;
  for (const auto& population : populations_) {
    population->beginStep(wanted);
    if (const ListedPopulation* listed = population->listed()) {
      s.listIsNew = s.asBuilt = step == listed->builds().lastRebuild;
      s.rebuildNext = keeper_->rebuildIsNext(step);
    }
  }
  for (const auto& phase : phases_) {
    if (phase->between() || !phase->due(step) || dynamic_cast<PhaseOfNext*>(phase.get())) continue;
    refreshGhosts(*phase);
    if (auto* closing = dynamic_cast<ClosingPhase*>(phase.get()))
      runClosing(*closing, s);
    else
      phase->run(s);
    s.asBuilt = s.asBuilt && !movesListed(*phase);
  }
  swapState();
}

void Engine::refreshGhosts(const Phase& phase) {
  ListedPopulation* listed = phase.population().listed();
  if (!listed || !listed->ranks()) return;  // without ranks there are no ghosts, and a steady step asks nobody
  const auto uses = phase.uses();
  if (std::any_of(uses.begin(), uses.end(), [](const FieldUse& use) { return use.kind == FieldUse::readsGhosts; }))
    listed->receiveGhosts();
}

std::vector<Phase*> Engine::dueBetween(const Population& population, i64 step) const {
  std::vector<Phase*> due;
  for (const auto& phase : phases_)
    if (phase->between() && &phase->population() == &population && phase->due(step)) due.push_back(phase.get());
  return due;
}

std::vector<PhaseOfNext*> Engine::dueOfNext(const Population& population, i64 step) const {
  std::vector<PhaseOfNext*> due;
  for (const auto& phase : phases_)
    if (auto* next = dynamic_cast<PhaseOfNext*>(phase.get()))
      if (&next->population() == &population && next->due(step)) due.push_back(next);
  return due;
}

// As one kernel, unless something stands between the two steps that it joins.
void Engine::runClosing(ClosingPhase& phase, PhaseStep& step) {
  const auto between = dueBetween(phase.population(), step.step);
  const auto ofNext = dueOfNext(phase.population(), step.step);
  const Wanted asked = step.wanted;
  for (const PhaseOfNext* next : ofNext) step.wanted |= next->needs(step.step);
  if (!between.empty()) closeStep(phase, step, between);
  const auto launch = [&](const backend::ParticleBlocks& blocks) {
    step.guard = guard(step.step);  // the table may have grown
    between.empty() ? phase.runBlocks(step, blocks) : phase.open(step, blocks);
    for (PhaseOfNext* next : ofNext) next->runBlocks(step, blocks);
  };
  // A kernel behind the closing one is what neighbours would have to wait for.
  if (ListedPopulation* listed = phase.population().listed())
    listed->finishStep({launch, between.empty() && ofNext.empty(), !step.rebuildNext, asked.any()});
  else if (between.empty() && ofNext.empty())
    phase.run(step);
  else
    launch({phase.population().count()});
  step.wanted = asked;
}

void Engine::closeStep(ClosingPhase& phase, PhaseStep& step, const std::vector<Phase*>& between) {
  phase.close(step);
  for (Phase* other : between) {
    refreshGhosts(*other);
    other->run(step);
  }
}

void Engine::swapState() {
  for (const auto& population : populations_) population->swapState();
}

// A step that may be recorded may also be repeated, and has nothing between.
bool Engine::recordable() const {
  return std::all_of(phases_.begin(), phases_.end(),
                     [](const auto& p) { return p->recordable() && p->repeatable() && !p->between(); });
}

void Engine::settle() const {
  if (keeper_) keeper_->settle();
  for (const auto& phase : phases_) phase->settle();
}

void Engine::confirm() {
  if (keeper_) keeper_->confirmList();
}

std::map<std::string, double> Engine::quantities() const {
  std::map<std::string, double> all;
  for (const auto& phase : phases_) phase->addQuantities(all);
  return all;
}

std::string Engine::stateHash() const {
  if (populations_.size() == 1) return populations_[0]->stateHash();
  std::string all;
  for (const auto& population : populations_) all += population->name() + ' ' + population->stateHash() + '\n';
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::optional<std::string> Engine::failure() {
  if (keeper_) keeper_->confirmList();
  settle();
  for (const auto& population : populations_)
    if (auto what = population->failure()) return populations_.size() == 1 ? what : population->name() + ": " + *what;
  return std::nullopt;
}

ListCounters Engine::counters() const {
  settle();
  for (const auto& population : populations_)
    if (population->listed()) return population->counters();
  return {};
}

std::size_t Engine::memoryBytes() const {
  std::size_t all = 0;
  for (const auto& population : populations_) all += population->memoryBytes();
  for (const auto& phase : phases_) all += phase->memoryBytes();
  return all;
}

i64 Engine::particles() const {
  i64 all = 0;
  for (const auto& population : populations_) all += population->total();
  return all;
}

i64 Engine::mobile() const {
  i64 all = 0;
  for (const auto& population : populations_) all += population->mobile();
  for (const auto& phase : phases_) all -= phase->held();
  return all;
}

std::optional<std::array<double, 3>> Engine::boxSize() const {
  for (const auto& population : populations_)
    if (const ListedPopulation* listed = population->listed()) return listed->boxSize();
  return std::nullopt;
}

std::optional<double> Engine::skin() const {
  for (const auto& population : populations_)
    if (const ListedPopulation* listed = population->listed()) return listed->skin();
  return std::nullopt;
}

std::optional<TransportChoice> Engine::transport() const {
  for (const auto& population : populations_)
    if (auto choice = population->transport()) return choice;
  return std::nullopt;
}

std::vector<io::ArrayView> Engine::checkpointArrays(std::vector<std::vector<std::byte>>& storage) {
  if (keeper_) keeper_->confirmForNext();
  settle();
  std::vector<io::ArrayView> all;
  for (const auto& population : populations_) {
    for (io::ArrayView& view : population->checkpointArrays(storage)) {
      if (population != populations_.front()) view.name = population->name() + '.' + view.name;
      all.push_back(std::move(view));
    }
  }
  for (const auto& phase : phases_) {
    const std::vector<i64> words = phase->state();
    if (words.empty()) continue;
    const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
    storage.emplace_back(bytes, bytes + words.size() * sizeof(i64));
    all.push_back({arrayOf(*phase), io::ElementType::i64, words.size(), 1, storage.back().data(), io::Spread::whole});
  }
  return all;
}

void Engine::restore(const io::CheckpointContent& content, KeepList keep) {
  for (const auto& population : populations_) {
    if (population == populations_.front()) {
      population->restore(content, keep);
      continue;
    }
    io::CheckpointContent own{{}, content.texts, content.numbers};
    const std::string prefix = population->name() + '.';
    for (const auto& [name, array] : content.arrays)
      if (name.rfind(prefix, 0) == 0) own.arrays.emplace(name.substr(prefix.size()), array);
    population->restore(own, keep);
  }
  for (const auto& phase : phases_) {
    const auto it = content.arrays.find(arrayOf(*phase));
    if (it == content.arrays.end() || it->second.type != io::ElementType::i64) continue;  // a deck may add a phase
    std::vector<i64> words(it->second.data.size() / sizeof(i64));
    std::memcpy(words.data(), it->second.data.data(), words.size() * sizeof(i64));
    phase->restore(words);
  }
}

}  // namespace mesowarp
