// What a wall does to the fluid within a cutoff of its surface beside the bounce, as an impulse of each step, from
// tables over the distance f to the surface:
//
//   v += dt N(f) n / m                         N: push along the normal n, of a wall without particles
//   v  = u + c (v - u) + sqrt((1 - c^2) k_BT / m) xi,  c = (1 - G dt / 2) / (1 + G dt / 2)
//                                              G(f): drag towards the wall's velocity u, with its noise
//
// and, of a wall without particles that has concentrations of its own, a flux of each solute,
//
//   C = (C + dt K(f) C_w) / (1 + dt K(f)).
//
// The drag leaves equilibrium alone, whatever the time step. Tables are per wall and species; where the surface is
// curved, N has a second part, N(f) = N_0(f) - N_1(f) div n.
#pragma once

#include "device/config.hpp"
#include "kernels/with_normals.hpp"
#include "physics/boundary/bounce.hpp"
#include "physics/boundary/wall_nodes.hpp"

namespace mesowarp::boundary {

template <class Real>
struct WallExchange {
  DeviceArray<double> table;  // K, 1 / time: [wall][species][solute][node 0 ... nodes]; empty: there is none
  DeviceArray<double> value;  // C_w: [wall][solute]
  Real* concentration = nullptr;
  int solutes = 0, stride = 0, species = 0;
  double reach = 0.0, timestep = 0.0;

  KOKKOS_INLINE_FUNCTION void act(int i, const Solid::Nearest& here, u32 kind) const {
    const double at = here.distance * (static_cast<double>(WallNodes::count) / reach);
    int node = static_cast<int>(at);
    if (node > WallNodes::count - 1) node = WallNodes::count - 1;
    const double part = at - static_cast<double>(node);
    for (int s = 0; s < solutes; ++s) {
      const std::size_t row =
          ((static_cast<std::size_t>(here.wall) * species + kind) * solutes + s) * (WallNodes::count + 1) + node;
      const double rate = timestep * (table(row) + part * (table(row + 1) - table(row)));
      if (!(rate > 0.0)) continue;
      Real& c = concentration[static_cast<std::size_t>(i) * stride + s];
      c = static_cast<Real>((static_cast<double>(c) + rate * value(here.wall * solutes + s)) / (1.0 + rate));
    }
  }
};

struct WallLayer {
  static constexpr int nodes = WallNodes::count, rows = WallNodes::rows;
  DeviceArray<double> table;  // [wall][species][row][node 0 ... nodes]
  int species = 0;
  double reach = 0.0;  // length; 0: no wall does such a thing
  bool pushes = false;
  double temperature = 0.0;  // k_BT
  double timestep = 0.0;
  double curvatureStep = 0.0;  // over which div n is a difference, length
  StepKey key;                 // of the noise

  // b.at is in the fluid, at `here`. Real: of the noise's numbers.
  template <class Real>
  MESOWARP_CALLED void act(const Solid& solid, const Solid::Nearest& here, u32 kind, u32 tag, double mass,
                           Bounce& b) const {
    const double at = here.distance * (static_cast<double>(nodes) / reach);
    int node = static_cast<int>(at);
    if (node > nodes - 1) node = nodes - 1;
    const double part = at - static_cast<double>(node);
    const double* row =
        table.data() + (static_cast<std::size_t>(here.wall) * species + kind) * rows * (nodes + 1) + node;
    if (pushes) push(solid, between(row, part), between(row + (nodes + 1), part), mass, b);
    const double drag = between(row + 2 * (nodes + 1), part);
    if (!(drag > 0.0)) return;
    double u[3];
    solid.velocityAt(b.at, here.wall, u);
    const double half = 0.5 * timestep * drag, keeps = (1.0 - half) / (1.0 + half);
    const double noise = ::sqrt((1.0 - keeps * keeps) * temperature / mass);
    double xi[3];
    numbers<Real>(tag, xi);
    for (int axis = 0; axis < 3; ++axis)
      b.velocity[axis] = u[axis] + (keeps * (b.velocity[axis] - u[axis]) + noise * xi[axis]);
  }

private:
  KOKKOS_INLINE_FUNCTION static double between(const double* node, double part) {
    return node[0] + part * (node[1] - node[0]);
  }
  KOKKOS_INLINE_FUNCTION void push(const Solid& solid, double flat, double curved, double mass, Bounce& b) const {
    if (flat == 0.0) return;
    double n[3];
    solid.normal(b.at, n);
    const double impulse = timestep * (flat - curved * solid.curvature(b.at, curvatureStep)) / mass;
    for (int axis = 0; axis < 3; ++axis) b.velocity[axis] += impulse * n[axis];
  }
  // Standard normal, by the tag, the axis, and the step's key alone. All three at once: they do not wait for each
  // other, and a thread that has little else to do waits for each of their many operations.
  template <class Real>
  MESOWARP_CALLED void numbers(u32 tag, double* xi) const {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int axis = 0; axis < 3; ++axis) xi[axis] = static_cast<double>(backend::normalOf<Real>(tag, key, axis));
  }
};

}  // namespace mesowarp::boundary
