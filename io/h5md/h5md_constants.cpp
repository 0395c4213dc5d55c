// What a trajectory's first frame tells for all: species, masses, ids, molecules, bonds,
// angles, dihedrals.
#include "io/h5md/h5md.hpp"
#include "io/h5md/h5md_layout.hpp"
#include "io/hdf5/hdf5_driver.hpp"

namespace mesowarp::io {

namespace {

// H5MD 1.1, connectivity: the tuples' particles are those of the group that this reference names, by their id.
void referToParticles(hid_t file, const std::string& path) {
  hobj_ref_t reference;
  hdf5::check(H5Rcreate(&reference, file, h5md::particleGroup, H5R_OBJECT, -1), "refer to the particle group");
  const hdf5::Dataspace scalar(hdf5::check(H5Screate(H5S_SCALAR), "describe a reference"));
  const hdf5::Attribute attribute(hdf5::check(H5Acreate_by_name(file, path.c_str(), "particles_group", H5T_STD_REF_OBJ,
                                                                scalar.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                              "create attribute particles_group"));
  hdf5::check(H5Awrite(attribute.get(), H5T_STD_REF_OBJ, &reference), "write attribute particles_group");
}

}  // namespace

// Rows of each rank behind those of lower ranks.
template <class T>
void H5mdWriter::writeConstant(const std::string& path, hsize_t width, const std::vector<T>& data) {
  const hsize_t count = data.size() / width;
  const RowShare share = shareOf(ranks_, static_cast<std::int64_t>(count));
  const auto total = static_cast<hsize_t>(share.total);
  const hid_t type = hdf5::memoryType<T>();
  const hdf5::Shape shape = width == 1 ? hdf5::Shape{total} : hdf5::Shape{total, width};
  if (!ranks_) return hdf5::writeDataset(file_.get(), path, type, shape, data.data());
  hdf5::Places places{width * sizeof(T), total, {}};
  onRoot(ranks_, [&] {
    places.addresses = {hdf5::addressOf(hdf5::createDataset(file_.get(), path, type, shape), path)};
    hdf5::aboutToOverwrite(file_.get(), places, total);
    hdf5::requireWritten(file_, path_);
  });
  shared_->write(std::move(places), static_cast<std::uint64_t>(share.first), count, type, hdf5::fileType(type),
                 data.data());
}

void H5mdWriter::writeTags(const std::vector<std::uint32_t>& tags) {
  writeConstant(h5md::tagDataset, 1, tags);
  onRoot(ranks_, [&] { hdf5::flush(file_, path_); });
}

void H5mdWriter::writeConstants(const Snapshot& first) {
  if (has(TrajectoryField::species)) writeConstant(h5md::valuePath(TrajectoryField::species), 1, first.species);
  if (has(TrajectoryField::mass)) writeConstant(h5md::valuePath(TrajectoryField::mass), 1, first.mass);
  if (has(TrajectoryField::id)) writeConstant(h5md::valuePath(TrajectoryField::id), 1, first.tag);
  const auto all = [&](const auto& data) { return shareOf(ranks_, static_cast<std::int64_t>(data.size())).total; };
  if (all(first.molecule) > 0) writeConstant(h5md::moleculeDataset, 1, first.molecule);
  const auto connect = [&](const char* path, hsize_t members, const std::vector<std::uint32_t>& tags) {
    if (all(tags) == 0) return;
    writeConstant(path, members, tags);
    onRoot(ranks_, [&] { referToParticles(file_.get(), path); });
  };
  connect(h5md::bondDataset, 2, first.bonds);
  connect(h5md::angleDataset, 3, first.angles);
  connect(h5md::dihedralDataset, 4, first.dihedrals);
}

}  // namespace mesowarp::io
