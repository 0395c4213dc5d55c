// main of the benchmarks: Google Benchmark within MPI and Kokkos.
#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
  }
  MPI_Finalize();
  return 0;
}
