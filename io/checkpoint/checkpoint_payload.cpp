#include "io/checkpoint/checkpoint_payload.hpp"

#include <filesystem>
#include <utility>

#include "io/checkpoint/checkpoint_header.hpp"
#include "io/checkpoint/checkpoint_types.hpp"
#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5_places.hpp"
#include "io/hdf5/hdf5_slab.hpp"

namespace mesowarp::io {

namespace {

// Where the rows that ranks share have their room; of each array, empty for others.
std::vector<hdf5::Places> createPayload(const std::string& path, const std::vector<ArrayView>& arrays,
                                        const std::vector<RowShare>& shares,
                                        const std::map<std::string, std::string>& texts,
                                        const std::map<std::string, std::int64_t>& numbers) {
  std::vector<hdf5::Places> places(arrays.size());
  hdf5::File file = hdf5::createFile(path, checkpointHeaderSize);
  for (const char* group : {"arrays", "texts", "numbers"}) hdf5::createGroup(file.get(), group);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const ArrayView& array = arrays[k];
    const std::string at = "arrays/" + array.name;
    if (array.spread == Spread::distributed) {
      const hid_t type = memoryTypeOf(array.type);
      const auto total = static_cast<std::uint64_t>(shares[k].total);
      const hdf5::Dataset dataset = hdf5::createDataset(file.get(), at, type, {total, array.width});
      if (total * array.width > 0)
        places[k] = {array.width * H5Tget_size(hdf5::fileType(type)), total, {hdf5::addressOf(dataset, at)}};
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
  return places;
}

// Not through HDF5, whose ranks flush and close a file together: one whose write fails in there leaves the others
// waiting for good.
void writeRowsTogether(const std::string& path, const std::vector<ArrayView>& arrays,
                       const std::vector<RowShare>& shares, const std::vector<hdf5::Places>& places,
                       const comm::Communicator& ranks) {
  hdf5::SharedFile file(path, ranks);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const ArrayView& array = arrays[k];
    if (array.spread != Spread::distributed || shares[k].total * static_cast<std::int64_t>(array.width) == 0) continue;
    const hid_t type = memoryTypeOf(array.type);
    file.write(places[k], static_cast<std::uint64_t>(shares[k].first), array.rows, type, hdf5::fileType(type),
               array.data);
  }
  file.sync();
}

void writeRows(const std::string& path, const std::vector<ArrayView>& arrays) {
  hdf5::File file = hdf5::openFile(path, hdf5::Mode::readWrite);
  for (const ArrayView& array : arrays) {
    if (array.spread != Spread::distributed) continue;
    const std::string at = "arrays/" + array.name;
    const hdf5::Dataset dataset = hdf5::openDataset(file.get(), at);
    hdf5::writeSlab(dataset, at, memoryTypeOf(array.type), {{0, 0}, {array.rows, array.width}}, array.data, nullptr);
  }
  hdf5::close(std::move(file), path);
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
  std::vector<hdf5::Places> places(arrays.size());  // the root's
  onRoot(ranks, [&] {
    places = createPayload(path, arrays, shares, texts, numbers);
    if (several(ranks)) reserve(path, std::filesystem::file_size(path));
  });
  if (!isAnyDistributed) return;
  if (several(ranks))
    writeRowsTogether(path, arrays, shares, places, *ranks);
  else
    writeRows(path, arrays);
}

}  // namespace mesowarp::io
