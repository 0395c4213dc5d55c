#include "physics/boundary/deck/layer_stretch.hpp"

#include <algorithm>
#include <cmath>

namespace mesowarp::boundary {
namespace {

constexpr std::size_t modes = LayerStretch::modes;
constexpr double usual = 0.03;      // of an amplitude; larger ones are held back
constexpr double exactness = 0.03;  // of the scatter among configurations: what may be left
constexpr double surface = 1e-5;    // the least depth, and by how much the greatest is less than a cutoff

using Row = std::array<double, modes + 1>;

double mode(std::size_t m, double depth) { return std::cos(3.14159265358979323846 * static_cast<double>(m) * depth); }

// Gauss' elimination; the matrix is positive definite.
std::array<double, modes> solved(std::array<Row, modes> rows) {
  for (std::size_t p = 0; p < modes; ++p)
    for (std::size_t r = p + 1; r < modes; ++r) {
      const double factor = rows[r][p] / rows[p][p];
      for (std::size_t c = p; c <= modes; ++c) rows[r][c] -= factor * rows[p][c];
    }
  std::array<double, modes> x{};
  for (std::size_t p = modes; p-- > 0;) {
    x[p] = rows[p][modes];
    for (std::size_t c = p + 1; c < modes; ++c) x[p] -= rows[p][c] * x[c];
    x[p] /= rows[p][p];
  }
  return x;
}

}  // namespace

// Gauss and Newton: least squares of what is left at each height and of the amplitudes.
LayerStretch::LayerStretch(const std::vector<double>& depths, const std::vector<double>& wanted,
                           const std::vector<double>& spread) {
  constexpr int rounds = 6;
  for (int round = 0; round < rounds; ++round) {
    std::array<Row, modes> rows{};
    for (std::size_t m = 0; m < modes; ++m)
      rows[m][m] = 1.0 / (usual * usual), rows[m][modes] = -amplitude_[m] / (usual * usual);
    for (std::size_t k = 0; k < LayerPush::heights; ++k) {
      if (!(spread[k] > 0.0)) continue;
      const double weight = 1.0 / (exactness * spread[k]);
      double lacks = wanted[k];
      std::array<double, modes> change{};
      for (const double depth : depths) {
        const double s = LayerPush::height(k) + depth + (*this)(depth), slope = LayerPush::slope(s);
        lacks -= LayerPush::of(s);
        for (std::size_t m = 0; m < modes; ++m) change[m] += slope * mode(m, depth);
      }
      for (std::size_t m = 0; m < modes; ++m) {
        rows[m][modes] += weight * weight * change[m] * lacks;
        for (std::size_t n = 0; n < modes; ++n) rows[m][n] += weight * weight * change[m] * change[n];
      }
    }
    const auto more = solved(rows);
    for (std::size_t m = 0; m < modes; ++m) amplitude_[m] += more[m];
  }
}

double LayerStretch::operator()(double depth) const {
  double by = 0.0;
  for (std::size_t m = 0; m < modes; ++m) by += amplitude_[m] * mode(m, depth);
  return std::clamp(by, surface - depth, 1.0 - surface - depth);
}

}  // namespace mesowarp::boundary
