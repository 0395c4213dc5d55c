#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "perf/bench/bench_bodies.hpp"
#include "perf/bench/timing.hpp"
#include "physics/nbody/gravity_source.hpp"
#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp {
namespace {

// Gravity with so many i in the registers of a thread, or vectors of i on a CPU.
template <int I>
struct UnrolledGravity : nbody::Gravity<float, false, false> {
  template <template <class> class SumOf>
  static constexpr int perThread = I;
  static constexpr int vectors = I;
};

template <class Law>
backend::PairsTask<Law> taskOf(const Law& law, const BenchBodies& bodies, double weight) {
  const int n = bodies.view.count();
  backend::PairsTask<Law> task;
  task.law = law, task.bodies = DeviceArray<typename Law::Body>("bodies", n);
  Kokkos::parallel_for("pack bodies", Range(0, n), nbody::PackBodies<Law>{bodies.view, task.bodies, 0, weight});
  task.last = task.activeCount = n;
  task.sums = DeviceArray<backend::BodySums>("body sums", n);
  task.overflow = Kokkos::View<int, backend::SharedSpace>("overflow");
  return task;
}

template <class Law>
double rateOf(const backend::PairsTask<Law>& task, int repetitions) {
  backend::PairsWorkspace workspace;
  const auto timing =
      backend::timeRepeated(repetitions, [&] { backend::sumAllPairs<Law, PlainSum>(Law::label, task, workspace); });
  return static_cast<double>(task.last) * task.last / timing.median;
}

template <int I>
double unrolledRate(const BenchBodies& bodies, int repetitions) {
  UnrolledGravity<I> law;
  law.softening2 = 1e-4f;
  auto task = taskOf(law, bodies, 1.0);
  task.style = backend::PairsStyle::wide;
  return rateOf(task, repetitions);
}

}  // namespace

nlohmann::json benchUnrolling(const BenchPlan& plan) {
  nlohmann::json records = nlohmann::json::array();
  fmt::print("\nGravity with several i per thread or vectors of i (Elsen et al., Figure 1), G interactions/s\n{:>9} "
             "{:>10} {:>10} {:>10} {:>10}\n",
             "bodies", "1", "2", "4", "8");
  for (const int count : plan.bodies) {
    if (count > 300000) continue;
    const BenchBodies bodies = benchSphere(count);
    const double rates[] = {unrolledRate<1>(bodies, plan.repetitions), unrolledRate<2>(bodies, plan.repetitions),
                            unrolledRate<4>(bodies, plan.repetitions), unrolledRate<8>(bodies, plan.repetitions)};
    fmt::print("{:>9}", count);
    for (int k = 0; k < 4; ++k) {
      fmt::print(" {:>10.4f}", 1e-9 * rates[k]);
      records.push_back({{"what", "figure 1"},
                         {"bodies", count},
                         {"i_a_thread", 1 << k},
                         {"status", "done"},
                         {"interactions_per_second", rates[k]}});
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  return records;
}

nlohmann::json benchReplication(const BenchPlan& plan) {
  using Law = nbody::LennardJonesCoulomb<float, false, nbody::Dielectric::sigmoidal>;
  const int parts[] = {1, 2, 4, 8, 16, 32};
  nlohmann::json records = nlohmann::json::array();
  fmt::print("\nThe sigmoidal kernel with the j in parts (Elsen et al., Figure 2), G interactions/s\n{:>9}", "bodies");
  for (const int p : parts) fmt::print(" {:>10}", p);
  fmt::print(" {:>10}\n", "table");
  for (const int count : {512, 1024, 2048, 4096}) {
    const BenchBodies bodies = benchTypes(count);
    nbody::LennardJonesCoulombSource<float, false, nbody::Dielectric::sigmoidal, math::HardwareLanes> source(
        benchSettings(nbody::LawStyle::ljCoulomb, nbody::Dielectric::sigmoidal, false, input::Precision::single,
                      input::Accumulator::single));
    auto task = taskOf<Law>(source.law(1.0), bodies, source.weight(1.0));
    fmt::print("{:>9}", count);
    for (const int p : {1, 2, 4, 8, 16, 32, 0}) {
      task.parts = p;
      const double rate = rateOf(task, plan.repetitions);
      fmt::print(" {:>10.4f}", 1e-9 * rate);
      records.push_back({{"what", "figure 2"},
                         {"bodies", count},
                         {"parts", p},
                         {"status", "done"},
                         {"interactions_per_second", rate}});
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  return records;
}

}  // namespace mesowarp
