// Which of its samples a measure takes, where all of them would cost too much.
#pragma once

#include "input/deck.hpp"

namespace mesowarp::input {

// Shares and bursts that the deck does not give.
void completeShares(Deck& deck);

// Of a viscosity: bursts of so many samples, each at the beginning of a period.
struct Bursts {
  std::int64_t samples = 0, period = 0;  // 0: all
  bool takes(std::int64_t number) const { return period == 0 || number % period < samples; }
  bool begins(std::int64_t number) const { return period > 0 && number % period == 0; }
};
Bursts burstsOf(const Measure& measure);

// Of a velocity autocorrelation: every so-many-th row of 16 samples is whole.
std::int64_t wholeRowsOf(const Measure& measure);

}  // namespace mesowarp::input
