// The blocks that add up many numbers over a range on a GPU, run by threads of the host.
#include <gtest/gtest.h>

#include "core/sums.hpp"
#include "device/launch/sum_blocks_gpu.hpp"
#include "tests/unit/support/numbered_sums.hpp"

namespace mesowarp::test {
namespace {

using backend::SumBlocks;
using backend::sumThreads;

template <class Sum, class Functor>
void run(const Functor& functor, int count, int blocks, Sum* ofBlocks) {
  using Blocks = SumBlocks<Sum, Functor>;
  backend::emulateBlocks(Blocks{functor, count, blocks, ofBlocks}, blocks, 1, sumThreads, Blocks::sharedBytes);
}

// As sumOver() does: blocks, then one more over what they left.
ThermoSums sumOf(int count, int blocks) {
  std::vector<ThermoSums> parts(static_cast<std::size_t>(blocks));
  ThermoSums whole;
  run(AddNumbered{}, count, blocks, parts.data());
  run(backend::SumOfBlock<ThermoSums>{parts.data()}, blocks, 1, &whole);
  return whole;
}

TEST(EmulatedSumBlocks, EachPlaceOnce) {
  expectNumbered(sumOf(1, 1), 1);
  expectNumbered(sumOf(sumThreads - 1, 1), sumThreads - 1);
  expectNumbered(sumOf(sumThreads + 1, 2), sumThreads + 1);
  expectNumbered(sumOf(10 * sumThreads + 7, 3), 10 * sumThreads + 7);  // each thread has several
  expectNumbered(sumOf(200 * 4, 200), 200 * 4);                        // blocks that have none
}

// Threads of a warp look at each other's numbers: they come together, or not at all.
struct AskWarp {
  void operator()(int i, ThermoSums& sum) const {
    const auto other = __shfl_sync(0xFFFFFFFF, static_cast<u32>(i), 31 - static_cast<int>(threadIdx.x) % 32);
    sum.fixedForce[0] += static_cast<i64>(other);
  }
};

TEST(EmulatedSumBlocks, WarpsStayTogether) {
  ThermoSums part;
  run(AskWarp{}, 3 * sumThreads - 32, 1, &part);
  const i64 n = 3 * sumThreads - 32;
  EXPECT_EQ(part.fixedForce[0], n * (n - 1) / 2);
}

}  // namespace
}  // namespace mesowarp::test
