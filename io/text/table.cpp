#include "io/text/table.hpp"

#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

std::vector<std::string> withStep(const std::vector<std::string>& columns) {
  std::vector<std::string> all{"step"};
  all.insert(all.end(), columns.begin(), columns.end());
  return all;
}

}  // namespace

TableWriter::TableWriter(const std::string& path, std::vector<std::string> columns)
    : columns_(std::move(columns)), file_(CsvFile::create(path, withStep(columns_))) {}

TableWriter::TableWriter(std::vector<std::string> columns, CsvFile file)
    : columns_(std::move(columns)), file_(std::move(file)) {
  const std::string& row = file_.lastRow();
  if (!row.empty()) std::from_chars(row.data(), row.data() + row.size(), lastStep_);
}

TableWriter TableWriter::resume(const std::string& path, std::vector<std::string> columns, std::int64_t lastStep) {
  CsvFile file = CsvFile::resume(path, withStep(columns), 0, lastStep);
  return {std::move(columns), std::move(file)};
}

TableWriter TableWriter::reopen(const std::string& path, std::vector<std::string> columns) {
  CsvFile file = CsvFile::reopen(path, withStep(columns));
  return {std::move(columns), std::move(file)};
}

void TableWriter::requireColumns(const std::string& path, const std::vector<std::string>& columns) {
  CsvFile::requireColumns(path, withStep(columns));
}

void TableWriter::append(std::int64_t step, std::span<const double> values) {
  if (values.size() != columns_.size())
    throw RunError(fmt::format("a table row of {} values for {} columns", values.size(), columns_.size()));
  if (step <= lastStep_) throw RunError(fmt::format("a table row of step {} after one of step {}", step, lastStep_));
  std::string row = fmt::format("{}", step);
  for (const double value : values) row += "," + csvNumber(value);
  file_.append(row + "\n");
  lastStep_ = step;
}

void TableWriter::append(std::int64_t step, const std::map<std::string, double>& named) {
  std::vector<double> values;
  values.reserve(columns_.size());
  for (const auto& column : columns_) {
    const auto found = named.find(column);
    if (found == named.end()) throw RunError("no quantity called " + column + " for the table");
    values.push_back(found->second);
  }
  append(step, std::span<const double>(values));
}

}  // namespace mesowarp::io
