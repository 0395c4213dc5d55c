#include "physics/integrate/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "input/species.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/pair/deck/wca_cutoff.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

namespace mesowarp {
namespace {

// What follows from strengths and the temperature.
void followForces(input::Deck& deck) {
  for (auto& interaction : deck.interactions)
    if (input::hasDpdNoise(interaction))
      interaction.sigma = std::sqrt(2.0 * interaction.gamma * deck.run.temperature);
    else if (interaction.style == input::InteractionStyle::wca)
      interaction.cutoff = wcaCutoff(interaction.sigma);
  transport::closeWalls(deck);
}

// Temperatures of blocks of a kind that are the run's, and go with it unless a [[schedule]] has them.
template <class Keys>
void findFollowers(input::Deck& deck, const std::vector<ScheduleKeys>& all, std::vector<double*>& followers) {
  std::vector<input::OwnItem>& list = deck.lists[Keys::block];
  for (std::size_t k = 0; k < list.size(); ++k) {
    double& temperature = list[k].own.get<Keys>().temperature;
    const bool own = std::any_of(all.begin(), all.end(), [&](const ScheduleKeys& keys) {
      return keys.key == fmt::format("{}.{}.temperature", Keys::block, k);
    });
    if (!own && temperature == deck.run.temperature) followers.push_back(&temperature);
  }
}

}  // namespace

double ScheduleKeys::at(std::int64_t step) const {
  const auto x = static_cast<double>(step);
  const auto above = std::upper_bound(steps.begin(), steps.end(), x);
  if (above == steps.begin()) return values.front();
  const auto k = static_cast<std::size_t>(above - steps.begin()) - 1;
  if (above == steps.end() || style == 1) return values[k];
  return values[k] + (x - steps[k]) / (steps[k + 1] - steps[k]) * (values[k + 1] - values[k]);
}

std::vector<ScheduleKeys> schedulesOf(const input::Deck& deck) {
  std::vector<ScheduleKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, ScheduleKeys::block))
    all.push_back(item.own.get<ScheduleKeys>());
  return all;
}

bool isScheduled(const input::Deck& deck, const std::string& key) {
  const auto all = schedulesOf(deck);
  return std::any_of(all.begin(), all.end(), [&](const ScheduleKeys& keys) { return keys.key == key; });
}

std::vector<std::pair<std::int64_t, input::Deck>> decksAtExtremes(const input::Deck& deck) {
  input::Deck right = deck;
  std::set<std::int64_t> steps;
  auto& list = right.lists[ScheduleKeys::block];
  std::erase_if(list, [&](const input::OwnItem& item) {
    const auto& keys = item.own.get<ScheduleKeys>();
    return !isComplete(keys) || !scheduledNumber(right, keys.key).number;
  });
  for (const ScheduleKeys& keys : schedulesOf(right)) {
    const auto [least, most] = std::minmax_element(keys.values.begin(), keys.values.end());
    for (const auto at : {least, most})
      steps.insert(static_cast<std::int64_t>(keys.steps[static_cast<std::size_t>(at - keys.values.begin())]));
  }
  std::vector<std::pair<std::int64_t, input::Deck>> decks;
  if (const auto schedule = Schedule::of(right))
    for (const std::int64_t step : steps) decks.emplace_back(step, schedule->at(step));
  return decks;
}

std::vector<double> valuesEver(const input::Deck& deck, const std::string& key, double own) {
  std::vector<double> values{own};
  for (const ScheduleKeys& keys : schedulesOf(deck))
    if (keys.key == key) values.insert(values.end(), keys.values.begin(), keys.values.end());
  return values;
}

double largestEver(const input::Deck& deck, const std::string& key, double own) {
  const auto values = valuesEver(deck, key, own);
  return *std::max_element(values.begin(), values.end());
}

Schedule::Schedule(const input::Deck& deck) : deck_(deck), all_(schedulesOf(deck)) {
  for (const ScheduleKeys& keys : all_) kinds_.push_back(scheduledNumber(deck_, keys.key).kind);
  findFollowers<ThermostatKeys>(deck_, all_, followers_);
  findFollowers<InflowKeys>(deck_, all_, followers_);
}

std::shared_ptr<Schedule> Schedule::of(const input::Deck& deck) {
  if (input::itemsOf(deck, ScheduleKeys::block).empty()) return nullptr;
  return std::shared_ptr<Schedule>(new Schedule(deck));
}

const input::Deck& Schedule::at(std::int64_t step) {
  if (step == step_) return deck_;
  step_ = step;
  for (const ScheduleKeys& keys : all_)
    for (double* number : scheduledPlaces(deck_, keys.key)) *number = keys.at(step);
  if (changes(Scheduled::interaction) || changes(Scheduled::temperature)) followForces(deck_);
  if (changes(Scheduled::temperature))
    for (double* temperature : followers_) *temperature = deck_.run.temperature;
  return deck_;
}

input::Deck atFirstStep(const input::Deck& deck) {
  const auto schedule = Schedule::of(deck);
  if (!schedule) return deck;
  input::Deck first = schedule->at(0);
  first.lists.erase(ScheduleKeys::block);
  return first;
}

const ScheduleKeys* Schedule::of(const std::string& key) const {
  const auto it = std::find_if(all_.begin(), all_.end(), [&](const ScheduleKeys& keys) { return keys.key == key; });
  return it == all_.end() ? nullptr : &*it;
}

std::vector<std::pair<std::string, double>> Schedule::values(std::int64_t step) const {
  std::vector<std::pair<std::string, double>> all;
  for (const ScheduleKeys& keys : all_) all.emplace_back(keys.name, keys.at(step));
  return all;
}

}  // namespace mesowarp
