#include "physics/nbody/start/coincident_bodies.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "input/grammar/diagnostic.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/hdf5/looks_like_hdf5.hpp"
#include "io/text/text_reader.hpp"
#include "physics/nbody/deck/body_deck.hpp"

namespace mesowarp::nbody {
namespace {

using Point = std::array<double, 3>;

// What the forces see of a position: in single precision that is a float.
Point seen(const input::Deck& deck, const Point& x) {
  if (deck.run.precision != input::Precision::single) return {x[0] + 0.0, x[1] + 0.0, x[2] + 0.0};  // -0 is 0
  const auto rounded = [](double c) { return static_cast<double>(static_cast<float>(c)) + 0.0; };
  return {rounded(x[0]), rounded(x[1]), rounded(x[2])};
}

// The line of a text file that holds its n-th body, from 0.
std::int64_t lineOfBody(const std::string& file, std::size_t n) {
  io::TextReader in(file);
  for (std::size_t k = 0; k <= n && in.nextFilled(); ++k) {
  }
  return in.line();
}

std::string placeOf(const input::Deck& deck, std::size_t population, std::size_t number) {
  const input::Population& p = deck.populations[population];
  const std::string body = fmt::format("number {} of population \"{}\"", number, p.name);
  if (p.initial != input::StartKind::file) return body;
  if (io::looksLikeHdf5(p.file) || io::looksLikeCheckpoint(p.file)) return fmt::format("{} ({})", body, p.file);
  return fmt::format("{} ({}:{})", body, p.file, lineOfBody(p.file, number));
}

[[noreturn]] void refuse(const input::Deck& deck, const HostBodies& bodies, const std::vector<std::size_t>& firstOf,
                         std::size_t a, std::size_t b) {
  const auto populationOf = [&](std::size_t i) {
    return static_cast<std::size_t>(std::upper_bound(firstOf.begin(), firstOf.end(), i) - firstOf.begin()) - 1;
  };
  const std::size_t pa = populationOf(a), pb = populationOf(b);
  const Point& x = bodies.position[a];
  const bool gravity = deck.interactions.front().style == LawStyle::gravity;
  const bool rounded = x != bodies.position[b];
  throw InputError(
      input::format({input::sourceOf(deck, fmt::format("population.{}", pb)),
                     fmt::format("two bodies are in one place, ({:.9g}, {:.9g}, {:.9g}){}, where their force has no "
                                 "bound: {} and {}: move one{}{}",
                                 x[0], x[1], x[2], rounded ? " in single precision" : "",
                                 placeOf(deck, pa, a - firstOf[pa]), placeOf(deck, pb, b - firstOf[pb]),
                                 gravity ? ", or give the interaction a softening" : ", or exclude the pair",
                                 rounded ? ", or take run.precision = \"mixed\"" : "")},
                    deck.file));
}

}  // namespace

void refuseCoincidentBodies(const input::Deck& deck, const HostBodies& bodies,
                            const std::vector<std::size_t>& firstOf) {
  const input::Interaction& law = deck.interactions.front();
  if (law.style == LawStyle::gravity && keysOf(law).softening > 0.0) return;
  std::vector<Point> places;
  for (const auto& x : bodies.position) places.push_back(seen(deck, x));
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::set<std::array<u32, 2>> excluded;
  for (const auto& [a, b] : bodies.exclusions) excluded.insert({std::min(a, b), std::max(a, b)});
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && places[order[last]] == places[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i)  // rising numbers: the sort is stable
      for (std::size_t j = i + 1; j < last; ++j)
        if (!excluded.count({static_cast<u32>(order[i]), static_cast<u32>(order[j])}))
          refuse(deck, bodies, firstOf, order[i], order[j]);
  }
}

}  // namespace mesowarp::nbody
