// How many threads a run takes where the user has not said.
#include <cerrno>
#include <gtest/gtest.h>

#include "device/host_threads.hpp"
#include "device/tuning.hpp"
#include "run/thread_choice.hpp"

namespace mesowarp {
namespace {

ThreadQuestion machine(int cores, int ranksOnNode, double secondsPerStep) {
  ThreadQuestion q;
  q.cores = q.nodeCores = cores, q.ranksOnNode = ranksOnNode, q.secondsPerStep = secondsPerStep;
  return q;
}

TEST(ThreadChoice, TheUsersNumberIsObeyed) {
  ThreadQuestion q = machine(8, 1, 1e-6);
  q.asked = 7, q.environment = "3";
  EXPECT_EQ(chooseThreads(q).threads, 7);
  q.asked = 0;
  EXPECT_EQ(chooseThreads(q).threads, 0);  // the environment's
  EXPECT_NE(chooseThreads(q).words.find("OMP_NUM_THREADS says, 3"), std::string::npos) << chooseThreads(q).words;
  EXPECT_EQ(chooseThreads(q).words.find("bind-to"), std::string::npos);
  q.cores = 1;  // bound by mpirun
  EXPECT_NE(chooseThreads(q).words.find("more than the 1 core that"), std::string::npos) << chooseThreads(q).words;
  q.asked = 2;
  EXPECT_NE(chooseThreads(q).words.find("--bind-to none"), std::string::npos) << chooseThreads(q).words;
}

TEST(ThreadChoice, RanksShareTheCoresOfTheirNode) {
  EXPECT_EQ(chooseThreads(machine(16, 1, 1.0)).threads, 16);
  EXPECT_EQ(chooseThreads(machine(16, 2, 1.0)).threads, 8);
  EXPECT_EQ(chooseThreads(machine(16, 5, 1.0)).threads, 3);
  EXPECT_EQ(chooseThreads(machine(2, 4, 1.0)).threads, 1);
  ThreadQuestion bound = machine(4, 4, 1.0);  // each to four cores of its own
  bound.nodeCores = 16;
  EXPECT_EQ(chooseThreads(bound).threads, 4);
  bound.ranksOnNode = 2;  // no more than its own
  EXPECT_EQ(chooseThreads(bound).threads, 4);
}

TEST(ThreadChoice, SmallSystemsTakeFewer) {
  EXPECT_EQ(chooseThreads(machine(16, 1, 0.5 * tuning::leastWork)).threads, 1);
  EXPECT_EQ(chooseThreads(machine(16, 1, 3.5 * tuning::leastWork)).threads, 3);
  EXPECT_EQ(chooseThreads(machine(16, 1, 100 * tuning::leastWork)).threads, 16);
  EXPECT_EQ(chooseThreads(machine(16, 1, 0.0)).threads, 16);  // not known
  EXPECT_NE(chooseThreads(machine(16, 1, 0.5 * tuning::leastWork)).words.find("1 thread, of 16 cores, since a step is"),
            std::string::npos);
}

// Kokkos has room for 512 threads, and nodes have more.
TEST(ThreadChoice, LargeNodesGiveNoMoreThanArePossible) {
  for (const int cores : {600, 2000}) {
    EXPECT_EQ(chooseThreads(machine(cores, 1, 1.0)).threads, 512);
    EXPECT_EQ(chooseThreads(machine(cores, 1, 0.0)).threads, 512);
    EXPECT_EQ(chooseThreads(machine(cores, 8, 1.0)).threads, cores / 8);
  }
  EXPECT_EQ(chooseThreads(machine(600, 1, 1.0)).words, "512 threads, of 600 cores: more are not possible");
  EXPECT_EQ(chooseThreads(machine(600, 1, 3.5 * tuning::leastWork)).threads, 3);
  EXPECT_EQ(chooseThreads(machine(512, 1, 1.0)).words, "512 threads, of 512 cores");
  EXPECT_EQ(chooseThreads(machine(2000, 2, 1.0)).threads, 512);
  ThreadQuestion limited = machine(600, 1, 1.0);
  limited.possible = 40;  // OMP_THREAD_LIMIT
  EXPECT_EQ(chooseThreads(limited).threads, 40);
}

// Sets of processors as a system with so many of them gives them, every second one to this process.
backend::AskForCores systemOf(std::size_t cores) {
  return [=](std::size_t bytes, unsigned long* set) {
    constexpr std::size_t bits = 8 * sizeof(unsigned long);
    if (8 * bytes < cores) return errno = EINVAL, -1;
    for (std::size_t k = 0; k < cores; k += 2) set[k / bits] |= 1UL << k % bits;
    return 0;
  };
}

TEST(OwnCores, OfSystemsWithAnyNumber) {
  for (const std::size_t cores : {2, 512, 1024, 1026, 2048, 8192, 100'000})
    EXPECT_EQ(static_cast<std::size_t>(backend::countOf(backend::ownCores(systemOf(cores)))), cores / 2) << cores;
}

TEST(OwnCores, OneWhereTheSystemDoesNotSay) {
  const auto refuse = [](int code) { return [=](std::size_t, unsigned long*) { return errno = code, -1; }; };
  EXPECT_EQ(backend::countOf(backend::ownCores(refuse(EPERM))), 1);
  EXPECT_EQ(backend::countOf(backend::ownCores(refuse(EINVAL))), 1);
  EXPECT_GE(backend::countOf(backend::ownCores()), 1);
}

}  // namespace
}  // namespace mesowarp
