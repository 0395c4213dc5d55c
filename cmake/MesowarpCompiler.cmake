# Build type, compiler check, ccache, and the interface target mesowarp_flags with all host flags.

get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT is_multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

function(mesowarp_require_compiler id oldest)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "${id}" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS "${oldest}")
    message(FATAL_ERROR
      "The C++ compiler is too old: ${CMAKE_CXX_COMPILER} is ${id} ${CMAKE_CXX_COMPILER_VERSION}, and mesowarp's C++20 "
      "needs ${oldest} or newer.\nLoad or install a newer one and name it in a fresh build folder: "
      "cmake -DCMAKE_CXX_COMPILER=g++-12 …")
  endif()
endfunction()
mesowarp_require_compiler(GNU 11)
mesowarp_require_compiler(Clang 14)
mesowarp_require_compiler(AppleClang 14)
mesowarp_require_compiler(IntelLLVM 2022)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(MESOWARP_CCACHE ccache DOC "ccache, used when there is one")
mark_as_advanced(MESOWARP_CCACHE)
if(MESOWARP_CCACHE)
  # What ccache wants to be told before it keeps what was compiled with a precompiled header: that nothing depends on
  # when a file was written, or on __TIME__, nor the header on macros that are defined in front of it.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${MESOWARP_CCACHE})
  foreach(language C CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher})
    endif()
  endforeach()
endif()

# Multiplications and additions are contracted only where the source says fma: the bits must not depend on the
# optimiser's mood. errno of math functions is never read.
set(host_flags -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12's straight-line vectoriser folds double -> float -> double to nothing for two values side by side, also at
  # -O2: x - double(float(x)) becomes 0, and mixed precision loses the lower half of its velocities
  # (EngineMomentum in tests/unit/engine/engine_forces.cpp sees it). Loops are vectorised as before.
  list(APPEND host_flags -fno-tree-slp-vectorize)
endif()
if(MESOWARP_NATIVE)
  list(APPEND host_flags -march=native)
endif()
if(MESOWARP_WERROR)
  list(APPEND host_flags -Werror)
endif()
set(sanitize_flags "")
if(MESOWARP_SANITIZE)
  list(JOIN MESOWARP_SANITIZE "," sanitizers)
  set(sanitize_flags -fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
endif()

# nvcc hands the host flags on to the host compiler, and must not contract either: a step that is observed runs another
# instance of the same kernel and must get the same bits. Device code uses the hardware's single-precision division and
# square root, without denormals: the same bits from run to run, but not those of a CPU.
# Device code is stored compressed: as it is, it would be three times as large as the rest of the program.
set(cuda_flags -Xfatbin=-compress-all --fmad=false --ftz=true --prec-div=false --prec-sqrt=false --extended-lambda
  --expt-relaxed-constexpr)
set(host_flags_of_cuda ${host_flags})
list(REMOVE_ITEM host_flags_of_cuda -Wextra -Wshadow -Werror) # nvcc's generated host code is full of them
foreach(flag IN LISTS host_flags_of_cuda sanitize_flags)
  string(REPLACE "," "\\," flag "${flag}")
  list(APPEND cuda_flags "-Xcompiler=${flag}")
endforeach()

add_library(mesowarp_flags INTERFACE)
target_compile_features(mesowarp_flags INTERFACE cxx_std_20)
target_compile_options(mesowarp_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_flags};${sanitize_flags}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>")
target_link_options(mesowarp_flags INTERFACE ${sanitize_flags})
# nvcc and fmt: fmt 9 declares half of its functions constexpr under nvcc, which g++ then refuses (first name), and
# nvcc cannot evaluate the compile-time check of format strings (second name; third, the same for fmt 11).
target_compile_definitions(mesowarp_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1;FMT_CONSTEVAL=;FMT_USE_CONSTEVAL=0>")
