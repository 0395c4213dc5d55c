// The first phase of a step whose deck has a [[schedule]]: forces and walls get the numbers of the step. What else
// changes (drives, thermostats) asks the schedule itself. On a GPU it waits for the steps that are under way.
#pragma once

#include <functional>
#include <vector>

#include "physics/integrate/schedule.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// What has numbers of the deck in a device's memory, and is told of others.
using Followers = std::vector<std::function<void(const input::Deck&)>>;

class SchedulePhase final : public Phase {
public:
  SchedulePhase(Population& population, std::shared_ptr<Schedule> schedule, std::shared_ptr<const Followers> followers)
      : Phase("schedule", population), schedule_(std::move(schedule)), followers_(std::move(followers)) {}
  std::vector<FieldUse> uses() const override { return {}; }
  bool repeatable() const override { return true; }
  void run(const PhaseStep& step) override {
    bool some = false;
    for (const auto kind : {Scheduled::interaction, Scheduled::temperature, Scheduled::wall})
      some = some || schedule_->changes(kind);
    if (some)
      for (const auto& follow : *followers_) follow(schedule_->at(step.step));
    step_ = step.step;
  }
  void addQuantities(std::map<std::string, double>& quantities) const override {
    for (const auto& [name, value] : schedule_->values(step_)) quantities["scheduled." + name] = value;
  }

private:
  std::shared_ptr<Schedule> schedule_;
  std::shared_ptr<const Followers> followers_;
  i64 step_ = 0;
};

}  // namespace mesowarp
