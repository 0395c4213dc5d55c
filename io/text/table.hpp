// Tables of one row per step as CSV, such as thermo.csv.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/text/csv_file.hpp"

namespace mesowarp::io {

class TableWriter {
public:
  // Creates or replaces the file. columns: what follows the first column, "step", in this order.
  TableWriter(const std::string& path, std::vector<std::string> columns);

  // Continues the table of an earlier run behind its last row of a step up to lastStep. Throws InputError if the file
  // is missing or has other columns.
  static TableWriter resume(const std::string& path, std::vector<std::string> columns, std::int64_t lastStep);
  // Continues it behind all its rows.
  static TableWriter reopen(const std::string& path, std::vector<std::string> columns);
  // Throws the InputError that these would, and changes nothing.
  static void requireColumns(const std::string& path, const std::vector<std::string>& columns);

  // For a checkpoint: see CsvFile.
  FileMark mark() const { return file_.mark(); }

  // One row; values in the columns' order. Throws RunError if it cannot be written or a step does not follow the last.
  void append(std::int64_t step, std::span<const double> values);
  // Picks the columns from all the quantities there are; a missing one is a RunError.
  void append(std::int64_t step, const std::map<std::string, double>& quantities);

  const std::vector<std::string>& columns() const { return columns_; }
  std::int64_t lastStep() const { return lastStep_; }

private:
  TableWriter() = default;
  TableWriter(std::vector<std::string> columns, CsvFile file);

  std::vector<std::string> columns_;
  CsvFile file_;
  std::int64_t lastStep_ = -1;
};

}  // namespace mesowarp::io
