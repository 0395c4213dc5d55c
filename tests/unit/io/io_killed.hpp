// Runs a task in a process of its own and kills that at its n-th write to a file, in the middle of what it writes.
#pragma once

#include <functional>

namespace mesowarp::io::test {

// Whether it was killed; otherwise the task went through with fewer writes. The task must not use MPI or threads.
// Throws std::runtime_error if it failed in another way.
bool killedAtWrite(int n, const std::function<void()>& task);

}  // namespace mesowarp::io::test
