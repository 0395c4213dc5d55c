#include "run/signals.hpp"

#include <array>
#include <atomic>
#include <signal.h>
#include <unistd.h>

namespace mesowarp {
namespace {

struct Named {
  int number;
  const char* text;
};
constexpr std::array<Named, 7> asked{{{SIGINT, "SIGINT"},
                                      {SIGTERM, "SIGTERM"},
                                      {SIGHUP, "SIGHUP (the terminal was closed)"},
                                      {SIGUSR1, "SIGUSR1"},
                                      {SIGUSR2, "SIGUSR2"},
                                      {SIGXCPU, "SIGXCPU (limit of processor time)"},
                                      {SIGPIPE, "SIGPIPE (nobody reads the output any more)"}}};

std::atomic<int> caught = 0;  // lock-free, and any thread may be the one that is interrupted
std::atomic<bool> waits = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void remember(int signal) {
  int none = 0;
  if (!caught.compare_exchange_strong(none, signal) || !waits) return;
  constexpr char text[] = "stopping: the run is still being set up, and ends at its first step\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof(text) - 1);
}

bool ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

void catchSignals() {
  static const bool withoutHangup = ignored(SIGHUP);
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a write under way goes on
  action.sa_handler = remember;
  for (const auto& [number, text] : asked) sigaction(number, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, nullptr);
  if (withoutHangup) sigaction(SIGHUP, &action, nullptr);
}

void tellOfWaiting(bool tell) { waits = tell; }

int caughtSignal() { return caught; }

std::string signalText(int signal) {
  for (const auto& [number, text] : asked)
    if (number == signal) return text;
  return "signal " + std::to_string(signal);
}

}  // namespace mesowarp
