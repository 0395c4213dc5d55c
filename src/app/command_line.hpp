// The command line: mesowarp run | check | info | convert | reference.
#pragma once

namespace mesowarp {

// Returns the exit code: 0 fine, 1 the run failed or was stopped, 2 bad input.
int commandLine(int argc, char** argv);

}  // namespace mesowarp
