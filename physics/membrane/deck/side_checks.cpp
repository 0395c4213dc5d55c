// Membranes with an inside and an outside: what follows from their keys, and whether they can be.
#include <algorithm>
#include <fmt/format.h>

#include "core/error.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/method.hpp"
#include "input/species.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"

namespace mesowarp::membrane {
namespace {

using namespace input;

// Moves, is single particles, and has a place of its own at the start.
bool isFluid(const Deck& deck, const Population& p) {
  const auto cells = std::find_if(deck.populations.begin(), deck.populations.end(), isMembrane);
  return cells != deck.populations.end() && &ownerOf(p) == &ownerOf(*cells) && !isMembrane(p) && p.blocks.empty() &&
         !isFrozen(deck, p.species) && p.initial != inCells && p.initial != "solid";
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Population* holderOf(const Deck& deck, const std::string& species) {
  for (const Population& p : deck.populations)
    if (const auto all = speciesOf(p); contains(all, species)) return &p;
  return nullptr;
}

void checkInside(const Deck& deck, std::size_t k, const MembraneKeys& keys, Report& report) {
  const std::string path = fmt::format("membrane.{}.", k);
  if (keys.inside == keys.outside)
    return report.error(path + "inside", fmt::format("{} is outside as well: give the inside a species of its own, for "
                                                     "which [[interaction]] blocks say how viscous it is",
                                                     quoted(keys.inside)));
  const Population* holder = holderOf(deck, keys.inside);
  if (holder && holder->initial != inCells)
    report.error(path + "inside",
                 fmt::format("population {} has the species {}, and would be on either side: what is inside starts in "
                             "cells alone; name another species, or give that population initial = \"cells\"",
                             quoted(holder->name), quoted(keys.inside)));
}

void checkOutside(const Deck& deck, std::size_t k, const MembraneKeys& keys, Report& report) {
  const auto names = fluidSpecies(deck);
  if (names.empty())
    report.error(fmt::format("membrane.{}.inside", k),
                 "there is no fluid that cells could be filled with: add a [[population]] of one around them, which "
                 "moves");
  else if (!contains(names, keys.outside))
    report.error(
        fmt::format("membrane.{}.outside", k),
        fmt::format("no fluid that moves has the species {}{}", quoted(keys.outside), suggestion(keys.outside, names)));
}

// A particle's triangles are those of the vertices in its row of the neighbour list, and of their neighbours.
void checkEdges(const Deck& deck, std::size_t k, const Population& cells, Report& report) {
  try {
    const double edge = longestEdge(*meshOf(cellsOf(cells))), reach = largestCutoff(deck);
    if (1.2 * edge > reach)
      report.error(fmt::format("membrane.{}.inside", k),
                   fmt::format("edges of the membranes of {} are up to {:.3g} long, and particles see {:.3g} (the "
                               "largest cutoff), too little to find the triangle that they meet: take a finer mesh",
                               quoted(cells.name), edge, reach));
  } catch (const InputError&) {  // told elsewhere
  }
}

}  // namespace

std::vector<std::string> fluidSpecies(const Deck& deck) {
  std::vector<std::string> names;
  for (const Population& p : deck.populations)
    if (isFluid(deck, p))
      for (const auto& species : speciesOf(p)) names.push_back(species);
  return names;
}

void addPopulations(BlocksRead& read) {
  Deck& deck = read.deck;
  const auto it = deck.lists.find("membrane");
  if (it == deck.lists.end() || read.broken.count("membrane") || read.broken.count("population")) return;
  const auto names = fluidSpecies(deck);
  for (std::size_t k = 0; k < it->second.size(); ++k) {
    auto& keys = it->second[k].own.get<MembraneKeys>();
    if (keys.inside.empty()) continue;
    if (keys.outside.empty() && !names.empty()) keys.outside = names.front();
    if (holderOf(deck, keys.inside) != nullptr) continue;
    Population inside;
    inside.name = inside.species = keys.inside;
    inside.initial = inCells;
    if (const Population* outside = holderOf(deck, keys.outside))
      inside.kind = outside->kind, inside.mass = outside->mass, inside.temperature = outside->temperature;
    inside.where = it->second[k].where;
    deck.sources[fmt::format("population.{}", deck.populations.size())] = inside.where;
    deck.populations.push_back(inside);
  }
}

void checkSides(const Deck& deck, Report& report) {
  const auto all = membranesOf(deck);
  std::vector<std::string> insides;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const MembraneKeys& keys = all[k];
    if (keys.inside.empty()) {
      if (!keys.outside.empty())
        report.error(fmt::format("membrane.{}.outside", k),
                     "outside is for membranes that have an inside: give it too, or leave both out");
      continue;
    }
    insides.push_back(keys.inside);
    checkOutside(deck, k, keys, report);
    checkInside(deck, k, keys, report);
    for (const Population& p : deck.populations)
      if (p.name == keys.population && isMembrane(p)) checkEdges(deck, k, p, report);
  }
  if (insides.size() > mostWithSides)
    report.error("membrane.0.inside",
                 fmt::format("{} membranes have an inside, and {} are possible", insides.size(), mostWithSides));
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    if (insides.empty() && contains(deck.outputs[k].columns, wrongSide))
      report.error(fmt::format("output.{}.columns", k),
                   "wrong_side counts what is on the wrong side of a membrane: give a [[membrane]] an inside, or leave "
                   "the column out");
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    if (deck.populations[k].initial == inCells && !contains(insides, deck.populations[k].species))
      report.error(fmt::format("population.{}.initial", k),
                   fmt::format("no [[membrane]] has {} inside: give one inside = {}",
                               quoted(deck.populations[k].species), quoted(deck.populations[k].species)));
}

}  // namespace mesowarp::membrane
