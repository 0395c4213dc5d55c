// main of every test executable: GoogleTest within MPI and Kokkos. A failure on any rank fails the run on all.
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <gtest/gtest.h>
#include <mpi.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {  // rank 0 reports; what fails on another rank only is told by that rank's own assertion text
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    class Failures : public testing::EmptyTestEventListener {
      void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        int self = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &self);
        std::fprintf(stderr, "rank %d: %s:%d: %s\n", self, result.file_name() ? result.file_name() : "?",
                     result.line_number(), result.message());
      }
    };
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Failures);
  }
  int failed = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    failed = RUN_ALL_TESTS();
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
