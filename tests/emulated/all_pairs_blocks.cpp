// The blocks that sum all pairs on a GPU, run by threads of the host: in fixed point their sums have the bits of a
// plain loop. Where there is a GPU, tests/unit/nbody/nbody_bitwise.cpp sees the same there.
#include <gtest/gtest.h>

#include "core/portable_math.hpp"
#include "kernels/all_pairs/all_pairs_few_gpu.hpp"
#include "kernels/all_pairs/all_pairs_half_gpu.hpp"
#include "kernels/all_pairs/all_pairs_merge_gpu.hpp"
#include "kernels/all_pairs/all_pairs_shape.hpp"
#include "kernels/all_pairs/all_pairs_wide_gpu.hpp"
#include "tests/unit/nbody/nbody_plain_loop.hpp"

namespace mesowarp::test {
namespace {

using math::Portable;

template <class Source>
struct Sums : PlainLoopSums<Source> {
  using Base = PlainLoopSums<Source>;
  using Base::Base, Base::n, Base::task;
  using typename Base::Law;
  using Total = typename FixedSum<typename Base::S>::Total;
  std::vector<Total> totals;

  // The table of a law is staged without a barrier on a host: it is there before.
  void stage(char* at, u32 copies) const {
    Law law = task.law;
    law.stage(at, 0, 1, copies);
  }

  template <class Half>
  void half(const backend::PairsShape& shape) {
    totals.assign(static_cast<std::size_t>(shape.parts) * Law::channels * n, {});
    const u32 copies = Half::copiesOf(task.law);
    for (int first = 0, last; first <= shape.blocks / 2; first = last) {
      last = backend::endOfLaunch(shape, first);
      const Half blocks{task, totals.data(), shape.blocks, first, last, shape.length, shape.width, copies};
      backend::emulateBlocks(blocks, shape.blocks, backend::rowsOfLaunch(shape, first, last), Half::threads,
                             Half::sharedBytes(task.law), [&](char* shared) { stage(shared + Half::tableAt, copies); });
    }
    expectMerged(shape.parts);
  }
  template <class Blocks>
  void parts(int blocks, int count, int tile) {
    totals.assign(static_cast<std::size_t>(count) * Law::channels * n, {});
    backend::emulateBlocks(Blocks{{task, totals.data(), count, backend::ceilDivide(n, tile)}}, blocks, count,
                           Blocks::threads, Blocks::sharedBytes(task.law));
    expectMerged(count);
  }
  void expectMerged(int parts) {
    using Merge = backend::MergeBlock<Law, FixedSum>;
    constexpr int threads = 32 * Merge::warps;
    backend::emulateBlocks(Merge{{task, totals.data(), parts}}, backend::ceilDivide(n, 32), 1, threads,
                           threads * Merge::channels * sizeof(Total));
    this->expectThem("blocks");
  }

  // Tiles of 64 and of 256 bodies, in one launch and in one for each distance.
  template <int Sharing>
  void pairsOnce() {
    const std::size_t bytes = sizeof(Total) * Law::channels * n;
    for (const std::size_t room : {task.room, std::size_t{0}}) {
      half<backend::HalfBlock<Law, FixedSum, 1, backend::narrowBodies, Sharing>>(
          backend::narrowShape(n, 1, bytes, room));
      half<backend::HalfBlock<Law, FixedSum, 1, backend::narrowBodies, Sharing, 4>>(
          backend::narrowShape(n, 4, bytes, room));
      half<backend::HalfBlock<Law, FixedSum, 2, 4>>(backend::halfShape(n, 32 * 4, bytes, room, 1));
    }
  }
};

// An odd and an even number of tiles, the last one not full.
constexpr int counts[] = {203, 300};

TEST(EmulatedAllPairs, EachPairOnceGravity) {
  for (const int n : counts)
    Sums<nbody::GravitySource<float, false, false, Portable>>(bitwiseGravity(), gravityScale, n)
        .template pairsOnce<2>();
}
TEST(EmulatedAllPairs, EachPairOnceJerk) {
  for (const int n : counts)
    Sums<nbody::GravitySource<float, true, true, Portable>>(bitwiseGravity(), gravityScale, n).template pairsOnce<1>();
}
TEST(EmulatedAllPairs, EachPairOnceCharges) {
  using Source = nbody::LennardJonesCoulombSource<float, false, nbody::Dielectric::sigmoidal, Portable>;
  for (const int n : counts) Sums<Source>(bitwiseCharges(), chargesScale, n).template pairsOnce<2>();
}
TEST(EmulatedAllPairs, EachPairTwice) {
  using Law = nbody::GravitySource<float, false, true, Portable>::Law;
  Sums<nbody::GravitySource<float, false, true, Portable>> sums(bitwiseGravity(), gravityScale, 203);
  using Wide = backend::WideBlock<Law, FixedSum>;
  using Few = backend::FewBlock<Law, FixedSum, false>;
  sums.parts<Wide>(backend::ceilDivide(203, Wide::threads * Wide::perThread), 2, backend::wideTile);
  sums.parts<Few>(backend::ceilDivide(203, Few::perWarp), 2, backend::fewTile);
}

}  // namespace
}  // namespace mesowarp::test
