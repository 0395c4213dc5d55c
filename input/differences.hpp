// What the decks of a checkpoint and of the run that resumes it differ in, told with the new deck's lines.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

#include "input/grammar/diagnostic.hpp"

namespace mesowarp::input {

class Differences {
public:
  explicit Differences(const Deck& now) : report_(now) {}
  void add(const std::string& path, std::string what) { report_.error(path, std::move(what)); }
  // A difference unless both are equal.
  template <class T>
  void same(const std::string& path, const std::string& what, const T& then, const T& now) {
    if (then != now) add(path, fmt::format("{}: {} in the checkpoint, {} in the deck", what, then, now));
  }
  const std::vector<Diagnostic>& all() { return report_.diagnostics(); }

private:
  Report report_;
};

}  // namespace mesowarp::input
