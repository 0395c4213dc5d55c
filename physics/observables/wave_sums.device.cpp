#include "physics/observables/wave_sums.hpp"

#include "core/math.hpp"
#include "device/host_copy.hpp"

namespace mesowarp::observables {
namespace {

struct CosineSine {
  double cosine, sine;
};

// Of an angle of so many 2^-64 of a turn. The nearest quarter is taken off, and of the rest, at most pi / 4, there are
// Taylor series to 1e-16: adds, multiplies and fused ones, so every machine gets the same bits.
KOKKOS_INLINE_FUNCTION CosineSine cosineSine(u64 turn) {
  const u64 quarter = (turn + (u64{1} << 61)) >> 62;
  const double x = static_cast<double>(static_cast<i64>(turn - (quarter << 62))) * 0x1.921fb54442d18p-62;
  const double q = x * x;
  constexpr double s[] = {-1.0 / 6,        1.0 / 120,          -1.0 / 5040,           1.0 / 362880,
                          -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
  constexpr double c[] = {-0.5,           1.0 / 24,          -1.0 / 720,           1.0 / 40320,
                          -1.0 / 3628800, 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
  double sine = s[6], cosine = c[7];
  for (int k = 5; k >= 0; --k) sine = math::fusedMultiplyAdd(sine, q, s[k]);
  for (int k = 6; k >= 0; --k) cosine = math::fusedMultiplyAdd(cosine, q, c[k]);
  sine = math::fusedMultiplyAdd(sine * q, x, x);
  cosine = math::fusedMultiplyAdd(cosine, q, 1.0);
  const u64 which = quarter & 3u;
  if (which == 0) return {cosine, sine};
  if (which == 1) return {-sine, cosine};
  if (which == 2) return {-cosine, -sine};
  return {sine, -cosine};
}

constexpr double unit = 0x1p30;  // sums are integers, so their order cannot matter
constexpr int waveChunk = 2048;  // particles that a thread adds up for its wave

// One thread for a wave and a chunk; neighbouring threads have neighbouring waves, and read the same particle.
struct AddWaves {
  DeviceArray<Vec3<u64>> place;
  DeviceArray<u32> species, sets;
  DeviceArray<Vec3<i32>> wave;
  Kokkos::View<i64*, Memory> sums;  // four a wave: cosine and sine of either set
  int particles, waves;

  KOKKOS_INLINE_FUNCTION void operator()(int task) const {
    const int k = task % waves, first = task / waves * waveChunk;
    const int end = first + waveChunk < particles ? first + waveChunk : particles;
    const Vec3<i32> n = wave(k);
    const u64 x = static_cast<u64>(static_cast<i64>(n.x)), y = static_cast<u64>(static_cast<i64>(n.y)),
              z = static_cast<u64>(static_cast<i64>(n.z));
    i64 sum[4] = {};
    for (int i = first; i < end; ++i) {
      const u32 in = sets(species(i));
      if (in == 0u) continue;
      const Vec3<u64> at = place(i);
      const CosineSine e = cosineSine(x * at.x + y * at.y + z * at.z);
      const i64 cosine = static_cast<i64>(::llrint(e.cosine * unit)), sine = static_cast<i64>(::llrint(e.sine * unit));
      if ((in & 1u) != 0u) sum[0] += cosine, sum[1] += sine;
      if ((in & 2u) != 0u) sum[2] += cosine, sum[3] += sine;
    }
    for (int c = 0; c < 4; ++c)
      if (sum[c] != 0) Kokkos::atomic_add(&sums(4 * static_cast<std::size_t>(k) + c), sum[c]);
  }
};

}  // namespace

WaveSums waveSums(const MeasuredParticles& p, const MeasuredBox& box, const DeviceArray<u32>& sets,
                  const std::vector<Wave>& waves) {
  std::vector<Vec3<i32>> waveNumbers;
  for (const Wave& wave : waves) waveNumbers.push_back({wave[0], wave[1], wave[2]});
  const auto onDevice = toDevice<Vec3<i32>>("waves", waveNumbers);
  const int count = static_cast<int>(waves.size()), chunks = (p.count + waveChunk - 1) / waveChunk;
  const Kokkos::View<i64*, Memory> sums("sums of waves", 4 * waves.size());
  Kokkos::parallel_for("add waves", Range(0, count * chunks),
                       AddWaves{p.place, p.species, sets, onDevice, sums, p.count, count});
  const auto all = hostCopy(sums);
  if (box.ranks) box.ranks->sum(all.data(), 4 * count);
  WaveSums result;
  for (std::size_t k = 0; k < waves.size(); ++k) {
    const auto of = [&](std::size_t c) { return static_cast<double>(all(4 * k + c)) / unit; };
    result.first.push_back({of(0), of(1)});
    result.second.push_back({of(2), of(3)});
  }
  return result;
}

}  // namespace mesowarp::observables
