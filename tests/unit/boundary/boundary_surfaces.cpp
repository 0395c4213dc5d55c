// Walls from files: surfaces of triangles against the primitives that they are of, grids of distances, and what is
// refused.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "io/hdf5/hdf5.hpp"
#include "physics/boundary/deck/distance_grids.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::test {
namespace {

using namespace boundary;

std::string pathOf(const std::string& name) {
  static const io::test::TemporaryDirectory folder;
  return folder / name;
}

// 12 triangles.
std::vector<Triangle> brick(const Vector& low, const Vector& high) {
  std::vector<Triangle> all;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool up : {false, true}) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      std::array<Vector, 4> c;
      for (std::size_t k = 0; k < 4; ++k) {
        c[k][axis] = up ? high[axis] : low[axis];
        c[k][u] = k == 1 || k == 2 ? high[u] : low[u];
        c[k][v] = k >= 2 ? high[v] : low[v];
      }
      if (!up) std::swap(c[1], c[3]);
      all.push_back({{c[0], c[1], c[2]}});
      all.push_back({{c[0], c[2], c[3]}});
    }
  return all;
}

// An octahedron, each triangle cut into four `times` times.
std::vector<Triangle> ball(const Vector& center, double radius, int times) {
  std::vector<Triangle> all;
  for (int octant = 0; octant < 8; ++octant) {
    const Vector x{octant & 1 ? -1.0 : 1.0, 0, 0}, y{0, octant & 2 ? -1.0 : 1.0, 0}, z{0, 0, octant & 4 ? -1.0 : 1.0};
    const bool even = ((octant & 1) + (octant >> 1 & 1) + (octant >> 2 & 1)) % 2 == 0;
    all.push_back(even ? Triangle{{x, y, z}} : Triangle{{x, z, y}});
  }
  for (; times > 0; --times) {
    std::vector<Triangle> finer;
    for (const auto& [c] : all) {
      const auto middle = [&](std::size_t a, std::size_t b) {
        Vector m;
        for (std::size_t k = 0; k < 3; ++k) m[k] = c[a][k] + c[b][k];
        const double length = std::hypot(m[0], m[1], m[2]);
        for (double& x : m) x /= length;
        return m;
      };
      const Vector ab = middle(0, 1), bc = middle(1, 2), ca = middle(2, 0);
      for (const Triangle& t :
           {Triangle{{c[0], ab, ca}}, Triangle{{ab, c[1], bc}}, Triangle{{ca, bc, c[2]}}, Triangle{{ab, bc, ca}}})
        finer.push_back(t);
    }
    all = finer;
  }
  for (auto& triangle : all)
    for (auto& corner : triangle.corner)
      for (std::size_t k = 0; k < 3; ++k) corner[k] = center[k] + radius * corner[k];
  return all;
}

void writeText(const std::string& path, const std::vector<Triangle>& triangles) {
  std::ofstream file(path);
  file << "solid test\n";
  for (const auto& [c] : triangles) {
    file << "facet normal 0 0 0\nouter loop\n";
    for (const auto& corner : c) file << fmt::format("vertex {:.9g} {:.9g} {:.9g}\n", corner[0], corner[1], corner[2]);
    file << "endloop\nendfacet\n";
  }
  file << "endsolid test\n";
}

void writeBinary(const std::string& path, const std::vector<Triangle>& triangles) {
  std::ofstream file(path, std::ios::binary);
  file << std::string("solid, but binary") + std::string(63, ' ');
  const auto count = static_cast<std::uint32_t>(triangles.size());
  file.write(reinterpret_cast<const char*>(&count), 4);
  for (const auto& [c] : triangles) {
    char row[50] = {};
    for (std::size_t k = 0; k < 9; ++k) {
      const float x = static_cast<float>(c[k / 3][k % 3]);
      std::memcpy(row + 12 + 4 * k, &x, 4);
    }
    file.write(row, 50);
  }
}

const input::BoxBlock box{{8.0, 6.0, 7.0}, {true, true, true}};

template <class Expected>
void expectSampled(const SampledDistance& grid, double band, double tolerance, const Expected& distance) {
  for (int k = 0; k < grid.nodes[2]; ++k)
    for (int j = 0; j < grid.nodes[1]; ++j)
      for (int i = 0; i < grid.nodes[0]; ++i) {
        const double exact =
            distance(i * box.size[0] / grid.nodes[0], j * box.size[1] / grid.nodes[1], k * box.size[2] / grid.nodes[2]);
        const double cut = std::clamp(exact, -band, band);
        ASSERT_NEAR(grid.value[static_cast<std::size_t>((k * grid.nodes[1] + j) * grid.nodes[0] + i)], cut, tolerance)
            << i << ' ' << j << ' ' << k;
      }
}

double fromBrick(const Vector& low, const Vector& high, double x, double y, double z) {
  const Vector p{x, y, z};
  Vector q;
  for (std::size_t a = 0; a < 3; ++a)
    q[a] = std::abs(std::remainder(p[a] - 0.5 * (low[a] + high[a]), box.size[a])) - 0.5 * (high[a] - low[a]);
  return std::hypot(std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)) +
         std::min(std::max({q[0], q[1], q[2]}), 0.0);
}

