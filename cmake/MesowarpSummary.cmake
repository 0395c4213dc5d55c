# One screen at the end of the configuration: what will be built with what.
list(JOIN Kokkos_DEVICES " " devices)
if(MESOWARP_CUDA)
  string(APPEND devices ", compute capability ${CMAKE_CUDA_ARCHITECTURES}, nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
message(STATUS "mesowarp ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}")
message(STATUS "  compiler  ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, native ${MESOWARP_NATIVE}, "
  "sanitizers '${MESOWARP_SANITIZE}'")
message(STATUS "  Kokkos    ${Kokkos_VERSION} (${devices}) ${Kokkos_DIR}")
message(STATUS "  Kernels   ${KokkosKernels_VERSION} ${KokkosKernels_DIR}")
message(STATUS "  MPI       ${MPI_CXX_VERSION} ${MPI_CXX_COMPILER}")
message(STATUS "  HDF5      ${HDF5_VERSION} parallel ${hdf5_libraries}")
message(STATUS "  tests     ${MESOWARP_ENABLE_TESTS}, Python ${MESOWARP_PYTHON}")
