// Systems with the tests' own pair force (test_exchange.hpp), what their particles carry, and what they should: by
// brute force over all pairs in long double, from the very positions that the force reads. Only the noise is the
// program's own function.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "input/species.hpp"
#include "tests/unit/support/test_checkpoints.hpp"
#include "tests/unit/support/test_exchange.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

inline void addExchange(input::Deck& deck, const std::string& a, const std::string& b, double kappa, double epsilon,
                        double cutoff) {
  addDpd(deck, a, b, 25.0, 4.5, 3.0, cutoff);
  deck.interactions.back().style = exchangeStyle;
  deck.interactions.back().own.get<ExchangeKeys>().kappa = kappa, deck.interactions.back().epsilon = epsilon;
}

// Room for eight ranks along x. others: Lennard-Jones and DPD between some species, so that three forces add up.
inline System exchangingFluid(input::Precision precision, bool bitwise, bool others) {
  System s{emptyDeck({12.0, 6.0, 5.5}, precision, 0.004, {{"A", 1.0}, {"B", 3.0}, {"C", 1.0}}), {}};
  if (bitwise) {
    s.deck.run.reproducibility = input::Reproducibility::bitwise;
    s.deck.sums = {input::Accumulator::narumi, 65536.0};
  } else {
    s.deck.sums.accumulator =
        precision == input::Precision::single ? input::Accumulator::single : input::Accumulator::double_;
  }
  addExchange(s.deck, "*", "*", 2.0, 0.7, 1.0);
  addExchange(s.deck, "A", "B", 5.0, 0.3, 0.9);
  if (others) {
    addDpd(s.deck, "B", "B", 20.0, 9.0, std::sqrt(18.0), 1.0);
    addLennardJones(s.deck, "A", "C", 0.3, 0.5, 1.0);
  }
  s.deck.neighbor = {0.3, false, input::RebuildStyle::every, 4};
  fill(s, 1200, 0.2, 1.0, 11);
  return s;
}

// One particle's row of a checkpoint.
struct OwnRow {
  u32 tag, signature, species;
  u64 position[3];  // ticks of 2^-64 periods
  double carried[substances], exchanged[substances], crowding, weight;
};

template <class P>
std::vector<OwnRow> ownRows(const io::CheckpointContent& content) {
  using Real = typename P::Real;
  const auto row = [&](const char* name, std::size_t i, auto& value) {
    const auto& array = content.arrays.at(name);
    ASSERT_EQ(array.width, sizeof(value));
    std::memcpy(&value, array.data.data() + i * sizeof(value), sizeof(value));
  };
  constexpr int up = 64 - 8 * static_cast<int>(sizeof(typename P::Coord));
  std::vector<OwnRow> rows(content.arrays.at("tag").rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    OwnRow& r = rows[i];
    PairPosition<typename P::Coord> p;
    PairVelocity<typename P::Store> v;
    Real carried[substances], exchanged[substances], crowding, weight;
    row("tag", i, r.tag), row("position", i, p), row("velocity", i, v), row("carried", i, carried);
    row("exchanged", i, exchanged), row("crowding", i, crowding), row("weight", i, weight);
    r.signature = p.signature, r.species = v.species;
    r.position[0] = u64{p.x} << up, r.position[1] = u64{p.y} << up, r.position[2] = u64{p.z} << up;
    std::copy_n(carried, substances, r.carried), std::copy_n(exchanged, substances, r.exchanged);
    r.crowding = crowding, r.weight = weight;
  }
  return rows;
}

// Calls with a value of the precision's type.
template <class Call>
auto inPrecision(input::Precision precision, const Call& call) {
  return precision == input::Precision::single  ? call(SinglePrecision())
         : precision == input::Precision::mixed ? call(MixedPrecision())
                                                : call(DoublePrecision());
}

// Of all ranks' particles, in the order of tags.
inline std::vector<OwnRow> ownState(Engine& engine, input::Precision precision, const comm::Communicator* ranks) {
  const auto content = contentOf(engine);
  auto rows = inPrecision(precision, [&](auto p) { return ownRows<decltype(p)>(content); });
  if (ranks) rows = ranks->toEach(std::vector<std::vector<OwnRow>>(static_cast<std::size_t>(ranks->size()), rows));
  std::sort(rows.begin(), rows.end(), [](const OwnRow& a, const OwnRow& b) { return a.tag < b.tag; });
  return rows;
}

// What particles begin with: the method's initial state would say it; here the state before step 0 is taken out of the
// engine and put back with it.
template <class P>
void setOwnFields(Engine& engine) {
  using Real = typename P::Real;
  auto content = contentOf(engine);
  const auto count = content.arrays.at("tag").rows;
  auto& carried = content.arrays.at("carried").data;
  auto& weight = content.arrays.at("weight").data;
  for (std::size_t i = 0; i < count; ++i) {
    u32 tag;
    std::memcpy(&tag, content.arrays.at("tag").data.data() + i * sizeof(tag), sizeof(tag));
    Real values[substances];
    for (int s = 0; s < substances; ++s) values[s] = static_cast<Real>(0.1 * ((tag * (7 + s)) % 31));
    const Real own = static_cast<Real>(0.5 + 0.01 * (tag % 17));
    std::memcpy(carried.data() + i * sizeof(values), values, sizeof(values));
    std::memcpy(weight.data() + i * sizeof(own), &own, sizeof(own));
  }
  engine.restore(content);
}
inline void beginExchange(Engine& engine, input::Precision precision) {
  engine.rebuildIfDue(0);
  inPrecision(precision, [&](auto p) { setOwnFields<decltype(p)>(engine); });
}

