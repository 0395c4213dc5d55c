// Small transport DPD fluids, and what one step should do to their concentrations: by brute force over all pairs in
// long double, from the very positions and concentrations that the step reads. Only the noise is the program's own
// function.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "input/species.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/transport/concentration_change.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "tests/unit/support/test_checkpoints.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

struct TransportCase {
  input::Precision precision = input::Precision::double_;
  bool bitwise = false;
  int solutes = 1;
  bool random = false;
  double fluxCutoff = 1.2, fluxExponent = 2.0;
};

inline transport::InitialConcentration initially(const std::string& solute, double value, double amplitude, int axis) {
  transport::InitialConcentration c;
  c.solute = solute, c.value = value, c.amplitude = amplitude, c.waveAxis = axis;
  return c;
}
inline void addInitial(input::Deck& deck, const transport::InitialConcentration& c) {
  deck.lists["concentration"].push_back({});
  deck.lists["concentration"].back().own.get<transport::InitialConcentration>() = c;
}
inline void addSource(input::Deck& deck, const transport::SoluteSource& s) {
  deck.lists["source"].push_back({});
  deck.lists["source"].back().own.get<transport::SoluteSource>() = s;
}

inline void addTransport(input::Deck& deck, const std::string& a, const std::string& b, std::vector<double> kappa,
                         double fluxCutoff, double fluxExponent) {
  addDpd(deck, a, b, 25.0, 4.5, 3.0, 1.0, 0.7);
  input::Interaction& i = deck.interactions.back();
  i.style = input::InteractionStyle::tdpd, i.further = fluxCutoff;
  i.own.get<transport::FluxKeys>() = {std::move(kappa), fluxCutoff, fluxExponent};
}

// Room for eight ranks along x. Solute s begins as 1 + s/10 + (1/2) sin along an axis that goes with s.
inline System transportFluid(const TransportCase& c) {
  System s{emptyDeck({12.0, 6.0, 5.5}, c.precision, 0.004, {{"A", 1.0}, {"B", 2.0}}), {}};
  input::Deck& deck = s.deck;
  if (c.bitwise) {
    deck.run.reproducibility = input::Reproducibility::bitwise;
    deck.sums = {input::Accumulator::narumi, 65536.0};
  } else {
    deck.sums.accumulator =
        c.precision == input::Precision::single ? input::Accumulator::single : input::Accumulator::double_;
  }
  auto& keys = deck.own.get<transport::TransportKeys>();
  std::vector<double> kappa, other;
  for (int k = 0; k < c.solutes; ++k) {
    keys.solutes.push_back("S" + std::to_string(k));
    kappa.push_back(1.0 + 0.25 * k), other.push_back(0.5 * (k % 3));
    addInitial(deck, initially(keys.solutes.back(), 1.0 + 0.1 * k, 0.5, k % 3));
  }
  keys.randomFlux = c.random, keys.soluteMass = {0.05}, keys.density = 1200.0 / (12.0 * 6.0 * 5.5);
  keys.fluxRange = 1024.0;
  addTransport(deck, "*", "*", kappa, c.fluxCutoff, c.fluxExponent);
  addTransport(deck, "A", "B", other, 0.9, c.fluxExponent);
  deck.neighbor = {0.3, false, input::RebuildStyle::every, 4};
  fill(s, 1200, 0.2, 1.0, 11);
  return s;
}

// One particle's row of a checkpoint.
struct SoluteRow {
  u32 tag, signature, species;
  u64 position[3];  // ticks of 2^-64 periods
  std::vector<double> concentration;
  double low = 0.0;  // of the first, in single precision
};

template <class P>
std::vector<SoluteRow> soluteRows(const io::CheckpointContent& content, int solutes) {
  using Real = typename P::Real;
  constexpr int up = 64 - 8 * static_cast<int>(sizeof(typename P::Coord));
  const auto at = [&](const char* name, std::size_t i) {
    const auto& array = content.arrays.at(name);
    return array.data.data() + i * array.width;
  };
  std::vector<SoluteRow> rows(content.arrays.at("tag").rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SoluteRow& r = rows[i];
    PairPosition<typename P::Coord> p;
    PairVelocity<typename P::Store> v;
    std::memcpy(&r.tag, at("tag", i), sizeof(r.tag));
    std::memcpy(&p, at("position", i), sizeof(p)), std::memcpy(&v, at("velocity", i), sizeof(v));
    r.signature = p.signature, r.species = v.species;
    r.position[0] = u64{p.x} << up, r.position[1] = u64{p.y} << up, r.position[2] = u64{p.z} << up;
    for (int s = 0; s < solutes; ++s) {
      Real c, low = 0;
      std::memcpy(&c, at(transport::concentrationField, i) + static_cast<std::size_t>(s) * sizeof(Real), sizeof(c));
      if constexpr (sizeof(Real) == 4)
        std::memcpy(&low, at(transport::lowField, i) + static_cast<std::size_t>(s) * sizeof(Real), sizeof(low));
      r.concentration.push_back(static_cast<double>(c) + static_cast<double>(low));
    }
  }
  return rows;
}

