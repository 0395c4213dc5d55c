// The buffer of a CPU core's pairs, filled with vectors, against the particles one by one.
#include <gtest/gtest.h>

#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA

#include "core/random.hpp"
#include "kernels/pairs/pair_block_cpu.hpp"

namespace mesowarp::backend {
namespace {

// 64-bit differences of all sizes, among them ties between two doubles, the largest and the smallest.
TEST(PairFetch, RoundsWideDifferencesAsOneByOne) {
  using P = DoublePrecision;
  constexpr int particles = 512, pairs = 208;
  u32 first = 1, second = 2;
  const auto word = [&] {
    tea<8>(first, second);
    return static_cast<u64>(first) << 32 | second;
  };
  PairState<P> state;
  static PairOwners<P> owners;
  static PairBuffer<P, double, 3> b;
  state.position = DeviceArray<PairPosition<u64>>("positions", particles);
  state.velocity = DeviceArray<PairVelocity<double>>("velocities", particles);
  const auto anyPosition = [&](int size) {
    const auto coordinate = [&] { return word() >> size; };
    return PairPosition<u64>{coordinate(), coordinate(), coordinate(), static_cast<u32>(word())};
  };
  for (int i = 0; i < particles; ++i) {
    state.position(i) = anyPosition(i % 64);
    state.velocity(i) = {0.1 * i, -0.2 * i, 1.0 / (1 + i), static_cast<u32>(i % 3)};
  }
  const u64 extremes[] = {u64{1} << 63, (u64{1} << 63) - 1, (u64{1} << 53) + 1, 0 - (u64{1} << 53) - 3, 0 - u64{1}, 0};
  for (int i = 0; i < 6; ++i) state.position(i) = {extremes[i], extremes[5 - i], 0 - extremes[i], 0xFFFFFFFF};
  for (int o = 0; o < blockSize; ++o) {
    owners.position[o] = o == 0 ? PairPosition<u64>{} : anyPosition(4 * o);
    owners.signature[o] = static_cast<u32>(word()), owners.species[o] = static_cast<u32>(o % 3);
    owners.ux[o] = o, owners.uy[o] = 2.0 * o, owners.uz[o] = 3.0 * o;
  }
  for (int k = 0; k < pairs; ++k) {
    b.index[k] = k < 6 ? k : static_cast<int>(word() % particles);
    b.owner[k] = k < 6 ? 0 : static_cast<u32>(word() % blockSize);
  }
  fetchPairs<Simd, FetchedParts<true, true, true>>(state, owners, b, pairs);
  const auto apart = [](u64 i, u64 j) { return static_cast<double>(static_cast<i64>(i - j)); };
  for (int k = 0; k < pairs; ++k) {
    const auto &i = owners.position[b.owner[k]], &j = state.position(b.index[k]);
    ASSERT_EQ(b.x[k], apart(i.x, j.x)) << k;
    ASSERT_EQ(b.y[k], apart(i.y, j.y)) << k;
    ASSERT_EQ(b.z[k], apart(i.z, j.z)) << k;
    const auto& v = state.velocity(b.index[k]);
    ASSERT_EQ(std::make_tuple(b.vx[k], b.vy[k], b.vz[k], b.speciesJ[k], b.signatureJ[k]),
              std::make_tuple(v.x, v.y, v.z, v.species, j.signature));
    const u32 o = b.owner[k];
    ASSERT_EQ(std::make_tuple(b.ux[k], b.uy[k], b.uz[k], b.speciesI[k], b.signatureI[k]),
              std::make_tuple(owners.ux[o], owners.uy[o], owners.uz[o], owners.species[o], owners.signature[o]));
  }
}

}  // namespace
}  // namespace mesowarp::backend
#endif
