#include "physics/pair/deck/table_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/file_kind.hpp"

namespace mesowarp {
namespace {

class Reader {
public:
  Reader(const std::string& file, const std::string& section) : file_(file), section_(section) {
    if (const std::string why = whyNoFile(file); !why.empty()) throw InputError(fmt::format("{} {}", file, why));
    stream_.open(file);
    if (!stream_) throw InputError(fmt::format("{} cannot be read", file));
  }

  PairTableFile read() {
    if (!next()) fail("there is no table in it");
    double number = 0.0;
    if (asNumber(words_[0], number)) return plain();
    for (;;) {
      const std::string name = words_[0];
      if (!next() || words_[0] != "N") fail(fmt::format("expected \"N ...\", the number of rows, behind \"{}\"", name));
      const bool wanted = section_.empty() || section_ == name;
      rows(wanted);
      if (wanted) return finish();
      if (!next()) fail(fmt::format("there is no section \"{}\" in it", section_));
    }
  }

private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line_, what));
  }
  static bool asNumber(const std::string& word, double& number) {
    char* end = nullptr;
    number = std::strtod(word.c_str(), &end);
    return end != word.c_str() && *end == '\0' && std::isfinite(number);
  }
  double numberAt(std::size_t k, const char* what) const {
    double number = 0.0;
    if (k >= words_.size() || !asNumber(words_[k], number))
      fail(fmt::format("expected a number, {}{}", what, k < words_.size() ? ", found \"" + words_[k] + "\"" : ""));
    return number;
  }
  // The next line with words, without comments.
  bool next() {
    std::string text;
    while (std::getline(stream_, text)) {
      ++line_;
      std::istringstream stream(text.substr(0, text.find('#')));
      words_.clear();
      for (std::string word; stream >> word;) words_.push_back(word);
      if (!words_.empty()) return true;
    }
    return false;
  }

  PairTableFile plain() {
    if (!section_.empty())
      fail(fmt::format("it has plain columns, and no section \"{}\": leave section out", section_));
    do {
      if (words_.size() != 3) fail(fmt::format("expected three columns: r, energy, force; found {}", words_.size()));
      add(numberAt(0, "r"), numberAt(1, "the energy"), numberAt(2, "the force"));
    } while (next());
    return finish();
  }

  // N n [R or RSQ low high] [FPRIME a b], then n rows: number, r, energy, force.
  void rows(bool keep) {
    const double count = numberAt(1, "of rows");
    if (!(count >= 2.0) || count > 1e7 || count != std::floor(count)) fail("N: expected a whole number from 2 to 1e7");
    double low = 0.0, high = 0.0;
    bool given = false;
    for (std::size_t k = 2; k < words_.size(); ++k) {
      if (words_[k] == "R" || words_[k] == "RSQ") {
        given = true, table_.inSquares = words_[k] == "RSQ";
        low = numberAt(k + 1, "the lowest r"), high = numberAt(k + 2, "the highest r"), k += 2;
        if (!(low > 0.0) || !(high > low)) fail("expected 0 < lowest r < highest r");
      } else if (words_[k] == "FPRIME") {
        k += 2;  // slopes at the ends, which cubic pieces with given forces need not
      } else {
        fail(fmt::format("\"{}\" is not known: R, RSQ and FPRIME are", words_[k]));
      }
    }
    for (double k = 0.0; k < count; ++k) {
      if (!next()) fail(fmt::format("the table ends behind {} of {} rows", k, count));
      if (words_.size() != 4)
        fail(fmt::format("expected four columns: number, r, energy, force; found {}", words_.size()));
      double r = numberAt(1, "r");
      const double part = k / (count - 1.0);
      if (given)
        r = table_.inSquares ? std::sqrt(low * low + part * (high * high - low * low)) : low + part * (high - low);
      if (keep) add(r, numberAt(2, "the energy"), numberAt(3, "the force"));
    }
    if (!keep) table_ = {};
  }

  void add(double r, double energy, double force) {
    if (!(r > 0.0)) fail(fmt::format("r = {}: expected a distance > 0", r));
    if (!table_.r.empty() && !(r > table_.r.back()))
      fail(fmt::format("r = {} is not above that of the row before, {}", r, table_.r.back()));
    table_.r.push_back(r), table_.energy.push_back(energy), table_.force.push_back(force);
    table_.line.push_back(line_);
  }
  PairTableFile finish() const {
    if (table_.r.size() < 4) fail(fmt::format("the table has {} rows, and needs 4 at least", table_.r.size()));
    return table_;
  }

  std::string file_, section_;
  std::ifstream stream_;
  std::vector<std::string> words_;
  int line_ = 0;
  PairTableFile table_;
};