// Of all ranks' particles, in the order of tags; on several ranks the concentrations are those of the caller's alone.
inline std::vector<SoluteRow> soluteState(Engine& engine, const input::Deck& deck) {
  const auto content = contentOf(engine);
  const int solutes = transport::layoutOf(deck).solutes;
  auto rows = deck.run.precision == input::Precision::single  ? soluteRows<SinglePrecision>(content, solutes)
              : deck.run.precision == input::Precision::mixed ? soluteRows<MixedPrecision>(content, solutes)
                                                              : soluteRows<DoublePrecision>(content, solutes);
  std::sort(rows.begin(), rows.end(), [](const SoluteRow& a, const SoluteRow& b) { return a.tag < b.tag; });
  return rows;
}

inline double totalOf(const std::vector<SoluteRow>& rows, std::size_t solute) {
  long double total = 0.0L;
  for (const auto& row : rows) total += row.concentration[solute];
  return static_cast<double>(total);
}

// Q of every particle and solute, from these rows.
class FluxReference {
public:
  using Wide = long double;
  explicit FluxReference(const input::Deck& deck) : deck_(deck), keys_(transport::transportOf(deck)) {
    for (const auto& a : deck.species)
      for (const auto& b : deck.species) between_.push_back(input::pairInteraction(deck, a, b));
    for (int axis = 0; axis < 3; ++axis) tick_[axis] = std::ldexp(static_cast<Wide>(deck.box.size[axis]), -64);
  }

  std::vector<std::vector<Wide>> operator()(const std::vector<SoluteRow>& rows) const {
    std::vector<std::vector<Wide>> sums(rows.size(), std::vector<Wide>(keys_.solutes.size(), 0.0L));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = i + 1; j < rows.size(); ++j) addPair(rows[i], rows[j], sums[i], sums[j]);
    return sums;
  }

private:
  void addPair(const SoluteRow& i, const SoluteRow& j, std::vector<Wide>& ofI, std::vector<Wide>& ofJ) const {
    const auto* in = between_[i.species * deck_.species.size() + j.species];
    const auto& flux = in->own.get<transport::FluxKeys>();
    Wide r2 = 0.0L;
    for (int axis = 0; axis < 3; ++axis) {
      const Wide d = static_cast<Wide>(static_cast<i64>(i.position[axis] - j.position[axis])) * tick_[axis];
      r2 += d * d;
    }
    const Wide w = 1.0L - std::sqrt(r2) / flux.cutoff;
    if (w <= 0.0L) return;
    for (std::size_t s = 0; s < keys_.solutes.size(); ++s) {
      const Wide kappa = transport::numberOf(flux.kappa, s), a = i.concentration[s], b = j.concentration[s];
      Wide q = -kappa * std::pow(w, static_cast<Wide>(flux.exponent)) * (a - b);
      if (keys_.randomFlux && a + b > 0.0L)
        q += transport::numberOf(keys_.soluteMass, s) *
             std::sqrt(kappa * keys_.density * (a + b) / deck_.run.timestep) *
             std::pow(w, static_cast<Wide>(flux.exponent) / 2) *
             gauss(i.signature, j.signature, PairStream::transport + static_cast<u32>(s)) *
             (i.signature > j.signature ? 1.0L : -1.0L);
      ofI[s] += q, ofJ[s] -= q;
    }
  }
  Wide gauss(u32 a, u32 b, u32 stream) const {
    const Words words = pairWords<TeaMixing>(a, b, stream);
    return deck_.run.precision == input::Precision::single ? static_cast<Wide>(gaussian<float>(words))
                                                           : static_cast<Wide>(gaussian<double>(words));
  }
  const input::Deck& deck_;
  const transport::TransportKeys& keys_;
  std::vector<const input::Interaction*> between_;  // of two species
  Wide tick_[3];
};

}  // namespace mesowarp::test
