#include "io/text/table_reader.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

namespace mesowarp::io {
namespace {

std::vector<std::string_view> cellsOf(std::string_view row) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= row.size();) {
    const std::size_t end = std::min(row.find(',', begin), row.size());
    cells.push_back(row.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

template <class T>
bool read(std::string_view cell, T& value) {
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && stop == cell.data() + cell.size();
}

}  // namespace

Table readTable(const std::string& path) {
  Table table;
  std::ifstream in(path, std::ios::binary);
  std::string header, line;
  if (!std::getline(in, header)) return table;
  const auto names = cellsOf(header);
  std::vector<std::vector<double>*> columns;
  for (std::size_t k = 1; k < names.size(); ++k) columns.push_back(&table.columns[std::string(names[k])]);
  std::vector<double> values(columns.size());
  while (std::getline(in, line) && !in.eof()) {
    const auto cells = cellsOf(line);
    std::int64_t step = 0;
    bool whole = cells.size() == names.size() && read(cells[0], step);
    for (std::size_t k = 0; whole && k < values.size(); ++k) whole = read(cells[k + 1], values[k]);
    if (!whole) break;
    table.step.push_back(step);
    for (std::size_t k = 0; k < values.size(); ++k) columns[k]->push_back(values[k]);
  }
  return table;
}

}  // namespace mesowarp::io
