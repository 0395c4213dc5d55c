// What the parser and the checks have to say about a deck.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::input {

struct Diagnostic {
  Source where;
  std::string message;
  bool warning = false;
};

// "deck.toml:12:3: message", "deck.toml:12:3: warning: message", "--set run.steps=abc: message" for an override, or
// "deck.toml: message" for what stands nowhere.
std::string format(const Diagnostic& diagnostic, const std::string& file);
// "line 12", the override, or "the defaults".
std::string lineOf(const Source& where);

// Where a key or block of the deck stands, "interaction.0.gamma": the nearest that was given of the key, its block.
Source sourceOf(const Deck& deck, const std::string& path);
// The key itself was given, in the deck or by an override.
bool isGiven(const Deck& deck, const std::string& path);

// Collects diagnostics about a deck, found by path.
class Report {
public:
  explicit Report(const Deck& deck) : deck_(deck) {}
  void error(const std::string& path, std::string message) { add(path, std::move(message), false); }
  void warning(const std::string& path, std::string message) { add(path, std::move(message), true); }
  std::vector<Diagnostic>& diagnostics() { return diagnostics_; }

private:
  void add(const std::string& path, std::string message, bool isWarning);
  const Deck& deck_;
  std::vector<Diagnostic> diagnostics_;
};

// In the order of the deck: what stands nowhere, then lines, then overrides.
void sortByPlace(std::vector<Diagnostic>& diagnostics);

}  // namespace mesowarp::input
