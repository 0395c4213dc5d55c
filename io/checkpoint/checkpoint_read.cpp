// The payload of a checkpoint, by one process or by all ranks together.
#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint_payload.hpp"
#include "io/checkpoint/checkpoint_text.hpp"
#include "io/checkpoint/checkpoint_types.hpp"
#include "io/hdf5/hdf5_slab.hpp"

namespace mesowarp::io {

namespace {

// Who stored the rows of an array: "rank_rows" of its population.
std::string rankRowsOf(const std::string& array) {
  const auto dot = array.find('.');
  return (dot == std::string::npos ? "" : array.substr(0, dot + 1)) + "rank_rows";
}

// The rows of this rank; whole arrays and the number "ranks" have been read.
void chooseRows(const std::string& name, Array& array, const CheckpointContent& content, Ranks ranks) {
  const auto total = static_cast<std::int64_t>(array.totalRows);
  const std::int64_t size = several(ranks) ? ranks->size() : 1, rank = several(ranks) ? ranks->rank() : 0;
  std::int64_t first = total * rank / size, last = total * (rank + 1) / size;
  const auto writers = content.numbers.find("ranks");
  const auto stored = content.arrays.find(rankRowsOf(name));
  if (writers != content.numbers.end() && writers->second == size && stored != content.arrays.end() &&
      stored->second.type == ElementType::i64 &&
      stored->second.data.size() == static_cast<std::size_t>(size) * sizeof(std::int64_t)) {
    const auto* rows = reinterpret_cast<const std::int64_t*>(stored->second.data.data());
    const bool fits = std::all_of(rows, rows + size, [&](std::int64_t n) { return n >= 0 && n <= total; }) &&
                      std::accumulate(rows, rows + size, std::int64_t{0}) == total;
    if (fits) first = std::accumulate(rows, rows + rank, std::int64_t{0}), last = first + rows[rank];
  }
  array.firstRow = static_cast<std::size_t>(first);
  array.rows = static_cast<std::size_t>(last - first);
}

struct Stored {
  hdf5::Dataset dataset;
  Array array;
};

Stored openArray(hid_t file, const std::string& at) {
  const hdf5::Shape shape = hdf5::shapeOf(file, at);
  hdf5::elementCount(file, at);  // refuses implausible sizes
  if (shape.size() != 2) throw RunError(at + " is not two-dimensional");
  Stored stored{hdf5::openDataset(file, at), {}};
  stored.array.type = elementTypeOf(stored.dataset, at);
  stored.array.rows = stored.array.totalRows = shape[0];
  stored.array.width = shape[1];
  if (H5Aexists(stored.dataset.get(), distributedAttribute) > 0) stored.array.spread = Spread::distributed;
  return stored;
}

std::string readText(hid_t file, const std::string& name) {
  const auto bytes = hdf5::readDataset<std::uint8_t>(file, "texts/" + name);
  return {bytes.begin(), bytes.end()};
}

void readTextsAndNumbers(hid_t file, CheckpointContent& content) {
  for (const auto& name : hdf5::datasetPaths(file, "texts")) content.texts.emplace(name, readText(file, name));
  for (const auto& name : hdf5::datasetPaths(file, "numbers")) {
    const auto values = hdf5::readDataset<std::int64_t>(file, "numbers/" + name);
    if (values.size() != 1) throw RunError("number " + name + " is not a single value");
    content.numbers.emplace(name, values.front());
  }
}

}  // namespace

std::optional<std::string> textInCheckpoint(const std::string& path, const std::string& name) {
  if (!looksLikeCheckpoint(path)) return std::nullopt;
  try {
    const hdf5::File file = hdf5::openFile(path, hdf5::Mode::read);
    if (!hdf5::exists(file.get(), "texts/" + name)) return std::nullopt;
    return readText(file.get(), name);
  } catch (const RunError&) {
    return std::nullopt;
  }
}

// Whole arrays come first, for one of them may say who gets which rows of the others; the root reads them.
CheckpointContent readCheckpointPayload(const std::string& path, Ranks ranks) {
  const hdf5::File file = hdf5::openFile(path, hdf5::Mode::read, ranks);
  CheckpointContent content;
  std::vector<std::string> names;
  onAll(ranks, [&] {
    readTextsAndNumbers(file.get(), content);
    names = hdf5::datasetPaths(file.get(), "arrays");
  });
  for (const Spread spread : {Spread::whole, Spread::distributed}) {
    for (const auto& name : names) {
      const std::string at = "arrays/" + name;
      Stored stored;
      onAll(ranks, [&] { stored = openArray(file.get(), at); });
      Array& array = stored.array;
      if (array.spread != spread) continue;
      const bool isWhole = spread == Spread::whole;
      if (!isWhole) chooseRows(name, array, content, ranks);
      onAll(ranks, [&] { array.data.resize(array.rows * array.width * elementSize(array.type)); });
      const std::size_t rows = !isWhole || !several(ranks) || ranks->root() ? array.rows : 0;
      readSlab(stored.dataset, at, memoryTypeOf(array.type), {{array.firstRow, 0}, {rows, array.width}},
               array.data.data(), ranks);
      if (isWhole) broadcast(ranks, array.data.data(), array.data.size());
      content.arrays.emplace(name, std::move(array));
    }
  }
  return content;
}

}  // namespace mesowarp::io
