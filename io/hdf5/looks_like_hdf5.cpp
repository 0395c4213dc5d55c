#include "io/hdf5/looks_like_hdf5.hpp"

#include <fstream>
#include <string_view>

#include "core/file_kind.hpp"

namespace mesowarp::io {

bool looksLikeHdf5(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  if (!whyNoFile(path).empty()) return false;
  std::ifstream file(path, std::ios::binary);
  std::string front(signature.size(), '\0');
  file.read(front.data(), static_cast<std::streamsize>(front.size()));
  return file.gcount() == static_cast<std::streamsize>(front.size()) && front == signature;
}

}  // namespace mesowarp::io
