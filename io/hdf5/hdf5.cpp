#include "io/hdf5/hdf5.hpp"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>

#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5_driver.hpp"

namespace mesowarp::io::hdf5 {

namespace {

// HDF5 prints every failure to stderr unless told not to, in each thread.
void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

std::string innermostReason() {
  std::string reason;
  const H5E_walk2_t keep = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
    auto& text = *static_cast<std::string*>(data);
    if (error->desc != nullptr && text.empty()) text = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep, &reason);
  return reason.empty() ? "HDF5 gives no reason" : reason;
}

PropertyList accessProperties(Ranks ranks) {
  silence();
  PropertyList access(check(H5Pcreate(H5P_FILE_ACCESS), "create HDF5 file access properties"));
  if (several(ranks)) {
    check(H5Pset_fapl_mpio(access.get(), ranks->handle(), MPI_INFO_NULL), "choose HDF5's MPI-IO driver");
    // One rank reads what describes the file, and all write it together.
    check(H5Pset_all_coll_metadata_ops(access.get(), true), "set HDF5 file access properties");
    check(H5Pset_coll_metadata_write(access.get(), true), "set HDF5 file access properties");
  } else {
    check(H5Pset_driver(access.get(), check(diskDriver(), "register the HDF5 driver"), nullptr),
          "choose the HDF5 driver");
  }
  // Closing the file closes what is still open in it, so that no object left over keeps the file busy.
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "set HDF5 file access properties");
  return access;
}

// For the system's own reason, which HDF5 drops.
void requireCreatable(const std::string& path) { io::openFile(path, O_WRONLY | O_CREAT); }

}  // namespace

hid_t check(hid_t result, const std::string& what) {
  if (result < 0) throw RunError(fmt::format("cannot {}: {}", what, innermostReason()));
  return result;
}

File createFile(const std::string& path, hsize_t userBlock) {
  const PropertyList access = accessProperties(nullptr);
  const PropertyList creation(check(H5Pcreate(H5P_FILE_CREATE), "create HDF5 file properties"));
  check(H5Pset_userblock(creation.get(), userBlock), "set the HDF5 user block");
  requireCreatable(path);
  return File(check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), "create " + path));
}

File openFile(const std::string& path, Mode mode, Ranks ranks) {
  const PropertyList access = accessProperties(ranks);
  const unsigned flags = mode == Mode::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR;
  // A rank that cannot open it (a node without that disk) would leave the others waiting in MPI-IO.
  if (several(ranks)) onAll(ranks, [&] { io::openFile(path, mode == Mode::read ? O_RDONLY : O_RDWR); });
  File file;
  onAll(ranks, [&] { file = File(check(H5Fopen(path.c_str(), flags, access.get()), "open " + path)); });
  return file;
}

void flush(const File& file, const std::string& path) {
  check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "write " + path);
  requireWritten(file, path);
}

void requireWritten(const File& file, const std::string& path) {
  if (const int code = writeErrorOf(file.get()); code != 0)
    throw RunError(fmt::format("cannot write {}: {}", path, systemText(code)));
}

void changeInCopy(const std::string& path, const std::function<void(const std::string&)>& task) {
  namespace fs = std::filesystem;
  const std::string copy = path + ".tmp";
  try {
    std::error_code error;
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing, error);
    if (error) throw RunError(fmt::format("cannot copy {} to {}: {}", path, copy, error.message()));
    task(copy);
    syncFile(copy);
    renameDurably(copy, path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(copy, ignored);
    throw;
  }
}

FileMark mark(const File& file, const std::string& path, std::int64_t step) {
  flush(file, path);
  syncFile(path);
  const FileMark now = markOf(path);
  keepUndo(file.get(), UndoJournal(path, {step, now, false}));
  return now;
}

void close(File file, const std::string& path) {
  flush(file, path);
  check(H5Fclose(file.release()), "close " + path);
}

PropertyList datasetProperties() {
  PropertyList list(check(H5Pcreate(H5P_DATASET_CREATE), "create HDF5 dataset properties"));
  check(H5Pset_obj_track_times(list.get(), false), "set HDF5 dataset properties");
  return list;
}

PropertyList linkProperties() {
  PropertyList list(check(H5Pcreate(H5P_LINK_CREATE), "create HDF5 link properties"));
  check(H5Pset_create_intermediate_group(list.get(), 1), "set HDF5 link properties");
  return list;
}

Group createGroup(hid_t location, const std::string& path) {
  const PropertyList links = linkProperties();
  return Group(
      check(H5Gcreate2(location, path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), "create group " + path));
}

Group openGroup(hid_t location, const std::string& path) {
  return Group(check(H5Gopen2(location, path.c_str(), H5P_DEFAULT), "open group " + path));
}

// H5Lexists wants every group on the way to exist, so each is asked for in turn.
bool exists(hid_t location, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(location, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return H5Oexists_by_name(location, path.c_str(), H5P_DEFAULT) > 0;
  }
}

void hardLink(hid_t location, const std::string& from, const std::string& to) {
  const PropertyList links = linkProperties();
  check(H5Lcreate_hard(location, from.c_str(), location, to.c_str(), links.get(), H5P_DEFAULT), "link " + to);
}

std::vector<std::string> datasetPaths(hid_t location, const std::string& group) {
  const Group root = openGroup(location, group);
  std::vector<std::string> paths;
  const H5L_iterate_t visit = [](hid_t base, const char* name, const H5L_info_t*, void* data) -> herr_t {
    const hid_t object = H5Oopen(base, name, H5P_DEFAULT);  // H5O_info_t is another one in HDF5 1.12
    if (object < 0) return -1;
    if (H5Iget_type(object) == H5I_DATASET) static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return H5Oclose(object);
  };
  check(H5Lvisit(root.get(), H5_INDEX_NAME, H5_ITER_INC, visit, &paths), "list group " + group);
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace mesowarp::io::hdf5
