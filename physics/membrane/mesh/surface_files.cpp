#include "physics/membrane/mesh/surface_files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "io/lammps/lammps_data.hpp"
#include "physics/boundary/deck/triangles.hpp"

namespace mesowarp::membrane {
namespace {

constexpr long mostElements = 10'000'000;

std::string endingOf(const std::string& path) {
  const auto dot = path.rfind('.');
  std::string ending = dot == std::string::npos ? "" : path.substr(dot + 1);
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

void addPolygon(Surface& surface, const std::vector<int>& corners) {
  for (std::size_t k = 2; k < corners.size(); ++k) surface.triangle.push_back({corners[0], corners[k - 1], corners[k]});
}

void checkCounts(const std::string& path, long vertices, long faces) {
  if (vertices < 4 || faces < 4 || vertices > mostElements || faces > mostElements)
    throw InputError(fmt::format("{}: {} vertices and {} faces are no closed surface", path, vertices, faces));
}

// Without comments.
std::istringstream textOf(std::istream& file) {
  std::string all, line;
  while (std::getline(file, line)) all += line.substr(0, line.find('#')) + '\n';
  return std::istringstream(all);
}

Surface readOff(std::istream& file, const std::string& path) {
  std::istringstream in = textOf(file);
  std::string word;
  long vertices = 0, faces = 0, edges = 0;
  if (!(in >> word) || word != "OFF" || !(in >> vertices >> faces >> edges))
    throw InputError(path + " is no OFF file: it does not begin with OFF and the numbers of vertices, faces, edges");
  checkCounts(path, vertices, faces);
  Surface surface;
  surface.vertex.resize(static_cast<std::size_t>(vertices));
  for (std::size_t v = 0; v < surface.vertex.size(); ++v)
    for (double& x : surface.vertex[v])
      if (!(in >> x)) throw InputError(fmt::format("{}: vertex {} lacks numbers", path, v));
  for (long f = 0; f < faces; ++f) {
    std::size_t corners = 0;
    if (!(in >> corners) || corners < 3 || corners > 64)
      throw InputError(fmt::format("{}: face {} has no number of corners", path, f));
    std::vector<int> polygon(corners);
    for (int& corner : polygon)
      if (!(in >> corner)) throw InputError(fmt::format("{}: face {} lacks corners", path, f));
    std::getline(in, word);  // a colour, perhaps
    addPolygon(surface, polygon);
  }
  return surface;
}

// Numbers of a PLY file, as text or binary.
class PlyNumbers {
public:
  PlyNumbers(std::istream& in, bool binary, const std::string& path) : in_(in), binary_(binary), path_(path) {}
  double next(const std::string& type) {
    double value = 0.0;
    if (!binary_) {
      if (!(in_ >> value)) throw InputError(path_ + " ends before its last number");
      return value;
    }
    if (type == "float" || type == "float32") return get<float>();
    if (type == "double" || type == "float64") return get<double>();
    if (type == "int" || type == "int32") return get<std::int32_t>();
    if (type == "uint" || type == "uint32") return get<std::uint32_t>();
    if (type == "short" || type == "int16") return get<std::int16_t>();
    if (type == "ushort" || type == "uint16") return get<std::uint16_t>();
    if (type == "char" || type == "int8") return get<std::int8_t>();
    if (type == "uchar" || type == "uint8") return get<std::uint8_t>();
    throw InputError(path_ + ": the PLY type " + type + " is unknown");
  }

private:
  template <class T>
  double get() {
    T value;
    if (!in_.read(reinterpret_cast<char*>(&value), sizeof(T))) throw InputError(path_ + " ends before its last number");
    return static_cast<double>(value);
  }
  std::istream& in_;
  bool binary_;
  std::string path_;
};

struct PlyElement {
  struct Property {
    std::string name, type, countType;  // countType: of a list
  };
  std::string name;
  long count = 0;
  std::vector<Property> properties;
};

std::vector<PlyElement> plyHead(std::istream& in, const std::string& path, bool& binary) {
  std::vector<PlyElement> elements;
  std::string line, word;
  if (!std::getline(in, line) || line.rfind("ply", 0) != 0)
    throw InputError(path + " is no PLY file: its first line is not \"ply\"");
  while (std::getline(in, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "end_header") return elements;
    if (word == "format") {
      words >> word;
      if (word != "ascii" && word != "binary_little_endian")
        throw InputError(path + ": PLY files are read as ascii or binary_little_endian, not as " + word);
      binary = word != "ascii";
    } else if (word == "element") {
      elements.emplace_back();
      words >> elements.back().name >> elements.back().count;
    } else if (word == "property" && !elements.empty()) {
      PlyElement::Property p;
      words >> p.type;
      if (p.type == "list") words >> p.countType >> p.type;
      words >> p.name;
      elements.back().properties.push_back(p);
    }
  }
  throw InputError(path + " has no end_header");
}

Surface readPly(std::istream& in, const std::string& path) {
  bool binary = false;
  const auto elements = plyHead(in, path, binary);
  PlyNumbers numbers(in, binary, path);
  Surface surface;
  for (const PlyElement& element : elements) {
    if (element.count < 0 || element.count > mostElements)
      throw InputError(path + " has a number of elements that cannot be");
    for (long k = 0; k < element.count; ++k) {
      Point at{};
      for (const auto& p : element.properties) {
        const long values = p.countType.empty() ? 1 : static_cast<long>(numbers.next(p.countType));
        std::vector<int> list;
        for (long n = 0; n < std::clamp(values, 0l, 64l); ++n) {
          const double value = numbers.next(p.type);
          if (p.name == "x" || p.name == "y" || p.name == "z") at[static_cast<std::size_t>(p.name[0] - 'x')] = value;
          if (!p.countType.empty()) list.push_back(static_cast<int>(value));
        }
        if (element.name == "face" && list.size() >= 3) addPolygon(surface, list);
      }
      if (element.name == "vertex") surface.vertex.push_back(at);
    }
  }
  checkCounts(path, static_cast<long>(surface.vertex.size()), static_cast<long>(surface.triangle.size()));
  return surface;
}

Surface readStl(const std::string& path) {
  Surface surface;
  std::map<Point, int> known;
  for (const auto& triangle : boundary::readStl(path)) {
    std::array<int, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      const auto [it, isNew] = known.emplace(triangle.corner[c], static_cast<int>(surface.vertex.size()));
      if (isNew) surface.vertex.push_back(triangle.corner[c]);
      corners[c] = it->second;
    }
    surface.triangle.push_back(corners);
  }
  return surface;
}

// A LAMMPS data file of one cell: atoms are vertices, in the order of their ids, and each of its Angles is a triangle.
Surface readData(const std::string& path) {
  const io::FileState state = io::readLammpsData(path);
  if (state.angles.empty()) throw InputError(path + " has no section Angles, whose lines would be triangles");
  checkCounts(path, static_cast<long>(state.position.size() / 3), static_cast<long>(state.angles.size()));
  Surface surface;
  for (std::size_t v = 0; 3 * v < state.position.size(); ++v) {
    Point place{};
    for (std::size_t a = 0; a < 3; ++a)
      place[a] = state.position[3 * v + a] + (state.image.empty() ? 0 : state.image[3 * v + a]) * state.box[a];
    surface.vertex.push_back(place);
  }
  for (const auto& term : state.angles)
    surface.triangle.push_back(
        {static_cast<int>(term.of[0]), static_cast<int>(term.of[1]), static_cast<int>(term.of[2])});
  return surface;
}

}  // namespace

bool isSurfaceFile(const std::string& path) {
  const std::string ending = endingOf(path);
  return ending == "off" || ending == "ply" || ending == "stl" || ending == "data";
}

Surface readSurface(const std::string& path) {
  const std::string ending = endingOf(path);
  if (ending == "stl") return readStl(path);
  if (ending == "data") return readData(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + " cannot be read");
  Surface surface = ending == "ply" ? readPly(file, path) : readOff(file, path);
  for (const Point& p : surface.vertex)
    for (const double x : p)
      if (!std::isfinite(x)) throw InputError(path + " holds numbers that are not finite");
  return surface;
}

}  // namespace mesowarp::membrane
