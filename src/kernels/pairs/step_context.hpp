// What the host tells a step, and what kernels tell the host. Failures (a displacement beyond the cutoff, a broken
// bond) are words in memory that the host sees, set by an atomic minimum of step << 32 | tag: the first event wins,
// whichever thread saw it. On a CPU they are read in every step, on a GPU every 100 steps and before anything is
// written.
#pragma once

#include "core/random.hpp"
#include "core/step_guard.hpp"
#include "device/config.hpp"
#include "device/memory/bytes.hpp"

namespace mesowarp {

// Flags that kernels raise. Each error word holds step << 32 | tag of the first (earliest step, lowest tag) event.
class StepFlags {
public:
  enum Event {
    rangeLeft,
    stepTooLarge,
    bondBroken,
    partnerMissing,
    insideSolid,
    ownRangeLeft,
    anglePartnerMissing,
    dihedralPartnerMissing,
    edgeBroken,
    events
  };
  static constexpr u64 none = ~u64{0};

  StepFlags() : errors_("error flags"), moved_("moved flag"), dangerous_("dangerous builds"), staleFrom_("stale from") {
    for (int e = 0; e < events; ++e) errors_(e) = none;
    moved_() = 0;
    dangerous_() = 0;
    const i64 never = StepGuard::never;
    copyToDevice(staleFrom_.data(), &never, sizeof never);
  }
  Kokkos::View<u64[events], backend::SharedSpace> errors() const { return errors_; }
  Kokkos::View<i64, backend::SharedSpace> moved() const { return moved_; }
  Kokkos::View<int, backend::SharedSpace> dangerous() const { return dangerous_; }
  Kokkos::View<i64, Memory> staleFrom() const { return staleFrom_; }

private:
  Kokkos::View<u64[events], backend::SharedSpace> errors_;
  // The step before which some particle left its half skin; 0: none has since the last build.
  Kokkos::View<i64, backend::SharedSpace> moved_;
  Kokkos::View<int, backend::SharedSpace> dangerous_;  // how many builds came after that
  Kokkos::View<i64, Memory> staleFrom_;                // the same step where kernels look at it themselves (StepGuard)
};

KOKKOS_INLINE_FUNCTION void raise(const Kokkos::View<u64[StepFlags::events], backend::SharedSpace>& errors,
                                  StepFlags::Event event, i64 step, u32 tag) {
  Kokkos::atomic_fetch_min(&errors(event), static_cast<u64>(step) << 32 | tag);
}

}  // namespace mesowarp
