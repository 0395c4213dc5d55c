# Finds Kokkos (3.4 or newer) and Kokkos Kernels, and enables CUDA when the Kokkos found has it.
# Result: the interface target mesowarp_kokkos, and MESOWARP_CUDA (ON or OFF).

set(kokkos_oldest 3.4)
set(kokkos_how_to
  "On Debian 12, `scripts/build-kokkos` builds one that is found by itself. Elsewhere, or for CUDA, name an "
  "installation of your own: cmake -DKokkos_ROOT=/path/to/kokkos … (docs/install.md says how to make one).")
string(CONCAT kokkos_how_to ${kokkos_how_to})

# Unless told otherwise, look where scripts/build-kokkos puts it for this compiler: without MESOWARP_NATIVE first for
# the one that runs on every processor, since Kokkos' own functions are in our program.
if(NOT Kokkos_ROOT AND NOT Kokkos_DIR AND NOT DEFINED ENV{Kokkos_ROOT} AND NOT DEFINED ENV{Kokkos_DIR})
  set(kokkos_kinds native)
  if(NOT MESOWARP_NATIVE)
    list(PREPEND kokkos_kinds --portable)
  endif()
  foreach(kind IN LISTS kokkos_kinds)
    string(REPLACE native "" kind_option ${kind})
    execute_process(COMMAND ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER}
      ${PROJECT_SOURCE_DIR}/scripts/build-kokkos ${kind_option} --print-prefix
      OUTPUT_VARIABLE built_kokkos OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(EXISTS "${built_kokkos}/share/mesowarp-kokkos-complete")
      set(Kokkos_ROOT "${built_kokkos}")
      if(kind STREQUAL "native" AND NOT MESOWARP_NATIVE)
        message(WARNING "MESOWARP_NATIVE is OFF, but the Kokkos at ${built_kokkos} was built for this machine's "
          "processor: the program may need the same one. `scripts/build-kokkos --portable` builds one for all.")
      endif()
      break()
    endif()
  endforeach()
endif()

# Never redirect compilations through Kokkos' launcher: device sources are compiled as CUDA below.
set(Kokkos_LAUNCH_COMPILER OFF)
find_package(Kokkos QUIET CONFIG)
if(NOT Kokkos_FOUND)
  message(FATAL_ERROR "Kokkos was not found (Kokkos_ROOT='${Kokkos_ROOT}$ENV{Kokkos_ROOT}').\n${kokkos_how_to}")
endif()
if(Kokkos_VERSION VERSION_LESS kokkos_oldest)
  message(FATAL_ERROR
    "Kokkos ${Kokkos_VERSION} at ${Kokkos_DIR} is too old; mesowarp needs ${kokkos_oldest} or newer.\n${kokkos_how_to}")
endif()

set(MESOWARP_CUDA OFF)
if("CUDA" IN_LIST Kokkos_DEVICES)
  set(MESOWARP_CUDA ON)
elseif(NOT "OPENMP" IN_LIST Kokkos_DEVICES AND NOT "SERIAL" IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR
    "Kokkos ${Kokkos_VERSION} at ${Kokkos_DIR} has the backends '${Kokkos_DEVICES}'; mesowarp runs on CUDA, OpenMP or "
    "Serial.\n${kokkos_how_to}")
endif()
if(NOT MESOWARP_CUDA AND MESOWARP_CUDA_ARCH)
  message(FATAL_ERROR
    "MESOWARP_CUDA_ARCH=${MESOWARP_CUDA_ARCH} asks for CUDA, but Kokkos ${Kokkos_VERSION} at ${Kokkos_DIR} was built "
    "without it (its backends: ${Kokkos_DEVICES}).\nName a Kokkos with CUDA: cmake -DKokkos_ROOT=/path/to/kokkos-cuda "
    "…, or environment variable Kokkos_ROOT; or leave MESOWARP_CUDA_ARCH empty to build for the CPU.")
endif()

find_package(KokkosKernels QUIET CONFIG HINTS ${Kokkos_DIR}/../KokkosKernels ${Kokkos_DIR}/../../.. ${Kokkos_ROOT})
if(NOT KokkosKernels_FOUND)
  message(FATAL_ERROR
    "Kokkos Kernels was not found beside Kokkos (${Kokkos_DIR}).\nInstall it into the same prefix, or name it: "
    "cmake -DKokkosKernels_ROOT=/path/to/kokkos-kernels … (docs/install.md)")
endif()

