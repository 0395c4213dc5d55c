#include "io/hdf5/hdf5_driver.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "core/error.hpp"

namespace mesowarp::io::hdf5 {

namespace {

constexpr haddr_t largestAddress = (haddr_t{1} << 62) - 1;

struct DiskFile {
  H5FD_t base;  // HDF5's part; must come first
  int descriptor;
  int error;          // errno of the first failed write; later ones are dropped
  haddr_t allocated;  // HDF5's end of allocated space
  haddr_t end;        // of the file
  dev_t device;
  ino_t inode;
  std::optional<UndoJournal> journal;
};

// Whether the bytes may now be overwritten or cut off.
bool undoable(DiskFile& disk, haddr_t address, haddr_t size) {
  if (disk.error == 0 && disk.journal) disk.error = disk.journal->save(disk.descriptor, address, size);
  return disk.error == 0;
}

DiskFile* of(H5FD_t* file) { return reinterpret_cast<DiskFile*>(file); }
const DiskFile* of(const H5FD_t* file) { return reinterpret_cast<const DiskFile*>(file); }

H5FD_t* openDisk(const char* name, unsigned flags, hid_t, haddr_t) {
  int mode = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) mode |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  const int descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  if (descriptor < 0) return nullptr;
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    ::close(descriptor);
    return nullptr;
  }
  auto* file = new DiskFile{};
  file->descriptor = descriptor;
  file->end = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  return &file->base;
}

herr_t closeDisk(H5FD_t* file) {
  ::close(of(file)->descriptor);
  delete of(file);
  return 0;
}

int compareDisk(const H5FD_t* a, const H5FD_t* b) {
  if (of(a)->device != of(b)->device) return of(a)->device < of(b)->device ? -1 : 1;
  if (of(a)->inode != of(b)->inode) return of(a)->inode < of(b)->inode ? -1 : 1;
  return 0;
}

herr_t queryDisk(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocatedOf(const H5FD_t* file, H5FD_mem_t) { return of(file)->allocated; }

herr_t setAllocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file)->allocated = address;
  return 0;
}

haddr_t endOf(const H5FD_t* file, H5FD_mem_t) { return of(file)->end; }

herr_t handleOf(H5FD_t* file, hid_t, void** handle) {
  *handle = of(file);
  return 0;
}

// What lies behind the file's end reads as zeros, as HDF5 expects.
herr_t readDisk(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* at = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t count = ::pread(of(file)->descriptor, at, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) {
      std::memset(at, 0, size);
      return 0;
    }
    at += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  return 0;
}

herr_t writeDisk(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  DiskFile& disk = *of(file);
  const auto* at = static_cast<const char*>(buffer);
  if (!undoable(disk, address, size)) return 0;
  while (size > 0) {
    const ssize_t count = ::pwrite(disk.descriptor, at, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      disk.error = errno;
      break;
    }
    at += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
    if (address > disk.end) disk.end = address;
  }
  return 0;
}

// Others may have written behind what this process knows as the file's end, or reserved room there.
herr_t truncateDisk(H5FD_t* file, hid_t, hbool_t) {
  DiskFile& disk = *of(file);
  struct stat status {};
  if (::fstat(disk.descriptor, &status) == 0) disk.end = static_cast<haddr_t>(status.st_size);
  if (disk.error != 0 || disk.allocated == disk.end) return 0;
  if (disk.allocated < disk.end && !undoable(disk, disk.allocated, disk.end - disk.allocated)) return 0;
  if (::ftruncate(disk.descriptor, static_cast<off_t>(disk.allocated)) != 0)
    disk.error = errno;
  else
    disk.end = disk.allocated;
  return 0;
}

// Fields by name, for their order and number differ between HDF5's versions.
const H5FD_class_t& diskClass() {
  static const H5FD_class_t result = [] {
    H5FD_class_t c{};
#if H5_VERSION_GE(1, 13, 0)
    c.version = H5FD_CLASS_VERSION;
    c.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 77);  // from the range for drivers outside HDF5
#endif
    c.name = "mesowarp-disk";
    c.maxaddr = largestAddress;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.open = openDisk;
    c.close = closeDisk;
    c.cmp = compareDisk;
    c.query = queryDisk;
    c.get_eoa = allocatedOf;
    c.set_eoa = setAllocated;
    c.get_eof = endOf;
    c.get_handle = handleOf;
    c.read = readDisk;
    c.write = writeDisk;
    c.truncate = truncateDisk;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::memcpy(c.fl_map, map, sizeof(map));
    return c;
  }();
  return result;
}

}  // namespace

hid_t diskDriver() {
  static const hid_t driver = H5FDregister(&diskClass());
  return driver;
}

namespace {

// nullptr: open through another driver.
DiskFile* diskFileOf(hid_t file) {
  const hid_t access = H5Fget_access_plist(file);
  const bool isOurs = access >= 0 && H5Pget_driver(access) == diskDriver();
  void* handle = nullptr;
  const bool isFound = isOurs && H5Fget_vfd_handle(file, access, &handle) >= 0;
  if (access >= 0) H5Pclose(access);
  return isFound ? static_cast<DiskFile*>(handle) : nullptr;
}

}  // namespace

int writeErrorOf(hid_t file) {
  const DiskFile* disk = diskFileOf(file);
  return disk ? disk->error : 0;
}

void keepUndo(hid_t file, UndoJournal journal) {
  DiskFile* disk = diskFileOf(file);
  if (!disk) throw RunError("an undo journal for a file of several ranks");
  disk->journal.emplace(std::move(journal));
}

void aboutToOverwrite(hid_t file, const Places& places, std::uint64_t entries) {
  DiskFile* disk = diskFileOf(file);
  for (const std::uint64_t address : places.addresses) {
    const std::uint64_t some = std::min(entries, places.entriesAPiece);
    if (disk) undoable(*disk, address, some * places.entryBytes);
    entries -= some;
  }
}

}  // namespace mesowarp::io::hdf5
