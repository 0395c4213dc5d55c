#include "io/hdf5/hdf5_places.hpp"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5.hpp"

namespace mesowarp::io::hdf5 {

namespace {

// Bytes of a rank in one transfer: counts are ints in MPI-IO, and converted entries need a copy.
constexpr std::uint64_t roundBytes = std::uint64_t{1} << 28;

void requireWorked(int code, const std::string& what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw RunError(fmt::format("cannot {}: {}", what, text));
}

void fromRoot(Places& places, const comm::Communicator& ranks) {
  places.entryBytes = io::fromRoot(&ranks, places.entryBytes);
  places.entriesAPiece = io::fromRoot(&ranks, places.entriesAPiece);
  places.addresses.resize(io::fromRoot(&ranks, static_cast<std::uint64_t>(places.addresses.size())));
  broadcast(&ranks, places.addresses.data(), places.addresses.size() * sizeof(std::uint64_t));
}

// A run of entries in the file, and in memory.
struct Piece {
  std::uint64_t address, from, bytes;
};

std::vector<Piece> piecesOf(const Places& places, std::uint64_t first, std::uint64_t bytes) {
  std::vector<Piece> pieces;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t entry = first + done / places.entryBytes, inPiece = entry % places.entriesAPiece;
    const std::uint64_t some = std::min(bytes - done, (places.entriesAPiece - inPiece) * places.entryBytes);
    pieces.push_back({places.addresses[entry / places.entriesAPiece] + inPiece * places.entryBytes, done, some});
    done += some;
  }
  return pieces;
}

// MPI wants a file view's addresses to rise.
void sortByAddress(std::vector<Piece>& pieces, std::vector<char>& entries) {
  const auto byAddress = [](const Piece& a, const Piece& b) { return a.address < b.address; };
  if (std::is_sorted(pieces.begin(), pieces.end(), byAddress)) return;
  std::sort(pieces.begin(), pieces.end(), byAddress);
  std::vector<char> sorted;
  sorted.reserve(entries.size());
  for (const auto& piece : pieces)
    sorted.insert(sorted.end(), entries.begin() + static_cast<std::ptrdiff_t>(piece.from),
                  entries.begin() + static_cast<std::ptrdiff_t>(piece.from + piece.bytes));
  entries = std::move(sorted);
}

}  // namespace

// A rank that cannot open the file (a node without that disk) would leave the others waiting in MPI-IO.
SharedFile::SharedFile(const std::string& path, const comm::Communicator& ranks) : path_(path), ranks_(ranks) {
  ranks_.onAll([&] { io::openFile(path, O_RDWR); });
  ranks_.onAll([&] {
    requireWorked(MPI_File_open(ranks_.handle(), path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file_), "open " + path);
  });
}

SharedFile::~SharedFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void SharedFile::write(Places places, std::uint64_t first, std::uint64_t count, hid_t memoryType, hid_t storedType,
                       const void* data) {
  fromRoot(places, ranks_);
  const std::uint64_t size = H5Tget_size(memoryType), storedSize = H5Tget_size(storedType);
  const std::uint64_t width = places.entryBytes / storedSize;  // elements an entry
  const auto rounds =
      std::max<std::int64_t>(1, ranks_.largest(static_cast<std::int64_t>(
                                    (count * width * std::max(size, storedSize) + roundBytes - 1) / roundBytes)));
  std::vector<char> entries;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::uint64_t begin = count * static_cast<std::uint64_t>(round) / static_cast<std::uint64_t>(rounds);
    const std::uint64_t some =
        count * static_cast<std::uint64_t>(round + 1) / static_cast<std::uint64_t>(rounds) - begin;
    ranks_.onAll([&] {
      const std::uint64_t last = first + begin + some;
      if (some > 0 && (last - 1) / places.entriesAPiece >= places.addresses.size())
        throw RunError("a dataset of " + path_ + " is too small");
      entries.resize(some * width * std::max(size, storedSize));
      if (some == 0) return;
      std::memcpy(entries.data(), static_cast<const char*>(data) + begin * width * size, some * width * size);
      check(H5Tconvert(memoryType, storedType, some * width, entries.data(), nullptr, H5P_DEFAULT), "convert numbers");
      entries.resize(some * places.entryBytes);
    });
    writeRound(places, first + begin, entries);
  }
}

void SharedFile::writeRound(const Places& places, std::uint64_t first, std::vector<char>& entries) {
  std::vector<Piece> pieces = piecesOf(places, first, entries.size());
  sortByAddress(pieces, entries);
  std::vector<int> lengths;
  std::vector<MPI_Aint> addresses;
  for (const auto& piece : pieces) {
    lengths.push_back(static_cast<int>(piece.bytes));
    addresses.push_back(static_cast<MPI_Aint>(piece.address));
  }
  MPI_Datatype view = MPI_BYTE;
  if (!pieces.empty()) {
    MPI_Type_create_hindexed(static_cast<int>(pieces.size()), lengths.data(), addresses.data(), MPI_BYTE, &view);
    MPI_Type_commit(&view);
  }
  ranks_.onAll(
      [&] { requireWorked(MPI_File_set_view(file_, 0, MPI_BYTE, view, "native", MPI_INFO_NULL), "write " + path_); });
  if (!pieces.empty()) MPI_Type_free(&view);
  ranks_.onAll([&] {
    MPI_Status status;
    const auto size = static_cast<int>(entries.size());
    requireWorked(MPI_File_write_at_all(file_, 0, entries.data(), size, MPI_BYTE, &status), "write " + path_);
    int written = 0;
    MPI_Get_count(&status, MPI_BYTE, &written);
    if (size > 0 && written != size) throw RunError("cannot write " + path_ + ": the disk took a part of it only");
  });
}

void SharedFile::sync() {
  ranks_.onAll([&] { requireWorked(MPI_File_sync(file_), "flush to disk " + path_); });
}

}  // namespace mesowarp::io::hdf5
