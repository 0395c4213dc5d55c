// What Python does for the program: pictures, and files of formats whose libraries are Python's.
#pragma once

#include <string>
#include <vector>

namespace mesowarp {

// Replaces this process by `python3 -m mesowarp ARGUMENTS`, with a Python that has the packages and the package
// mesowarp: that of $MESOWARP_PYTHON, the first in PATH, or the system's. The package is looked for beside the program
// (installed, or in the source tree that it was built in), then where that Python finds it. Returns only by an
// exception: InputError says what is missing where, and the remedy.
[[noreturn]] void becomePython(const std::vector<std::string>& arguments, std::vector<std::string> packages);

}  // namespace mesowarp
