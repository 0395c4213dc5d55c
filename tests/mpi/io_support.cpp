#include "tests/mpi/io_support.hpp"

#include <stdexcept>

namespace mesowarp::io::test {

namespace {

using Content = std::map<std::string, std::string>;

std::string describe(hid_t type, hid_t space) {
  hsize_t shape[8] = {};
  const int rank = H5Sget_simple_extent_dims(space, shape, nullptr);
  std::string text = "class " + std::to_string(H5Tget_class(type)) + " size " + std::to_string(H5Tget_size(type));
  for (int d = 0; d < rank; ++d) text += " x" + std::to_string(shape[d]);
  return text + ": ";
}

std::string bytesFor(hid_t type, hid_t space) {
  return std::string(H5Tget_size(type) * static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), '\0');
}

herr_t addAttribute(hid_t object, const char* name, const H5A_info_t*, void* target) {
  auto& [path, content] = *static_cast<std::pair<std::string, Content*>*>(target);
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute),
              space = H5Aget_space(attribute);
  std::string bytes = bytesFor(type, space);
  const bool isReference = H5Tget_class(type) == H5T_REFERENCE;  // an address in the file
  if (!isReference && H5Aread(attribute, type, bytes.data()) < 0) throw std::runtime_error("attribute");
  (*content)[path + "@" + name] = describe(type, space) + (isReference ? "" : bytes);
  H5Sclose(space), H5Tclose(type), H5Aclose(attribute);
  return 0;
}

herr_t addObject(hid_t file, const char* name, const H5L_info_t*, void* target) {
  auto& content = *static_cast<Content*>(target);
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  std::pair<std::string, Content*> place{name, &content};
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, addAttribute, &place);
  if (H5Iget_type(object) == H5I_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    std::string bytes = bytesFor(type, space);
    if (H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) throw std::runtime_error("dataset");
    content[name] = describe(type, space) + bytes;
    H5Sclose(space), H5Tclose(type);
  } else {
    content[name] = "group";
  }
  H5Oclose(object);
  return 0;
}

}  // namespace

Content contentOf(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw std::runtime_error("cannot open " + path);
  Content content;
  H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, addObject, &content);
  H5Fclose(file);
  return content;
}

}  // namespace mesowarp::io::test
