// Where the fields lie that a pair force names itself, as a kernel sees them: what it reads of a particle, and what
// becomes of a particle's sums. Empty for a force that has none.
#pragma once

#include "core/accumulators.hpp"
#include "kernels/pairs/pair_fields.hpp"
#include "kernels/pairs/step_context.hpp"

namespace mesowarp {

// A total as a number; unit: of value().
template <class Real, class Total>
KOKKOS_FORCEINLINE_FUNCTION Real numberOf(const Total& total, double unit) {
  if constexpr (std::is_same_v<decltype(Total::sum), Real>)
    return total.sum;
  else
    return static_cast<Real>(total.value() * unit);
}

template <class Real, int Count>
struct OwnNumbers {
  Real number[Count];
};
template <class Real>
struct OwnNumbers<Real, 0> {};

template <class Force, bool Any = Force::Reads::Own::count != 0>
struct OwnReads {
  KOKKOS_FORCEINLINE_FUNCTION void load(int, typename Force::Real*) const {}
};
template <class Force>
struct OwnReads<Force, true> {
  using Real = typename Force::Real;
  using Own = typename Force::Reads::Own;
  const Real* field[Own::count];

  // All numbers of a particle.
  template <int F = 0>
  KOKKOS_FORCEINLINE_FUNCTION void load(int particle, Real* own) const {
    if constexpr (F < Own::count) {
      constexpr int width = Own::template Of<F>::width;
      for (int c = 0; c < width; ++c) own[c] = field[F][static_cast<std::size_t>(particle) * width + c];
      load<F + 1>(particle, own + width);
    }
  }
};

template <class Force, bool Any = Force::Sums::Own::count != 0>
struct OwnSums {
  template <class Total>
  KOKKOS_FORCEINLINE_FUNCTION void close(int, const Total*, double) const {}
};
template <class Force>
struct OwnSums<Force, true> {
  using Real = typename Force::Real;
  using Own = typename Force::Sums::Own;
  struct Places {
    Real* stored = nullptr;
    bool adds = false;  // to what another force has stored in this step
    const Real* now = nullptr;
    Real* next = nullptr;
  };
  Places places[Own::count];
  Real timestep = 0;
  i64 step = 0;
  const u32* tag = nullptr;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;

  // The totals of all own sums of a particle.
  template <class Total>
  KOKKOS_FORCEINLINE_FUNCTION void close(int i, const Total* totals, double unit) const {
    bool out = false;
    for (int c = 0; c < Own::width; ++c) out = out || totals[c].overflowed();
    if (out) raise(errors, StepFlags::rangeLeft, step, tag[i]);
    put<0>(i, totals, unit);
  }

private:
  template <int S, class Total>
  KOKKOS_FORCEINLINE_FUNCTION void put(int i, const Total* totals, double unit) const {
    if constexpr (S < Own::count) {
      using Sum = typename Own::template Of<S>;
      constexpr int width = Sum::width;
      const std::size_t at = static_cast<std::size_t>(i) * width;
      Real sum[width];
      for (int c = 0; c < width; ++c) sum[c] = numberOf<Real>(totals[c], unit);
      if constexpr (changesAField<Sum>) {
        static_assert(Sum::Changes::width == width);
        Sum::next(places[S].now + at, sum, timestep, places[S].next + at);
      }
      if constexpr (storedSum<Sum>()) {
        Real* const stored = places[S].stored + at;
        for (int c = 0; c < width; ++c) stored[c] = places[S].adds ? stored[c] + sum[c] : sum[c];
      }
      put<S + 1>(i, totals + width, unit);
    }
  }
};

}  // namespace mesowarp
