#include "io/convert/convert.hpp"

#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/convert/frame_format.hpp"
#include "io/convert/molecules.hpp"
#include "io/files/new_file.hpp"
#include "io/h5md/h5md_reader.hpp"

namespace mesowarp::io {

namespace {

// first, last as indices into the frames; throws if there are none between them.
std::pair<std::size_t, std::size_t> frameRange(const H5mdReader& reader, const ConvertOptions& options) {
  const auto frames = static_cast<long long>(reader.frames());
  if (frames == 0) throw InputError(reader.path() + ": the trajectory holds no frames");
  const long long last = options.last < 0 ? options.last + frames : options.last;
  if (options.stride == 0) throw InputError("the stride must be at least 1");
  if (last < 0 || last >= frames || static_cast<long long>(options.first) > last)
    throw InputError(fmt::format("{}: frames {} to {} asked for; there are frames 0 to {}", reader.path(),
                                 options.first, options.last, frames - 1));
  return {options.first, static_cast<std::size_t>(last)};
}

// A sheared box as others know it, as a tilted one: images beside it slide by less than half an edge, whole edges go to
// the images' numbers, and particles are in the tilted box.
void tilt(Snapshot& s) {
  const auto gradient = static_cast<std::size_t>(s.gradient);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edges = std::round(s.slide[axis] / s.box[axis]), by = s.slide[axis] - edges * s.box[axis];
    if (s.slide[axis] == 0.0) continue;
    s.slide[axis] = by;
    for (std::size_t k = 0; k < s.position.size(); k += 3) {
      double& x = s.position[k + axis];
      const double beyond = std::floor((x - by * s.position[k + gradient] / s.box[gradient]) / s.box[axis]);
      x -= beyond * s.box[axis];
      if (!s.image.empty())
        s.image[k + axis] +=
            static_cast<std::int32_t>(beyond) + static_cast<std::int32_t>(edges) * s.image[k + gradient];
    }
  }
}

// Of LAMMPS boxes the second edge may lean along x, the third along x and y.
void refuseOtherTilts(const Snapshot& s, const std::string& path) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (s.slide[axis] != 0.0 && static_cast<int>(axis) > s.gradient)
      throw InputError(fmt::format("{}: its box is sheared along {} across {}, and LAMMPS boxes can lean along x, or "
                                   "along y across z alone: convert to extended XYZ",
                                   path, "xyz"[axis], "xyz"[s.gradient]));
}

void refuseWithoutImages(const H5mdReader& reader, const ConvertOptions& options) {
  const bool none = options.imagesWished && options.imagesWished(reader.deck());
  throw InputError(reader.path() + ": cannot unwrap, " +
                   (none ? "its particles have no images: those of a collision solvent do not count how often they "
                           "cross the box, and bodies have none"
                         : "the trajectory has no images; add \"image\" to the output's fields"));
}

void unwrap(Snapshot& snapshot) {
  for (std::size_t i = 0; i < snapshot.position.size(); ++i) snapshot.position[i] += snapshot.shift(i / 3, i % 3);
}

}  // namespace

std::size_t convertTrajectory(const std::string& h5path, const std::string& outPath, const std::string& format,
                              const ConvertOptions& options) {
  const auto formatFrame = frameFormatter(format);
  const H5mdReader reader(h5path);
  const auto [first, last] = frameRange(reader, options);
  FrameStyle style{
      reader.speciesNames(), reader.precision() == StoredPrecision::single, options.unwrap, {}, {}, {}, {}, {}};
  const Snapshot begin = reader.read(first);
  style.bonded = hdf5::asInputError(h5path, [&] { return moleculesOf(begin.bonds, reader.particles()); });
  style.molecule.assign(begin.molecule.begin(), begin.molecule.end());
  if (style.molecule.empty()) style.molecule = style.bonded;
  const bool ofOneFrame = format == "lammps-data" || format == "vtk";
  if (format == "lammps-data") {
    style.bondType = termTypesOf(reader, "bond", 2, begin.bonds);
    style.angleType = termTypesOf(reader, "angle", 3, begin.angles);
    style.dihedralType = termTypesOf(reader, "dihedral", 4, begin.dihedrals);
  }
  NewFile out(outPath, options.force, h5path);
  std::size_t written = 0;
  fmt::memory_buffer text;
  for (std::size_t frame = ofOneFrame ? last : first; frame <= last; frame += options.stride, ++written) {
    Snapshot snapshot = reader.read(frame);
    if (snapshot.gradient >= 0) tilt(snapshot);
    if (format.starts_with("lammps")) refuseOtherTilts(snapshot, h5path);
    if (options.unwrap && snapshot.image.empty()) refuseWithoutImages(reader, options);
    if (options.unwrap) unwrap(snapshot);
    text.clear();
    formatFrame(text, snapshot, style);
    out.write({text.data(), text.size()});
  }
  out.finish();
  return written;
}

}  // namespace mesowarp::io
