#include "physics/transport/source_table.hpp"

#include <algorithm>
#include <vector>

#include "device/host_copy.hpp"
#include "start/host_particles.hpp"

namespace mesowarp::transport {
namespace {

int placeOf(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

template <class Real>
ReactionTerm<Real> termOf(const Reaction& reaction) {
  ReactionTerm<Real> term;
  term.rate = Real(reaction.rate);
  for (const auto& [solute, number] : reaction.reactants)
    term.reactant[term.reactants] = solute, term.order[term.reactants++] = number;
  for (const auto& [solute, number] : reaction.changes)
    term.changed[term.changes] = solute, term.by[term.changes++] = Real(number);
  return term;
}

template <class Real>
std::vector<SourceTerm<Real>> sourceTerms(const input::Deck& deck) {
  std::vector<SourceTerm<Real>> all;
  for (const SoluteSource& s : sourcesOf(deck))
    all.push_back({placeOf(transportOf(deck).solutes, s.solute),
                   s.species.empty() ? -1 : placeOf(deck.species, s.species), Real(s.rate), Real(s.linear),
                   regionTest(s, deck)});
  return all;
}

template <class Real>
std::vector<ReactionTerm<Real>> reactionTerms(const input::Deck& deck) {
  std::vector<ReactionTerm<Real>> all;
  for (const auto& [text, reaction] : reactionsOf(deck)) all.push_back(termOf<Real>(reaction));
  return all;
}

}  // namespace

RegionTest regionTest(const FilledRegion& region, const input::Deck& deck) {
  const Box box = boxOf(deck);
  RegionTest test;
  test.shape = region.shape, test.axis = region.axis, test.radius2 = region.radius * region.radius;
  for (std::size_t c = 0; c < 3; ++c) {
    test.low[c] = region.low[c], test.high[c] = region.high[c], test.center[c] = region.center[c];
    if (box.periodic[c]) test.period[c] = box.size[c], test.inversePeriod[c] = 1.0 / box.size[c];
  }
  return test;
}

template <class Real>
SourceTable<Real> sourceTable(const input::Deck& deck) {
  const auto sources = sourceTerms<Real>(deck);
  const auto reactions = reactionTerms<Real>(deck);
  SourceTable<Real> table;
  table.sources = static_cast<int>(sources.size()), table.reactions = static_cast<int>(reactions.size());
  table.source = toDevice<SourceTerm<Real>>("sources", sources),
  table.reaction = toDevice<ReactionTerm<Real>>("reactions", reactions);
  return table;
}

template <class Real>
void followRates(const SourceTable<Real>& table, const input::Deck& now) {
  if (table.sources > 0) refill(table.source, sourceTerms<Real>(now));
  if (table.reactions > 0) refill(table.reaction, reactionTerms<Real>(now));
}

template SourceTable<float> sourceTable<float>(const input::Deck&);
template SourceTable<double> sourceTable<double>(const input::Deck&);
template void followRates<float>(const SourceTable<float>&, const input::Deck&);
template void followRates<double>(const SourceTable<double>&, const input::Deck&);

}  // namespace mesowarp::transport