// The integral of the force over interval k, of the parabola or cubic through the rows about it.
double integralOf(const PairTableFile& t, std::size_t k) {
  const std::size_t n = t.r.size(), first = std::min(k > 0 ? k - 1 : 0, n - 4);
  // Lagrange's polynomial through four rows, by Gauss's points: exact up to the fifth power.
  const double h = t.r[k + 1] - t.r[k], root = std::sqrt(0.6);
  double sum = 0.0;
  for (const auto& [at, weight] : {std::pair{-root, 5.0 / 18.0}, {0.0, 8.0 / 18.0}, {root, 5.0 / 18.0}}) {
    const double x = t.r[k] + 0.5 * h * (1.0 + at);
    double f = 0.0;
    for (std::size_t i = first; i < first + 4; ++i) {
      double term = t.force[i];
      for (std::size_t j = first; j < first + 4; ++j)
        if (j != i) term *= (x - t.r[j]) / (t.r[i] - t.r[j]);
      f += term;
    }
    sum += weight * f;
  }
  return h * sum;
}

}  // namespace

PairTableFile readPairTable(const std::string& file, const std::string& section) {
  return Reader(file, section).read();
}

TableMismatch mismatchOf(const PairTableFile& table) {
  double largest = 0.0;
  for (std::size_t k = 0; k + 1 < table.r.size(); ++k)
    largest = std::max(largest, std::abs(table.energy[k] - table.energy[k + 1]));
  TableMismatch found;
  for (std::size_t k = 0; k + 1 < table.r.size(); ++k) {
    const double fall = table.energy[k] - table.energy[k + 1], work = integralOf(table, k);
    const double least = 1e-3 * largest, size = std::max({std::abs(fall), std::abs(work), least});
    const double off = size > 0.0 ? std::abs(fall - work) / size : 0.0;
    if (off > found.worst) found = {off, table.line[k]};
  }
  return found;
}

PairValue valueAt(const PairTableFile& table, double r) {
  const auto above = std::upper_bound(table.r.begin(), table.r.end(), r);
  const auto last = static_cast<std::ptrdiff_t>(table.r.size()) - 2;
  const auto k = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - table.r.begin() - 1, 0, last));
  const double h = table.r[k + 1] - table.r[k], t = (r - table.r[k]) / h, e0 = table.energy[k],
               e1 = table.energy[k + 1];
  const double d0 = -h * table.force[k], d1 = -h * table.force[k + 1];
  const double c2 = 3.0 * (e1 - e0) - 2.0 * d0 - d1, c3 = 2.0 * (e0 - e1) + d0 + d1;
  return {e0 + t * (d0 + t * (c2 + t * c3)), -(d0 + t * (2.0 * c2 + 3.0 * t * c3)) / h};
}

KnotTable knotsOf(const PairTableFile& table, Interpolation how, int points, double cutoff) {
  KnotTable knots;
  knots.low = table.r.front() * table.r.front(), knots.high = cutoff * cutoff;
  const double step = (knots.high - knots.low) / (points - 1);
  // The file's own rows where they are the knots.
  const bool same = table.inSquares && static_cast<std::size_t>(points) == table.r.size() &&
                    std::abs(cutoff - table.r.back()) <= 1e-12 * cutoff;
  std::vector<PairValue> at;
  std::vector<double> perR;
  for (int k = 0; k < points; ++k) {
    const auto row = static_cast<std::size_t>(k);
    const double r = same ? table.r[row] : std::min(std::sqrt(knots.low + k * step), table.r.back());
    at.push_back(same ? PairValue{table.energy[row], table.force[row]} : valueAt(table, r));
    perR.push_back(at.back().force / r);
  }
  knots.numbers.reserve(8 * static_cast<std::size_t>(points - 1));
  for (std::size_t k = 0; k + 1 < at.size(); ++k) {
    const double e0 = at[k].energy, e1 = at[k + 1].energy, f0 = perR[k], f1 = perR[k + 1];
    if (how == Interpolation::linear) {
      knots.numbers.insert(knots.numbers.end(), {e0, e1 - e0, 0.0, 0.0, f0, f1 - f0, 0.0, 0.0});
      continue;
    }
    const double d0 = -0.5 * step * f0, d1 = -0.5 * step * f1;  // dU/dt
    const double c2 = 3.0 * (e1 - e0) - 2.0 * d0 - d1, c3 = 2.0 * (e0 - e1) + d0 + d1, per = -2.0 / step;
    knots.numbers.insert(knots.numbers.end(), {e0, d0, c2, c3, f0, per * 2.0 * c2, per * 3.0 * c3, 0.0});
  }
  return knots;
}

}  // namespace mesowarp
