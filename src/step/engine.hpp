// A run's populations and the list of phases that a step consists of. Methods fill it (physics/methods.hpp); it knows
// none of them. From what phases declare it finds when ghosts must be fresh, what a graph may record, what is repeated
// behind a list that was too small, and where a step's last kernel must be taken apart.
//
// advance(k) completes step k: forces f_k, velocities v_k, and on to x_{k+1}. Snapshots and profiles taken after
// advance(k) show step k. On several ranks every function is collective, and what it returns is the same on each,
// unless it says otherwise.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "step/list_keeper.hpp"
#include "step/phase.hpp"

namespace mesowarp {

class Engine final : private LaunchedSteps {
public:
  // ranks: null: one rank.
  explicit Engine(const comm::Communicator* ranks = nullptr) : ranks_(ranks) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The first population is the one that outputs without a name are of; at most one has a neighbour list. Phases run in
  // the order in which they are added, but for those that stand between the closing and the opening of a population.
  // Throws std::logic_error.
  template <class T>
  requires std::is_base_of_v<Population, T> T& add(std::unique_ptr<T> population) {
    T& added = *population;
    addPopulation(std::move(population));
    return added;
  }
  void add(std::unique_ptr<Phase> phase);
  const std::vector<std::unique_ptr<Population>>& populations() const { return populations_; }
  const std::vector<std::unique_ptr<Phase>>& phases() const { return phases_; }

  void rebuildIfDue(i64 step);
  void advance(i64 step, const Wanted& wanted);

  const ThermoSums& sums() const { return sums_; }  // of the last step, if it was wanted so
  // Further quantities of such a step, by the names of their columns.
  std::map<std::string, double> quantities() const;
  io::Snapshot snapshot(i64 step, std::size_t population = 0) const {
    return populations_.at(population)->snapshot(step);
  }
  io::Snapshot placesOf(i64 step, i64 first, i64 count, i64 unit, std::size_t population = 0) const {
    return populations_.at(population)->placesOf(step, first, count, unit);
  }
  void addProfile(const BinShape& shape, const BinWish& wish, BinTotals& totals, std::size_t population = 0) {
    populations_.at(population)->addProfile(shape, wish, totals);
  }
  // Of the one population; of several, of their hashes.
  std::string stateHash() const;
  std::optional<std::string> failure();
  ListCounters counters() const;
  std::size_t memoryBytes() const;  // of this rank
  i64 particles() const;            // of all ranks and populations
  i64 mobile() const;               // those that have a temperature
  // Edges of the box of the population that has a list, now; none has: nothing.
  std::optional<std::array<double, 3>> boxSize() const;
  std::optional<double> skin() const;  // of its neighbour list, now
  std::optional<TransportChoice> transport() const;

  // The state before advance(step): call between rebuildIfDue(step) and advance(step). `storage` owns the bytes. Arrays
  // of populations behind the first are called "<population>.<array>".
  std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage);
  // Throws InputError as Population::restore() does.
  void restore(const io::CheckpointContent& content, KeepList keep = KeepList::yes);

  // Waits until it is known that all steps have done what they are for; for benchmarks.
  void confirm();

private:
  void addPopulation(std::unique_ptr<Population> population);
  void launchStep(i64 step, const Wanted& wanted) override;
  void swapState() override;
  bool recordable() const override;
  void settle() const;
  bool mustRun(i64 step, const Wanted& wanted) const;
  Wanted withPhases(i64 step, Wanted wanted) const;
  void runClosing(ClosingPhase& phase, PhaseStep& step);
  void closeStep(ClosingPhase& phase, PhaseStep& step, const std::vector<Phase*>& between);
  std::vector<Phase*> dueBetween(const Population& population, i64 step) const;
  std::vector<PhaseOfNext*> dueOfNext(const Population& population, i64 step) const;
  void refreshGhosts(const Phase& phase);
  StepGuard guard(i64 step) const { return keeper_ ? keeper_->guard(step) : StepGuard{nullptr, nullptr, step}; }

  const comm::Communicator* ranks_;
  std::vector<std::unique_ptr<Population>> populations_;
  std::vector<std::unique_ptr<Phase>> phases_;
  std::unique_ptr<ListKeeper> keeper_;  // of the population that has a list
  ThermoSums sums_;
};

}  // namespace mesowarp
