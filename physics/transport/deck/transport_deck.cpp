#include "physics/transport/deck/transport_deck.hpp"

#include <algorithm>
#include <cmath>

#include "input/estimate.hpp"
#include "input/method.hpp"
#include "input/species.hpp"

namespace mesowarp::transport {
namespace {

constexpr double pi = 3.14159265358979323846;

template <class T>
std::vector<T> itemsAs(const input::Deck& deck, const char* block) {
  std::vector<T> all;
  for (const auto& item : input::itemsOf(deck, block)) all.push_back(item.own.get<T>());
  return all;
}

}  // namespace

bool hasTransport(const input::Deck& deck) {
  return std::any_of(deck.interactions.begin(), deck.interactions.end(), isTransport);
}
const TransportKeys& transportOf(const input::Deck& deck) { return deck.own.get<TransportKeys>(); }
std::vector<SoluteSource> sourcesOf(const input::Deck& deck) { return itemsAs<SoluteSource>(deck, "source"); }
std::vector<InitialConcentration> initialConcentrationsOf(const input::Deck& deck) {
  return itemsAs<InitialConcentration>(deck, "concentration");
}

Layout layoutOf(const input::Deck& deck) {
  const int solutes = static_cast<int>(transportOf(deck).solutes.size());
  const bool random = transportOf(deck).randomFlux;
  Layout layout{solutes, 0, 0, 0, random ? (solutes + 3) / 4 : 0};
  layout.width = solutes > 4 ? 12 : solutes > 1 || random ? 4 : 1;
  layout.furtherDozens = std::max(0, (solutes + 11) / 12 - 1);
  layout.stride = layout.width + 12 * layout.furtherDozens;
  return layout;
}

std::vector<std::string> pairForces(const input::Deck& deck) {
  if (!hasTransport(deck)) return {};
  const Layout layout = layoutOf(deck);
  std::vector<std::string> labels(static_cast<std::size_t>(layout.randomFours), randomLabel);
  labels.insert(labels.end(), static_cast<std::size_t>(layout.furtherDozens), fluxLabel);
  labels.push_back(forceLabel);
  return labels;
}

bool wantsTotals(const input::Deck& deck) {
  const auto asks = [](const auto& one) {
    return std::find(one.columns.begin(), one.columns.end(), "solutes") != one.columns.end();
  };
  return hasTransport(deck) && (std::any_of(deck.outputs.begin(), deck.outputs.end(), asks) ||
                                std::any_of(deck.measures.begin(), deck.measures.end(), asks));
}

// The beta function: r_c^(n+1) n! / ((p + 1) ... (p + n + 1)).
double weightIntegral(int n, double exponent, double cutoff) {
  double value = std::pow(cutoff, n + 1) / (exponent + n + 1);
  for (int k = 1; k <= n; ++k) value *= k / (exponent + k);
  return value;
}

double particleDiffusion(const input::Interaction& pair, double temperature, double density) {
  return 3.0 * temperature / (4.0 * pi * pair.gamma * density * weightIntegral(2, 2.0 * pair.exponent, pair.cutoff));
}
double fickianDiffusion(const input::Interaction& pair, std::size_t solute, double density) {
  const auto& keys = pair.own.get<FluxKeys>();
  return 2.0 * pi / 3.0 * numberOf(keys.kappa, solute) * density * weightIntegral(4, keys.exponent, keys.cutoff);
}
double kinematicViscosity(const input::Interaction& pair, double temperature, double density) {
  return 0.5 * particleDiffusion(pair, temperature, density) +
         2.0 * pi / 15.0 * pair.gamma * density * weightIntegral(4, 2.0 * pair.exponent, pair.cutoff);
}

double numberDensity(const input::Deck& deck) {
  const auto& size = deck.box.size;
  double particles = 0.0;
  for (const input::Population* population : input::interactingPopulations(deck)) {
    const auto count = static_cast<double>(input::particleCount(*population, deck.box));
    if (count == 0.0) return 0.0;
    particles += count;
  }
  return particles / (size[0] * size[1] * size[2]);
}

double largestConcentration(const input::Deck& deck) {
  double largest = 0.0;
  for (const auto& population : deck.populations)
    for (const double c : population.own.get<SoluteKeys>().concentration) largest = std::max(largest, std::abs(c));
  for (const auto& c : initialConcentrationsOf(deck)) {
    double value = std::abs(c.value) + std::abs(c.amplitude);
    for (std::size_t axis = 0; axis < 3; ++axis) value += std::abs(c.gradient[axis]) * deck.box.size[axis] / 2.0;
    largest = std::max(largest, value);
  }
  return largest;
}

}  // namespace mesowarp::transport
