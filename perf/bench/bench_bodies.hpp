// `mesowarp bench nbody` and `bench sums`: all-pairs kernels and accumulators, as the N-body and the quasi-double paper
// measure them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "perf/bench/bench.hpp"
#include "perf/bench/machine/machine_rates.hpp"
#include "physics/nbody/body_force.hpp"
#include "start/host_particles.hpp"

namespace mesowarp {

// The N-body paper's Table 1 and Figures 1 and 2, printed and as records.
nlohmann::json benchNbody(const BenchPlan& plan, const backend::MachineRates& machine);
// The quasi-double paper's Figures 10 to 12.
nlohmann::json benchSums(const BenchPlan& plan);

// Bodies of a benchmark, on the device.
struct BenchBodies {
  nbody::BodyView view;
  backend::ExcludedPartners exclusions;
};
// Uniform in a sphere of radius 1 and mass 1, with velocities and charges.
BenchBodies benchSphere(int count);
// Lennard-Jones particles of 16 random types on a jittered lattice: the quasi-double paper's system 2.
BenchBodies benchTypes(int count);
// Chains of 40 in a globule, one bond 0.4 sigma long, with the three next neighbours along the chain excluded: what
// system 1, a protein in water, asks of sums.
BenchBodies benchMolecules(int count);

nbody::ForceSettings benchSettings(std::string style, nbody::Dielectric dielectric, bool jerk,
                                   input::Precision precision, input::Accumulator accumulator);

// One all-pairs kernel.
struct BenchKernel {
  const char* name;
  bool jerk;
  std::string style;
  nbody::Dielectric dielectric;
  double flops;                     // an interaction, as the N-body paper counts them (Table 1; A.1)
  double singleSlots, doubleSlots;  // instructions an interaction, counted in the source of the law
};

// Interactions per second of the same kernel as a plain loop in double precision, by one thread of the host.
double plainLoopRate(const BenchKernel& kernel, int count);

// Figure 1: gravity with 1, 2, 4, ... i per thread or vectors of i; Figure 2: the sigmoidal kernel with the j in parts.
nlohmann::json benchUnrolling(const BenchPlan& plan);
nlohmann::json benchReplication(const BenchPlan& plan);

}  // namespace mesowarp
