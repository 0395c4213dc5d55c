// Between a member of a deck struct and a Value: the conversions that a schema's fields are bound by.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <map>
#include <string>
#include <vector>

#include "input/grammar/value.hpp"

namespace mesowarp::input {

template <class M>
concept WholeNumber = std::integral<M> && !std::same_as<M, bool>;

inline Value toValue(bool v) { return v; }
inline Value toValue(double v) { return v; }
template <WholeNumber M>
Value toValue(M v) {
  return static_cast<std::int64_t>(v);
}
inline Value toValue(const std::string& v) { return v; }
inline Value toValue(const std::vector<std::string>& v) { return v; }
inline Value toValue(const std::vector<double>& v) { return v; }
template <class E, std::size_t N>
Value toValue(const std::array<E, N>& v) {
  return std::vector<E>(v.begin(), v.end());
}
inline Value toValue(const std::map<char, std::string>& v) {
  std::map<std::string, std::string> table;
  for (const auto& [letter, name] : v) table[std::string(1, letter)] = name;
  return table;
}

// The value has the field's type: the reader has seen to it.
template <class M>
void fromValue(M& member, const Value& value) {
  member = std::get<M>(value);
}
template <WholeNumber M>
void fromValue(M& member, const Value& value) {
  member = static_cast<M>(std::get<std::int64_t>(value));
}
template <class E, std::size_t N>
void fromValue(std::array<E, N>& member, const Value& value) {
  const auto& list = std::get<std::vector<E>>(value);
  std::copy_n(list.begin(), std::min(N, list.size()), member.begin());
}
inline void fromValue(std::map<char, std::string>& member, const Value& value) {
  member.clear();
  for (const auto& [letter, name] : std::get<std::map<std::string, std::string>>(value)) member[letter.front()] = name;
}

}  // namespace mesowarp::input
