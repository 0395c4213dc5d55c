// A pair force that reads and sums fields of its own (test_exchange.hpp): its sums against brute force, through lists,
// checkpoints, and beside other forces. On several ranks: tests/mpi/engine_own_fields.cpp.
#include <gtest/gtest.h>

#include "state/field_request.hpp"
#include "tests/unit/support/test_own_state.hpp"
#include "tests/unit/support/test_phases.hpp"

namespace mesowarp::test {
namespace {

using input::Precision;

// Precision; bitwise; beside other forces.
class EngineOwnFields : public testing::TestWithParam<std::tuple<Precision, bool, bool>> {
protected:
  Precision precision() const { return std::get<0>(GetParam()); }
  bool bitwise() const { return std::get<1>(GetParam()); }
  System system() const { return exchangingFluid(precision(), bitwise(), std::get<2>(GetParam())); }
  std::unique_ptr<Engine> begun(const System& system) const {
    auto engine = system.engine();
    beginExchange(*engine, precision());
    return engine;
  }
  std::string bitsAfter(const System& system, i64 last) const {
    const auto engine = begun(system);
    runExchange(*engine, 0, last);
    return ownBits(*engine, precision(), nullptr);
  }
};

TEST_P(EngineOwnFields, SumsAgreeWithTheReference) {
  const System s = system();
  const auto engine = begun(s);
  expectStepAsReference(s, *engine, 0, nullptr);
  advance(*engine, 1, 21);
  expectStepAsReference(s, *engine, 22, nullptr);  // with a list of two steps before
  EXPECT_EQ(engine->failure(), std::nullopt);
}

TEST_P(EngineOwnFields, ObservationChangesNoBits) {
  const System s = system();
  const auto engine = begun(s);
  for (i64 k = 0; k <= 30; ++k) advance(*engine, k, k, everything);
  EXPECT_TRUE(ownBits(*engine, precision(), nullptr) == bitsAfter(s, 30));
}

TEST_P(EngineOwnFields, ResumedRunHasTheSameBits) {
  const System s = system();
  const std::string unbroken = bitsAfter(s, 40);
  for (const i64 stop : {0, 1, 19, 20, 22}) {
    const auto first = begun(s);
    advance(*first, 0, stop - 1);
    first->rebuildIfDue(stop);
    const auto content = contentOf(*first);
    const auto second = makeEngine(s.deck, s.particles.count(), 0).engine;
    second->restore(content);
    second->advance(stop, {});
    runExchange(*second, stop + 1, 40);
    EXPECT_TRUE(ownBits(*second, precision(), nullptr) == unbroken) << "stopped at step " << stop;
  }
}

// In bitwise the order of rows leaves no trace; otherwise it does, or this test would see nothing.
TEST_P(EngineOwnFields, ListsLeaveNoTraceInBitwise) {
  System changed = system();
  changed.deck.neighbor = {0.4, false, input::RebuildStyle::every, 7};
  const bool same = bitsAfter(system(), 40) == bitsAfter(changed, 40);
  EXPECT_EQ(same, bitwise());
}

INSTANTIATE_TEST_SUITE_P(Modes, EngineOwnFields,
                         testing::Combine(testing::ValuesIn(allPrecisions), testing::Bool(), testing::Bool()),
                         [](const auto& instance) {
                           return titleOf(std::get<0>(instance.param)) +
                                  (std::get<1>(instance.param) ? "Bitwise" : "Deterministic") +
                                  (std::get<2>(instance.param) ? "BesideOthers" : "Alone");
                         });

// With a phase between closing and opening, forces and the rest of the step are kernels of their own.
TEST(EngineOwnFieldsApart, HaveTheSameBitsInBitwise) {
  for (const Precision precision : allPrecisions)
    for (const bool others : {false, true}) {
      const System s = exchangingFluid(precision, true, others);
      const auto whole = s.engine(), apart = s.engine();
      apart->add(std::make_unique<Between>(*apart->populations().front(), 3));
      for (Engine* engine : {whole.get(), apart.get()}) {
        beginExchange(*engine, precision);
        runExchange(*engine, 0, 30);
      }
      EXPECT_TRUE(ownBits(*apart, precision, nullptr) == ownBits(*whole, precision, nullptr)) << titleOf(precision);
    }
}

// The noise of the substances leaves the forces as they are.
TEST(EngineOwnNoise, StreamsAreIndependentOfTheForces) {
  System quiet = exchangingFluid(Precision::double_, true, false), loud = quiet;
  for (auto& in : quiet.deck.interactions) in.epsilon = 0.0;
  const auto a = quiet.engine(), b = loud.engine();
  for (Engine* engine : {a.get(), b.get()}) {
    beginExchange(*engine, Precision::double_);
    runExchange(*engine, 0, 20);
  }
  const auto x = ownState(*a, Precision::double_, nullptr), y = ownState(*b, Precision::double_, nullptr);
  int others = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    for (int axis = 0; axis < 3; ++axis) ASSERT_EQ(x[t].position[axis], y[t].position[axis]);
    others += x[t].carried[0] != y[t].carried[0] ? 1 : 0;
  }
  EXPECT_GT(others, 1000);
}

// A sum of its own that leaves the range of fixed-point sums is said, with the particle's tag.
TEST(EngineOwnSums, OutOfRangeIsAnError) {
  System s = exchangingFluid(Precision::single, true, false);
  for (auto& in : s.deck.interactions) in.own.get<ExchangeKeys>().kappa = 1e6;
  const auto engine = s.engine();
  beginExchange(*engine, Precision::single);
  engine->advance(0, {});
  const auto failure = engine->failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_NE(failure->find("sums.range"), std::string::npos) << *failure;
}

// Two forces that sum into one field add up; two that change one are refused.
TEST(FieldRequests, AreMerged) {
  std::vector<FieldRequest> all;
  addRequest(all, {"x", 3, 4, moves | ghosted, false});
  addRequest(all, {"x", 3, 4, stepwise, true});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].traits, static_cast<unsigned>(moves | ghosted | stepwise));
  EXPECT_TRUE(all[0].doubleBuffered);
  EXPECT_THROW(addRequest(all, {"x", 3, 4, stepwise, true}), std::logic_error);
  EXPECT_THROW(addRequest(all, {"x", 2, 4, moves, false}), std::logic_error);
  EXPECT_THROW(addRequest(all, {"x", 3, 8, moves, false}), std::logic_error);
}

}  // namespace
}  // namespace mesowarp::test
