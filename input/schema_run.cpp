// [run], [box], [integrator], [neighbor], [sums], [parallel].
#include "input/schema_blocks.hpp"

namespace mesowarp::input {

Block<Run> runBlock() {
  return {
      {"run", false, true, "", "How long, how fine and how exactly to run."},
      {bind(Type::text, "title", &Run::title).means("free text, copied into every output file"),
       bind(Type::integer, "steps", &Run::steps).from(0).to(1e15).need().means("number of time steps"),
       bind(Type::number, "timestep", &Run::timestep).above(0).in("time").need().means("length of one step"),
       bind(Type::number, "temperature", &Run::temperature)
           .from(0)
           .in("energy")
           .derived("sigma^2 / (2 gamma) if an interaction gives both, else 1.0")
           .means("k_BT of the DPD thermostat and of the initial velocities"),
       bind(Type::integer, "seed", &Run::seed).from(0).means("every random number follows from it"),
       choice("precision", &Run::precision, {"single", "mixed", "double"})
           .means("mixed: what forces read of a particle is kept in single precision, arithmetic is double; a state "
                  "saved in one precision cannot be resumed in another"),
       choice("reproducibility", &Run::reproducibility, {"deterministic", "bitwise"})
           .means("deterministic: same build, ranks and deck give the same bits; bitwise: also for any number of "
                  "threads and ranks, on CPU and GPU; forces are summed in fixed point"),
       choice("pair_noise", &Run::pair_noise, {"tea", "multiply"})
           .means("how a pair's random numbers are made of its particles' signatures. tea: four rounds of the Tiny "
                  "Encryption Algorithm; multiply: two multiplications, faster, other numbers of the same quality")}};
}

Block<BoxBlock> boxBlock() {
  return {{"box", false, true, "", "The box is [0, size) along each axis."},
          {bind(Type::numbers, "size", &BoxBlock::size).above(0).in("length").need().means("edges along x, y, z"),
           bind(Type::booleans, "periodic", &BoxBlock::periodic)
               .means("along x, y, z; an axis that is not needs a [[boundary]]")}};
}

Block<Integrator> integratorBlock() {
  return {{"integrator", false, false, "", "How positions and velocities advance."},
          {word("style", &Integrator::style, {"velocity-verlet", "groot-warren"})
               .means("groot-warren: velocity Verlet with a predicted velocity in the forces"),
           bind(Type::number, "lambda", &Integrator::lambda)
               .only("style", {"groot-warren"})
               .orElse(0.65)
               .from(0)
               .to(1)
               .means("how much of the step's acceleration the predicted velocity takes; 0.5 is velocity Verlet")}};
}

Block<Neighbor> neighborBlock() {
  return {{"neighbor", false, false, "", "The neighbour list holds all pairs nearer than the cutoff plus the skin."},
          {bind(Type::number, "skin", &Neighbor::skin)
               .from(0)
               .in("length")
               .means("a wider skin is rebuilt less often and holds more pairs"),
           choice("rebuild", &Neighbor::rebuild, {"every", "displacement"})
               .means("displacement: as soon as a particle has moved half the skin, never "
                      "too late; every: after a fixed number of steps"),
           bind(Type::integer, "every", &Neighbor::every)
               .only("rebuild", {"every"})
               .from(1)
               .to(1e6)
               .in("steps")
               .means("steps between rebuilds"),
           bind(Type::boolean, "tune", &Neighbor::tune)
               .only("rebuild", {"displacement"})
               .derived("true where skin is not given and nothing else goes by it")
               .means("widen the skin in the first steps where lists last a step or two and that pays; told by counts, "
                      "not by clocks")}};
}

Block<Sums> sumsBlock() {
  return {
      {"sums", false, false, "", "How a particle's pair and bond forces are added up."},
      {choice("accumulator", &Sums::accumulator,
              {"single", "double-sum", "takahashi-iitaka", "nitadori", "modified-nitadori", "narumi", "double"})
           .derived("run.reproducibility bitwise: narumi; else run.precision single: single, mixed and double: double")
           .means("methods A to G of Narumi et al. (docs/theory.md, References). single takes all but double; mixed "
                  "and double take double and narumi. narumi: fixed point, order cannot matter, and the forces of a "
                  "periodic system sum to exactly zero"),
       bind(Type::number, "range", &Sums::range)
           .from(0)
           .in("force")
           .derived("8 times the force that moves a particle by the cutoff in one step, up to a power of two")
           .means("largest sum of a component that narumi and modified-nitadori have to hold; forces are rounded to "
                  "2^-44 of it (double arithmetic: 2^-51)")}};
}

Block<Parallel> parallelBlock() {
  return {
      {"parallel", false, false, "", "How a run is spread over MPI ranks; one rank needs none of it."},
      {bind(Type::wholes, "ranks", &Parallel::ranks)
           .from(1)
           .to(1e6)
           .orElseNot("chosen for the least surface")
           .means("parts that the box is cut into along x, y, z; their product is the number of ranks"),
       choice("transport", &Parallel::transport, {"auto", "host", "mpi", "nccl", "peer"})
           .means("how ghosts travel. auto: the fastest that works here; host: staged through the host's memory, works "
                  "everywhere; mpi: device buffers straight into MPI; nccl: NCCL; peer: stores into the memory of the "
                  "neighbour's GPU, on one host"),
       bind(Type::number, "reach", &Parallel::reach)
           .above(0)
           .in("length")
           .orElseNot("cutoff + skin, or what fene bonds, angles, dihedrals and membranes span if that is more")
           .means("how far around its part a rank knows others' particles, at least")}};
}

}  // namespace mesowarp::input
