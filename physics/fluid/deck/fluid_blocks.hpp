// Decks with particles in a box and forces between pairs of them: grammar, completion, checks, cost.
#pragma once

#include "input/method.hpp"

namespace mesowarp::fluid {

class FluidBlocks final : public input::MethodBlocks {
public:
  std::string inWords() const override { return "particles in a box"; }
  std::string population() const override { return "particles"; }
  std::vector<std::string> kinds() const override;

  std::vector<const input::Block<input::Deck>*> ownBlocks() const override;
  std::vector<const input::Block<input::OwnItem>*> ownLists() const override;
  void extend(input::SharedBlocks& blocks) const override;
  std::vector<std::string> interactions() const override;
  std::string refusesIntegrator(const std::string& style) const override;
  std::vector<std::pair<std::string, std::string>> headlines() const override;

  std::vector<std::string> carries(const input::Deck& deck) const override;
  std::vector<std::string> namedBy(const input::Deck& deck, const std::string& word) const override;

  void checkSpecies(input::Report& report, std::size_t k, input::Population& population) const override;
  std::string refusesBonds(const input::Population& population) const override;
  void addPopulations(input::BlocksRead& read) const override;
  void complete(input::BlocksRead& read) const override;
  std::vector<std::string> initials() const override;
  std::vector<std::string> ownColumns() const override;

  Distance distanceToWalls(const input::Deck& deck) const override;

  std::int64_t particleCount(const input::Population& population, const input::BoxBlock& box) const override;
  void check(const input::Deck& deck, input::Report& report) const override;
  input::Estimate estimate(const input::Deck& deck, std::int64_t particles, double rate) const override;
  std::vector<std::string> phases(const input::Deck& deck) const override;
  std::vector<std::pair<std::string, std::string>> expectations(const input::Deck& deck) const override;
  bool embeds() const override { return true; }
  double narrowestPart(const input::Deck& deck) const override;
  bool keepsEnergy(const input::Deck& deck) const override;
  bool keepsMomentum(const input::Deck& deck) const override;
  double openPart(const input::Deck& deck) const override;
  void integratorDifference(const input::Deck& then, const input::Deck& now,
                            input::Differences& differences) const override;
};

// The one in the table.
const FluidBlocks& fluidBlocks();

const input::Block<input::OwnItem>& inflowBlock();

}  // namespace mesowarp::fluid
