// What bonds and all but the last pair force leave of a particle, as three totals each; whose, the sums know. Beside,
// in steps in which somebody asks for it, where all forces add a particle's virial.
#pragma once

#include "core/types.hpp"
#include "device/memory/zeroed.hpp"

namespace mesowarp {

class SummedForces {
public:
  // Zeroed; bytes: of the totals of a particle. Without: nothing is kept.
  SummedForces() = default;
  SummedForces(int particles, std::size_t bytes)
      : bytes_(zeroedArray<char>("summed forces", static_cast<std::size_t>(particles) * bytes)) {}
  bool kept() const { return bytes_.extent(0) > 0; }
  std::size_t bytes() const { return bytes_.extent(0); }
  void clear() const { clearOn(Execution(), bytes_); }
  template <class Total>
  DeviceArray<Vec3<Total>> as() const {
    return kept() ? DeviceArray<Vec3<Total>>(reinterpret_cast<Vec3<Total>*>(bytes_.data()),
                                             bytes_.extent(0) / sizeof(Vec3<Total>))
                  : DeviceArray<Vec3<Total>>();
  }

  // Six numbers a particle, energy, in the order of ThermoSums; null: nobody asks.
  void addVirialsTo(double* virial) { virial_ = virial; }
  double* virial() const { return virial_; }

private:
  DeviceArray<char> bytes_;
  double* virial_ = nullptr;
};

}  // namespace mesowarp
