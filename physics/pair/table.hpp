// A conservative force from a file (physics/pair/deck/table_file.hpp): a table at equal steps of r^2, so that a pair
// needs no root. Below the table's first distance r_1 the force falls with r, F = F_1 r / r_1, and the energy is its
// integral; from the cutoff on both are zero.
#pragma once

#include <vector>

#include "core/math.hpp"
#include "device/host_copy.hpp"
#include "input/species.hpp"
#include "kernels/pairs/look_up.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "physics/pair/deck/table_file.hpp"

namespace mesowarp {

template <class R, class Math>
struct TableForce {
  using Real = R;
  using Reads = PairReads<>;
  using Sums = PairSums<>;

  template <class V>
  struct CoefficientsOf {
    V first = 0;        // interval of all tables with which the pair's begins
    V last = 0;         // its last interval, from its own first
    V low = 0;          // r^2 of its first knot
    V step = 0;         // r^2 between two of them
    V inverseStep = 0;  // 1 / step
    V cutoff2 = 0;      // 0: acts on nothing
    V scale = 0;        // of energies
  };
  using Coefficients = CoefficientsOf<Real>;
  struct Uniform {
    DeviceArray<Real> numbers;  // of all tables, 8 an interval
  };

  static constexpr bool alwaysLooksUp = true;
  static constexpr const char* label = "pair table";
  static bool handles(const input::Interaction& interaction, const input::Deck&) {
    return interaction.style == input::FurtherStyle::table;
  }
  static KnotTable knots(const input::Interaction& in) {
    const auto& keys = in.own.get<TableKeys>();
    return knotsOf(readPairTable(keys.file, keys.section), static_cast<Interpolation>(keys.interpolation),
                   static_cast<int>(keys.points), in.cutoff);
  }
  template <class Settings>
  static Coefficients coefficients(const Settings& s) requires requires {
    s.interaction;
  }
  {
    std::int64_t first = 0;
    for (const auto& other : s.deck.interactions) {
      if (&other == &s.interaction) break;
      if (handles(other, s.deck)) first += other.own.template get<TableKeys>().points - 1;
    }
    const KnotTable table = knots(s.interaction);
    const auto points = s.interaction.own.template get<TableKeys>().points;
    const double step = (table.high - table.low) / static_cast<double>(points - 1);
    return {Real(first),      Real(points - 2), Real(table.low), Real(step),
            Real(1.0 / step), Real(table.high), Real(s.scale)};
  }
  static Uniform uniform(const input::Deck& deck, int /*instance*/) {
    std::vector<double> all;
    for (const auto& interaction : deck.interactions)
      if (handles(interaction, deck)) {
        const auto one = knots(interaction).numbers;
        all.insert(all.end(), one.begin(), one.end());
      }
    return {toDevice<Real>("pair tables", all)};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOf<V>& c, const PairInput<V>& in,
                                                          const Uniform& tables) {
    using backend::indexOf, backend::lookUp;
    using math::floorOf, math::fusedMultiplyAdd, math::larger, math::select;
    const auto inside = in.distance2 < c.cutoff2;
    const V x = (in.distance2 - c.low) * c.inverseStep, within = larger(x, V(0));
    const V interval = floorOf(-larger(-within, -c.last)), t = select(inside, within - interval, V(0));
    const auto at = indexOf((c.first + interval) * V(8));
    const Real* numbers = tables.numbers.data();
    const auto number = [&](int k) { return lookUp(numbers + k, at, V(0)); };
    const V energy =
        fusedMultiplyAdd(fusedMultiplyAdd(fusedMultiplyAdd(number(3), t, number(2)), t, number(1)), t, number(0));
    const V force = fusedMultiplyAdd(fusedMultiplyAdd(number(6), t, number(5)), t, number(4));
    const V below = select(inside, (within - x) * c.step, V(0));  // r_1^2 - r^2, if positive
    const V whole = fusedMultiplyAdd(V(0.5) * below, force, energy);
    return {select(inside, c.scale * force, V(0)), select(inside, c.scale * whole, V(0))};
  }
};

}  // namespace mesowarp
