// Decks with Brownian tracers: grammar, checks, cost.
#pragma once

#include "input/method.hpp"

namespace mesowarp::tracers {

// What [[population]] has for tracers alone.
struct TracerKeys {
  double diffusion = 0.0;  // D, length^2 / time
};
inline double diffusionOf(const input::Population& population) { return population.own.get<TracerKeys>().diffusion; }

class TracerBlocks final : public input::MethodBlocks {
public:
  std::string inWords() const override { return "tracers"; }
  std::string population() const override { return "tracers"; }
  std::vector<std::string> kinds() const override { return {"tracers"}; }

  void extend(input::SharedBlocks& blocks) const override;
  bool takes(const std::string& block) const override;
  std::string refusesIntegrator(const std::string&) const override { return {}; }  // they have their own
  std::vector<std::string> ownColumns() const override { return {"tracer_msd"}; }
  bool lacksColumn(const std::string& column) const override;
  std::vector<std::string> usualColumns() const override;
  std::vector<std::pair<std::string, std::string>> headlines() const override { return {}; }

  void checkSpecies(input::Report&, std::size_t, input::Population&) const override {}  // they have none
  std::string refusesBonds(const input::Population& population) const override;

  std::int64_t particleCount(const input::Population& population, const input::BoxBlock& box) const override;
  void check(const input::Deck& deck, input::Report& report) const override;
  input::Estimate estimate(const input::Deck& deck, std::int64_t tracers, double rate) const override;
  std::vector<std::string> phases(const input::Deck&) const override { return {"diffusion of tracers"}; }
  bool keepsEnergy(const input::Deck&) const override { return true; }  // they have none
};

// The one in the table.
const TracerBlocks& tracerBlocks();

}  // namespace mesowarp::tracers
