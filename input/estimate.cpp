#include "input/estimate.hpp"

#include <sstream>

#include "input/method.hpp"

namespace mesowarp::input {
namespace {

// Beside what others cost; pairs are those of a mean particle.
void add(Estimate& all, const Estimate& one) {
  const double before = static_cast<double>(all.particles), here = static_cast<double>(one.particles);
  const auto mean = [&](double a, double b) {
    return before + here > 0.0 ? (before * a + here * b) / (before + here) : 0.0;
  };
  all.pairsPerParticle = mean(all.pairsPerParticle, one.pairsPerParticle);
  all.listedPerParticle = mean(all.listedPerParticle, one.listedPerParticle);
  all.particles += one.particles, all.populationsFromFiles += one.populationsFromFiles;
  all.memoryBytes += one.memoryBytes, all.cellBytes += one.cellBytes, all.checkpointBytes += one.checkpointBytes;
  all.secondsPerStep += one.secondsPerStep;
}

}  // namespace

std::int64_t particleCount(const Population& population, const BoxBlock& box) {
  if (population.initial == StartKind::file) return population.count;
  return ownerOf(population).particleCount(population, box);
}

std::string countsOfFiles(const Deck& deck) {
  std::string words;
  for (const Population& population : deck.populations)
    if (population.initial == StartKind::file) words += (words.empty() ? "" : " ") + std::to_string(population.count);
  return words;
}

void takeCountsOfFiles(Deck& deck, const std::string& words) {
  std::istringstream numbers(words);
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 0; numbers >> count;) counts.push_back(count);
  std::vector<Population*> fromFiles;
  for (Population& population : deck.populations)
    if (population.initial == StartKind::file) fromFiles.push_back(&population);
  for (std::size_t k = 0; k < counts.size() && counts.size() == fromFiles.size(); ++k) fromFiles[k]->count = counts[k];
}

Estimate estimate(const Deck& deck, double particleStepsPerSecond) {
  std::vector<Estimate> parts;
  for (const MethodBlocks* method : methodsOf(deck)) {
    std::int64_t particles = 0;
    int fromFiles = 0;
    for (const Population* population : populationsOf(deck, *method)) {
      particles += particleCount(*population, deck.box);
      fromFiles += population->initial == StartKind::file && population->count == 0 ? 1 : 0;
    }
    parts.push_back(method->estimate(deck, particles, particleStepsPerSecond));
    if (parts.back().particles == 0) parts.back().particles = particles;  // it has not counted better
    parts.back().populationsFromFiles = fromFiles;
  }
  Estimate all = parts.front();
  for (std::size_t k = 1; k < parts.size(); ++k) add(all, parts[k]);
  return all;
}

}  // namespace mesowarp::input
