// The blocks that sum all pairs on a GPU, run by threads of the host: in fixed point their sums have the bits of a plain loop.
// Where there is a GPU, tests/unit/nbody_bitwise.cpp sees the same there.
#include <gtest/gtest.h>

#include "backend/all_pairs_few_gpu.hpp"
#include "backend/all_pairs_half_gpu.hpp"
#include "backend/all_pairs_merge_gpu.hpp"
#include "backend/all_pairs_shape.hpp"
#include "backend/all_pairs_wide_gpu.hpp"
#include "core/portable_math.hpp"
#include "nbody_systems.hpp"
#include "physics/nbody/gravity_source.hpp"
#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::test {
namespace {

using input::Accumulator;
using input::Dielectric;
using input::Precision;
using math::Portable;

template <class Source>
struct Sums {
  using Law = typename Source::Law;
  using S = typename Law::Scalar;
  using Total = typename FixedSum<S>::Total;

  int n;
  Bodies bodies;
  backend::PairsTask<Law> task;
  std::vector<std::array<double, backend::mostChannels>> expected;
  std::vector<Total> totals;

  Sums(const nbody::ForceSettings& settings, double scale, int count) : n(count), bodies(ball(n, 31, 0.2, 2.5)), expected(n) {
    Source source(settings);
    task.law = source.law(scale);
    task.bodies = DeviceArray<typename Law::Body>("bodies", n);
    Kokkos::parallel_for("pack bodies", Range(0, n), nbody::PackBodies<Law>{bodies.view(), task.bodies, 0, source.weight(scale)});
    task.last = task.activeCount = n;
    task.sums = DeviceArray<backend::BodySums>("sums", n);
    task.overflow = Kokkos::View<int, backend::SharedSpace>("overflow");
    for (int i = 0; i < n; ++i) {
      typename Law::template At<S> here;
      here.set(0, task.bodies(i), task.law);
      backend::SumSet<Law, FixedSum<S>> sums;
      for (int j = n - 1; j >= 0; --j) {
        if (j != i) task.law(here, task.bodies(j), sums);
        if (j % 100 == 0) sums.endTile();
      }
      for (int c = 0; c < Law::channels; ++c) expected[i][c] = sums.channel[c].total(0).value();
    }
  }

  // The table of a law is staged without a barrier on a host: it is there before.
  template <class Half>
  void stage(char* shared) const {
    if constexpr (requires { task.law.table; }) std::memcpy(shared + Half::tableAt, task.law.table, task.law.tableBytes());
  }

  template <class Half>
  void half(const backend::PairsShape& shape) {
    totals.assign(static_cast<std::size_t>(shape.parts) * Law::channels * n, {});
    for (int first = 0, last; first <= shape.blocks / 2; first = last) {
      last = backend::endOfLaunch(shape, first);
      const Half blocks{task, totals.data(), shape.blocks, first, last, shape.length, shape.width};
      backend::emulateBlocks(blocks, shape.blocks, backend::ceilDivide(last - first, shape.length), Half::threads,
                             Half::sharedBytes(task.law), [&](char* shared) { stage<Half>(shared); });
    }
    expectMerged(shape.parts);
  }
  template <class Blocks>
  void parts(int blocks, int count, int tile) {
    totals.assign(static_cast<std::size_t>(count) * Law::channels * n, {});
    backend::emulateBlocks(Blocks{{task, totals.data(), count, backend::ceilDivide(n, tile)}}, blocks, count, Blocks::threads,
                           Blocks::sharedBytes(task.law));
    expectMerged(count);
  }
  void expectMerged(int parts) {
    using Merge = backend::MergeBlock<Law, FixedSum>;
    constexpr int threads = 32 * Merge::warps;
    backend::emulateBlocks(Merge{{task, totals.data(), parts}}, backend::ceilDivide(n, 32), 1, threads,
                           threads * Merge::channels * sizeof(Total));
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < Law::channels; ++c) ASSERT_EQ(task.sums(i).value[c], expected[i][c]) << "body " << i << ", sum " << c;
    EXPECT_EQ(task.overflow(), 0);
    Kokkos::deep_copy(task.sums, backend::BodySums{});
  }

  // Tiles of 64 and of 256 bodies, in one launch and in one a distance.
  template <int Sharing>
  void pairsOnce() {
    const std::size_t bytes = sizeof(Total) * Law::channels * n;
    for (const std::size_t room : {task.room, std::size_t{0}}) {
      half<backend::HalfBlock<Law, FixedSum, 1, backend::narrowBodies, Sharing>>(backend::narrowShape(n, bytes, room));
      half<backend::HalfBlock<Law, FixedSum, 2, 4>>(backend::halfShape(n, 32 * 4, bytes, room, 1));
    }
  }
};

nbody::ForceSettings bitwise(nbody::ForceSettings settings) {
  settings.bitwise = true;
  return settings;
}
const auto gravity = [] { return bitwise(gravitySettings(Precision::single, Accumulator::narumi)); };
const auto charges = [] { return bitwise(chargeSettings(Dielectric::sigmoidal, Precision::single, Accumulator::narumi)); };

// An odd and an even number of tiles, the last one not full.
constexpr int counts[] = {203, 300};

TEST(EmulatedAllPairs, EachPairOnceGravity) {
  for (const int n : counts) Sums<nbody::GravitySource<float, false, false, Portable>>(gravity(), 0x1p-14, n).template pairsOnce<2>();
}
TEST(EmulatedAllPairs, EachPairOnceJerk) {
  for (const int n : counts) Sums<nbody::GravitySource<float, true, true, Portable>>(gravity(), 0x1p-14, n).template pairsOnce<1>();
}
TEST(EmulatedAllPairs, EachPairOnceCharges) {
  using Source = nbody::LennardJonesCoulombSource<float, false, Dielectric::sigmoidal, Portable>;
  for (const int n : counts) Sums<Source>(charges(), 0x1p-20, n).template pairsOnce<2>();
}
TEST(EmulatedAllPairs, EachPairTwice) {
  using Law = nbody::GravitySource<float, false, true, Portable>::Law;
  Sums<nbody::GravitySource<float, false, true, Portable>> sums(gravity(), 0x1p-14, 203);
  using Wide = backend::WideBlock<Law, FixedSum>;
  using Few = backend::FewBlock<Law, FixedSum, false>;
  sums.parts<Wide>(backend::ceilDivide(203, Wide::threads * Wide::perThread), 2, backend::wideTile);
  sums.parts<Few>(backend::ceilDivide(203, Few::perWarp), 2, backend::fewTile);
}

}  // namespace
}  // namespace mesowarp::test
