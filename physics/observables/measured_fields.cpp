#include "physics/observables/measured_fields.hpp"

#include "physics/observables/measured_particles.hpp"

namespace mesowarp::observables {

bool hasField(const input::Measure& measure) {
  return (measure.style == input::MeasureStyle::msd && !measure.molecules) ||
         measure.style == input::MeasureStyle::vacf;
}

std::string fieldName(const input::Measure& measure) { return "measured_" + measure.name; }

void addMeasuredFields(Engine& engine, const input::Deck& deck) {
  for (const auto& measure : deck.measures)
    if (hasField(measure)) addMeasuredField(*engine.populations().front(), fieldName(measure), fieldWords(measure));
}

}  // namespace mesowarp::observables
