// The first phase of a step whose deck has a [[schedule]]: pair forces get the coefficients of the step. What else
// changes (drives, thermostats) asks the schedule itself. On a GPU it waits for the steps that are under way.
#pragma once

#include <functional>

#include "physics/integrate/schedule.hpp"
#include "step/phase.hpp"

namespace mesowarp {

class SchedulePhase final : public Phase {
public:
  // follow: tells what has coefficients of the deck.
  SchedulePhase(Population& population, std::shared_ptr<Schedule> schedule,
                std::function<void(const input::Deck&)> follow)
      : Phase("schedule", population), schedule_(std::move(schedule)), follow_(std::move(follow)) {}
  std::vector<FieldUse> uses() const override { return {}; }
  bool repeatable() const override { return true; }
  void run(const PhaseStep& step) override {
    const bool forces = schedule_->changes(Scheduled::interaction) || schedule_->changes(Scheduled::temperature);
    if (forces) follow_(schedule_->at(step.step));
    step_ = step.step;
  }
  void addQuantities(std::map<std::string, double>& quantities) const override {
    for (const auto& [name, value] : schedule_->values(step_)) quantities["scheduled." + name] = value;
  }

private:
  std::shared_ptr<Schedule> schedule_;
  std::function<void(const input::Deck&)> follow_;
  i64 step_ = 0;
};

}  // namespace mesowarp
