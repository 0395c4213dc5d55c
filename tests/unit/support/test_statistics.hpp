// Statistics for tests: everything in standard errors, so that a bound of 4.5 means the same everywhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace mesowarp::test {

constexpr double sigmas = 4.5;  // a fair generator fails one such check in 150,000; seeds are fixed

// Uniform numbers with the same bits everywhere (std::uniform_real_distribution is not specified).
class Uniform {
public:
  explicit Uniform(std::uint64_t seed) : engine_(seed) {}
  double operator()() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double operator()(double low, double high) { return low + (high - low) * (*this)(); }
  std::uint64_t word() { return engine_(); }

private:
  std::mt19937_64 engine_;
};

// Moments of numbers that should be standard normal, as deviations from 0, 1, 0, 3 in standard errors.
class Moments {
public:
  void add(double x) {
    ++n_;
    const double x2 = x * x;
    sum_[0] += x, sum_[1] += x2, sum_[2] += x2 * x, sum_[3] += x2 * x2;
  }
  double count() const { return static_cast<double>(n_); }
  // Variances of x, x^2, x^3, x^4 of a standard normal number: 1, 2, 15, 96.
  double mean() const { return sum_[0] / std::sqrt(count()); }
  double variance() const { return (sum_[1] - count()) / std::sqrt(2.0 * count()); }
  double skewness() const { return (sum_[2] / count() - 3.0 * sum_[0] / count()) * std::sqrt(count() / 6.0); }
  double kurtosis() const {
    const double m2 = sum_[1] / count(), m4 = sum_[3] / count();
    return (m4 / (m2 * m2) - 3.0) * std::sqrt(count() / 24.0);
  }

private:
  std::int64_t n_ = 0;
  double sum_[4] = {};
};

// Correlation of two standard normal numbers and of their squares, in standard errors from 0.
class Correlation {
public:
  void add(double a, double b) {
    ++n_;
    value_ += a * b;
    square_ += 0.5 * (a * a - 1.0) * (b * b - 1.0);
  }
  double ofValues() const { return value_ / std::sqrt(static_cast<double>(n_)); }
  double ofSquares() const { return square_ / std::sqrt(static_cast<double>(n_)); }

private:
  std::int64_t n_ = 0;
  double value_ = 0.0, square_ = 0.0;
};

// Chi-square of equally probable bins as a normal deviate (Wilson and Hilferty).
inline double chiSquareSigmas(const std::vector<std::int64_t>& bins) {
  double total = 0.0, chi2 = 0.0;
  for (const auto count : bins) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(bins.size());
  for (const auto count : bins)
    chi2 += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) / expected;
  const double degrees = static_cast<double>(bins.size()) - 1.0, spread = 2.0 / (9.0 * degrees);
  return (std::cbrt(chi2 / degrees) - (1.0 - spread)) / std::sqrt(spread);
}

}  // namespace mesowarp::test
