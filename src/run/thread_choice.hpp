// How many host threads a run takes where the user has not said, and what threads do that wait for the others.
#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "device/host_threads.hpp"

namespace mesowarp {

// What the choice depends on.
struct ThreadQuestion {
  int asked = 0;                            // --threads; 0: not given
  std::string environment;                  // OMP_NUM_THREADS; empty: not set
  int cores = 1;                            // that this rank may use
  int nodeCores = 1;                        // that the ranks of this node may use together
  int possible = backend::mostHostThreads;  // threads of a rank
  int ranksOnNode = 1;
  double secondsPerStep = 0.0;  // of a rank, on one core; 0: not known, or of no interest since a GPU has the work
};

struct ThreadChoice {
  int threads = 0;    // 0: the environment's
  std::string words;  // for the log: how many, of how many, and why
};

// The user's own number; else the rank's share of its node's cores, of these no more than are possible, and no more
// than have tuning::leastWork each.
ThreadChoice chooseThreads(const ThreadQuestion& question);

// Of this process: `ranks` share out the node's cores. Collective.
ThreadQuestion threadQuestion(int asked, double secondsPerStep, const comm::Communicator& ranks);

// Threads wait for each other several times per step. GCC's library lets them spin for some 10 ms before they sleep: if
// another process wants the core, they burn the time that the thread they wait for would need. This makes them sleep
// much sooner, unless the environment says how they are to wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT, KMP_BLOCKTIME). The
// library reads it when it is loaded, before main: so the program starts itself again, with the same arguments, and
// this returns in the second one.
void letWaitingThreadsSleep(char** argv);
// In words, for the log: the variable that says so.
std::string threadWaiting();

}  // namespace mesowarp
