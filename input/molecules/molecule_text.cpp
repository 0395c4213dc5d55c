#include "input/molecules/molecule_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace mesowarp::input {
namespace {

constexpr std::size_t mostBeads = 1000000;

class Reader {
public:
  explicit Reader(const std::string& text) : text_(text) {}

  Molecule read() {
    if (text_.empty()) throw MoleculeError("it has no beads");
    std::size_t at = 0;
    sequence(at, -1, '\0');
    return std::move(molecule_);
  }

private:
  [[noreturn]] void refuse(std::size_t at, const std::string& why) const {
    throw MoleculeError(fmt::format("at character {}: {}", at + 1, why));
  }
  static bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }

  // The number at a place, 1 where there is none.
  std::size_t number(std::size_t& at) const {
    if (at >= text_.size() || !isDigit(text_[at])) return 1;
    std::size_t n = 0;
    const std::size_t first = at;
    for (; at < text_.size() && isDigit(text_[at]); ++at) n = std::min(10 * n + (text_[at] - '0'), mostBeads + 1);
    if (n == 0) refuse(first, "a number must be at least 1");
    return n;
  }

  // Reads up to `closing`, which is left behind; returns the last bead of the chain.
  int sequence(std::size_t& at, int from, char closing) {
    const std::size_t begin = at;
    int last = from;
    for (; at < text_.size() && text_[at] != closing;) {
      const char c = text_[at];
      if (isLetter(c)) {
        ++at;
        for (std::size_t n = number(at); n > 0; --n) last = add(c, last, begin);
      } else if (c == '(') {
        if (last < 0) refuse(at, "a branch needs a bead before it");
        repeated(at, last, ')');
      } else if (c == '[') {
        last = repeated(at, last, ']');
      } else {
        refuse(at, fmt::format("expected a letter, a number behind one, or brackets, found '{}'", c));
      }
    }
    if (closing != '\0' && at >= text_.size()) refuse(begin - 1, "the bracket is not closed");
    if (at == begin) refuse(begin, closing == '\0' ? "no bead" : "nothing between brackets");
    if (closing != '\0') ++at;
    return last;
  }

  // What is in brackets, as often as the number behind says: branches of one bead, or one behind the other.
  int repeated(std::size_t& at, int from, char closing) {
    const std::size_t inside = at + 1;
    at = inside;
    int last = sequence(at, from, closing);
    for (std::size_t n = number(at); n > 1; --n) {
      std::size_t again = inside;
      last = sequence(again, closing == ')' ? from : last, closing);
    }
    return last;
  }

  int add(char letter, int parent, std::size_t at) {
    if (molecule_.beads.size() >= mostBeads) refuse(at, fmt::format("more than {} beads", mostBeads));
    molecule_.beads += letter, molecule_.parent.push_back(parent);
    return static_cast<int>(molecule_.beads.size()) - 1;
  }

  const std::string& text_;
  Molecule molecule_;
};

}  // namespace

bool Molecule::branched() const {
  for (std::size_t b = 0; b < parent.size(); ++b)
    if (parent[b] != static_cast<int>(b) - 1) return true;
  return false;
}

Molecule moleculeOf(const std::string& text) { return Reader(text).read(); }

Molecule moleculeOf(const Population& population) {
  if (!population.molecule.empty()) return moleculeOf(population.molecule);
  Molecule chain{population.blocks, {}};
  for (std::size_t b = 0; b < chain.beads.size(); ++b) chain.parent.push_back(static_cast<int>(b) - 1);
  return chain;
}

}  // namespace mesowarp::input