// The sums that these rows should have, from their positions and what they carry.
class ExchangeReference {
public:
  using Wide = long double;
  struct Sums {
    Wide exchanged[substances] = {}, crowding = 0.0L, scale = 0.0L;  // scale: sum of magnitudes
  };

  explicit ExchangeReference(const input::Deck& deck) : deck_(deck) {
    for (const auto& a : deck.species)
      for (const auto& b : deck.species) {
        const auto acting = input::interactionsOf(deck, a, b);
        const auto found =
            std::find_if(acting.begin(), acting.end(), [](const auto* in) { return in->style == exchangeStyle; });
        between_.push_back(found == acting.end() ? nullptr : *found);
      }
    for (int axis = 0; axis < 3; ++axis) tick_[axis] = std::ldexp(static_cast<Wide>(deck.box.size[axis]), -64);
  }

  std::vector<Sums> operator()(const std::vector<OwnRow>& rows) const {
    std::vector<Sums> sums(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = i + 1; j < rows.size(); ++j) addPair(rows[i], rows[j], sums[i], sums[j]);
    return sums;
  }

private:
  void addPair(const OwnRow& i, const OwnRow& j, Sums& ofI, Sums& ofJ) const {
    const auto* in = between_[i.species * deck_.species.size() + j.species];
    if (!in) return;
    Wide r2 = 0.0L;
    for (int axis = 0; axis < 3; ++axis) {
      const Wide d = static_cast<Wide>(static_cast<i64>(i.position[axis] - j.position[axis])) * tick_[axis];
      r2 += d * d;
    }
    const Wide w = 1.0L - std::sqrt(r2) / in->cutoff;
    if (w <= 0.0L) return;
    for (int s = 0; s < substances; ++s) {
      const Wide noise = in->epsilon * w * gauss(i.signature, j.signature, PairStream::transport + s) *
                         (i.signature > j.signature ? 1.0L : -1.0L);
      const Wide flow =
          in->own.get<ExchangeKeys>().kappa * (1 + s) * w * (static_cast<Wide>(i.carried[s]) - j.carried[s]);
      ofI.exchanged[s] += noise - flow, ofJ.exchanged[s] -= noise - flow;
      ofI.scale += std::abs(noise) + std::abs(flow), ofJ.scale += std::abs(noise) + std::abs(flow);
    }
    ofI.crowding += w * i.weight * j.weight, ofJ.crowding += w * i.weight * j.weight;
  }
  Wide gauss(u32 a, u32 b, u32 stream) const {
    const Words words = pairWords<TeaMixing>(a, b, stream);
    return deck_.run.precision == input::Precision::single ? static_cast<Wide>(gaussian<float>(words))
                                                           : static_cast<Wide>(gaussian<double>(words));
  }
  const input::Deck& deck_;
  std::vector<const input::Interaction*> between_;  // of two species
  Wide tick_[3];
};

// Runs step k, before which the list is as it should be, and compares what it summed and wrote with the reference.
inline void expectStepAsReference(const System& system, Engine& engine, i64 step, const comm::Communicator* ranks) {
  const input::Precision precision = system.deck.run.precision;
  const bool single = precision == input::Precision::single;
  engine.rebuildIfDue(step);
  const auto before = ownState(engine, precision, ranks);
  const auto expected = ExchangeReference(system.deck)(before);
  engine.advance(step, {});
  const auto after = ownState(engine, precision, ranks);
  ASSERT_EQ(before.size(), system.particles.position.size());
  ASSERT_EQ(after.size(), before.size());
  const bool bitwise = system.deck.run.reproducibility == input::Reproducibility::bitwise;
  const double dt = system.deck.run.timestep, last = single ? 0x1p-23 : 0x1p-52;
  const double unit = bitwise ? system.deck.sums.range * (single ? 0x1p-44 : 0x1p-51) : 0.0;  // each term is rounded to
  double largest = 0.0, worst = 0.0, all = 0.0;
  for (std::size_t t = 0; t < before.size(); ++t) {
    ASSERT_EQ(before[t].tag, t);
    ASSERT_EQ(after[t].tag, t);
    EXPECT_EQ(after[t].weight, before[t].weight);
    const double scale = static_cast<double>(expected[t].scale);
    for (int s = 0; s < substances; ++s) {
      const double sum = after[t].exchanged[s], difference = sum - static_cast<double>(expected[t].exchanged[s]);
      worst = std::max(worst, std::abs(difference) / (1.0 + scale));
      largest = std::max(largest, std::abs(sum));
      all += sum;
      EXPECT_NEAR(after[t].carried[s], before[t].carried[s] + dt * sum, single ? 1e-6 : 1e-14) << "tag " << t;
    }
    worst = std::max(worst, std::abs(after[t].crowding - static_cast<double>(expected[t].crowding)) / 10.0);
  }
  EXPECT_GT(largest, 2.0);
  EXPECT_LE(worst, 16.0 * last + 8.0 * unit) << "step " << step;
  // What one gets the other loses: in fixed point and in numbers that hold all of its places, to the last bit.
  EXPECT_NEAR(all, 0.0, bitwise && !single ? 0.0 : single ? 1e-2 : 1e-11);
}

// State and all that particles carry.
inline std::string ownBits(Engine& engine, input::Precision precision, const comm::Communicator* ranks) {
  EXPECT_EQ(engine.failure(), std::nullopt);
  std::string bits = engine.stateHash();
  for (const OwnRow& row : ownState(engine, precision, ranks))
    for (int s = 0; s < substances; ++s)
      for (const double number : {row.carried[s], row.exchanged[s]})
        bits.append(1, ' ').append(std::to_string(__builtin_bit_cast(u64, number)));
  return bits;
}
inline void runExchange(Engine& engine, i64 first, i64 last) { advance(engine, first, last, {.velocities = true}); }

}  // namespace mesowarp::test
