// Constant pressure by stochastic cell rescaling (Bernetti & Bussi, J. Chem. Phys. 153, 114107 (2020); anisotropic: Del
// Tatto, Raiteri, Bernetti & Bussi, Appl. Sci. 12, 1139 (2022)), for boxes with right angles.
//
// A group g of n axes is stretched by a common factor exp(eta_g / n). With ln V the sum of all eta_g, beta the
// isothermal compressibility, tau the period, P the target and P_g the mean of P_aa over the group's axes,
//
//   d eta_g = (n/3) (beta/tau) (P_g - P) dt + sqrt(2 (n/3) k_BT beta / (V tau)) dW_g.
//
// Its stationary distribution is exp(-(U + K + P V) / k_BT) dx dp dV for one group of three axes (their Eq. 6), and
// dL_x dL_y dL_z, or dA dL_z, in place of dV for several: volumes are distributed alike. (Del Tatto's matrix of a
// triclinic cell has another measure of shapes, which differs by a pressure of order k_BT / V.) Groups: isotropic xyz;
// semi-isotropic xy, z; anisotropic x, y, z; z alone, at constant area. A surface tension gamma (of all interfaces
// across z together) makes the target of xy P - gamma / L_z: the work then is P V - gamma A. A fluid has no shape of
// its own: with several groups and no interface its edges wander, though its volume does not.
//
// Discretised with the mean of two numbers, dW = sqrt(t) (R_n + R_(n+1)) / 2, of which the second comes again in the
// next change (Leimkuhler & Matthews, Appl. Math. Res. Express 2013, 34): of a volume whose pressure follows it at once
// the variance is exact then, and not too large by half of t / (relaxation time). R_(n+1) has part in the noise's own
// amplitude, V^(-1/2), of the next change, which is a drift of -(n/3) (beta/tau) k_BT / (4 V): it is taken off.
//
// Every so-many steps the sums of step k give P_aa = (sum m v_a v_a + virial_aa) / V. Before step k + 1 the edges, and
// so all x_{k+1}, are multiplied by mu_a, and the velocities v_{k+1/2} by 1 / mu_a, as in the paper: momenta conjugate
// to the fractions of the box stay, and what the volume does is work on the particles. The virial is that of all
// forces.
//
// How lengths flow through the program: BoxPopulation::settings().box is the one place that has them; kernels get ticks
// made from it at each launch (BoxPopulation::ticks(), the mover's ticks per length, rows, snapshots), and the cell
// grid follows when another number of cells fits (src/state/lengths/box_population_lengths.hpp). Recorders ask
// Engine::boxSize(). The list is built anew behind each change, whatever its policy says. Lengths are in the checkpoint
// (`box_lengths`).
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/listed_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// A box' edges, one change on. pressure: P_xx, P_yy, P_zz; temperature: k_BT; time: since the last change;
// noise(group): the mean of two standard normal numbers, as above.
std::array<double, 3> rescaled(const BarostatKeys& keys, const std::array<double, 3>& size,
                               const std::array<double, 3>& pressure, double temperature, double time,
                               const std::function<double(int group)>& noise);

class BarostatPhase final : public Phase {
public:
  // schedule: null: nothing changes with the step.
  BarostatPhase(ListedPopulation& population, const input::Deck& deck, std::shared_ptr<Schedule> schedule);

  std::vector<FieldUse> uses() const override { return {{"velocity", FieldUse::writes}}; }
  bool due(i64) const override { return false; }  // it acts between steps
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  void run(const PhaseStep&) override {}
  bool wantsSums(i64 step) const override { return step > 0 && step % keys_.every == 0; }
  void look(i64 step, const ThermoSums& sums) override;
  bool changesBox(i64 step) const override { return wantsSums(step - 1); }
  void changeBox(i64 step) override;

private:
  ListedPopulation& listed_;
  BarostatKeys keys_;
  double timestep_, temperature_;
  u64 seed_;
  std::shared_ptr<Schedule> schedule_;
  std::array<double, 3> next_{};  // edges from the next step on
};

}  // namespace mesowarp
