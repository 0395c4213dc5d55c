#include "step/windows.hpp"

#include <cmath>

#include "step/engine.hpp"

namespace mesowarp {
namespace {

constexpr double half = 0x1p32;

void put(i64 number, std::vector<double>& values) {
  const auto bits = static_cast<u64>(number);
  values.push_back(static_cast<double>(bits >> 32));
  values.push_back(static_cast<double>(bits & 0xffffffffu));
}

void put(const SumsUpTo& sums, std::vector<double>& values) {
  put(sums.step, values), put(static_cast<i64>(sums.of.size()), values);
  for (const i64 number : sums.of) put(number, values);
}

// From `at` on; false: there are none.
bool take(const double*& at, const double* end, i64& number) {
  if (end - at < 2) return false;
  for (int k = 0; k < 2; ++k)
    if (!(at[k] >= 0.0 && at[k] < half) || at[k] != std::floor(at[k])) return false;
  number = static_cast<i64>(static_cast<u64>(at[0]) << 32 | static_cast<u64>(at[1]));
  at += 2;
  return true;
}

bool take(const double*& at, const double* end, SumsUpTo& sums) {
  i64 count = 0;
  if (!take(at, end, sums.step) || !take(at, end, count) || count < 0 || count > (end - at) / 2) return false;
  sums.of.assign(static_cast<std::size_t>(count), 0);
  for (i64& number : sums.of)
    if (!take(at, end, number)) return false;
  return true;
}

std::vector<i64> difference(const std::vector<i64>& a, const std::vector<i64>& b) {
  std::vector<i64> all;
  for (std::size_t k = 0; k < a.size(); ++k)
    all.push_back(static_cast<i64>(static_cast<u64>(a[k]) - static_cast<u64>(b[k])));
  return all;
}

}  // namespace

std::map<std::string, double> Window::quantities(const Engine& engine) {
  auto all = engine.quantities();
  std::size_t number = 0;
  for (const auto& phase : engine.phases()) {
    const auto* sums = dynamic_cast<const SumsOverSteps*>(phase.get());
    if (!sums) continue;
    if (number == seen_.size()) seen_.push_back({sums->atBegin(), sums->atBegin()});
    Seen& seen = seen_[number++];
    const SumsUpTo& now = sums->atLook();
    if (seen.to.of.size() != now.of.size()) seen = {sums->atBegin(), sums->atBegin()};  // of other walls
    if (seen.to.step != now.step) seen = {seen.to, now};
    sums->addMeans(difference(seen.to.of, seen.from.of), seen.to.step - seen.from.step, all);
  }
  return all;
}

std::vector<double> Window::state() const {
  std::vector<double> values;
  for (const Seen& seen : seen_) put(seen.from, values), put(seen.to, values);
  return values;
}

bool Window::restore(const double* values, std::size_t count) {
  seen_.clear();
  for (const double* end = values + count; values != end;) {
    Seen seen;
    if (!take(values, end, seen.from) || !take(values, end, seen.to)) return false;
    seen_.push_back(std::move(seen));
  }
  return true;
}

}  // namespace mesowarp
