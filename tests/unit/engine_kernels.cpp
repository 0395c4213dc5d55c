// Listens through the Kokkos Tools callbacks: every kernel has a label of ours, and a steady step allocates nothing.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/random.hpp"
#include "test_systems.hpp"

namespace mesowarp::test {
namespace {

struct Heard {
  std::multiset<std::string> kernels;
  std::multiset<std::string> allocations;
};
Heard heard;

void onKernel(const char* name, std::uint32_t, std::uint64_t*) { heard.kernels.insert(name); }
void onAllocation(Kokkos::Profiling::SpaceHandle, const char* name, const void*, std::uint64_t) {
  heard.allocations.insert(name);
}

// Kernels and allocations of what runs while it lives.
class Listening {
 public:
  Listening() {
    heard = {};
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(onKernel);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(onKernel);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(onKernel);
    Kokkos::Tools::Experimental::set_allocate_data_callback(onAllocation);
  }
  ~Listening() {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(nullptr);
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  }
};

System fluid(input::Precision precision) {
  System system;
  system.deck = emptyDeck({6.0, 6.0, 6.0}, precision, 0.005);
  addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0);
  system.deck.neighbor.rebuild = input::RebuildStyle::every;
  system.deck.neighbor.every = 5;
  TagRandom random(3, Stream::initialPosition, 0);
  const Box box = boxOf(system.deck);
  for (int i = 0; i < 648; ++i) {
    system.particles.position.push_back({toFixed(box, 0, 6.0 * random.uniform()), toFixed(box, 1, 6.0 * random.uniform()),
                                         toFixed(box, 2, 6.0 * random.uniform())});
    system.particles.velocity.push_back({random.gaussian(), random.gaussian(), random.gaussian()});
    system.particles.species.push_back(0);
  }
  return system;
}

class EngineKernels : public testing::TestWithParam<input::Precision> {};

TEST_P(EngineKernels, AllHaveLabelsOfOurs) {
  auto engine = fluid(GetParam()).engine();
  {
    Listening listening;
    for (i64 step = 0; step < 12; ++step) {
      engine->rebuildIfDue(step);
      engine->advance(step, {.thermo = step % 4 == 0, .velocities = true, .forces = true});
    }
  }
  ASSERT_GT(heard.kernels.size(), 20u);
  for (const auto& name : heard.kernels) {
    if (name.rfind("Kokkos::", 0) == 0) continue;  // fills and copies of Kokkos' own
    EXPECT_EQ(name.find("mesowarp"), std::string::npos) << "a kernel without a label goes by its type: " << name;
    EXPECT_EQ(name.find_first_of("<>{}"), std::string::npos) << name;
    EXPECT_FALSE(name.empty());
  }
}

TEST_P(EngineKernels, SteadyStepIsOneKernelAndAllocatesNothing) {
  auto engine = fluid(GetParam()).engine();
  for (i64 step = 0; step < 11; ++step) {
    engine->rebuildIfDue(step);
    engine->advance(step, {});
  }
  {
    Listening listening;
    for (i64 step = 11; step < 15; ++step) {  // the list was built in step 10
      engine->rebuildIfDue(step);
      engine->advance(step, {});
    }
  }
  EXPECT_EQ(heard.kernels, (std::multiset<std::string>{"pair dpd", "pair dpd", "pair dpd", "pair dpd"}));
  EXPECT_TRUE(heard.allocations.empty()) << *heard.allocations.begin();
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EngineKernels, testing::ValuesIn(allPrecisions),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace mesowarp::test
