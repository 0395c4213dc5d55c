// Whether the skin of the neighbour list may be tuned as a run goes on (state/skin_tuner.hpp).
#include <fmt/format.h>

#include "core/shear.hpp"
#include "input/method.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

// What is laid out for one skin when a run begins, or watches displacements in its own way; empty: nothing.
std::string goesBySkin(const Deck& deck) {
  if (deck.neighbor.rebuild == RebuildStyle::every) return "a list that is built in every so-manieth step";
  if (deck.own.get<Shear>().on) return "[shear]";
  if (changesBox(deck)) return "a box that changes";
  if (!deck.walls.empty()) return "[[wall]]";
  if (membrane::hasMembranes(deck)) return "[[membrane]]";
  if (methodsOf(deck).size() > 1) return "populations of another kind";
  return {};
}

}  // namespace

void completeSkin(BlocksRead& read) {
  Deck& deck = read.deck;
  if (!isGiven(deck, "neighbor.tune")) deck.neighbor.tune = !isGiven(deck, "neighbor.skin") && goesBySkin(deck).empty();
}

void checkSkin(const Deck& deck, Report& report) {
  if (!deck.neighbor.tune) return;
  const std::string what = goesBySkin(deck);
  if (!what.empty())
    report.error("neighbor.tune",
                 fmt::format("the skin cannot be tuned beside {}: leave tune out, and set neighbor.skin", what));
  if (!(deck.neighbor.skin > 0.0)) report.error("neighbor.tune", "tune widens a skin: set neighbor.skin above 0");
}

}  // namespace mesowarp::fluid
