#include "io/h5md/h5md_reader.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "io/h5md/h5md_layout.hpp"

namespace mesowarp::io {

H5mdReader::H5mdReader(const std::string& path) : path_(path) {
  if (const auto why = whyNoFile(path); !why.empty()) throw InputError("trajectory " + path + " " + why);
  hdf5::asInputError(path, [&] { open(); });
}

void H5mdReader::open() {
  file_ = hdf5::openFile(path_, hdf5::Mode::read);
  const hid_t file = file_.get();
  if (!hdf5::exists(file, h5md::fieldsDataset)) throw RunError("this is not a trajectory written by mesowarp");
  speciesNames_ = hdf5::readTexts(file, h5md::speciesNamesDataset);
  deck_ = hdf5::readText(file, h5md::deckDataset);
  if (!hdf5::exists(file, h5md::particleGroup)) return;  // no frame was written yet

  const auto position = hdf5::Series::open(file, h5md::valuePath(TrajectoryField::position));
  const auto edges = hdf5::Series::open(file, std::string(h5md::edgesGroup) + "/value");
  if (position.rowShape().size() != 2 || position.rowShape()[1] != 3 || edges.rowShape() != hdf5::Shape{3})
    throw RunError("position or box edges do not have the shape [frames][N][3] or [frames][3]");
  particles_ = position.rowShape()[0];
  precision_ = position.isDouble() ? StoredPrecision::double_ : StoredPrecision::single;
  steps_ = hdf5::readDataset<std::int64_t>(file, h5md::stepDataset);
  times_ = hdf5::readDataset<double>(file, h5md::timeDataset);
  const std::size_t complete = std::min({steps_.size(), times_.size(), static_cast<std::size_t>(position.rows()),
                                         static_cast<std::size_t>(edges.rows())});
  steps_.resize(complete);
  times_.resize(complete);
  readConstants();
}

void H5mdReader::readConstants() {
  const hid_t file = file_.get();
  const auto perParticle = [&](TrajectoryField field) {
    const std::string path = h5md::valuePath(field);
    if (!hdf5::exists(file, path)) return false;
    if (hdf5::shapeOf(file, path) != hdf5::Shape{particles_}) throw RunError(path + " does not have the shape [N]");
    return true;
  };
  constant_.tag.resize(particles_);
  std::iota(constant_.tag.begin(), constant_.tag.end(), 0U);
  if (perParticle(TrajectoryField::id))
    constant_.tag = hdf5::readDataset<std::uint32_t>(file, h5md::valuePath(TrajectoryField::id));
  if (hdf5::exists(file, h5md::tagDataset)) {
    if (hdf5::shapeOf(file, h5md::tagDataset) != hdf5::Shape{particles_})
      throw RunError(std::string(h5md::tagDataset) + " does not have the shape [N]");
    runTags_ = hdf5::readDataset<std::uint32_t>(file, h5md::tagDataset);
  }
  constant_.species.assign(particles_, 0);
  if (perParticle(TrajectoryField::species))
    constant_.species = hdf5::readDataset<std::int32_t>(file, h5md::valuePath(TrajectoryField::species));
  if (perParticle(TrajectoryField::mass))
    constant_.mass = hdf5::readDataset<double>(file, h5md::valuePath(TrajectoryField::mass));
  const auto connected = [&](const char* path, std::size_t members, const char* rows) -> std::vector<std::uint32_t> {
    if (!hdf5::exists(file, path)) return {};
    const auto shape = hdf5::shapeOf(file, path);
    if (shape.size() != 2 || shape[1] != members)
      throw RunError(fmt::format("{} does not have the shape [{}][{}]", path, rows, members));
    return hdf5::readDataset<std::uint32_t>(file, path);
  };
  constant_.bonds = connected(h5md::bondDataset, 2, "B");
  constant_.angles = connected(h5md::angleDataset, 3, "A");
  constant_.dihedrals = connected(h5md::dihedralDataset, 4, "D");
  if (hdf5::exists(file, h5md::moleculeDataset)) {
    if (hdf5::shapeOf(file, h5md::moleculeDataset) != hdf5::Shape{particles_})
      throw RunError(std::string(h5md::moleculeDataset) + " does not have the shape [N]");
    constant_.molecule = hdf5::readDataset<std::uint32_t>(file, h5md::moleculeDataset);
  }
  const auto boundary = hdf5::readTextAttribute(file, h5md::boxGroup, "boundary");
  if (boundary.size() != 3) throw RunError("the box's boundary attribute does not have three entries");
  for (std::size_t axis = 0; axis < 3; ++axis) constant_.periodic[axis] = boundary[axis] == "periodic";
  constant_.gradient = h5md::readGradient(file);
}

int h5md::readGradient(hid_t file) {
  if (!hdf5::exists(file, slideGroup)) return -1;
  const auto gradient = hdf5::readTextAttribute(file, slideGroup, "gradient");
  constexpr std::array<const char*, 3> axes{"x", "y", "z"};
  const auto axis = gradient.size() == 1 ? std::find(axes.begin(), axes.end(), gradient.front()) : axes.end();
  if (axis == axes.end()) throw RunError("the gradient of the sheared box is no axis");
  return static_cast<int>(axis - axes.begin());
}

std::vector<double> H5mdReader::readReals(TrajectoryField field, std::size_t frame) const {
  const std::string path = h5md::valuePath(field);
  if (!hdf5::exists(file_.get(), path)) return {};
  const auto series = hdf5::Series::open(file_.get(), path);
  if (series.rowShape() != hdf5::Shape{particles_, 3}) throw RunError(path + " does not have the shape [frames][N][3]");
  return series.read<double>(frame);
}

Snapshot H5mdReader::read(std::size_t frame) const {
  return hdf5::asInputError(path_, [&] {
    if (frame >= frames()) throw RunError(fmt::format("frame {} asked for, but there are {}", frame, frames()));
    Snapshot snapshot = constant_;
    snapshot.step = steps_[frame];
    snapshot.time = times_[frame];
    const auto edges = hdf5::Series::open(file_.get(), std::string(h5md::edgesGroup) + "/value").read<double>(frame);
    std::copy(edges.begin(), edges.end(), snapshot.box.begin());
    if (snapshot.gradient >= 0) {
      const auto slide = hdf5::Series::open(file_.get(), std::string(h5md::slideGroup) + "/value").read<double>(frame);
      if (slide.size() != 3) throw RunError("box/slide does not have the shape [frames][3]");
      std::copy(slide.begin(), slide.end(), snapshot.slide.begin());
    }
    snapshot.position = readReals(TrajectoryField::position, frame);
    snapshot.velocity = readReals(TrajectoryField::velocity, frame);
    snapshot.force = readReals(TrajectoryField::force, frame);
    if (const auto path = h5md::valuePath(TrajectoryField::concentration); hdf5::exists(file_.get(), path))
      snapshot.concentration = hdf5::Series::open(file_.get(), path).read<double>(frame);
    const std::string imagePath = h5md::valuePath(TrajectoryField::image);
    if (hdf5::exists(file_.get(), imagePath)) {
      const auto series = hdf5::Series::open(file_.get(), imagePath);
      if (series.rowShape() != hdf5::Shape{particles_, 3})
        throw RunError(imagePath + " does not have the shape [frames][N][3]");
      snapshot.image = series.read<std::int32_t>(frame);
    }
    return snapshot;
  });
}

}  // namespace mesowarp::io