add_library(mesowarp_kokkos INTERFACE)
target_link_libraries(mesowarp_kokkos INTERFACE Kokkos::kokkoskernels Kokkos::kokkos)

if(MESOWARP_CUDA)
  # The architecture Kokkos was built for: HOPPER90 -> 90.
  set(kokkos_cuda_arch "")
  foreach(arch IN LISTS Kokkos_ARCH)
    if(arch MATCHES "^(KEPLER|MAXWELL|PASCAL|VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)([0-9]+)$")
      list(APPEND kokkos_cuda_arch ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(cuda_arch ${MESOWARP_CUDA_ARCH})
  if(NOT cuda_arch)
    set(cuda_arch ${kokkos_cuda_arch})
  endif()
  if(NOT cuda_arch)
    message(FATAL_ERROR
      "Cannot tell the GPU architecture of Kokkos at ${Kokkos_DIR}; set -DMESOWARP_CUDA_ARCH=90, say.")
  endif()
  string(REGEX REPLACE "[^0-9;]" "" cuda_arch_number "${cuda_arch}") # 90a is 90 to Kokkos
  if(kokkos_cuda_arch AND NOT cuda_arch_number STREQUAL kokkos_cuda_arch)
    message(FATAL_ERROR
      "MESOWARP_CUDA_ARCH=${MESOWARP_CUDA_ARCH}, but Kokkos at ${Kokkos_DIR} was built for compute capability "
      "${kokkos_cuda_arch} (${Kokkos_ARCH}).\nSet -DMESOWARP_CUDA_ARCH=${kokkos_cuda_arch}, or name a Kokkos built for "
      "${MESOWARP_CUDA_ARCH} with -DKokkos_ROOT=…")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${cuda_arch})
  if(NOT CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR
      "Kokkos at ${Kokkos_DIR} has CUDA, but no CUDA compiler was found.\nPut nvcc into PATH, or name it: "
      "cmake -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc …")
  endif()
  enable_language(CUDA)
  # Each source has a level of its own (mesowarp_optimise_host_part): nvcc warns of a second one.
  string(REPLACE "-O3" "" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake before 3.26 does not know it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  find_package(CUDAToolkit REQUIRED)
  # One CUDA runtime only: the static one, unless Kokkos brings the shared one.
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  if(TARGET Kokkos::CUDA)
    get_target_property(kokkos_cuda_libraries Kokkos::CUDA INTERFACE_LINK_LIBRARIES)
    if("CUDA::cudart" IN_LIST kokkos_cuda_libraries)
      set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
    endif()
  endif()

  # Kokkos' imported targets carry the options of the compiler it was built with (nvcc_wrapper's -extended-lambda,
  # -arch and so on, for language CXX or CUDA, as the case was). Ours go by language, so they are put in their place.
  # Of Kokkos' own only the host processor is kept, and only when we do not compile for this machine's.
  set(host_options "")
  if("OPENMP" IN_LIST Kokkos_DEVICES)
    list(APPEND host_options -fopenmp)
  endif()
  if(NOT MESOWARP_NATIVE)
    get_target_property(kokkos_options Kokkos::kokkoscore INTERFACE_COMPILE_OPTIONS)
    string(REGEX MATCHALL "-m(arch|tune|cpu)=[A-Za-z0-9_.+-]+" processor "${kokkos_options}")
    list(APPEND host_options ${processor})
  endif()
  set(kokkos_compile "")
  set(kokkos_link "")
  foreach(option IN LISTS host_options)
    list(APPEND kokkos_compile "$<$<COMPILE_LANGUAGE:CXX>:${option}>"
      "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${option}>")
    list(APPEND kokkos_link "$<$<LINK_LANGUAGE:CXX>:${option}>" "$<$<LINK_LANGUAGE:CUDA>:-Xcompiler=${option}>")
  endforeach()
  foreach(target Kokkos::kokkoscore Kokkos::kokkoscontainers Kokkos::kokkosalgorithms Kokkos::kokkossimd Kokkos::kokkos
      Kokkos::kokkoskernels)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES
        INTERFACE_COMPILE_OPTIONS "${kokkos_compile}" INTERFACE_LINK_OPTIONS "${kokkos_link}"
        INTERFACE_COMPILE_FEATURES "")
      get_target_property(definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
      if(definitions)
        list(FILTER definitions EXCLUDE REGEX "KOKKOS_DEPENDENCE")
        set_target_properties(${target} PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
      endif()
    endif()
  endforeach()
endif()
