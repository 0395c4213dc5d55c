// Random numbers and functions: how many per second, and the worst error in a dense sweep.
#include <cmath>
#include <limits>

#include "core/math.hpp"
#include "core/random.hpp"
#include "device/config.hpp"
#include "device/host_copy.hpp"
#include "perf/bench/bench_parts.hpp"

namespace mesowarp {
namespace {

// Sums op(n) over n; on a CPU in lanes that the compiler makes vectors of.
template <class Op>
struct Throughput {
  using Value = typename Op::Value;
  static constexpr int lanes = backend::onGpu ? 1 : 64;
  Op op;
  DeviceArray<Value> sums;
  int rounds;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    Value sum[lanes] = {};
    for (int k = 0; k < rounds; ++k) {
      const u32 first = (static_cast<u32>(i) * rounds + k) * lanes;
#pragma omp simd
      for (int l = 0; l < lanes; ++l) sum[l] += op(first + l);
    }
    for (int l = 1; l < lanes; ++l) sum[0] += sum[l];
    sums(i) = sum[0];
  }
};

KOKKOS_FORCEINLINE_FUNCTION u32 scattered(u32 n) { return n * 0x9E3779B9u; }

template <class Mixing>
struct PairWordsOp {
  using Value = u32;
  KOKKOS_FORCEINLINE_FUNCTION u32 operator()(u32 n) const {
    const Words words = pairWords<Mixing>(scattered(n), n ^ 0x5bd1e995u);
    return words.first ^ words.second;
  }
};

template <class Real>
struct GaussianOp {
  using Value = Real;
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(u32 n) const { return gaussian<Real>({scattered(n), n * 0x85ebca6bu}); }
};

enum class Function { log, sine, power };

// Ours or the library's; b is the exponent of a power.
template <Function F, bool Ours, class Real>
struct Evaluate {
  using Value = Real;
  KOKKOS_FORCEINLINE_FUNCTION static Real of(Real a, Real b) {
    if constexpr (F == Function::log) return Ours ? math::logUnit(a) : std::log(a);
    if constexpr (F == Function::sine) return Ours ? math::sinPiHalf(a) : std::sin(Real(M_PI) * a);
    if constexpr (F == Function::power) return Ours ? math::power(a, b) : std::pow(a, b);
    return Real(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(u32 n) const {
    const Real u = math::unitOpen<Real>(scattered(n));
    return of(F == Function::sine ? u - Real(0.5) : u, Real(0.25) + u);
  }
};

template <class F, class Real>
struct Sweep {
  DeviceArray<Real> a, b, result;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { result(i) = F::of(a(i), b(i)); }
};

// Arguments of a sweep, k of count: log over (0, 1], sine over [-1/2, 1/2], power over a of many decades, b up to 3.
template <Function F, class Real>
std::pair<Real, Real> argument(int k, int count) {
  const double t = (k + 0.5) / count;
  if constexpr (F == Function::log) return {math::unitOpen<Real>(static_cast<u32>(t * 4294967296.0)), Real(0)};
  if constexpr (F == Function::sine) return {static_cast<Real>(t - 0.5), Real(0)};
  const double decades = std::is_same_v<Real, float> ? 10.0 : 102.0, high = std::is_same_v<Real, float> ? 0.3 : 102.0;
  const double exponent = std::fmod(k * 0.6180339887498949, 1.0);
  return {static_cast<Real>(std::pow(10.0, -decades + t * (decades + high))),
          static_cast<Real>(0.25 + 2.75 * exponent)};
}

template <Function F, class Real>
long double exact(Real a, Real b) {
  if constexpr (F == Function::log) return std::log(static_cast<long double>(a));
  if constexpr (F == Function::sine) return std::sin(3.14159265358979323846264338327950288L * a);
  return std::pow(static_cast<long double>(a), static_cast<long double>(b));
}

// Relative, of a power in units in the last place.
template <Function F, class Real>
long double errorOf(Real got, long double expected) {
  if (expected == 0.0L) return std::abs(static_cast<long double>(got));
  if constexpr (F != Function::power) return std::abs(got / expected - 1.0L);
  int exponent = 0;
  std::frexp(expected, &exponent);
  return std::abs((got - expected) / std::ldexp(1.0L, exponent - std::numeric_limits<Real>::digits));
}

template <Function F, bool Ours, class Real>
double worstError(int count) {
  const Sweep<Evaluate<F, Ours, Real>, Real> sweep{DeviceArray<Real>("sweep a", count),
                                                   DeviceArray<Real>("sweep b", count),
                                                   DeviceArray<Real>("sweep result", count)};
  auto a = Kokkos::create_mirror_view(sweep.a), b = Kokkos::create_mirror_view(sweep.b);
  for (int k = 0; k < count; ++k) std::tie(a(k), b(k)) = argument<F, Real>(k, count);
  Kokkos::deep_copy(sweep.a, a);
  Kokkos::deep_copy(sweep.b, b);
  Kokkos::parallel_for("sweep", Range(0, count), sweep);
  const auto result = hostCopy(sweep.result);
  long double worst = 0.0L;
  for (int k = 0; k < count; ++k) worst = std::max(worst, errorOf<F>(result(k), exact<F>(a(k), b(k))));
  return static_cast<double>(worst);
}

class MathParts {
public:
  explicit MathParts(const BenchPlan& plan) : plan_(plan) {}

  std::vector<PartResult> run() {
    add("random numbers", "pair words, tea", "32 bits", PairWordsOp<TeaMixing>{}, "pairs of words").operations = 66.0;
    add("random numbers", "pair words, multiply", "32 bits", PairWordsOp<MultiplyMixing>{}, "pairs of words")
        .operations = 17.0;
    functions<float>("float");
    functions<double>("double");
    return std::move(results_);
  }

private:
  template <class Op>
  PartResult& add(const std::string& part, const std::string& variant, const std::string& precision, const Op& op,
                  const std::string& unit = "numbers") {
    const int threads = backend::onGpu ? 1 << 20 : Execution().concurrency() * 32, rounds = backend::onGpu ? 64 : 256;
    const Throughput<Op> kernel{op, DeviceArray<typename Op::Value>("throughput", threads), rounds};
    PartResult r;
    r.part = part, r.variant = variant, r.precision = precision, r.unit = unit;
    r.items = static_cast<double>(threads) * rounds * kernel.lanes;
    r.timing = backend::timeRepeated(plan_.repetitions,
                                     [&] { Kokkos::parallel_for("throughput", Range(0, threads), kernel); });
    results_.push_back(r);
    return results_.back();
  }

  template <class Real>
  void functions(const std::string& precision) {
    constexpr bool wide = sizeof(Real) == 8;
    add("random numbers", "Gaussians of two words", precision, GaussianOp<Real>{});
    function<Function::log, Real>("log", precision, wide ? "paper: 4.21e-12 relative" : "");
    function<Function::sine, Real>("sine", precision, wide ? "paper: 1.10e-10 relative (fastcospi)" : "");
    function<Function::power, Real>("power", precision, wide ? "paper: 11 ULP" : "");
  }

  template <Function F, class Real>
  void function(const std::string& name, const std::string& precision, const std::string& paper) {
    const int points = plan_.repetitions > 3 ? 1000000 : 100000;
    const std::string unit = F == Function::power ? "ULP" : "relative";
    auto& ours = add("math", name, precision, Evaluate<F, true, Real>{});
    ours.worstError = worstError<F, true, Real>(points), ours.errorUnit = unit, ours.note = paper;
    auto& library = add("math", name + ", library", precision, Evaluate<F, false, Real>{});
    library.worstError = worstError<F, false, Real>(points), library.errorUnit = unit;
  }

  const BenchPlan& plan_;
  std::vector<PartResult> results_;
};

}  // namespace

std::vector<PartResult> mathParts(const BenchPlan& plan) { return MathParts(plan).run(); }

}  // namespace mesowarp
