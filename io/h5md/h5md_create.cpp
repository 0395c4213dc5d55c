// The parts of an H5MD file that are written once. Reduced units have no name that H5MD's units module or MDAnalysis
// would know, and MDAnalysis refuses unknown `unit` attributes: the DPD units stand in `reduced_unit` attributes and in
// /parameters/units instead.
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/h5md_layout.hpp"

namespace mesowarp::io {

namespace {

constexpr std::array<std::string_view, 8> fieldNames{"position",      "image",   "velocity", "force",
                                                     "concentration", "species", "mass",     "id"};

std::string reducedUnit(TrajectoryField field) {
  switch (field) {
  case TrajectoryField::position:
    return "r_c";
  case TrajectoryField::velocity:
    return "sqrt(k_BT/m)";
  case TrajectoryField::force:
    return "k_BT/r_c";
  case TrajectoryField::mass:
    return "m";
  default:
    return "";
  }
}

std::string loginName() {
  for (const char* variable : {"USER", "LOGNAME"})
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  return "unknown";
}

}  // namespace

std::string_view nameOf(TrajectoryField field) { return fieldNames.at(static_cast<std::size_t>(field)); }

TrajectoryField trajectoryField(const std::string& name) {
  for (std::size_t i = 0; i < fieldNames.size(); ++i)
    if (fieldNames[i] == name) return static_cast<TrajectoryField>(i);
  throw InputError(fmt::format("unknown trajectory field \"{}\"; known are {}", name, fmt::join(fieldNames, ", ")));
}

void H5mdWriter::writeMetadata(const H5mdMetadata& metadata) {
  const hid_t file = file_.get();
  for (const char* group : {"h5md/author", "h5md/creator", "parameters"}) hdf5::createGroup(file, group);
  hdf5::writeAttribute(file, "h5md", "version", std::vector<std::int32_t>{1, 1});
  hdf5::writeAttribute(file, "h5md/author", "name", metadata.author.empty() ? loginName() : metadata.author);
  hdf5::writeAttribute(file, "h5md/creator", "name", "mesowarp");
  hdf5::writeAttribute(file, "h5md/creator", "version", metadata.creatorVersion);
  hdf5::writeText(file, h5md::deckDataset, metadata.deck);
  hdf5::writeTexts(file, h5md::speciesNamesDataset, metadata.speciesNames);
  hdf5::writeText(file, "parameters/units",
                  "DPD: length r_c, mass m, energy k_BT, time r_c sqrt(m/k_BT), velocity sqrt(k_BT/m), force k_BT/r_c");
  if (!metadata.solutes.empty()) hdf5::writeTexts(file, h5md::solutesDataset, metadata.solutes);
  std::vector<std::string> names;
  for (const auto field : fields_) names.emplace_back(nameOf(field));
  hdf5::writeTexts(file, h5md::fieldsDataset, names);
  hdf5::writeText(file, h5md::precisionDataset, precision_ == StoredPrecision::double_ ? "double" : "single");
}

// Box and periodicity are the root's.
void H5mdWriter::createFrames(const Snapshot& first) {
  particles_ = first.total < 0 ? first.position.size() / 3 : static_cast<std::size_t>(first.total);
  onRoot(ranks_, [&] { createSeries(first); });
  if (!root())
    for (const auto field : fields_)
      if (!h5md::isConstant(field)) series_.push_back({field, {}});
  writeConstants(first);
}

void H5mdWriter::createSeries(const Snapshot& first) {
  const hid_t file = file_.get();
  hdf5::createGroup(file, h5md::boxGroup);
  hdf5::writeAttribute(file, h5md::boxGroup, "dimension", std::vector<std::int32_t>{3});
  std::vector<std::string> boundary;
  for (const bool isPeriodic : first.periodic) boundary.emplace_back(isPeriodic ? "periodic" : "none");
  hdf5::writeAttribute(file, h5md::boxGroup, "boundary", boundary);

  step_ = hdf5::Series::create(file, h5md::stepDataset, H5T_STD_I64LE, {});
  time_ = hdf5::Series::create(file, h5md::timeDataset, H5T_IEEE_F64LE, {});
  hdf5::writeAttribute(file, h5md::timeDataset, "reduced_unit", std::string("r_c sqrt(m/k_BT)"));
  const auto link = [&](const std::string& group) {
    hdf5::hardLink(file, h5md::stepDataset, group + "/step");
    hdf5::hardLink(file, h5md::timeDataset, group + "/time");
  };
  edges_ = hdf5::Series::create(file, std::string(h5md::edgesGroup) + "/value", H5T_IEEE_F64LE, {3});
  link(h5md::edgesGroup);
  if (first.gradient >= 0) {
    slide_ = hdf5::Series::create(file, std::string(h5md::slideGroup) + "/value", H5T_IEEE_F64LE, {3});
    link(h5md::slideGroup);
    hdf5::writeAttribute(file, h5md::slideGroup, "gradient", std::string(1, "xyz"[first.gradient]));
  }
  const hid_t real = precision_ == StoredPrecision::double_ ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  for (const auto field : fields_) {
    if (h5md::isConstant(field)) continue;
    const hid_t type = field == TrajectoryField::image ? H5T_STD_I32LE : real;
    const std::string path = h5md::valuePath(field);
    series_.push_back({field, hdf5::Series::create(file, path, type, {particles_, widthOf(field)})});
    if (field != TrajectoryField::position) link(h5md::pathOf(field));
    if (const auto unit = reducedUnit(field); !unit.empty()) hdf5::writeAttribute(file, path, "reduced_unit", unit);
  }
}

}  // namespace mesowarp::io
