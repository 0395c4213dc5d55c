// Soft and tabulated pair forces: files, cutoffs, how stiff they are; which forces add up.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

#include "core/error.hpp"
#include "input/grammar/convert.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/pair/deck/table_file.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

bool isTable(const Interaction& i) { return i.style == FurtherStyle::table; }

// Energy at the first row above that at the cutoff, below which thermal particles come nearer than the table knows.
constexpr double enough = 10.0;  // k_BT

void checkTable(const Deck& deck, std::size_t k, Report& report) {
  const Interaction& i = deck.interactions[k];
  const auto& keys = i.own.get<TableKeys>();
  const std::string path = fmt::format("interaction.{}", k);
  if (!sumsAsUsual(deck))
    report.error(path + ".style", "style \"table\" is for the usual accumulators: leave sums.accumulator out");
  PairTableFile table;
  try {
    table = readPairTable(keys.file, keys.section);
  } catch (const InputError& error) {
    return report.error(path + ".file", error.what());
  }
  const double last = table.r.back();
  if (i.cutoff > last * (1.0 + 1e-9))
    return report.error(path + ".cutoff",
                        fmt::format("cutoff = {} is beyond the last row of {}, r = {:.9g} in its line {}: "
                                    "lower it, or continue the table",
                                    i.cutoff, quoted(keys.file), last, table.line.back()));
  if (i.cutoff <= table.r.front())
    return report.error(path + ".cutoff", fmt::format("cutoff = {} is not above the first row of {}, r = {:.9g}",
                                                      i.cutoff, quoted(keys.file), table.r.front()));
  const TableMismatch off = mismatchOf(table);
  if (off.worst > 0.1)
    report.error(path + ".file",
                 fmt::format("{}: from line {} to the next the energy falls by {:.0f}% less or more than "
                             "the force does work: force is not -dU/dr (a sign, another unit, or rows "
                             "that are too far apart)",
                             keys.file, off.line, 100.0 * off.worst));
  else if (off.worst > 0.01)
    report.warning(path + ".file",
                   fmt::format("{}: from line {} to the next energy and force differ by {:.1f}%: energy "
                               "will not be conserved better than that",
                               keys.file, off.line, 100.0 * off.worst));
  const PairValue end = valueAt(table, i.cutoff);
  const double kT = deck.run.temperature;
  if (std::abs(end.energy) > 0.05 * kT)
    report.warning(path + ".cutoff",
                   fmt::format("the energy at the cutoff is {:.3g}, and is not shifted: each pair that "
                               "crosses it changes the total energy by that",
                               end.energy));
  if (table.energy.front() - end.energy < enough * kT)
    report.warning(path + ".file", fmt::format("{}: its first row, r = {:.4g}, is only {:.3g} above the energy at the "
                                               "cutoff: particles will come nearer, where the force falls linearly to "
                                               "zero; begin the table at a smaller r",
                                               keys.file, table.r.front(), table.energy.front() - end.energy));
}

}  // namespace

void checkMorse(const Deck& deck, std::size_t k, Report& report) {
  const Interaction& i = deck.interactions[k];
  if (i.style != FurtherStyle::morse) return;
  const auto& keys = i.own.get<MorseKeys>();
  const std::string path = fmt::format("interaction.{}", k);
  if (keys.beta * keys.r0 > 30.0)
    report.error(path + ".beta", fmt::format("beta r0 = {:.3g} is above 30, where the force at contact leaves single "
                                             "precision: lower one of them",
                                             keys.beta * keys.r0));
  if (keys.beta * std::abs(i.cutoff - keys.r0) > 30.0)
    report.error(path + ".cutoff", fmt::format("beta |cutoff - r0| = {:.3g} is above 30: nothing acts so far out; "
                                               "lower cutoff",
                                               keys.beta * std::abs(i.cutoff - keys.r0)));
}

namespace {

// Molecules are polymers, cells, and what a file has bonds of.
void checkScope(const Deck& deck, std::size_t k, Report& report) {
  const Interaction& i = deck.interactions[k];
  if (!betweenMolecules(i)) return;
  const bool any = std::any_of(deck.populations.begin(), deck.populations.end(), [&](const Population& p) {
    const bool molecules = p.kind == Kind::polymer || p.kind == Kind::membrane || p.initial == StartKind::file;
    const auto all = speciesOf(p);
    return molecules && std::any_of(all.begin(), all.end(), [&](const std::string& species) {
             return std::any_of(i.between.begin(), i.between.end(),
                                [&](const std::string& one) { return one == "*" || one == species; });
           });
  });
  if (!any)
    report.error(fmt::format("interaction.{}.different_molecules", k),
                 fmt::format("neither {} nor {} is of a polymer, a membrane or a file: there are no molecules to tell "
                             "apart, leave different_molecules out",
                             quoted(i.between[0]), quoted(i.between[1])));
}

std::string placeOf(const Interaction& i) {
  return !i.where.option.empty() ? i.where.option : fmt::format("line {}", i.where.line);
}

}  // namespace

