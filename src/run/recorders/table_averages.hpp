// Averages of a table's columns for summary.json and the log.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp {

struct ColumnAverage {
  std::string column;
  double mean = 0.0, error = 0.0;  // standard error; NaN: not known
};

struct TableAverages {
  std::size_t rows = 0;                // averaged over
  std::vector<ColumnAverage> columns;  // those of physical quantities, in the table's order
  double energyError = 0.0;            // largest |E - E_0| / |E_0| of all rows; NaN: no such thing in this run
};

// columns: names and all rows of the table. The second half of the rows is averaged, see blockAverage.
TableAverages tableAverages(const std::vector<std::pair<std::string, std::vector<double>>>& columns,
                            const input::Deck& deck);

// Whether the number says nothing about physics, so that an average of it has no meaning: times, speed, rebuilds.
bool isBookkeeping(const std::string& column);

// A JSON object: rows, COLUMN and COLUMN_error of each, relative_energy_error.
nlohmann::json jsonOf(const TableAverages& averages);
// For the log: "temperature 1.0025 ± 0.0014, pressure 23.68 ± 0.03", what the first method of the deck shows.
std::string textOf(const TableAverages& averages, const input::Deck& deck);

// "23.674 ± 0.037": two digits of the error, and as many places of the value.
std::string withError(double value, double error);

}  // namespace mesowarp
