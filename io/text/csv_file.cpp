#include "io/text/csv_file.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

std::string headerOf(const std::vector<std::string>& columns) { return fmt::format("{}", fmt::join(columns, ",")); }

// Whether the row has all its columns and its step is at most lastStep.
bool belongs(std::string_view row, std::size_t columns, std::size_t stepColumn, std::int64_t lastStep) {
  std::size_t column = 0;
  bool isStepFine = false;
  for (std::size_t begin = 0; begin <= row.size(); ++column) {
    const std::size_t end = std::min(row.find(',', begin), row.size());
    if (column == stepColumn) {
      std::int64_t step = 0;
      const auto [stop, error] = std::from_chars(row.data() + begin, row.data() + end, step);
      isStepFine = error == std::errc() && stop == row.data() + end && step <= lastStep;
    }
    begin = end + 1;
  }
  return column == columns && isStepFine;
}

}  // namespace

CsvFile CsvFile::create(const std::string& path, const std::vector<std::string>& columns) {
  CsvFile csv;
  csv.path_ = path;
  csv.file_ = openFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  csv.append(headerOf(columns) + "\n");
  return csv;
}

namespace {

// The file behind its first line, which must be the header.
std::ifstream openRows(const std::string& path, const std::vector<std::string>& columns) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  if (!in || !std::getline(in, line)) throw InputError("table " + path + " to continue does not exist or is empty");
  if (line != headerOf(columns))
    throw InputError(fmt::format("{}:1: cannot be continued: its columns are {}, this run's are {}; ask for those of "
                                 "the file, or move it away: a new one is then begun",
                                 path, line, headerOf(columns)));
  return in;
}

}  // namespace

void CsvFile::requireColumns(const std::string& path, const std::vector<std::string>& columns) {
  openRows(path, columns);
}

CsvFile CsvFile::reopen(const std::string& path, const std::vector<std::string>& columns) {
  CsvFile csv;
  csv.path_ = path;
  std::ifstream in = openRows(path, columns);
  for (std::string line; std::getline(in, line);) csv.lastRow_ = line;
  csv.file_ = openFile(path, O_WRONLY | O_APPEND);
  return csv;
}

CsvFile CsvFile::resume(const std::string& path, const std::vector<std::string>& columns, std::size_t stepColumn,
                        std::int64_t lastStep) {
  CsvFile csv;
  csv.path_ = path;
  std::ifstream in = openRows(path, columns);
  std::string line;
  std::size_t kept = headerOf(columns).size() + 1;  // bytes
  // A last line without its newline sets eof: the run died while writing it.
  while (std::getline(in, line) && !in.eof() && belongs(line, columns.size(), stepColumn, lastStep)) {
    kept += line.size() + 1;
    csv.lastRow_ = line;
  }
  csv.file_ = openFile(path, O_WRONLY | O_APPEND);
  if (std::filesystem::file_size(path) != kept) truncateDurably(path, kept);
  return csv;
}

FileMark CsvFile::mark() const {
  syncFile(path_);
  return markOf(path_);
}

void CsvFile::append(std::string_view rows) { writeAll(file_, rows, path_); }

std::string csvNumber(double value) { return fmt::format("{}", value); }

}  // namespace mesowarp::io
