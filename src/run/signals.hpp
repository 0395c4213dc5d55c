// Signals that ask a run to write a checkpoint and leave: SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 and SIGXCPU, by
// which users and batch systems announce the end; and SIGPIPE, when nobody reads what the run prints.
#pragma once

#include <string>

namespace mesowarp {

// From here on; one that comes while a run is set up is heard at its first step. SIGXFSZ, a file that grew beyond the
// limit, becomes an error of the write. Where SIGHUP is ignored (nohup), it stays so. To be called again behind what
// starts libraries, which may put handlers of their own in place: MPI's hwloc loads OpenCL where that is installed, and
// LLVM with it, whose handlers hear one signal, and the next one kills (`timeout` sends two).
void catchSignals();

// Whether somebody who stops the run is told that it takes until the first step.
void tellOfWaiting(bool tell);

// The first that was caught; 0: none. Later ones change nothing.
int caughtSignal();

// Such as "SIGTERM".
std::string signalText(int signal);

}  // namespace mesowarp
