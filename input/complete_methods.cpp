// What a deck's methods have, against what the deck says.
#include <algorithm>
#include <fmt/format.h>

#include "input/complete.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/method.hpp"
#include "input/schema.hpp"
#include "input/schema_blocks.hpp"

namespace mesowarp::input {
namespace {

using Methods = std::vector<const MethodBlocks*>;

template <class T>
bool offers(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// "populations of kind = …" of a method.
std::string populationsOf(const MethodBlocks& method) {
  return "populations of kind = " + enumerate(method.kinds(), "or");
}

// The first that has a deck for itself; null: none.
const MethodBlocks* lonely(const Methods& methods) {
  const auto it = std::find_if(methods.begin(), methods.end(), [](auto* m) { return !m->whyAlone().empty(); });
  return it == methods.end() ? nullptr : *it;
}

void checkKinds(const Deck& deck, const Methods& methods, Report& report) {
  const MethodBlocks* alone = lonely(methods);
  if (!alone || methods.size() == 1) return;
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    if (&ownerOf(deck.populations[k]) != alone)
      report.error(fmt::format("population.{}.kind", k), alone->inWords() + " and other kinds cannot be in one deck");
}

void checkBlocks(const Deck& deck, const Methods& methods, Report& report) {
  forEachBlock([&](const auto& schema, auto) {
    if (isFor(methods, schema)) return;
    const std::string path = schema.many ? schema.name + ".0" : schema.name;
    if (!deck.sources.count(path)) return;
    const std::string title = schema.many ? "[[" + schema.name + "]]" : "[" + schema.name + "]";
    const MethodBlocks* alone = lonely(methods);
    report.error(path,
                 alone ? fmt::format("{} is not for {}, {}: leave it out", title, alone->inWords(), alone->whyAlone())
                       : fmt::format("{} is for {}, and there is none: leave it out", title,
                                     schema.owner ? populationsOf(*schema.owner) : "other populations"));
  });
}

void checkInteractions(const Deck& deck, const Methods& methods, Report& report) {
  for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
    const std::string& style = deck.interactions[k].style;
    const auto has = [&](const MethodBlocks* method) { return offers(method->interactions(), style); };
    if (std::any_of(methods.begin(), methods.end(), has)) continue;
    const MethodBlocks* alone = lonely(methods);
    const auto all = methodBlocks();
    const auto owner = std::find_if(all.begin(), all.end(), has);
    report.error(fmt::format("interaction.{}.style", k),
                 alone || owner == all.end()
                     ? fmt::format("style = {} is not for {}: {}", quoted(style), methods.front()->inWords(),
                                   enumerate(methods.front()->interactions(), "or"))
                     : fmt::format("style = {} is for {}", quoted(style), populationsOf(**owner)));
  }
}

void checkIntegrator(const Deck& deck, const Methods& methods, Report& report) {
  for (const MethodBlocks* method : methods)
    if (const auto why = method->refusesIntegrator(deck.integrator.style); !why.empty())
      report.error("integrator.style", why);
}

void checkColumns(Deck& deck, const Methods& methods, Report& report) {
  for (std::size_t k = 0; k < deck.outputs.size(); ++k) {
    Output& output = deck.outputs[k];
    const std::string path = fmt::format("output.{}.columns", k);
    if (output.format != OutputFormat::table) continue;
    if (!isGiven(deck, path)) useUsualColumns(*methods.front(), output);
    for (const auto& column : output.columns)
      if (std::none_of(methods.begin(), methods.end(), [&](auto* method) { return hasColumn(*method, column); }))
        report.error(path, fmt::format("the table of {} has no {}", methods.front()->inWords(), quoted(column)));
  }
}

}  // namespace

bool hasColumn(const MethodBlocks& method, const std::string& column) {
  if (offers(method.ownColumns(), column)) return true;
  const auto all = methodBlocks();
  return !method.lacksColumn(column) &&
         std::none_of(all.begin(), all.end(), [&](auto* other) { return offers(other->ownColumns(), column); });
}

void useUsualColumns(const MethodBlocks& method, Output& output) {
  const auto columns = method.usualColumns();
  if (!columns.empty()) output.columns = columns;
}

void completeMethods(BlocksRead& read) {
  Deck& deck = read.deck;
  Report report(deck);
  Methods methods = methodsOf(deck);
  const auto whole = [&](const char* block) { return !read.broken.count("population") && !read.broken.count(block); };
  if (whole("population")) checkKinds(deck, methods, report);
  if (const MethodBlocks* alone = lonely(methods)) methods = {alone};  // others beside it have been told
  checkBlocks(deck, methods, report);
  if (whole("interaction")) checkInteractions(deck, methods, report);
  if (whole("integrator")) checkIntegrator(deck, methods, report);
  if (whole("output")) checkColumns(deck, methods, report);
  for (auto& diagnostic : report.diagnostics()) read.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace mesowarp::input
