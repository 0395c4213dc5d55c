// Decks of bodies: grammar, completion, checks, cost.
#pragma once

#include "input/method.hpp"

namespace mesowarp::nbody {

class BodyBlocks final : public input::MethodBlocks {
public:
  std::string inWords() const override { return "bodies"; }
  std::string population() const override { return "bodies"; }
  std::vector<std::string> kinds() const override { return {"bodies"}; }
  std::string whyAlone() const override { return "which have no box"; }

  std::vector<const input::Block<input::Deck>*> ownBlocks() const override;
  void extend(input::SharedBlocks& blocks) const override;
  bool takes(const std::string& block) const override;
  std::vector<std::string> initials() const override;
  std::vector<std::string> interactions() const override;
  std::string refusesIntegrator(const std::string& style) const override;
  std::vector<std::string> ownColumns() const override;
  bool lacksColumn(const std::string& column) const override;
  std::vector<std::string> usualColumns() const override;
  std::vector<std::pair<std::string, std::string>> headlines() const override;

  void complete(input::BlocksRead& read) const override;
  double usualTemperature(const input::Deck& deck, const input::Population& population) const override;

  void check(const input::Deck& deck, input::Report& report) const override;
  input::Estimate estimate(const input::Deck& deck, std::int64_t bodies, double rate) const override;
  std::vector<std::string> phases(const input::Deck&) const override { return {"forces of all pairs, integration"}; }
  bool keepsEnergy(const input::Deck& deck) const override;
  bool keepsMomentum(const input::Deck& deck) const override;
  void integratorDifference(const input::Deck& then, const input::Deck& now,
                            input::Differences& differences) const override;
  void populationDifference(const input::Deck& then, const input::Deck& now, std::size_t k,
                            input::Differences& differences) const override;
};

// The one in the table.
const BodyBlocks& bodyBlocks();

}  // namespace mesowarp::nbody
