// Temperature, pressure and the table's other quantities from a step's sums; averages with errors.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/sums.hpp"
#include "input/deck.hpp"
#include "step/engine.hpp"
#include "step/recorder.hpp"
#include "step/windows.hpp"

namespace mesowarp {

using Quantities = std::map<std::string, double>;

// T = sum m v^2 / degrees of freedom, P = (sum m v v + virial) / V, per component and averaged; energies, momentum.
// size: of the box, if it is not the deck's any more; openPart: of it, that walls leave, which V is.
Quantities thermoQuantities(const ThermoSums& sums, const input::Deck& deck, i64 mobile,
                            const std::optional<std::array<double, 3>>& size = std::nullopt, double openPart = 1.0);

// What a table has of a step that was looked at: these, what phases have beside them, and means since the last time.
class TableQuantities {
public:
  explicit TableQuantities(const RecorderContext& context) : deck_(context.deck), openPart_(context.openPart) {}
  Quantities of(const Engine& engine);
  Window window;

private:
  const input::Deck& deck_;
  double openPart_;
};

// Mean and its standard error from at most ten blocks; NaN: the mean of nothing, the error of fewer than two values.
std::pair<double, double> blockAverage(const std::vector<double>& values);

}  // namespace mesowarp