void completeTables(BlocksRead& read) {
  if (read.broken.count("interaction")) return;
  for (std::size_t k = 0; k < read.deck.interactions.size(); ++k) {
    Interaction& i = read.deck.interactions[k];
    if (!isTable(i)) continue;
    auto& keys = i.own.get<TableKeys>();
    nameFile(read.deck, fmt::format("interaction.{}.file", k), keys.file);
    if (isGiven(read.deck, fmt::format("interaction.{}.cutoff", k))) continue;
    try {
      i.cutoff = readPairTable(keys.file, keys.section).r.back();
    } catch (const InputError&) {  // checkTables tells it
    }
  }
}

void checkTables(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
    if (isTable(deck.interactions[k])) checkTable(deck, k, report);
    const Interaction& i = deck.interactions[k];
    checkScope(deck, k, report);
    checkMorse(deck, k, report);
    const bool usual = i.style == FurtherStyle::soft || i.style == FurtherStyle::morse ||
                       i.style == FurtherStyle::manyBody || betweenMolecules(i);
    if (usual && !sumsAsUsual(deck))
      report.error(fmt::format("interaction.{}.style", k),
                   fmt::format("style {}{} is for the usual accumulators: leave sums.accumulator out", quoted(i.style),
                               betweenMolecules(i) ? " between different molecules" : ""));
  }
}

double stiffnessOf(const Interaction& i, double temperature) {
  constexpr double pi = 3.14159265358979323846;
  if (i.style == FurtherStyle::morse) {  // U'' = epsilon beta^2 (4 e^2 - 2 e) where e = 1 + sqrt(2 k_BT / epsilon)
    const double beta = i.own.get<MorseKeys>().beta, e = 1.0 + std::sqrt(2.0 * temperature / i.epsilon);
    return i.epsilon * beta * beta * (4.0 * e - 2.0) * e;
  }
  if (i.style == FurtherStyle::soft) return i.own.get<SoftKeys>().amplitude * pi * pi / (i.cutoff * i.cutoff);
  PairTableFile table;
  try {
    table = readPairTable(i.own.get<TableKeys>().file, i.own.get<TableKeys>().section);
  } catch (const InputError&) {
    return 0.0;  // has been told
  }
  double stiffest = 0.0;
  for (std::size_t k = 0; k + 1 < table.r.size() && table.r[k + 1] <= i.cutoff; ++k)
    if (table.energy[k] <= table.energy.back() + 2.0 * temperature)
      stiffest = std::max(stiffest, (table.force[k] - table.force[k + 1]) / (table.r[k + 1] - table.r[k]));
  return stiffest;
}

std::vector<std::pair<std::string, std::string>> addedForces(const Deck& deck) {
  std::map<std::string, std::vector<std::string>> pairs;  // sum -> pairs of species
  std::vector<std::string> order;
  for (std::size_t a = 0; a < deck.species.size(); ++a)
    for (std::size_t b = a; b < deck.species.size(); ++b) {
      const auto all = interactionsOf(deck, deck.species[a], deck.species[b]);
      if (all.size() < 2) continue;
      std::vector<std::string> terms;
      for (const Interaction* i : all)
        terms.push_back(
            fmt::format("{}{} ({})", i->style, betweenMolecules(*i) ? " between molecules" : "", placeOf(*i)));
      const std::string sum = fmt::format("{}", fmt::join(terms, " + "));
      if (pairs[sum].empty()) order.push_back(sum);
      pairs[sum].push_back(deck.species[a] + "-" + deck.species[b]);
    }
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& sum : order) {
    auto& names = pairs[sum];
    const std::size_t count = names.size();
    if (count > 8) names.resize(8), names.push_back(fmt::format("{} more", count - 8));
    lines.emplace_back("forces that add up", fmt::format("{}: {}", fmt::join(names, ", "), sum));
  }
  return lines;
}

}  // namespace mesowarp::fluid
