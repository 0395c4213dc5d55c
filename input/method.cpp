#include "input/method.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "input/grammar/value.hpp"
#include "input/species.hpp"

namespace mesowarp::input {
namespace {

bool hasKind(const MethodBlocks& method, const std::string& kind) {
  const auto kinds = method.kinds();
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

const MethodBlocks* kindOwner(const std::string& kind) {
  if (kind.empty()) return methodBlocks().front();
  for (const MethodBlocks* method : methodBlocks())
    if (hasKind(*method, kind)) return method;
  return nullptr;
}

const MethodBlocks& ownerOf(const Population& population) {
  const MethodBlocks* method = kindOwner(population.kind);
  return method ? *method : *methodBlocks().front();
}

std::vector<const MethodBlocks*> methodsOf(const Deck& deck) {
  std::vector<const MethodBlocks*> methods;
  for (const MethodBlocks* method : methodBlocks())
    if (std::any_of(deck.populations.begin(), deck.populations.end(),
                    [&](const Population& p) { return &ownerOf(p) == method; }))
      methods.push_back(method);
  if (methods.empty()) methods.push_back(methodBlocks().front());
  return methods;
}

std::vector<const Population*> populationsOf(const Deck& deck, const MethodBlocks& method) {
  std::vector<const Population*> own;
  for (const auto& population : deck.populations)
    if (&ownerOf(population) == &method) own.push_back(&population);
  return own;
}

std::vector<const Population*> interactingPopulations(const Deck& deck) {
  return populationsOf(deck, *methodBlocks().front());
}

std::vector<std::string> phasesOf(const Deck& deck) {
  std::vector<std::string> all;
  for (const MethodBlocks* method : methodsOf(deck))
    for (const auto& phase : method->phases(deck)) all.push_back(phase);
  return all;
}

std::vector<std::string> carriedBy(const Deck& deck) {
  for (const MethodBlocks* method : methodsOf(deck))
    if (auto names = method->carries(deck); !names.empty()) return names;
  return {};
}

std::vector<std::string> namedBy(const Deck& deck, const std::string& word) {
  for (const MethodBlocks* method : methodsOf(deck))
    if (auto named = method->namedBy(deck, word); named != std::vector{word}) return named;
  return {word};
}

std::vector<std::string> namedBy(const Deck& deck, const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const auto& word : words)
    for (auto& name : namedBy(deck, word)) all.push_back(std::move(name));
  return all;
}

bool isFor(const std::vector<const MethodBlocks*>& methods, const BlockInfo& block) {
  return std::any_of(methods.begin(), methods.end(), [&](const MethodBlocks* method) {
    return block.owner ? block.owner == method : method->takes(block.name);
  });
}

void MethodBlocks::checkSpecies(Report& report, std::size_t k, Population& population) const {
  requireSpecies(report, k, population, "species", population.species, ": the species of its particles");
}

void requireSpecies(Report& report, std::size_t k, const Population& population, const std::string& key,
                    const std::string& given, const std::string& meaning) {
  const std::string path = fmt::format("population.{}", k);
  const bool file = population.initial == StartKind::file;
  if (given.empty() && population.types.empty())
    report.error(path, fmt::format("population {} needs {}{}{}", quoted(population.name), key, meaning,
                                   file ? ", or types: the species of the file's type 1, 2, ..." : ""));
  if (!given.empty() && !population.types.empty())
    report.error(path + ".types", fmt::format("give {} or types, not both", key));
}

}  // namespace mesowarp::input
