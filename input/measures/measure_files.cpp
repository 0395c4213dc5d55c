#include "input/measures/measure_files.hpp"

namespace mesowarp::input {

std::vector<std::string> measureSuffixes(const Measure& measure) {
  if (measure.isOfPlaces()) return {""};
  switch (measure.style) {
  case MeasureStyle::rdf:
  case MeasureStyle::structure_factor:
    return {""};
  case MeasureStyle::columns:
    if (measure.to > measure.from) return {"", "_means"};
    return {"_means"};
  default:
    return {"", "_means"};
  }
}

std::string nameOf(const Measure& measure) {
  static const char* const names[] = {"profile_", "field",    "cylinder",  "sphere",      "rdf",
                                      "msd",      "vacf",     "viscosity", "correlation", "structure-factor",
                                      "chains",   "clusters", "columns"};
  const std::string name = names[static_cast<std::size_t>(measure.style)];
  return measure.style == MeasureStyle::profile ? name + "xyz"[measure.axis] : name;
}

}  // namespace mesowarp::input
