// What the host tells a step, and what kernels tell the host.
#pragma once

#include "backend/config.hpp"
#include "core/random.hpp"

namespace mesowarp {

// Flags that kernels raise. Each error word holds step << 32 | tag of the first (earliest step, lowest tag) event.
class StepFlags {
 public:
  enum Event { rangeLeft, stepTooLarge, bondBroken, partnerMissing, events };
  static constexpr u64 none = ~u64{0};

  StepFlags() : errors_("error flags"), moved_("moved flag"), dangerous_("dangerous builds") {
    for (int e = 0; e < events; ++e) errors_(e) = none;
    moved_() = 0;
    dangerous_() = 0;
  }
  Kokkos::View<u64[events], backend::SharedSpace> errors() const { return errors_; }
  Kokkos::View<int, backend::SharedSpace> moved() const { return moved_; }
  Kokkos::View<int, backend::SharedSpace> dangerous() const { return dangerous_; }

 private:
  Kokkos::View<u64[events], backend::SharedSpace> errors_;
  Kokkos::View<int, backend::SharedSpace> moved_;  // 1: some particle left its half skin since the last build
  Kokkos::View<int, backend::SharedSpace> dangerous_;  // how many builds came after that
};

KOKKOS_INLINE_FUNCTION void raise(const Kokkos::View<u64[StepFlags::events], backend::SharedSpace>& errors,
                                  StepFlags::Event event, i64 step, u32 tag) {
  Kokkos::atomic_fetch_min(&errors(event), static_cast<u64>(step) << 32 | tag);
}

}  // namespace mesowarp
