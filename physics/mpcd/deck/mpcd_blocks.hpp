// A multiparticle collision solvent, as decks see it.
#pragma once

#include "input/method.hpp"
#include "physics/mpcd/deck/mpcd_deck.hpp"

namespace mesowarp::mpcd {

class MpcdBlocks final : public input::MethodBlocks {
public:
  std::string inWords() const override { return "a collision solvent"; }
  std::string population() const override { return "solvent"; }
  std::vector<std::string> kinds() const override { return {"mpcd"}; }

  std::vector<const input::Block<input::Deck>*> ownBlocks() const override;
  void extend(input::SharedBlocks& blocks) const override;
  bool takes(const std::string& block) const override;
  std::string refusesIntegrator(const std::string&) const override { return {}; }  // it streams
  std::vector<std::string> ownColumns() const override;
  bool lacksColumn(const std::string& column) const override;
  std::vector<std::string> usualColumns() const override;
  std::vector<std::pair<std::string, std::string>> headlines() const override {
    return {{"temperature", "temperature"}, {"pressure", "pressure"}};
  }

  void checkSpecies(input::Report&, std::size_t, input::Population&) const override {}  // the population is its own
  std::string refusesBonds(const input::Population& population) const override;

  std::int64_t particleCount(const input::Population& population, const input::BoxBlock& box) const override;
  void complete(input::BlocksRead& read) const override;
  void check(const input::Deck& deck, input::Report& report) const override;
  std::vector<std::pair<std::string, std::string>> expectations(const input::Deck& deck) const override;
  input::Estimate estimate(const input::Deck& deck, std::int64_t particles, double rate) const override;
  std::vector<std::string> namedBy(const input::Deck& deck, const std::string& word) const override;
  std::vector<std::string> phases(const input::Deck& deck) const override;
  double openPart(const input::Deck& deck) const override;
  double narrowestPart(const input::Deck& deck) const override;
  bool keepsEnergy(const input::Deck& deck) const override;
  // A drive of no net force, at most.
  bool keepsMomentum(const input::Deck& deck) const override { return deck.walls.empty(); }
  void integratorDifference(const input::Deck& then, const input::Deck& now, input::Differences&) const override;
};

// The one in the table.
const MpcdBlocks& mpcdBlocks();

// Whether no other method of the deck takes a block of several methods: that one tells of what is wrong with it.
bool isFirstWith(const input::Deck& deck, const std::string& block);

}  // namespace mesowarp::mpcd
