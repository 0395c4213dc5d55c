#include "app/signals.hpp"

#include <csignal>

namespace mesowarp {
namespace {
volatile std::sig_atomic_t caught = 0;
void remember(int signal) { caught = signal; }
}  // namespace

void catchSignals() {
  caught = 0;
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

int caughtSignal() { return caught; }

}  // namespace mesowarp
