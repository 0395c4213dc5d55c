#include "io/convert/convert.hpp"

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

void unwrap(Snapshot& snapshot, const std::string& path) {
  if (snapshot.image.empty())
    throw InputError(path + ": cannot unwrap, the trajectory has no images; add \"image\" to the output's fields");
  for (std::size_t i = 0; i < snapshot.position.size(); ++i) snapshot.position[i] += snapshot.shift(i / 3, i % 3);
}

}  // namespace

std::size_t convertTrajectory(const std::string& h5path, const std::string& outPath, const std::string& format,
                              const ConvertOptions& options) {
  const auto formatFrame = frameFormatter(format);
  const H5mdReader reader(h5path);
  const auto [first, last] = frameRange(reader, options);
  FrameStyle style{
      reader.speciesNames(), reader.precision() == StoredPrecision::single, options.unwrap, {}, {}, {}, {}};
  const Snapshot begin = reader.read(first);
  style.molecule = hdf5::asInputError(h5path, [&] { return moleculesOf(begin.bonds, reader.particles()); });
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
    if (options.unwrap) unwrap(snapshot, h5path);
    text.clear();
    formatFrame(text, snapshot, style);
    out.write({text.data(), text.size()});
  }
  out.finish();
  return written;
}

}  // namespace mesowarp::io
