// Transport DPD on several ranks: ghosts have their concentrations anew in every step, whatever the number of solutes;
// in bitwise the bits, and the totals, are those of one rank.
#include <gtest/gtest.h>

#include "on_all_ranks.hpp"
#include "tests/unit/support/test_transport.hpp"

namespace mesowarp::test {
namespace {

using input::Precision;

class EngineRanksTransport : public testing::TestWithParam<std::tuple<Precision, int, bool>> {
protected:
  System system(bool bitwise) const {
    const auto [precision, solutes, random] = GetParam();
    System s = transportFluid({precision, bitwise, solutes, random});
    s.deck.neighbor.skin = 0.28;  // parts of 1.5, less a tick, on eight ranks
    transport::SoluteSource source;
    source.solute = "S0", source.rate = 0.5, source.linear = -0.1;
    source.shape = transport::Shape::cylinder, source.axis = 0, source.center = {0.0, 0.5, 5.0}, source.radius = 2.0;
    addSource(s.deck, source);
    if (solutes > 1) s.deck.own.get<transport::TransportKeys>().reactions = {"S0 + S1 -> S2 : 0.5"};
    input::Output table;
    table.columns = {"solutes"};
    s.deck.outputs = {table};
    return s;
  }
  static std::pair<std::string, std::map<std::string, double>> stateOf(Engine& engine, i64 last) {
    advance(engine, 0, last, {.thermo = true, .velocities = true});
    EXPECT_EQ(engine.failure(), std::nullopt);
    return {engine.stateHash(), engine.quantities()};
  }
  // Names with the bits, so that both have the same ones.
  static Outcome outcomeOf(const std::pair<std::string, std::map<std::string, double>>& state) {
    Outcome found{state.first, {}};
    for (const auto& [name, value] : state.second) found.bits += " " + name, found.numbers.push_back(value);
    return found;
  }
};

TEST_P(EngineRanksTransport, HaveTheBitsOfOneRankInBitwise) {
  const System s = system(true);
  const auto together = onAllRanks(s);
  const Outcome alone = byTheRoot([&] { return outcomeOf(stateOf(*s.engine(), 60)); });
  const auto state = stateOf(*together, 60);
  const Outcome shared = outcomeOf(state);
  EXPECT_EQ(shared.bits, alone.bits);
  EXPECT_EQ(shared.numbers, alone.numbers);
  EXPECT_EQ(state.second.count("total_S0"), 1u);
  EXPECT_GT(together->counters().migrated, 20);
}

// Otherwise the same numbers, within rounding that the motion has not magnified yet.
TEST_P(EngineRanksTransport, HaveTheNumbersOfOneRank) {
  const System s = system(false);
  const auto one = s.engine();
  const auto together = onAllRanks(s);
  const auto alone = stateOf(*one, 20).second, shared = stateOf(*together, 20).second;
  for (const auto& [name, total] : alone)
    EXPECT_NEAR(shared.at(name), total, std::abs(total) * (std::get<0>(GetParam()) == Precision::single ? 1e-5 : 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Modes, EngineRanksTransport,
                         testing::Combine(testing::ValuesIn(allPrecisions), testing::Values(1, 3, 14), testing::Bool()),
                         [](const auto& i) {
                           return titleOf(std::get<0>(i.param)) + std::to_string(std::get<1>(i.param)) +
                                  (std::get<2>(i.param) ? "Random" : "Fickian");
                         });

}  // namespace
}  // namespace mesowarp::test
