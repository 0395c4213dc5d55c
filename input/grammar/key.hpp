// One parameter of a block: its description, and typed access to the struct member that holds it.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "input/grammar/binding.hpp"

namespace mesowarp::input {

enum class Type {
  boolean,
  integer,
  number,
  text,
  name,      // letters, digits, _ and -: it goes into file names
  choice,    // one of `choices`
  booleans,  // three, one an axis
  numbers,   // three, one an axis
  wholes,    // three whole numbers, one an axis
  list,      // a number, or any number of them
  names,     // any number of names
  texts,     // any number of strings
  choices,   // some of `choices`, each once
  pair,      // two names or "*"; "*" alone stands for both
  letters    // table: letter = name
};

struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool above = false;  // the lowest value itself is not allowed
};

// The parameter exists only in blocks where another key has one of these values.
struct When {
  std::string key;
  std::vector<std::string> values;
  bool holds(const Value& value) const;
};

struct KeyInfo {
  std::string key;
  Type type = Type::number;
  std::vector<std::string> choices;
  std::string unit;
  Range range;
  std::vector<When> when;
  bool required = false;
  bool optional = false;          // left out, it keeps a value that means "not given" and that no deck can write
  std::optional<Value> fallback;  // default where the struct's own is not it
  std::string defaultText;        // default in words, where it depends on other parameters
  std::string about;
};

// "a number > 0 (length)": what the deck may say.
std::string expectation(const KeyInfo& field);

template <class T>
struct Key : KeyInfo {
  std::function<Value(const T&)> get;
  std::function<void(T&, const Value&)> set;

  Key in(std::string u) && { return unit = std::move(u), std::move(*this); }
  Key above(double bound) && { return range.lowest = bound, range.above = true, std::move(*this); }
  Key from(double bound) && { return range.lowest = bound, std::move(*this); }
  Key to(double bound) && { return range.highest = bound, std::move(*this); }
  Key only(std::string k, std::vector<std::string> values) && {
    return when.push_back({std::move(k), std::move(values)}), std::move(*this);
  }
  Key need() && { return required = true, std::move(*this); }
  Key orElse(Value value) && { return fallback = std::move(value), std::move(*this); }
  Key orElseNot(std::string words) && { return optional = true, defaultText = std::move(words), std::move(*this); }
  Key derived(std::string words) && { return defaultText = std::move(words), std::move(*this); }
  Key means(std::string words) && { return about = std::move(words), std::move(*this); }
};

// A field of type `type` that lives in `member`.
template <class T, class M>
Key<T> bind(Type type, std::string key, M T::*member) {
  Key<T> field;
  field.key = std::move(key), field.type = type;
  field.get = [member](const T& block) { return toValue(block.*member); };
  field.set = [member](T& block, const Value& value) { fromValue(block.*member, value); };
  return field;
}

// One of several words, kept as an enum, a bool or an int: its number in `words`.
template <class T, class M>
Key<T> choice(std::string key, M T::*member, std::vector<std::string> words) {
  Key<T> field;
  field.key = std::move(key), field.type = Type::choice, field.choices = words;
  field.get = [member, words](const T& block) { return Value(words.at(static_cast<std::size_t>(block.*member))); };
  field.set = [member, words](T& block, const Value& value) {
    for (std::size_t k = 0; k < words.size(); ++k)
      if (words[k] == std::get<std::string>(value)) block.*member = static_cast<M>(k);
  };
  return field;
}

// A field of a part that a method keeps in a block's `own`, as a field of the block.
template <class T, class Part>
Key<T> inOwn(Key<Part> part) {
  Key<T> field;
  static_cast<KeyInfo&>(field) = part;
  field.get = [get = part.get](const T& block) { return get(block.own.template get<Part>()); };
  field.set = [set = part.set](T& block, const Value& value) { set(block.own.template get<Part>(), value); };
  return field;
}

// One of several words, kept as it is.
template <class T>
Key<T> word(std::string key, std::string T::*member, std::vector<std::string> words) {
  Key<T> field = bind(Type::choice, std::move(key), member);
  field.choices = std::move(words);
  return field;
}

template <class T>
Key<T> someOf(std::string key, std::vector<std::string> T::*member, std::vector<std::string> words) {
  Key<T> field = bind(Type::choices, std::move(key), member);
  field.choices = std::move(words);
  return field;
}

}  // namespace mesowarp::input
