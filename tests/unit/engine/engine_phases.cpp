// The list of phases: steps that are taken apart, what runs when, and what it refuses.
#include <cstring>
#include <gtest/gtest.h>

#include "device/host_copy.hpp"
#include "tests/unit/support/test_bitwise.hpp"
#include "tests/unit/support/test_phases.hpp"

namespace mesowarp::test {
namespace {

class EnginePhases : public testing::TestWithParam<input::Precision> {};

// With a phase in every third step that does nothing.
std::unique_ptr<Engine> takenApart(const System& system) {
  auto engine = system.engine();
  engine->add(std::make_unique<Between>(*engine->populations().front(), 3));
  return engine;
}

TEST_P(EnginePhases, AStepTakenApartHasTheSameBitsInBitwise) {
  for (const BitwiseFeature& feature : bitwiseFeatures) {
    const System system = feature.make(GetParam());
    EXPECT_EQ(bitsAfter(*takenApart(system), 60), bitsAfter(*system.engine(), 60)) << feature.name;
  }
}

// Elsewhere forces may be added up in another order: after one step apart they differ in their last places.
TEST_P(EnginePhases, AStepTakenApartIsTheSameWithinRoundOff) {
  System system = bitwiseTwoForces(GetParam());
  system.deck.run.reproducibility = input::Reproducibility::deterministic;
  system.deck.sums.accumulator =
      GetParam() == input::Precision::single ? input::Accumulator::single : input::Accumulator::double_sum;
  const double last = GetParam() == input::Precision::single ? 0x1p-24 : 0x1p-53;
  const auto whole = system.engine(), apart = takenApart(system);
  advance(*whole, 0, 0, everything), advance(*apart, 0, 0, everything);
  const io::Snapshot a = whole->snapshot(0), b = apart->snapshot(0);
  double largest = 0.0, worst = 0.0;
  for (std::size_t k = 0; k < a.force.size(); ++k) {
    largest = std::max(largest, std::abs(a.force[k]));
    worst = std::max(worst, std::abs(a.force[k] - b.force[k]));
  }
  EXPECT_GT(largest, 10.0);
  EXPECT_LE(worst, 8.0 * largest * last);
  for (int c = 0; c < 6; ++c) {
    EXPECT_NEAR(whole->sums().kinetic[c], apart->sums().kinetic[c], 1e5 * last);
    EXPECT_NEAR(whole->sums().virial[c], apart->sums().virial[c], 1e6 * last);
  }
}

TEST_P(EnginePhases, RunInTheStepsTheyAreDueIn) {
  const System system = bitwiseFluid(GetParam());
  auto engine = system.engine();
  auto phase = std::make_unique<Between>(*engine->populations().front(), 3);
  const Between& between = *phase;
  engine->add(std::move(phase));
  advance(*engine, 0, 10, {});
  EXPECT_EQ(engine->failure(), std::nullopt);
  EXPECT_EQ(between.ran, (std::vector<i64>{0, 3, 6, 9}));
}

// Without friction and noise, what is turned round at the end of a step goes back where it came from.
template <class P>
double wayBack(input::Precision precision) {
  System system = bitwiseFrictionless(precision);
  auto engine = system.engine();
  auto& population = dynamic_cast<BoxPopulation<P>&>(*engine->populations().front());
  constexpr i64 turn = 40;
  engine->add(std::make_unique<TurnRound<P>>(population, turn));
  // Step 0 is due as well: the journey begins backwards, and turns at step 40.
  advance(*engine, 0, 0, everything);
  const io::Snapshot start = engine->snapshot(0);
  advance(*engine, 1, 2 * turn - 1, {});
  // Step 80 would turn once more, behind its positions.
  advance(*engine, 2 * turn, 2 * turn, everything);
  const io::Snapshot end = engine->snapshot(2 * turn);
  double worst = 0.0;
  for (std::size_t k = 0; k < start.position.size(); ++k) {
    const double box = system.deck.box.size[k % 3];
    worst = std::max(worst, std::abs(std::remainder(start.position[k] - end.position[k], box)));
  }
  return worst;
}

TEST_P(EnginePhases, WhatStandsBetweenActsOnTheVelocitiesOfTheStep) {
  const double worst = GetParam() == input::Precision::single  ? wayBack<SinglePrecision>(GetParam())
                       : GetParam() == input::Precision::mixed ? wayBack<MixedPrecision>(GetParam())
                                                               : wayBack<DoublePrecision>(GetParam());
  EXPECT_LE(worst, GetParam() == input::Precision::single ? 1e-4 : 1e-9);
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EnginePhases, testing::ValuesIn(allPrecisions),
                         [](const auto& of) { return nameOf(of.param); });

// On a GPU pair forces leave out the list's skin in the step that it was built for, but not behind a phase that has
// moved particles in that step: a bounce at a membrane that moves, say.
TEST(EnginePhaseList, KnowsWhoMovesParticlesBehindABuild) {
  for (const auto kind : {FieldUse::reads, FieldUse::writes}) {
    const System system = bitwiseFluid(input::Precision::single);
    auto engine = system.engine();
    auto& population = *engine->populations().front();
    auto mover = std::make_unique<BeforeForces>(population, kind);
    auto witness = std::make_unique<BeforeForces>(population, FieldUse::reads);
    const BeforeForces &first = *mover, &second = *witness;
    engine->add(std::move(mover)), engine->add(std::move(witness));
    advance(*engine, 0, 40, {});
    EXPECT_GT(first.builds, 2);
    EXPECT_EQ(first.asBuilt, first.builds);
    EXPECT_EQ(second.asBuilt, kind == FieldUse::writes ? 0 : second.builds);
  }
}

TEST(EnginePhaseList, RefusesWhatCannotBe) {
  const System system = bitwiseFluid(input::Precision::single);
  auto engine = system.engine(), other = system.engine();
  EXPECT_THROW(engine->add(std::make_unique<Between>(*other->populations().front(), 1)), std::logic_error);
  BoxSettings settings;
  settings.box = boxOf(system.deck);
  settings.cutoff = 1.0, settings.skin = 0.3, settings.masses = {1.0};
  EXPECT_THROW(engine->add(std::make_unique<BoxPopulation<SinglePrecision>>(settings, 10, RankPart{})),
               std::logic_error);
}

// What a field of a method's own needs: it goes with its particle through sorts, and through a checkpoint.
TEST(EngineFields, OfTheirOwnGoWithTheParticle) {
  const System system = bitwiseFluid(input::Precision::mixed);
  const auto withField = [&](std::shared_ptr<Field<double>>& field) {
    auto engine = system.engine();
    auto& population = dynamic_cast<BoxPopulation<MixedPrecision>&>(*engine->populations().front());
    field = population.fields().add<double>("heat", moves | checkpointed | hashed, population.arrays().capacity, 3);
    return engine;
  };
  std::shared_ptr<Field<double>> field, resumed;
  auto engine = withField(field);
  const auto tagsOf = [](Engine& of) {
    return hostCopy(dynamic_cast<BoxPopulation<MixedPrecision>&>(*of.populations().front()).arrays().tag->current);
  };
  auto heat = Kokkos::create_mirror_view(field->current);
  for (int i = 0; i < 1200; ++i)
    for (int c = 0; c < 3; ++c) heat(3 * i + c) = tagsOf(*engine)(i) + 0.25 * c;
  Kokkos::deep_copy(field->current, heat);
  advance(*engine, 0, 40, {});
  const auto check = [&](Engine& of, const Field<double>& values) {
    const auto tags = tagsOf(of);
    const auto now = hostCopy(values.current);
    int elsewhere = 0;
    for (int i = 0; i < 1200; ++i) {
      elsewhere += tags(i) != static_cast<u32>(i);
      for (int c = 0; c < 3; ++c) ASSERT_EQ(now(3 * i + c), tags(i) + 0.25 * c) << i;
    }
    EXPECT_GT(elsewhere, 1000);
  };
  engine->counters();
  check(*engine, *field);
  advance(*engine, 41, 41, everything);
  const io::Snapshot snapshot = engine->snapshot(41);
  ASSERT_EQ(snapshot.own.size(), 1u);
  for (std::size_t t = 0; t < 1200; ++t) {
    double first = 0.0;
    std::memcpy(&first, &snapshot.own[0].data[t * 3 * sizeof(double)], sizeof(first));
    ASSERT_EQ(first, static_cast<double>(t));
  }
  const std::string hash = engine->stateHash();
  auto changed = hostCopy(field->current);
  changed(7) += 1.0;
  Kokkos::deep_copy(field->current, changed);
  EXPECT_NE(engine->stateHash(), hash);
  changed(7) -= 1.0;
  Kokkos::deep_copy(field->current, changed);
  EXPECT_EQ(engine->stateHash(), hash);
  engine->rebuildIfDue(42);
  std::vector<std::vector<std::byte>> storage;
  io::CheckpointContent content;
  content.numbers["step"] = 42;
  for (const io::ArrayView& view : engine->checkpointArrays(storage)) {
    const auto* bytes = static_cast<const std::byte*>(view.data);
    content.arrays[view.name] = {
        view.type,   view.rows, view.width, {bytes, bytes + view.rows * view.width * io::elementSize(view.type)},
        view.spread, 0,         view.rows};
  }
  auto second = withField(resumed);
  second->restore(content);
  check(*second, *resumed);
}

}  // namespace
}  // namespace mesowarp::test