TEST(BoundarySurfaces, ABrickOfTriangles) {
  // The second reaches through two faces of the box.
  for (const auto& [low, high] : {std::pair{Vector{2.0, 1.0, 1.5}, Vector{5.0, 4.0, 5.0}},
                                  std::pair{Vector{6.5, 1.0, -1.0}, Vector{9.0, 4.0, 2.0}}}) {
    for (const bool text : {true, false}) {
      const std::string path = pathOf("brick.stl");
      text ? writeText(path, brick(low, high)) : writeBinary(path, brick(low, high));
      const auto triangles = readStl(path);
      ASSERT_EQ(triangles.size(), 12u);
      EXPECT_EQ(whyNotClosed(triangles), "");
      EXPECT_NEAR(volumeOf(triangles), (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]), 1e-9);
      expectSampled(sampleTriangles(triangles, box, 0.23, 1.2), 1.2, 1e-6,
                    [&](double x, double y, double z) { return fromBrick(low, high, x, y, z); });
    }
  }
}

TEST(BoundarySurfaces, ABallOfTriangles) {
  const Vector center{4.1, 3.0, 3.3};
  const auto triangles = ball(center, 2.0, 5);
  EXPECT_EQ(whyNotClosed(triangles), "");
  // Facets with edges of 2 * 1.571 / 32 lie up to 2 * (1 - cos(0.04)) below the sphere.
  expectSampled(sampleTriangles(triangles, box, 0.25, 0.9), 0.9, 2.5e-3, [&](double x, double y, double z) {
    return std::hypot(std::remainder(x - center[0], box.size[0]), std::remainder(y - center[1], box.size[1]),
                      std::remainder(z - center[2], box.size[2])) -
           2.0;
  });
}

// A channel whose ends lie beyond the box: no end shows inside.
TEST(BoundarySurfaces, EndsBeyondTheBoxDoNotShow) {
  const Vector low{2.0, 1.0, -1.0}, high{5.0, 4.0, 8.0};
  expectSampled(sampleTriangles(brick(low, high), box, 0.23, 0.8), 0.8, 1e-6, [&](double x, double y, double) {
    return fromBrick({2.0, 1.0, 0.0}, {5.0, 4.0, 7.0}, x, y, 3.5);
  });
}

TEST(BoundarySurfaces, RefusesWhatEnclosesNothing) {
  auto triangles = brick({1.0, 1.0, 1.0}, {2.0, 2.0, 2.0});
  triangles.pop_back();
  EXPECT_NE(whyNotClosed(triangles).find("open: 3 edges"), std::string::npos) << whyNotClosed(triangles);
  triangles = brick({1.0, 1.0, 1.0}, {2.0, 2.0, 2.0});
  for (auto& triangle : triangles) std::swap(triangle.corner[0], triangle.corner[1]);
  EXPECT_NE(whyNotClosed(triangles).find("inside out: its volume is -1"), std::string::npos);
  triangles = brick({1.0, 1.0, 1.0}, {2.0, 2.0, 2.0});
  std::swap(triangles[3].corner[0], triangles[3].corner[1]);
  EXPECT_NE(whyNotClosed(triangles).find("open"), std::string::npos);
  std::ofstream(pathOf("no.stl")) << "some text";
  EXPECT_THROW(readStl(pathOf("no.stl")), InputError);
}

// A grid of distances from a plane that is linear in z: trilinear interpolation has it exactly.
TEST(BoundarySurfaces, AGridOfDistances) {
  auto deck = deckOfShapes(box.size, {shapeOf("field", input::ShapeStyle::grid, 2, {}, 0.0)}, {"field"});
  input::Shape& shape = deck.shapes[0];
  shape.file = pathOf("field.h5");
  const std::array<std::size_t, 3> nodes{32, 24, 28};
  std::vector<float> values;
  for (std::size_t k = 0; k < nodes[2]; ++k)
    for (std::size_t n = 0; n < nodes[0] * nodes[1]; ++n) {
      const double z = static_cast<double>(k) * box.size[2] / static_cast<double>(nodes[2]);
      values.push_back(static_cast<float>(1.5 - std::abs(z - 3.5)));
    }
  {
    const auto file = io::hdf5::createFile(shape.file);
    io::hdf5::writeDataset(file.get(), "distance", {nodes[2], nodes[1], nodes[0]}, values);
  }
  const SolidParts parts = solidOf(deck);
  for (const double z : {0.1, 1.03, 2.0, 2.6, 5.61, 6.4})
    EXPECT_NEAR(parts.view()(parts.point(deck, {7.9, 0.05, z})).distance, 1.5 - std::abs(z - 3.5), 1e-6) << z;
  // Half as many nodes are too few for a cutoff of 1.
  shape.file = pathOf("coarse.h5");
  {
    const auto file = io::hdf5::createFile(shape.file);
    io::hdf5::writeDataset(file.get(), "distance", {14, 12, 16}, std::vector<float>(14 * 12 * 16, 1.0f));
  }
  try {
    solidOf(deck);
    FAIL();
  } catch (const SolidError& error) {
    EXPECT_EQ(error.path, "shape.0.file");
    EXPECT_NE(std::string(error.what()).find("a quarter of the cutoff"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mesowarp::test
