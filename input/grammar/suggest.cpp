#include "input/grammar/suggest.hpp"

#include <algorithm>
#include <cctype>

#include "input/grammar/value.hpp"

namespace mesowarp::input {
namespace {

constexpr std::size_t longestWord = 64, mostWords = 1000;  // beyond them nothing is suggested, to stay quick

std::string lowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

}  // namespace

int editDistance(const std::string& from, const std::string& to) {
  const std::string a = lowerCase(from), b = lowerCase(to);
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(i + j);
        continue;
      }
      const bool same = a[i - 1] == b[j - 1];
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  int smallest = 0;
  if (word.size() > longestWord || known.size() > mostWords) return best;
  for (const auto& candidate : known) {
    if (candidate.size() > longestWord) continue;
    const int distance = editDistance(word, candidate);
    // A third of the letters may be wrong, and at least one of a word of two.
    const int allowed = std::max<int>(1, static_cast<int>(std::max(word.size(), candidate.size())) / 3);
    const bool allDifferent = distance >= static_cast<int>(std::max(word.size(), candidate.size()));
    if (distance > allowed || allDifferent) continue;
    if (best.empty() || distance < smallest) best = candidate, smallest = distance;
  }
  return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  if (!near.empty()) return "; did you mean " + quoted(near) + "?";
  constexpr std::size_t mostShown = 20;
  const bool more = known.size() > mostShown;
  const std::vector<std::string> shown(known.begin(), more ? known.begin() + mostShown : known.end());
  return known.empty() ? "" : "; known: " + enumerate(shown) + (more ? ", ..." : "");
}

std::string enumerate(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += !last.empty() && k + 1 == words.size() ? (words.size() > 2 ? ", " : " ") + last + " " : ", ";
    text += quoted(words[k]);
  }
  return text;
}

}  // namespace mesowarp::input
