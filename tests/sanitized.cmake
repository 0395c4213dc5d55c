# Builds the tests of decks and files with sanitizers, for ctest: cmake -DSOURCE= -DBINARY= … -P sanitized.cmake.
# Without optimisation and with line numbers alone, which takes half the time of the preset asan.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DKokkos_DIR=${KOKKOS} -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g1"
  "-DMESOWARP_SANITIZE=address;undefined"
  -DMESOWARP_CHECK_HEADERS=OFF RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed)
  message(FATAL_ERROR "${output}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target mesowarp_tests_files --parallel 2
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the tests of decks and files could not be built with sanitizers")
endif()
