// SIGINT and SIGTERM ask the run to write a checkpoint and leave.
#pragma once

namespace mesowarp {

void catchSignals();
int caughtSignal();  // 0: none

}  // namespace mesowarp
