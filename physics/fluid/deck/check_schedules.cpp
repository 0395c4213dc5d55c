// What a [[schedule]] makes of forces and bonds in the course of a run.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "input/molecules/molecule_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"

namespace mesowarp::fluid {

using namespace input;

// They are held against the time step where their numbers are at their ends, as those of the start are; what is told
// of the start already is not told again. What would not start so may yet come to be so: all but what a force cannot
// compute is a warning.
void checkScheduledForces(const Deck& deck, Report& report) {
  std::set<std::string> told;
  for (const Diagnostic& one : report.diagnostics()) told.insert(one.message);
  for (const auto& [step, then] : decksAtExtremes(deck)) {
    Report impossible(then), unwise(then);
    for (std::size_t k = 0; k < then.interactions.size(); ++k) checkMorse(then, k, impossible);
    checkTimestep(then, unwise), checkBondStrength(then, unwise), checkMoleculeStrength(then, unwise);
    membrane::checkMechanics(then, unwise);
    for (Diagnostic& one : unwise.diagnostics()) one.warning = true;
    for (Report* some : {&impossible, &unwise})
      for (Diagnostic& one : some->diagnostics()) {
        if (!told.insert(one.message).second) continue;
        one.message = fmt::format("in step {}, by its [[schedule]]: {}", step, one.message);
        report.diagnostics().push_back(std::move(one));
      }
  }
}

}  // namespace mesowarp::fluid
