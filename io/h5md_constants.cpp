// What a trajectory's first frame tells for all: species, masses, ids, bonds.
#include "io/h5md.hpp"
#include "io/h5md_layout.hpp"
#include "io/hdf5_slab.hpp"

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

// Rows of each rank behind those of lower ranks.
template <class T>
void writeRows(hid_t file, const std::string& path, hsize_t width, const std::vector<T>& data, Ranks ranks) {
  const hsize_t count = data.size() / width;
  const RowShare share = shareOf(ranks, static_cast<std::int64_t>(count));
  const auto first = static_cast<hsize_t>(share.first), total = static_cast<hsize_t>(share.total);
  const bool isFlat = width == 1;
  hdf5::Dataset dataset;
  onAll(ranks, [&] {
    dataset =
        hdf5::createDataset(file, path, hdf5::memoryType<T>(), isFlat ? hdf5::Shape{total} : hdf5::Shape{total, width});
  });
  const hdf5::Slab slab = isFlat ? hdf5::Slab{{first}, {count}} : hdf5::Slab{{first, 0}, {count, width}};
  hdf5::writeSlab(dataset, path, hdf5::memoryType<T>(), slab, data.data(), ranks);
}

}  // namespace

void H5mdWriter::writeConstants(const Snapshot& first) {
  const hid_t file = file_.get();
  if (has(TrajectoryField::species))
    writeRows(file, h5md::valuePath(TrajectoryField::species), 1, first.species, ranks_);
  if (has(TrajectoryField::mass)) writeRows(file, h5md::valuePath(TrajectoryField::mass), 1, first.mass, ranks_);
  if (has(TrajectoryField::id)) writeRows(file, h5md::valuePath(TrajectoryField::id), 1, first.tag, ranks_);
  if (shareOf(ranks_, static_cast<std::int64_t>(first.bonds.size())).total == 0) return;

  writeRows(file, h5md::bondDataset, 2, first.bonds, ranks_);
  onAll(ranks_, [&] { referToParticles(file, h5md::bondDataset); });
}

}  // namespace mesowarp::io
