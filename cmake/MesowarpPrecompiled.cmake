# Precompiled headers: of Kokkos, fmt and the standard library, never of the project. Each target takes one that was
# compiled once, with the same options. They only save time: without them (-DMESOWARP_PRECOMPILE=OFF; always with CUDA
# and with other compilers than GCC and Clang) the same sources are compiled, and headers that compile alone
# (tests/CMakeLists.txt) say that nothing depends on them.
set(precompile ON)
if(MESOWARP_CUDA OR NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  set(precompile OFF)
endif()
option(MESOWARP_PRECOMPILE "Compile the headers of Kokkos and of the standard library once" ${precompile})
mark_as_advanced(MESOWARP_PRECOMPILE)

set(mesowarp_standard_headers <algorithm> <array> <any> <cmath> <cstring> <functional> <map> <memory> <optional> <set>
  <span> <stdexcept> <string> <tuple> <typeindex> <utility> <variant> <vector> <fmt/format.h>)

# mesowarp_precompile(NAME [LINK …] HEADERS …): a target whose precompiled headers others take.
function(mesowarp_precompile name)
  cmake_parse_arguments(arg "" "" "LINK;HEADERS" ${ARGN})
  if(MESOWARP_PRECOMPILE)
    set(source ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// Nothing: what counts is the precompiled header.\n")
    add_library(${name} OBJECT ${source})
    target_link_libraries(${name} PRIVATE ${arg_LINK})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  endif()
endfunction()

# mesowarp_take_precompiled(TARGET): those of Kokkos, but for the targets that must do without; tests have their own.
# g++ 13 and newer take none that were compiled at another level.
set(mesowarp_without_kokkos mesowarp_input mesowarp_decks mesowarp_io)  # which mesowarp_optimise_little() has
function(mesowarp_take_precompiled target)
  if(NOT MESOWARP_PRECOMPILE)
    return()
  endif()
  if(target MATCHES "^mesowarp_tests_")
    target_precompile_headers(${target} REUSE_FROM mesowarp_headers_of_tests)
  elseif(target IN_LIST mesowarp_without_kokkos)
    target_precompile_headers(${target} REUSE_FROM mesowarp_headers_of_decks)
  else()
    target_precompile_headers(${target} REUSE_FROM mesowarp_headers_of_kokkos)
  endif()
endfunction()

mesowarp_precompile(mesowarp_headers_of_decks LINK mesowarp_base mesowarp_kokkos HEADERS ${mesowarp_standard_headers})
mesowarp_precompile(mesowarp_headers_of_kokkos LINK mesowarp_base mesowarp_kokkos
  HEADERS <Kokkos_Core.hpp> ${mesowarp_standard_headers})
