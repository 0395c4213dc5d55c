#include "input/grammar/diagnostic.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace mesowarp::input {

std::string format(const Diagnostic& diagnostic, const std::string& file) {
  const Source& at = diagnostic.where;
  const std::string place = !at.option.empty() ? at.option
                            : at.line > 0      ? fmt::format("{}:{}:{}", file, at.line, at.column)
                                               : file;
  return place + (diagnostic.warning ? ": warning: " : ": ") + diagnostic.message;
}

std::string lineOf(const Source& where) {
  return !where.option.empty() ? where.option : where.line > 0 ? fmt::format("line {}", where.line) : "the defaults";
}

Source sourceOf(const Deck& deck, const std::string& path) {
  for (std::string p = path;; p.resize(p.rfind('.'))) {
    const auto it = deck.sources.find(p);
    if (it != deck.sources.end()) return it->second;
    if (p.rfind('.') == std::string::npos) return {};
  }
}

bool isGiven(const Deck& deck, const std::string& path) { return deck.sources.count(path) > 0; }

void Report::add(const std::string& path, std::string message, bool isWarning) {
  diagnostics_.push_back({sourceOf(deck_, path), std::move(message), isWarning});
}

void sortByPlace(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(!a.where.option.empty(), a.where.line, a.where.column) <
           std::tuple(!b.where.option.empty(), b.where.line, b.where.column);
  });
}

}  // namespace mesowarp::input
