# The helper functions by which each folder becomes a target.
#
# With a Kokkos that has CUDA, a source file is compiled as CUDA if it includes Kokkos, directly or through a header of
# ours, or if it is named *.device.cpp; every other file goes to the C++ compiler, as all do without CUDA.

# mesowarp_base: include folders, flags and the version header. It brings no Kokkos.
add_library(mesowarp_base INTERFACE)
target_include_directories(mesowarp_base INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(mesowarp_base INTERFACE mesowarp_flags fmt::fmt)

include(MesowarpPrecompiled)
include(MesowarpBatches)

# core/version.hpp is written anew by each build, and touched only when the description of the checkout changed.
string(REPLACE ";" " " kokkos_backends "${Kokkos_DEVICES}")
set(version_command ${CMAKE_COMMAND} -DVERSION=${PROJECT_VERSION} -DSOURCE=${PROJECT_SOURCE_DIR}
  -DBUILD_TYPE=${CMAKE_BUILD_TYPE} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
  "-DKOKKOS=${Kokkos_VERSION} ${kokkos_backends}" -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/version.hpp.in
  -DOUTPUT=${PROJECT_BINARY_DIR}/generated/core/version.hpp -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake)
execute_process(COMMAND ${version_command})
add_custom_target(mesowarp_version COMMAND ${version_command} VERBATIM
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/core/version.hpp COMMENT "Describing the checkout")
add_dependencies(mesowarp_base mesowarp_version)

# Whether FILE includes Kokkos, directly or through headers of this tree. Remembers what it has seen.
function(mesowarp_includes_kokkos file result)
  get_property(known GLOBAL PROPERTY mesowarp_includes_kokkos_${file})
  if("${known}" STREQUAL "")
    set(known NO)
    set_property(GLOBAL PROPERTY mesowarp_includes_kokkos_${file} NO) # ends cycles
    file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
      if(line MATCHES "include[ \t]*<Kokkos")
        set(known YES)
      elseif(line MATCHES "include[ \t]*\"([^\"]+)\"")
        get_filename_component(folder ${file} DIRECTORY)
        foreach(root ${folder} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
          if(NOT known AND EXISTS ${root}/${CMAKE_MATCH_1})
            mesowarp_includes_kokkos(${root}/${CMAKE_MATCH_1} known)
            break()
          endif()
        endforeach()
      endif()
      if(known)
        break()
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY mesowarp_includes_kokkos_${file} ${known})
  endif()
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# With CUDA: marks those of the files that need it as CUDA.
function(mesowarp_mark_device_sources)
  if(MESOWARP_CUDA)
    foreach(file IN LISTS ARGN)
      get_filename_component(file ${file} ABSOLUTE)
      set(device YES)
      if(NOT file MATCHES "\\.device\\.cpp$")
        mesowarp_includes_kokkos(${file} device)
      endif()
      if(device)
        set_source_files_properties(${file} PROPERTIES LANGUAGE CUDA)
        mesowarp_optimise_host_part(${file})
      endif()
    endforeach()
  endif()
endfunction()

# mesowarp_optimise_host_part(FILE): what the host's compiler makes of a source of kernels is little but stubs that
# launch them, and with it takes a third of the whole: level 1 takes a seventh off. A step of 2,000 particles, which
# waits for the host, is not slower (perf/log/builds.md). Kernels are compiled as before.
function(mesowarp_optimise_host_part file)
  set(level 3)
  if(file MATCHES "\\.device\\.cpp$")
    set(level 1)
  endif()
  set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:-O${level}>")
endfunction()

# mesowarp_add_library(NAME [SOURCES …] [LINK …]): a static library, or, while a folder has no
# sources, an interface library. Everything linked is passed on.
function(mesowarp_add_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  if(arg_SOURCES)
    mesowarp_batches(${name} arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    mesowarp_mark_device_sources(${arg_SOURCES})
    target_link_libraries(${name} PUBLIC mesowarp_base ${arg_LINK})
    add_dependencies(${name} mesowarp_version)
    mesowarp_take_precompiled(${name})
    mesowarp_spend_memory(${name})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE mesowarp_base ${arg_LINK})
  endif()
endfunction()

# mesowarp_add_executable(NAME [SOURCES …] [LINK …]). The C++ compiler links, also with CUDA.
function(mesowarp_add_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  mesowarp_mark_device_sources(${arg_SOURCES})
  target_link_libraries(${name} PRIVATE mesowarp_base ${arg_LINK})
  add_dependencies(${name} mesowarp_version)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  if(name MATCHES "^mesowarp_tests_")
    mesowarp_take_precompiled(${name})
  endif()
endfunction()

# mesowarp_add_folder(NAME FOLDER [EXCLUDE REGEX] [LINK …]): the library of a folder, all *.cpp in it and its
# subfolders, but
# main.cpp and what EXCLUDE names.
function(mesowarp_add_folder name folder)
  cmake_parse_arguments(arg "" "EXCLUDE" "LINK" ${ARGN})
  get_filename_component(folder ${folder} ABSOLUTE)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main(\\.device)?\\.cpp$")
  if(arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCLUDE}")
  endif()
  mesowarp_add_library(${name} SOURCES ${sources} LINK ${arg_LINK})
endfunction()

# mesowarp_spend_memory(TARGET): GCC does not look for memory to give back before it has taken half a GiB, which it does
# for few sources: 5 to 10% of the time of most (perf/log/builds.md).
function(mesowarp_spend_memory target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(room --param=ggc-min-heapsize=524288)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${room}>"
      "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${room}>")
  endif()
endfunction()

# mesowarp_keep_order_of_source(FILE): CUDA 13's assembler keeps nearer to the order of the source at level 1, and then
# an instruction more often finds a register that the one before has read: a few kernels are 2 to 12% faster by it,
# others, which wait for memory, slower (perf/NOTES.md). Results are the same.
function(mesowarp_keep_order_of_source file)
  if(MESOWARP_CUDA)
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -Xptxas=-O1)
  endif()
endfunction()

# mesowarp_schedule_early(FILE…): GCC orders instructions before it gives them registers, which it does not do on x86
# unless told, with an eye on how many there are. The CPU's loops over pairs are chains of dependent operations, 5 to
# 15% faster so
# (perf/log/pair_kernel_cpu.md). Results are the same.
function(mesowarp_schedule_early)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT MESOWARP_CUDA AND NOT MESOWARP_SANITIZE)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fschedule-insns -fsched-pressure)
  endif()
endfunction()

# mesowarp_optimise_little(TARGET…): what reads decks, and what waits for files, is a third of all sources: level 1
# takes a quarter off its compilation. None of it includes Kokkos, so kernels get nothing of it. Sources that nvcc
# compiles are as the others.
function(mesowarp_optimise_little)
  if(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
    foreach(target IN LISTS ARGN)
      if(TARGET ${target})  # precompiled headers may be off
        target_compile_options(${target} PRIVATE "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>")
      endif()
    endforeach()
  endif()
endfunction()
