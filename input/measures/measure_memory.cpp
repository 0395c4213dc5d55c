#include "input/measures/measure_memory.hpp"

#include <algorithm>

#include "input/species.hpp"

namespace mesowarp::input {
namespace {

using Style = MeasureStyle;

// physics/observables/measured_particles.hpp: what a measure sees of a particle.
constexpr double species = 4.0, place = 24.0, image = 12.0;
// Places in the order of cells of their own, and before that order (pair_search.hpp), where the neighbour list does not
// do.
constexpr double found = 2.0 * 32.0;
constexpr double virials = 6.0 * 8.0;

bool listReaches(const Deck& deck, double distance) {
  return distance <= largestCutoff(deck) &&
         std::none_of(deck.bonds.begin(), deck.bonds.end(), [](const Bond& bond) { return bond.exclude; });
}

// A measure's own.
double bytesOf(const Deck& deck, const Measure& measure) {
  // Three words of each level, and as much to put them into another order (state/parked_fields.hpp).
  const double origins = 2.0 * 3.0 * 8.0 * measure.levels;
  switch (measure.style) {
  case Style::rdf:
    return place + species + (listReaches(deck, measure.r_max) ? 0.0 : found);
  case Style::clusters:
    return place + species + found + 4.0 * 2.0 * 4.0;  // room for four pairs of tags
  case Style::structure_factor:
    return place + species + image;
  case Style::chains:  // of a tag: its molecule, images, whether it is an end
    return place + species + image + 4.0 + 12.0 + 4.0;
  case Style::msd:
    return place + species + image + (measure.molecules ? 4.0 + 12.0 + 4.0 : origins);
  case Style::vacf:
    return origins;
  default:
    return 0.0;
  }
}

bool hasOrigins(const Measure& m) { return (m.style == Style::msd && !m.molecules) || m.style == Style::vacf; }
bool asksFor(const Measure& m, const char* quantity) {
  return m.isOfPlaces() && std::find(m.quantities.begin(), m.quantities.end(), quantity) != m.quantities.end();
}

}  // namespace

// Velocities of a step, places of parked rows and virials are there once for all; of virials walls ask, too.
double bytesOfMeasures(const Deck& deck) {
  double all = 0.0;
  bool velocities = false, parked = false, stress = !deck.walls.empty();
  for (const auto& measure : deck.measures) {
    all += bytesOf(deck, measure);
    velocities = velocities || measure.style == Style::vacf || asksFor(measure, "velocity") ||
                 asksFor(measure, "temperature") || asksFor(measure, "stress");
    parked = parked || hasOrigins(measure);
    stress = stress || asksFor(measure, "stress");
  }
  const double ofAVelocity = deck.run.precision == Precision::double_ ? 24.0 : 12.0;
  return all + (velocities ? ofAVelocity : 0.0) + (parked ? 2.0 * 4.0 : 0.0) + (stress ? virials : 0.0);
}

}  // namespace mesowarp::input
