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
//
// A field that one force sums and another reads in the same step, such as many-body DPD's density, says
//
//   static constexpr bool summedFirst = true;
//
// The force that sums it comes before in the list of forces; ghosts get it behind that.
//
// A field that several forces, or several instances of one, share in parts is slotted: where its part lies, a deck says
// (FieldSlot). A change that needs more than next() is told is an object (ChangesOf below).
#pragma once

#include <tuple>
#include <type_traits>

#include "core/types.hpp"

namespace mesowarp {

// Where a force's part of a slotted field lies: `stride` numbers from one particle to the next, the part begins at
// `offset`. Parts of a whole number of fours have strides and offsets in fours. The field says so by
//   static constexpr bool slotted = true;
//   static FieldSlot slot(const input::Deck&, int instance);
struct FieldSlot {
  int stride = 1, offset = 0;
};
template <class Field>
constexpr bool slotted = requires {
  Field::slotted;
};

struct Velocity {};    // PairInput::rDotV
struct Noise {};       // PairInput::signatureI, signatureJ
struct Separation {};  // PairInput::separation

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
  static constexpr bool builtIn =
      std::is_same_v<First, Velocity> || std::is_same_v<First, Noise> || std::is_same_v<First, Separation>;
  using Longer = std::conditional_t<builtIn, OwnFields<Known...>, OwnFields<Known..., First>>;
  using Type = typename OwnOf<Longer, Rest...>::Type;
};

}  // namespace detail

// Beside the position; the species, where there are several, is looked at to find the coefficients.
template <class... What>
struct PairReads {
  static constexpr bool velocity = (false || ... || std::is_same_v<What, Velocity>);
  static constexpr bool noise = (false || ... || std::is_same_v<What, Noise>);
  static constexpr bool separation = (false || ... || std::is_same_v<What, Separation>);
  using Own = typename detail::OwnOf<OwnFields<>, What...>::Type;
};

// Beside force, energy and virial.
template <class... Fields>
struct PairSums {
  using Own = OwnFields<Fields...>;
  static constexpr bool force = true;
};
// Instead of these.
template <class... Fields>
struct PairSumsAlone {
  using Own = OwnFields<Fields...>;
  static constexpr bool force = false;
};

// Whether a field that is read has been summed in the same step.
template <class Field>
constexpr bool summedFirst = requires {
  Field::summedFirst;
};

template <class Sum>
constexpr bool changesAField = requires {
  typename Sum::Changes;
};
// Whether what changes the field is an object: `template <class Real> using Change`, a struct with
//   void bind(const FieldRegistry&, bool watched);  // before each step; watched: somebody looks at the step's end
//   void operator()(int i, const PairState<P>&, const Real* sum, Real closing, Real half, i64 step) const;  // writes
//   it
// closing: dt/2, or 0 in step 0; half: dt/2, as of the velocity. Made by Sum::change<Real>(deck); may follow(deck);
// fields that it needs beside: Sum::changeNeeds(deck, bytes of a number). A force has one such sum at most.
template <class Sum>
constexpr bool hasChange = requires {
  typename Sum::template Change<float>;
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
