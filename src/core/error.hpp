// The two kinds of failure a user meets; main() turns them into exit codes.
#pragma once

#include <stdexcept>
#include <string>

namespace mesowarp {

// The run itself failed: exit code 1.
class RunError : public std::runtime_error {
public:
  explicit RunError(const std::string& message) : std::runtime_error(message) {}
};

// The user's input (deck, file, option) is bad: exit code 2. Nothing was overwritten.
class InputError : public std::runtime_error {
public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace mesowarp
