// [[schedule]]: numbers of the deck that change with the step. No Kokkos.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp {

struct ScheduleKeys {
  static constexpr const char* block = "schedule";
  std::string name;
  std::string key;  // "interaction.0.a", "run.temperature", "drive.0.acceleration.x", ...
  int style = 0;    // linear, jumps
  std::vector<double> steps, values;

  // Before the first step the first value, behind the last one the last.
  double at(std::int64_t step) const;
};

std::vector<ScheduleKeys> schedulesOf(const input::Deck& deck);

bool isScheduled(const input::Deck& deck, const std::string& key);
// What a number of the deck is at some step: `own`, which the deck says where it stands, and what a [[schedule]] of
// this key says.
std::vector<double> valuesEver(const input::Deck& deck, const std::string& key, double own);
double largestEver(const input::Deck& deck, const std::string& key, double own);

// The number of a deck that a key names, and what kind of thing it is part of; null: there is none, or it must not
// change.
enum class Scheduled { nothing, interaction, temperature, drive, thermostat, pull, shear, flow, wall, box };
struct ScheduledNumber {
  double* number = nullptr;
  Scheduled kind = Scheduled::nothing;
};
ScheduledNumber scheduledNumber(input::Deck& deck, const std::string& key);
// What a key may be, in words.
std::string scheduledKeys();

// A deck as it is at a step. A function of the step alone, so that a run that goes on is as one that was not stopped.
class Schedule {
public:
  // Null: the deck has none.
  static std::shared_ptr<Schedule> of(const input::Deck& deck);

  // All numbers of the step; noise follows friction and temperature, sigma^2 = 2 gamma k_BT, and thermostats and
  // inflows that have the run's temperature in the deck go on having it.
  const input::Deck& at(std::int64_t step);
  bool changes(Scheduled kind) const { return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end(); }
  // Values of all blocks, by the blocks' names.
  std::vector<std::pair<std::string, double>> values(std::int64_t step) const;
  // The block that says what this number is; null: it stays.
  const ScheduleKeys* of(const std::string& key) const;

private:
  explicit Schedule(const input::Deck& deck);
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  input::Deck deck_;
  std::vector<ScheduleKeys> all_;
  std::vector<Scheduled> kinds_;    // of each
  std::vector<double*> followers_;  // in deck_: temperatures of thermostats and inflows that are the run's
  std::int64_t step_ = -1;
};

}  // namespace mesowarp
