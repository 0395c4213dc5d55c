// Where the fields lie that a pair force names itself, as a kernel sees them: what it reads of a particle, and what
// becomes of a particle's sums. Empty for a force that has none.
#pragma once

#include <type_traits>

#include "core/accumulators.hpp"
#include "kernels/pairs/pair_fields.hpp"
#include "kernels/pairs/pair_state.hpp"
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

// Width numbers that lie together, in fours where they are that many.
template <int Width, class Real>
KOKKOS_FORCEINLINE_FUNCTION void loadNumbers(const Real* from, Real* to) {
  if constexpr (Width % 4 == 0) {
    constexpr int each = 16 / sizeof(Real);
    struct alignas(16) Several {
      Real number[each];
    };
    for (int c = 0; c < Width; c += each) {
      const Several some = *reinterpret_cast<const Several*>(from + c);
      for (int k = 0; k < each; ++k) to[c + k] = some.number[k];
    }
  } else {
    for (int c = 0; c < Width; ++c) to[c] = from[c];
  }
}

template <class Force, bool Any = Force::Reads::Own::count != 0>
struct OwnReads {
  KOKKOS_FORCEINLINE_FUNCTION void load(int, typename Force::Real*) const {}
};
template <class Force>
struct OwnReads<Force, true> {
  using Real = typename Force::Real;
  using Own = typename Force::Reads::Own;
  const Real* field[Own::count];  // from this force's part on
  int stride[Own::count];         // of slotted fields

  template <int F>
  KOKKOS_FORCEINLINE_FUNCTION int strideOf() const {
    if constexpr (slotted<typename Own::template Of<F>>)
      return stride[F];
    else
      return Own::template Of<F>::width;
  }
  // All numbers of a particle.
  template <int F = 0>
  KOKKOS_FORCEINLINE_FUNCTION void load(int particle, Real* own) const {
    if constexpr (F < Own::count) {
      constexpr int width = Own::template Of<F>::width;
      loadNumbers<width>(field[F] + static_cast<std::size_t>(particle) * strideOf<F>(), own);
      load<F + 1>(particle, own + width);
    }
  }
};

namespace detail {

struct NoChange {};
template <class Real, class Sum>
auto changeOf() {
  if constexpr (hasChange<Sum>)
    return std::type_identity<typename Sum::template Change<Real>>();
  else
    return std::type_identity<NoChange>();
}
// The change object of the sums' one that has such.
template <class Real, class Own, int S = 0>
auto firstChange() {
  if constexpr (S == Own::count)
    return std::type_identity<NoChange>();
  else if constexpr (hasChange<typename Own::template Of<S>>)
    return changeOf<Real, typename Own::template Of<S>>();
  else
    return firstChange<Real, Own, S + 1>();
}

}  // namespace detail

template <class Force, bool Any = Force::Sums::Own::count != 0>
struct OwnSums {
  template <class Total, class State>
  KOKKOS_FORCEINLINE_FUNCTION void close(int, const Total*, const State&) const {}
};
template <class Force>
struct OwnSums<Force, true> {
  using Real = typename Force::Real;
  using Own = typename Force::Sums::Own;
  struct Places {
    Real* stored = nullptr;
    int stride = 0;     // of slotted sums
    bool adds = false;  // to what another force has stored in this step
    const Real* now = nullptr;
    Real* next = nullptr;
  };
  using Change = typename decltype(detail::firstChange<Real, Own>())::type;
  Places places[Own::count];
  Change change;
  Real timestep = 0;
  Real closing = 0, half = 0;  // of it, as of the velocity
  double unit = 1.0;           // of a total
  i64 step = 0;
  const u32* tag = nullptr;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;

  // The totals of all own sums of a particle.
  template <class Total, class State>
  KOKKOS_FORCEINLINE_FUNCTION void close(int i, const Total* totals, const State& state) const {
    bool out = false;
    for (int c = 0; c < Own::width; ++c) out = out || totals[c].overflowed();
    if (out) raise(errors, StepFlags::ownRangeLeft, step, tag[i]);
    put<0>(i, totals, state);
  }

private:
  template <int S, class Total, class State>
  KOKKOS_FORCEINLINE_FUNCTION void put(int i, const Total* totals, const State& state) const {
    if constexpr (S < Own::count) {
      using Sum = typename Own::template Of<S>;
      constexpr int width = Sum::width;
      const std::size_t at = static_cast<std::size_t>(i) * (slotted<Sum> ? places[S].stride : width);
      Real sum[width];
      for (int c = 0; c < width; ++c) sum[c] = numberOf<Real>(totals[c], unit);
      if constexpr (hasChange<Sum>) {
        change(i, state, sum, closing, half, step);
      } else if constexpr (changesAField<Sum>) {
        static_assert(Sum::Changes::width == width && !slotted<Sum>);
        Sum::next(places[S].now + at, sum, timestep, places[S].next + at);
      }
      if constexpr (storedSum<Sum>()) {
        Real* const stored = places[S].stored + at;
        for (int c = 0; c < width; ++c) stored[c] = places[S].adds ? stored[c] + sum[c] : sum[c];
      }
      put<S + 1>(i, totals + width, state);
    }
  }
};

}  // namespace mesowarp
