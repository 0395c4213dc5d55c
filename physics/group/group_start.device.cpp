#include "physics/group/group_start.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

#include "comm/tag_blocks.hpp"
#include "core/error.hpp"
#include "physics/group/group_sums.hpp"
#include "physics/group/group_words.hpp"
#include "physics/group/hold_phase.hpp"
#include "physics/group/pull_phase.hpp"
#include "physics/integrate/langevin_keys.hpp"

namespace mesowarp::group {
namespace {

// Before the first step.
template <class P>
struct GiveVelocity {
  using Store = typename P::Store;
  DeviceArray<u32> groups;
  u32 bit;
  DeviceArray<typename P::Real> inverseMass;
  StateView<P> state;
  Vec3<double> velocity;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto v = state.velocity(i);
    if ((groups(i) & bit) == 0 || !(inverseMass(v.species) > typename P::Real(0))) return;
    const Vec3<Store> high{Store(velocity.x), Store(velocity.y), Store(velocity.z)};
    state.velocity(i) = {high.x, high.y, high.z, v.species};
    if (state.velocityLow.data() != nullptr)
      state.velocityLow(i) = {Store(velocity.x - double(high.x)), Store(velocity.y - double(high.y)),
                              Store(velocity.z - double(high.z))};
    if (state.velocityRest.data() != nullptr) state.velocityRest(i) = {};
  }
};

struct CountMembers {
  DeviceArray<u32> groups;
  u32 bits;  // all of them
  KOKKOS_INLINE_FUNCTION void operator()(int i, i64& count) const {
    if ((groups(i) & bits) == bits) ++count;
  }
};

i64 countMembers(const DeviceArray<u32>& groups, u32 bits, int particles, const comm::Communicator* ranks) {
  i64 count = 0;
  Kokkos::parallel_reduce("count members", Range(0, particles), CountMembers{groups, bits}, count);
  return ranks ? ranks->sum(count) : count;
}

template <class P>
std::vector<u32> wordsByTag(const BoxPopulation<P>& population) {
  const auto& arrays = population.arrays();
  const auto n = static_cast<std::size_t>(population.count());
  const auto bytes = fieldOf(arrays.fields, groupField).toHost(n);
  const auto tag = hostCopy(arrays.tag->current);
  std::vector<u32> stored(n), words(n), tags(n);
  if (n > 0) std::memcpy(stored.data(), bytes.data(), n * sizeof(u32));
  for (std::size_t i = 0; i < n; ++i) tags[i] = tag(i);
  if (!population.ranks()) {
    for (std::size_t i = 0; i < n; ++i) words[tags[i]] = stored[i];
    return words;
  }
  const comm::TagBlocks blocks(*population.ranks(), population.total(), tags.data(), static_cast<i64>(n));
  words.resize(static_cast<std::size_t>(blocks.count()));
  blocks.gather(stored.data(), sizeof(u32), words.data());
  return words;
}

}  // namespace

std::vector<u32> groupWords(const Population& population) {
  if (const auto* one = dynamic_cast<const BoxPopulation<MixedPrecision>*>(&population)) return wordsByTag(*one);
  if (const auto* one = dynamic_cast<const BoxPopulation<SinglePrecision>*>(&population)) return wordsByTag(*one);
  if (const auto* one = dynamic_cast<const BoxPopulation<DoublePrecision>*>(&population)) return wordsByTag(*one);
  throw std::logic_error("groups of what is in no box");
}

template <class P>
void addPulls(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck,
              const std::shared_ptr<Schedule>& schedule) {
  if (!hasGroups(deck)) return;
  // Pairs are counted with ghosts, and collide with them.
  const bool pairs = hasPairThermostat(deck) ||
                     std::any_of(deck.measures.begin(), deck.measures.end(),
                                 [](const auto& measure) { return measure.style == input::MeasureStyle::rdf; });
  population.fields().template add<u32>(groupField, moves | checkpointed | (pairs ? ghosted : 0u),
                                        static_cast<std::size_t>(population.arrays().capacity));
  const auto members = std::make_shared<const Members<P>>(population);
  for (std::size_t k = 0; k < allOf<PullKeys>(deck).size(); ++k)
    engine.add(std::make_unique<PullPhase<P>>(members, deck, k, schedule));
}

template <class P>
void addHolds(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck,
              const std::shared_ptr<Schedule>& schedule) {
  if (!hasGroups(deck)) return;
  const auto members = std::make_shared<const Members<P>>(population);
  for (std::size_t k = 0; k < allOf<HoldKeys>(deck).size(); ++k)
    engine.add(std::make_unique<HoldPhase<P>>(members, deck, k, schedule));
  if (wantsSums(deck)) engine.add(std::make_unique<GroupSums<P>>(members, deck));
}

template <class P>
void uploadMembers(BoxPopulation<P>& population, const HostParticles& state, const input::Deck& deck) {
  if (!hasGroups(deck)) return;
  const std::vector<u32> words = membersOf(deck, state);
  FieldBase& field = fieldOf(population.fields(), groupField);
  field.fromHost(reinterpret_cast<const std::byte*>(words.data()), words.size() * sizeof(u32));
  const Members<P> members(population);
  for (const GroupKeys& keys : allOf<GroupKeys>(deck))
    if (countMembers(members.groups(), bitOf(deck, keys.name), state.count(), population.ranks()) == 0)
      throw InputError(
          fmt::format("no particle is in group \"{}\": nothing meets all that its [[group]] block gives", keys.name));
  const auto baths = thermostatsOf(deck);
  for (std::size_t k = 0; k < baths.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (const u32 a = bitOf(deck, baths[k].group), b = bitOf(deck, baths[j].group);
          a != 0 && b != 0 && countMembers(members.groups(), a | b, state.count(), population.ranks()) > 0)
        throw InputError(fmt::format("a particle is in group \"{}\" and in group \"{}\", and cannot have the "
                                     "thermostats of both: give one group none_of = [\"{}\"]",
                                     baths[j].group, baths[k].group, baths[j].group));
  const auto holds = allOf<HoldKeys>(deck);
  for (std::size_t k = 0; k < holds.size(); ++k) {
    const u32 bit = bitOf(deck, holds[k].group);
    for (std::size_t j = 0; j < k; ++j)
      if (countMembers(members.groups(), bit | bitOf(deck, holds[j].group), state.count(), population.ranks()) > 0)
        throw InputError(fmt::format("a particle is in group \"{}\" and in group \"{}\", and cannot be held by both",
                                     holds[j].group, holds[k].group));
    const auto& u = holds[k].velocity;
    Kokkos::parallel_for("give velocity", Range(0, state.count()),
                         GiveVelocity<P>{members.groups(), bit, population.inverseMass(), population.view(false),
                                         Vec3<double>{u[0], u[1], u[2]}});
  }
}

#define MESOWARP_GROUPS_IN(P)                                                                                          \
  template void addPulls<P>(Engine&, BoxPopulation<P>&, const input::Deck&, const std::shared_ptr<Schedule>&);         \
  template void addHolds<P>(Engine&, BoxPopulation<P>&, const input::Deck&, const std::shared_ptr<Schedule>&);         \
  template void uploadMembers<P>(BoxPopulation<P>&, const HostParticles&, const input::Deck&);
MESOWARP_GROUPS_IN(SinglePrecision)
MESOWARP_GROUPS_IN(MixedPrecision)
MESOWARP_GROUPS_IN(DoublePrecision)
#undef MESOWARP_GROUPS_IN

}  // namespace mesowarp::group
