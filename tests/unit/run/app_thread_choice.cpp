// How many threads a run takes where the user has not said.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace mesowarp
