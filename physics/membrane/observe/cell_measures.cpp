#include "physics/membrane/observe/cell_measures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace mesowarp::membrane {
namespace {

const Point& at(const Surface& s, int v) { return s.vertex[static_cast<std::size_t>(v)]; }

struct Hinge {
  double cosine, sine;
};
Hinge hingeOf(const Surface& s, const std::array<int, 4>& h) {
  const Point &b = at(s, h[0]), &c = at(s, h[1]);
  const Point left = unit(cross(c - b, at(s, h[2]) - b)), right = unit(cross(at(s, h[3]) - b, c - b));
  return {dot(left, right), dot(cross(left, right), unit(c - b))};
}

// U / (k_BT / p) of Eqs. 13 and 14, less its value at l0.
double springEnergy(double l, double l0, double x0, double m) {
  const double y0 = 1.0 - x0, f0 = 0.25 / (y0 * y0) - 0.25 + x0;
  const auto u = [&](double length) {
    const double x = x0 * length / l0, s = l0 / length;
    const double power = m == 1.0   ? f0 * std::log(s)
                         : m == 2.0 ? f0 * s  // the usual one: pow takes half of a table's time
                                    : f0 * std::pow(s, m - 1.0) / (m - 1.0);
    return l0 * (x * x * (3.0 - 2.0 * x) / (4.0 * x0 * (1.0 - x)) + power);
  };
  return x0 * l < l0 ? u(l) - u(l0) : HUGE_VAL;
}

// Of a symmetric matrix, by Jacobi's rotations: eigenvalues, and eigenvectors as columns.
void eigen(double (&a)[3][3], double (&v)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) v[i][j] = i == j ? 1.0 : 0.0;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0.0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
        const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = v[k][p], y = v[k][q];
          v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
        }
      }
}

void addShape(const std::vector<Point>& place, CellMeasures& cell) {
  double tensor[3][3] = {}, vectors[3][3];
  Point low = place.front(), high = low;
  for (const Point& p : place) {
    const Point d = p - cell.centre;
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
      for (std::size_t j = 0; j < 3; ++j) tensor[i][j] += d[i] * d[j] / static_cast<double>(place.size());
    }
  }
  cell.extent = high - low;
  eigen(tensor, vectors);
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int a, int b) { return tensor[a][a] > tensor[b][b]; });
  Point l{};
  for (std::size_t k = 0; k < 3; ++k) l[k] = std::max(0.0, tensor[order[k]][order[k]]), cell.axes[k] = std::sqrt(l[k]);
  const int least = order[2];
  const double sign = vectors[2][least] < 0.0 ? -1.0 : 1.0;
  cell.normal = {sign * vectors[0][least], sign * vectors[1][least], sign * vectors[2][least]};
  const double sum = l[0] + l[1] + l[2];
  const auto square = [](double x) { return x * x; };
  cell.asphericity = (square(l[0] - l[1]) + square(l[1] - l[2]) + square(l[2] - l[0])) / (2.0 * sum * sum);
}

}  // namespace

std::vector<std::string> cellColumns() {
  return {"x",
          "y",
          "z",
          "normal_x",
          "normal_y",
          "normal_z",
          "axis_1",
          "axis_2",
          "axis_3",
          "extent_x",
          "extent_y",
          "extent_z",
          "area",
          "volume",
          "asphericity",
          "spring_energy",
          "bending_energy",
          "area_energy",
          "volume_energy"};
}

std::vector<double> cellRow(const CellMeasures& c) {
  return {c.centre[0],   c.centre[1], c.centre[2], c.normal[0],  c.normal[1],   c.normal[2], c.axes[0],
          c.axes[1],     c.axes[2],   c.extent[0], c.extent[1],  c.extent[2],   c.area,      c.volume,
          c.asphericity, c.springs,   c.bending,   c.areaEnergy, c.volumeEnergy};
}

CellMeter::CellMeter(const Surface& mesh, const Mechanics& mechanics) : mesh_(mesh), mechanics_(mechanics) {
  std::map<std::pair<int, int>, int> third;
  for (const auto& t : mesh.triangle)
    for (std::size_t c = 0; c < 3; ++c) third[{t[c], t[(c + 1) % 3]}] = t[(c + 2) % 3];
  const double s = std::sqrt(3.0) * (static_cast<double>(mesh.vertex.size()) - 2.0);
  const double sphereCosine = std::max(-1.0, (s - 5.0 * M_PI) / (s - 3.0 * M_PI));
  for (const auto& [edge, left] : third) {
    if (edge.first > edge.second) continue;
    hinges_.push_back({edge.first, edge.second, left, third.at({edge.second, edge.first})});
    length0_.push_back(norm(at(mesh, edge.first) - at(mesh, edge.second)));
    const Hinge own = hingeOf(mesh, hinges_.back());
    const double c = mechanics.angles == 0 ? sphereCosine : mechanics.angles == 1 ? 1.0 : own.cosine;
    cosine0_.push_back(c);
    sine0_.push_back(mechanics.angles == 2 ? own.sine : std::sqrt(std::max(0.0, 1.0 - c * c)));
  }
}

CellMeasures CellMeter::operator()(const std::vector<Point>& place) const {
  CellMeasures cell;
  const Surface now{place, mesh_.triangle};
  cell.centre = centreOf(now), cell.area = areaOf(now), cell.volume = volumeOf(now);
  addShape(place, cell);
  addEnergies(now, cell);
  return cell;
}

void CellMeter::addEnergies(const Surface& now, CellMeasures& cell) const {
  const Mechanics& m = mechanics_;
  const double y = 1.0 - m.x0, f0 = 0.25 / (y * y) - 0.25 + m.x0;
  const double c = 4.0 / std::sqrt(3.0) * m.shear / (m.x0 / (2.0 * y * y * y) + m.x0 + m.exponent * f0);
  for (std::size_t h = 0; h < hinges_.size(); ++h) {
    const double l = norm(at(now, hinges_[h][0]) - at(now, hinges_[h][1]));
    cell.springs += c * length0_[h] * springEnergy(l, length0_[h], m.x0, m.exponent);
    const Hinge hinge = hingeOf(now, hinges_[h]);
    cell.bending += m.hinge() * (1.0 - hinge.cosine * cosine0_[h] - hinge.sine * sine0_[h]);
  }
  cell.areaEnergy = m.global * (cell.area - m.area0) * (cell.area - m.area0) / (2.0 * m.area0);
  for (std::size_t t = 0; t < now.triangle.size(); ++t) {
    const double rest = areaOf(mesh_, t), strain = areaOf(now, t) - rest;
    cell.areaEnergy += m.local * strain * strain / (2.0 * rest);
  }
  cell.volumeEnergy = m.volume * (cell.volume - m.volume0) * (cell.volume - m.volume0) / (2.0 * m.volume0);
}

}  // namespace mesowarp::membrane
