#include "io/convert/vtk_format.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace mesowarp::io {

namespace {

using Out = std::back_insert_iterator<fmt::memory_buffer>;

// Position, and the box lengths between it and the first particle that bonds join it to.
std::vector<double> wholeMolecules(const Snapshot& s, const FrameStyle& style) {
  std::vector<double> x = s.position;
  if (style.bonded.empty() || s.image.empty() || style.isUnwrapped) return x;
  const std::vector<std::int64_t>& piece = style.bonded;
  std::vector<std::size_t> first(piece.size() + 1, piece.size());
  for (std::size_t i = piece.size(); i-- > 0;) first[static_cast<std::size_t>(piece[i])] = i;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] == 0) continue;
    const std::size_t anchor = first[static_cast<std::size_t>(piece[i])];
    for (std::size_t axis = 0; axis < 3; ++axis) x[3 * i + axis] += s.shift(i, axis) - s.shift(anchor, axis);
  }
  return x;
}

void appendTriples(Out out, const std::vector<double>& values, bool isSingle) {
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    appendTriple(out, &values[i], isSingle);
    fmt::format_to(out, "\n");
  }
}

template <class T>
void appendScalars(Out out, std::string_view name, std::string_view type, const std::vector<T>& values) {
  if (values.empty()) return;
  fmt::format_to(out, "SCALARS {} {} 1\nLOOKUP_TABLE default\n", name, type);
  for (const T& value : values) fmt::format_to(out, "{}\n", value);
}

}  // namespace

void formatVtk(fmt::memory_buffer& buffer, const Snapshot& s, const FrameStyle& style) {
  Out out(buffer);
  const std::size_t n = s.species.size(), bonds = style.bonded.empty() ? 0 : s.bonds.size() / 2;
  fmt::format_to(out, "# vtk DataFile Version 3.0\nmesowarp, step {}, time {}\nASCII\nDATASET POLYDATA\n", s.step,
                 s.time);
  fmt::format_to(out, "POINTS {} {}\n", n, style.isSingle ? "float" : "double");
  appendTriples(out, wholeMolecules(s, style), style.isSingle);
  fmt::format_to(out, "VERTICES {} {}\n", n, 2 * n);
  for (std::size_t i = 0; i < n; ++i) fmt::format_to(out, "1 {}\n", i);
  if (bonds > 0) fmt::format_to(out, "LINES {} {}\n", bonds, 3 * bonds);
  for (std::size_t b = 0; b < bonds; ++b) fmt::format_to(out, "2 {} {}\n", s.bonds[2 * b], s.bonds[2 * b + 1]);
  fmt::format_to(out, "POINT_DATA {}\n", n);
  appendScalars(out, "species", "int", s.species);
  appendScalars(out, "molecule", "int", style.molecule);
  appendScalars(out, "mass", "double", s.mass);
  if (s.velocity.empty()) return;
  fmt::format_to(out, "VECTORS velocity {}\n", style.isSingle ? "float" : "double");
  appendTriples(out, s.velocity, style.isSingle);
}

}  // namespace mesowarp::io
