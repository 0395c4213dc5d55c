#include "io/checkpoint/checkpoint_payload.hpp"

#include <filesystem>
#include <utility>

#include "io/checkpoint/checkpoint_header.hpp"
#include "io/checkpoint/checkpoint_types.hpp"
#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5_slab.hpp"

namespace mesowarp::io {

namespace {

void createPayload(const std::string& path, const std::vector<ArrayView>& arrays, const std::vector<RowShare>& shares,
                   const std::map<std::string, std::string>& texts,
                   const std::map<std::string, std::int64_t>& numbers) {
  hdf5::File file = hdf5::createFile(path, checkpointHeaderSize);
  for (const char* group : {"arrays", "texts", "numbers"}) hdf5::createGroup(file.get(), group);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const ArrayView& array = arrays[k];
    const std::string at = "arrays/" + array.name;
    if (array.spread == Spread::distributed) {
      hdf5::createDataset(file.get(), at, memoryTypeOf(array.type),
                          {static_cast<hsize_t>(shares[k].total), array.width});
      hdf5::writeAttribute(file.get(), at, distributedAttribute, std::vector<std::int32_t>{1});
    } else {
      hdf5::writeDataset(file.get(), at, memoryTypeOf(array.type), {array.rows, array.width}, array.data);
    }
  }
  for (const auto& [name, text] : texts) {
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());  // any byte is kept, zeros at the end too
    hdf5::writeDataset(file.get(), "texts/" + name, {bytes.size()}, bytes);
  }
  for (const auto& [name, number] : numbers)
    hdf5::writeDataset(file.get(), "numbers/" + name, memoryTypeOf(ElementType::i64), {}, &number);
  hdf5::close(std::move(file), path);
}

void writeRows(const std::string& path, const std::vector<ArrayView>& arrays, const std::vector<RowShare>& shares,
               Ranks ranks) {
  hdf5::File file = hdf5::openFile(path, hdf5::Mode::readWrite, ranks);
  try {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      if (arrays[k].spread != Spread::distributed) continue;
      const std::string at = "arrays/" + arrays[k].name;
      hdf5::Dataset dataset;
      onAll(ranks, [&] { dataset = hdf5::openDataset(file.get(), at); });
      const hdf5::Slab slab{{static_cast<hsize_t>(shares[k].first), 0}, {arrays[k].rows, arrays[k].width}};
      hdf5::writeSlab(dataset, at, memoryTypeOf(arrays[k].type), slab, arrays[k].data, ranks);
    }
  } catch (...) {
    // Ranks close a file together, and one that cannot write waits elsewhere in it than the others, for good. So it
    // stays open: the run ends with what was thrown.
    if (several(ranks)) file.release();
    throw;
  }
  onAll(ranks, [&] { hdf5::close(std::move(file), path); });
}

}  // namespace

void writeCheckpointPayload(const std::string& path, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers, Ranks ranks) {
  std::vector<RowShare> shares(arrays.size());
  bool isAnyDistributed = false;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (arrays[k].spread != Spread::distributed) continue;
    shares[k] = shareOf(ranks, static_cast<std::int64_t>(arrays[k].rows));
    isAnyDistributed = true;
  }
  onRoot(ranks, [&] {
    createPayload(path, arrays, shares, texts, numbers);
    if (several(ranks)) reserve(path, std::filesystem::file_size(path));
  });
  if (isAnyDistributed) writeRows(path, arrays, shares, ranks);
}

}  // namespace mesowarp::io
