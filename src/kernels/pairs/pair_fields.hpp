// What a pair force says that it reads of a particle and what it sums, as lists of types; traversals, ghosts' fields
// and epilogues follow from them. A field of its own is a struct with
//
//   static constexpr const char* name;  // of the particles' field; its numbers are of the precision's Real
//   static constexpr int width;         // numbers of a particle
//
// and one that is summed may say, too, what becomes of the sums:
//
//   using Changes = Field;  // a field as wide, whose state after the step is next() of the one before
//   template <class Real> static void next(const Real* now, const Real* sum, Real timestep, Real* next);
//   static constexpr bool stored;          // whether the sums are kept in the field `name`: else, if they change none
//   static constexpr unsigned traits = 0;  // of that field, beside none (grid/field_rows.hpp)
#pragma once

#include <tuple>
#include <type_traits>

#include "core/types.hpp"

namespace mesowarp {

struct Velocity {};  // PairInput::rDotV
struct Noise {};     // PairInput::signatureI, signatureJ

template <class... Fields>
struct OwnFields {
  static constexpr int count = sizeof...(Fields), width = (0 + ... + Fields::width);
  template <int F>
  using Of = std::tuple_element_t<F, std::tuple<Fields...>>;
  // Where a field begins among the numbers of a particle.
  template <class Field, int F = 0>
  static constexpr int at() {
    if constexpr (std::is_same_v<Of<F>, Field>)
      return 0;
    else
      return Of<F>::width + at<Field, F + 1>();
  }
};

namespace detail {

template <class Known, class... Rest>
struct OwnOf {
  using Type = Known;
};
template <class... Known, class First, class... Rest>
struct OwnOf<OwnFields<Known...>, First, Rest...> {
  static constexpr bool builtIn = std::is_same_v<First, Velocity> || std::is_same_v<First, Noise>;
  using Longer = std::conditional_t<builtIn, OwnFields<Known...>, OwnFields<Known..., First>>;
  using Type = typename OwnOf<Longer, Rest...>::Type;
};

}  // namespace detail

// Beside the position; the species, where there are several, is looked at to find the coefficients.
template <class... What>
struct PairReads {
  static constexpr bool velocity = (false || ... || std::is_same_v<What, Velocity>);
  static constexpr bool noise = (false || ... || std::is_same_v<What, Noise>);
  using Own = typename detail::OwnOf<OwnFields<>, What...>::Type;
};

// Beside force, energy and virial.
template <class... Fields>
struct PairSums {
  using Own = OwnFields<Fields...>;
};

template <class Sum>
constexpr bool changesAField = requires {
  typename Sum::Changes;
};
template <class Sum>
constexpr bool storedSum() {
  if constexpr (requires { Sum::stored; })
    return Sum::stored;
  else
    return !changesAField<Sum>;
}
template <class Sum>
constexpr unsigned traitsOfSum() {
  if constexpr (requires { Sum::traits; })
    return Sum::traits;
  else
    return 0;
}

}  // namespace mesowarp
