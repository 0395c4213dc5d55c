// A box whose edges change at a given rate, or to given lengths:
//
//   L_a(k) = L_a(0) (1 + rate_a t),  or  L_a(0) + (size_a - L_a(0)) (k - from) / (to - from)
//
// or as a [[schedule]] of box.size says: a function of the step alone. Before every so-many-th step particles are
// stretched with the box, and velocities, which are those relative to the stretching flow, divided by the same factors:
// between steps dp_a/dt = -rate p_a, as in the SLLOD equations, so the work done on the particles is that of the
// pressure, dE = -sum of P_aa V d ln L_a.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "physics/integrate/box_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/listed_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// Of edges that a [[schedule]] of box.size says.
using EdgeTables = std::array<std::optional<ScheduleKeys>, 3>;
EdgeTables edgeTables(const input::Deck& deck);

std::array<double, 3> deformedSize(const DeformationKeys& keys, const std::array<double, 3>& start, double timestep,
                                   i64 step);

class DeformationPhase final : public Phase {
public:
  DeformationPhase(ListedPopulation& population, const input::Deck& deck)
      : Phase("deformation", population), listed_(population), keys_(deck.own.get<DeformationKeys>()),
        tables_(edgeTables(deck)), start_(deck.box.size), timestep_(deck.run.timestep) {}

  std::vector<FieldUse> uses() const override { return {{"velocity", FieldUse::writes}}; }
  bool due(i64) const override { return false; }  // it acts between steps
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  void run(const PhaseStep&) override {}
  bool changesBox(i64 step) const override {
    const bool due = step > 0 && step % keys_.every == 0;
    if (keys_.byItself() && step > keys_.from && (due || step == keys_.to) && (keys_.to == 0 || step <= keys_.to))
      return true;
    return std::any_of(tables_.begin(), tables_.end(), [&](const auto& table) {
      if (!table || step < 1) return false;
      const double last = table->steps.back(), now = static_cast<double>(step);
      return now == last || (due && now < last);
    });
  }
  void changeBox(i64 step) override {
    auto size = deformedSize(keys_, start_, timestep_, step);
    for (std::size_t a = 0; a < 3; ++a)
      if (tables_[a]) size[a] = tables_[a]->at(step);
    listed_.deform(size);
  }

private:
  ListedPopulation& listed_;
  DeformationKeys keys_;
  EdgeTables tables_;
  std::array<double, 3> start_;
  double timestep_;
};

}  // namespace mesowarp
