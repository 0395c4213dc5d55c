#include "io/hdf5/hdf5_slab.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace mesowarp::io::hdf5 {

namespace {

// Bytes of a rank in one collective transfer: counts are ints in MPI-IO, and converted elements need a copy.
constexpr hsize_t slabBytes = hsize_t{1} << 28;

hsize_t elementsOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
}

PropertyList transferProperties(Ranks ranks) {
  PropertyList list(check(H5Pcreate(H5P_DATASET_XFER), "create HDF5 transfer properties"));
  if (ranks) check(H5Pset_dxpl_mpio(list.get(), H5FD_MPIO_COLLECTIVE), "ask for collective transfers");
  return list;
}

bool wasCollective(const PropertyList& transfer) {
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  check(H5Pget_mpio_actual_io_mode(transfer.get(), &mode), "read HDF5 transfer properties");
  return mode == H5D_MPIO_CHUNK_COLLECTIVE || mode == H5D_MPIO_CONTIGUOUS_COLLECTIVE;
}

// The selection in the file and the shape in memory, which is the same: where they differ, HDF5 goes through datasets
// in chunks element by element. It would refuse what lies outside before the other ranks' transfer begins, and leave
// them waiting.
struct Selection {
  Dataspace file, memory;
};

Selection select(const Dataset& dataset, const std::string& path, const Slab& slab) {
  Selection selection{Dataspace(check(H5Dget_space(dataset.get()), "read the shape of " + path)), {}};
  const hsize_t count = elementsOf(slab.count);
  const Shape shape = count == 0 ? Shape{1} : slab.count;
  selection.memory = Dataspace(
      check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), "describe a part of " + path));
  if (count == 0) {
    check(H5Sselect_none(selection.file.get()), "select nothing of " + path);
    check(H5Sselect_none(selection.memory.get()), "select nothing of " + path);
    return selection;
  }
  Shape extent(slab.start.size());
  if (H5Sget_simple_extent_ndims(selection.file.get()) != static_cast<int>(extent.size()))
    throw RunError("dataset " + path + " has another number of dimensions");
  check(H5Sget_simple_extent_dims(selection.file.get(), extent.data(), nullptr), "read the shape of " + path);
  for (std::size_t d = 0; d < extent.size(); ++d)
    if (slab.start[d] > extent[d] || slab.count[d] > extent[d] - slab.start[d])
      throw RunError("dataset " + path + " is too small");
  check(
      H5Sselect_hyperslab(selection.file.get(), H5S_SELECT_SET, slab.start.data(), nullptr, slab.count.data(), nullptr),
      "select a part of " + path);
  return selection;
}

// task(part, its first element, its number of elements), in as many rounds on all ranks.
template <class Task>
void inRounds(const Slab& slab, std::size_t elementSize, Ranks ranks, Task&& task) {
  const hsize_t elements = elementsOf(slab.count), rows = slab.count[static_cast<std::size_t>(slab.along)];
  hsize_t rounds = 1;
  if (ranks)
    rounds = std::max<hsize_t>(1, static_cast<hsize_t>(ranks->largest(static_cast<std::int64_t>(
                                      (elements * elementSize + slabBytes - 1) / slabBytes))));
  else if (elements == 0)
    return;
  const hsize_t rowSize = rows == 0 ? 0 : elements / rows;
  for (hsize_t round = 0; round < rounds; ++round) {
    const hsize_t begin = rows * round / rounds, end = rows * (round + 1) / rounds;
    Slab part = slab;
    part.start[static_cast<std::size_t>(slab.along)] += begin;
    part.count[static_cast<std::size_t>(slab.along)] = end - begin;
    task(part, begin * rowSize, (end - begin) * rowSize);
  }
}

}  // namespace

// HDF5 gives up on collective transfers where it has to convert elements, so several ranks convert them first.
bool writeSlab(const Dataset& dataset, const std::string& path, hid_t type, const Slab& slab, const void* data,
               Ranks ranks) {
  ranks = several(ranks);
  const Datatype stored(check(H5Dget_type(dataset.get()), "read the type of " + path));
  const bool convert = ranks && H5Tequal(type, stored.get()) <= 0;
  const std::size_t size = H5Tget_size(type), storedSize = H5Tget_size(stored.get());
  const PropertyList transfer = transferProperties(ranks);
  bool isCollective = ranks != nullptr;
  std::vector<std::byte> converted;
  inRounds(slab, std::max(size, storedSize), ranks, [&](const Slab& part, hsize_t first, hsize_t count) {
    Selection selection;
    const auto* from = static_cast<const std::byte*>(data) + first * size;
    onAll(ranks, [&] {
      selection = select(dataset, path, part);
      if (!convert) return;
      converted.resize(std::max<hsize_t>(count, 1) * std::max(size, storedSize));
      if (count > 0) std::memcpy(converted.data(), from, count * size);
      check(H5Tconvert(type, stored.get(), count, converted.data(), nullptr, H5P_DEFAULT), "convert " + path);
      from = converted.data();
    });
    onAll(ranks, [&] {
      check(H5Dwrite(dataset.get(), convert ? stored.get() : type, selection.memory.get(), selection.file.get(),
                     transfer.get(), from),
            "write " + path);
      isCollective = isCollective && wasCollective(transfer);
    });
  });
  return isCollective;
}

bool readSlab(const Dataset& dataset, const std::string& path, hid_t type, const Slab& slab, void* data, Ranks ranks) {
  ranks = several(ranks);
  const std::size_t size = H5Tget_size(type);
  const PropertyList transfer = transferProperties(ranks);
  bool isCollective = ranks != nullptr;
  inRounds(slab, size, ranks, [&](const Slab& part, hsize_t first, hsize_t) {
    Selection selection;
    onAll(ranks, [&] { selection = select(dataset, path, part); });
    onAll(ranks, [&] {
      check(H5Dread(dataset.get(), type, selection.memory.get(), selection.file.get(), transfer.get(),
                    static_cast<std::byte*>(data) + first * size),
            "read " + path);
      isCollective = isCollective && wasCollective(transfer);
    });
  });
  return isCollective;
}

}  // namespace mesowarp::io::hdf5
