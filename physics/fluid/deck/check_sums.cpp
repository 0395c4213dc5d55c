// How the forces of particles in a box are added up.
#include "physics/fluid/deck/fluid_checks.hpp"

namespace mesowarp::fluid {

using namespace input;

void checkSums(const Deck& deck, Report& report) {
  const Accumulator a = deck.sums.accumulator;
  const bool bitwise = deck.run.reproducibility == Reproducibility::bitwise;
  if (bitwise && a != Accumulator::narumi)
    return report.error(
        "sums.accumulator",
        "reproducibility = \"bitwise\" needs sums that no order can change: accumulator = \"narumi\", or leave it out");
  const bool single = deck.run.precision == Precision::single;
  if (single && a == Accumulator::double_)
    report.error("sums.accumulator", "accumulator = \"double\" is for precision = \"mixed\" and \"double\": "
                                     "\"double-sum\" sums single-precision terms in double");
  if (!single && a != Accumulator::double_ && a != Accumulator::narumi)
    report.error("sums.accumulator", "precision = \"mixed\" and \"double\" take accumulator = \"double\" or "
                                     "\"narumi\": their terms have more bits than a pair of floats keeps");
}

bool sumsAsUsual(const Deck& deck) {
  const Accumulator a = deck.sums.accumulator;
  return deck.run.precision != Precision::single || a == Accumulator::narumi || a == Accumulator::single;
}

}  // namespace mesowarp::fluid
