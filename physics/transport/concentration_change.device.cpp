#include "physics/transport/concentration_change.hpp"

#include <algorithm>
#include <vector>

#include "device/host_copy.hpp"

namespace mesowarp::transport {
namespace {

// Empty: none is.
DeviceArray<u32> frozenSpecies(const input::Deck& deck) {
  std::vector<u32> frozen(deck.species.size(), 0);
  for (const auto& population : deck.populations)
    for (std::size_t k = 0; k < frozen.size() && population.frozen; ++k)
      if (population.species == deck.species[k]) frozen[k] = 1;
  if (std::find(frozen.begin(), frozen.end(), 1u) == frozen.end()) return {};
  return toDevice<u32>("frozen species", frozen);
}

}  // namespace

template <class Real>
ConcentrationChange<Real> makeChange(const input::Deck& deck) {
  const Layout layout = layoutOf(deck);
  ConcentrationChange<Real> change;
  change.solutes = layout.solutes, change.stride = layout.stride, change.furtherStride = 12 * layout.furtherDozens;
  change.frozen = frozenSpecies(deck);
  change.sources = sourceTable<Real>(deck);
  return change;
}

std::vector<FieldRequest> concentrationNeeds(const input::Deck& deck, std::size_t bytes) {
  const auto stride = static_cast<std::size_t>(layoutOf(deck).stride);
  std::vector<FieldRequest> all{{observedField, stride, bytes, shown, false}};
  if (bytes == sizeof(float)) all.push_back({lowField, stride, bytes, moves | checkpointed, false});
  return all;
}

template ConcentrationChange<float> makeChange<float>(const input::Deck&);
template ConcentrationChange<double> makeChange<double>(const input::Deck&);

}  // namespace mesowarp::transport
