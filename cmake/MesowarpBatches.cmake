# Sources of one folder are compiled together: most of the time of small ones goes to headers, which a batch reads once,
# and sources of kernels that differ in precision share a quarter to two fifths of what they compile
# (perf/log/builds.md). This only saves time: with -DMESOWARP_BATCH=1 -DMESOWARP_BATCH_KERNELS=1 each is compiled alone,
# and no source may need another of its batch.
set(MESOWARP_BATCH 8 CACHE STRING "So many small sources of a folder are compiled together")
set(MESOWARP_BATCH_KERNELS 3 CACHE STRING "So many sources of kernels, *.device.cpp, of a folder are compiled together")
mark_as_advanced(MESOWARP_BATCH MESOWARP_BATCH_KERNELS)

# Those that are compiled in a way of their own, and the solvent's pass: together GCC 12 inlines less of it, which is 7%
# more instructions.
set(mesowarp_alone tests/unit/core/math_bits tests/unit/engine/engine_bonds tests/unit/input/input_resolved
  tests/unit/run/app_phases tests/fuzz/deck_fuzz _apart\\.device nbody/gravity_half physics/mpcd/collisions_)
list(JOIN mesowarp_alone "|" mesowarp_alone)

# mesowarp_batches(NAME SOURCES): adds the batches to a list of sources; what is in them is still listed, but not
# compiled. They name their sources relative to the tree, so that a cache of objects serves copies of it, too.
function(mesowarp_batches target its_sources)
  set(groups "")
  foreach(source IN LISTS ${its_sources})
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    if(NOT name MATCHES "${mesowarp_alone}")
      file(RELATIVE_PATH generated ${PROJECT_BINARY_DIR}/generated ${source})
      if(NOT generated MATCHES "^\\.\\./")
        set(name ${generated})
      endif()
      get_filename_component(folder ${name} DIRECTORY)
      string(MAKE_C_IDENTIFIER ${folder} group)
      set(largest ${MESOWARP_BATCH})
      set(suffix .cpp)
      if(name MATCHES "\\.device\\.cpp$")
        string(APPEND group "_kernels")
        set(largest ${MESOWARP_BATCH_KERNELS})
        set(suffix .device.cpp)
      elseif(MESOWARP_CUDA)  # what nvcc compiles apart from what it need not
        mesowarp_includes_kokkos(${source} includes_kokkos)
        if(includes_kokkos)
          string(APPEND group "_cuda")
        endif()
      endif()
      list(APPEND groups ${group})
      list(APPEND in_${group} ${name})
      list(APPEND paths_${group} ${source})
      set(largest_${group} ${largest})
      set(suffix_${group} ${suffix})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES groups)
  set(batches "")
  foreach(group IN LISTS groups)
    list(LENGTH in_${group} count)
    math(EXPR last "(${count} + ${largest_${group}} - 1) / ${largest_${group}} - 1")
    math(EXPR each "(${count} + ${last}) / (${last} + 1)") # as many in each
    # Of a folder with one source here, whether a target before compiles it in a batch: alone it would be left out.
    list(GET paths_${group} 0 first)
    get_source_file_property(in_another ${first} HEADER_FILE_ONLY)
    if((count GREATER 1 AND largest_${group} GREATER 1) OR in_another)
      set_source_files_properties(${paths_${group}} PROPERTIES HEADER_FILE_ONLY ON)
      foreach(number RANGE ${last})
        math(EXPR first "${number} * ${each}")
        list(SUBLIST in_${group} ${first} ${each} names)
        set(text "")
        foreach(name IN LISTS names)
          string(APPEND text "#include \"${name}\"\n")
        endforeach()
        set(batch ${PROJECT_BINARY_DIR}/generated/batches/${target}/${group}_${number}${suffix_${group}})
        file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY)
        list(APPEND batches ${batch})
      endforeach()
    endif()
  endforeach()
  set(${its_sources} ${${its_sources}} ${batches} PARENT_SCOPE)
endfunction()
