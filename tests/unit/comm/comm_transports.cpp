// Which way ghosts travel by `auto`, and what is tried for that.
#include <gmock/gmock.h>

#include "comm/transport/transports.hpp"

namespace mesowarp::comm {
namespace {

struct Machine {
  bool gpu, peer, mpi, nccl;
};

// What is chosen, and how often each trial was made.
struct Outcome {
  TransportChoice choice;
  int peerTrials = 0, mpiTrials = 0, ncclTrials = 0;
};

Outcome chosenOn(const Machine& machine) {
  Outcome outcome;
  TransportTrials trials;
  trials.onGpu = machine.gpu;
  trials.peerObstacle = [&] {
    ++outcome.peerTrials;
    return machine.peer ? std::string() : std::string("the ranks are on several hosts");
  };
  trials.mpiTakesDeviceBuffers = [&] {
    ++outcome.mpiTrials;
    return machine.mpi;
  };
  trials.ncclObstacle = [&] {
    ++outcome.ncclTrials;
    return machine.nccl ? std::string() : std::string("ranks share a GPU");
  };
  outcome.choice = chooseTransport(trials);
  return outcome;
}

TransportStyle styleOn(const Machine& machine) { return chosenOn(machine).choice.style; }

TEST(TransportChoice, TakesTheFastestThatWorks) {
  for (const bool mpi : {false, true})
    for (const bool nccl : {false, true}) {
      EXPECT_EQ(styleOn({false, false, mpi, nccl}), TransportStyle::host) << "on a CPU";
      EXPECT_EQ(styleOn({true, true, mpi, nccl}), TransportStyle::peer);
    }
  EXPECT_EQ(styleOn({true, false, true, true}), TransportStyle::mpi) << "it is faster than NCCL";
  EXPECT_EQ(styleOn({true, false, true, false}), TransportStyle::mpi);
  EXPECT_EQ(styleOn({true, false, false, true}), TransportStyle::nccl);
  EXPECT_EQ(styleOn({true, false, false, false}), TransportStyle::host);
}

TEST(TransportChoice, TriesOnlyWhatItNeedsToKnow) {
  const auto onCpu = chosenOn({false, true, true, true}), withPeer = chosenOn({true, true, true, true}),
             without = chosenOn({true, false, true, true});
  EXPECT_EQ(onCpu.peerTrials + onCpu.mpiTrials, 0);
  EXPECT_EQ(withPeer.peerTrials, 1);
  EXPECT_EQ(withPeer.mpiTrials, 0);
  EXPECT_EQ(without.peerTrials, 1);
  EXPECT_EQ(without.mpiTrials, 1);
  EXPECT_EQ(without.ncclTrials, 0);
  EXPECT_EQ(chosenOn({true, false, false, true}).ncclTrials, 1);
}

TEST(TransportChoice, SaysWhy) {
  using testing::HasSubstr;
  EXPECT_THAT(chosenOn({true, false, true, true}).choice.reason,
              AllOf(HasSubstr("on several hosts"), HasSubstr("MPI takes device buffers")));
  for (const bool nccl : {false, true})
    EXPECT_THAT(chosenOn({true, false, false, nccl}).choice.reason,
                AllOf(HasSubstr("on several hosts"), HasSubstr("MPI does not take device buffers")));
  EXPECT_THAT(chosenOn({true, false, false, false}).choice.reason, HasSubstr("ranks share a GPU"));
  EXPECT_THAT(chosenOn({false, false, false, false}).choice.reason, HasSubstr("host's memory"));
}

}  // namespace
}  // namespace mesowarp::comm
