// Texts in HDF5: datasets and attributes of fixed-length, null-padded UTF-8. Other programs' variable-length texts are
// read too.
#include <algorithm>
#include <fmt/format.h>

#include "io/hdf5/hdf5.hpp"

namespace mesowarp::io::hdf5 {

namespace {

Datatype textType(std::size_t length) {
  Datatype type(check(H5Tcopy(H5T_C_S1), "create an HDF5 text type"));
  check(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)), "create an HDF5 text type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "create an HDF5 text type");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "create an HDF5 text type");
  return type;
}

struct Packed {
  std::size_t width = 1;
  std::vector<char> data;
};

Packed pack(const std::vector<std::string>& texts) {
  Packed packed;
  for (const auto& text : texts) packed.width = std::max(packed.width, text.size());
  packed.data.assign(packed.width * std::max<std::size_t>(texts.size(), 1), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(), packed.data.begin() + static_cast<std::ptrdiff_t>(i * packed.width));
  return packed;
}

// read(memory type, buffer) fetches all count elements.
template <class Read>
std::vector<std::string> readTexts(hid_t type, const Dataspace& space, std::size_t count, Read&& read) {
  if (H5Tget_class(type) != H5T_STRING) throw RunError("text expected, found another type of data");
  std::vector<std::string> texts(count);
  if (count == 0) return texts;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(count, nullptr);
    read(type, pointers.data());
    for (std::size_t i = 0; i < count; ++i)
      if (pointers[i] != nullptr) texts[i] = pointers[i];
    H5Dvlen_reclaim(type, space.get(), H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t width = H5Tget_size(type);
  if (width > (std::size_t{1} << 30) / count) throw RunError("text is implausibly long");
  std::vector<char> data(width * count);
  read(type, data.data());
  for (std::size_t i = 0; i < count; ++i) {
    texts[i].assign(data.data() + i * width, width);
    texts[i].resize(std::min(texts[i].find('\0'), width));
  }
  return texts;
}

std::size_t pointsOf(const Dataspace& space) {
  const hssize_t points = H5Sget_simple_extent_npoints(space.get());
  if (points < 0 || points > (hssize_t{1} << 24)) throw RunError("text has an implausible shape");
  return static_cast<std::size_t>(points);
}

void writeAttributeData(hid_t location, const std::string& path, const std::string& name, hid_t stored, hid_t memory,
                        const Dataspace& space, const void* data) {
  const Attribute attribute(check(H5Acreate_by_name(location, path.c_str(), name.c_str(), stored, space.get(),
                                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                  fmt::format("create attribute {} of {}", name, path)));
  check(H5Awrite(attribute.get(), memory, data), fmt::format("write attribute {} of {}", name, path));
}

Dataspace lineSpace(std::size_t count) {
  const hsize_t extent = count;
  return Dataspace(check(H5Screate_simple(1, &extent, nullptr), "describe an HDF5 list"));
}

}  // namespace

void writeText(hid_t location, const std::string& path, const std::string& text) {
  const Packed packed = pack({text});
  writeDataset(location, path, textType(packed.width).get(), {}, packed.data.data());
}

void writeTexts(hid_t location, const std::string& path, const std::vector<std::string>& texts) {
  const Packed packed = pack(texts);
  writeDataset(location, path, textType(packed.width).get(), {texts.size()}, packed.data.data());
}

std::vector<std::string> readTexts(hid_t location, const std::string& path) {
  const Dataset dataset(check(H5Dopen2(location, path.c_str(), H5P_DEFAULT), "open dataset " + path));
  const Datatype type(check(H5Dget_type(dataset.get()), "read dataset " + path));
  const Dataspace space(check(H5Dget_space(dataset.get()), "read dataset " + path));
  return readTexts(type.get(), space, pointsOf(space), [&](hid_t memory, void* data) {
    check(H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "read dataset " + path);
  });
}

std::string readText(hid_t location, const std::string& path) {
  const auto texts = readTexts(location, path);
  if (texts.size() != 1) throw RunError("dataset " + path + " should hold one text");
  return texts.front();
}

void writeAttribute(hid_t location, const std::string& path, const std::string& name, const std::string& text) {
  const Packed packed = pack({text});
  const Datatype type = textType(packed.width);
  const Dataspace space(check(H5Screate(H5S_SCALAR), "describe attribute " + name));
  writeAttributeData(location, path, name, type.get(), type.get(), space, packed.data.data());
}

void writeAttribute(hid_t location, const std::string& path, const std::string& name,
                    const std::vector<std::string>& texts) {
  const Packed packed = pack(texts);
  const Datatype type = textType(packed.width);
  writeAttributeData(location, path, name, type.get(), type.get(), lineSpace(texts.size()), packed.data.data());
}

void writeAttribute(hid_t location, const std::string& path, const std::string& name,
                    const std::vector<std::int32_t>& values) {
  const Dataspace space = values.size() == 1 ? Dataspace(check(H5Screate(H5S_SCALAR), "describe attribute " + name))
                                             : lineSpace(values.size());
  writeAttributeData(location, path, name, H5T_STD_I32LE, H5T_NATIVE_INT32, space, values.data());
}

std::vector<std::string> readTextAttribute(hid_t location, const std::string& path, const std::string& name) {
  const std::string what = fmt::format("read attribute {} of {}", name, path);
  const Attribute attribute(
      check(H5Aopen_by_name(location, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), what));
  const Datatype type(check(H5Aget_type(attribute.get()), what));
  const Dataspace space(check(H5Aget_space(attribute.get()), what));
  return readTexts(type.get(), space, pointsOf(space),
                   [&](hid_t memory, void* data) { check(H5Aread(attribute.get(), memory, data), what); });
}

}  // namespace mesowarp::io::hdf5
