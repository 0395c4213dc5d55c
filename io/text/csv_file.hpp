// A CSV file that grows by whole rows, each on its way to the disk when append() returns. Its length at a checkpoint is
// all that is needed to cut it back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/checkpoint/file_mark.hpp"
#include "io/files/file_system.hpp"

namespace mesowarp::io {

class CsvFile {
public:
  CsvFile() = default;

  // Creates or replaces the file and writes the header row. Throws RunError.
  static CsvFile create(const std::string& path, const std::vector<std::string>& columns);

  // Opens the file of an earlier run, whose columns must be the same, and drops everything from the first row on that
  // is incomplete or has a number above lastStep in stepColumn. That is a judgement by looks, for checkpoints that do
  // not know the file's length. Throws InputError.
  static CsvFile resume(const std::string& path, const std::vector<std::string>& columns, std::size_t stepColumn,
                        std::int64_t lastStep);

  // Opens the file of an earlier run that rollBack() (earlier_output.hpp) has cut back: all its rows stay. Throws
  // InputError.
  static CsvFile reopen(const std::string& path, const std::vector<std::string>& columns);
  // Throws InputError if the file is missing, or has other columns.
  static void requireColumns(const std::string& path, const std::vector<std::string>& columns);

  // Whole rows, each ending with a newline.
  void append(std::string_view rows);

  // All rows are on the disk on return; the file's mark for a checkpoint. Throws RunError.
  FileMark mark() const;

  // The last row that resume() or reopen() found; empty if none.
  const std::string& lastRow() const { return lastRow_; }

private:
  std::string path_;
  std::string lastRow_;
  FileDescriptor file_;
};

// Text of a number that reads back as the same number; "nan" for what is not one.
std::string csvNumber(double value);

}  // namespace mesowarp::io
