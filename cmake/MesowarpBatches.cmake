# Small sources of one folder are compiled together: most of their time goes to headers, which a batch reads once. This
# only saves time: with -DMESOWARP_BATCH=1 (always so with CUDA) each is compiled alone, and no source may need another
# of its batch. Sources of kernels, *.device.cpp, always are alone.
set(batch 8)
if(MESOWARP_CUDA)
  set(batch 1)
endif()
set(MESOWARP_BATCH ${batch} CACHE STRING "So many small sources of a folder are compiled together")
mark_as_advanced(MESOWARP_BATCH)

# Those that tests/CMakeLists.txt compiles once more, without their neighbours, or that every commit changes.
set(mesowarp_alone "src/(start|step|state|grid|device|core)/|comm/|src/run/timestep.cpp$")
# Those that are compiled in a way of their own.
string(APPEND mesowarp_alone "|tests/unit/(core/math_bits|engine/engine_bonds|input/input_resolved|run/app_phases)"
  "|tests/fuzz/deck_fuzz")

# mesowarp_batches(TARGET SOURCES): adds the batches to a list of sources; what is in them is still listed, but not
# compiled. They name their sources relative to the tree, so that a cache of objects serves copies of it, too.
function(mesowarp_batches target sources)
  if(MESOWARP_BATCH LESS 2)
    return()
  endif()
  set(folders "")
  foreach(source IN LISTS ${sources})
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    if(NOT name MATCHES "\\.device\\.cpp$|${mesowarp_alone}")
      get_filename_component(folder ${name} DIRECTORY)
      string(MAKE_C_IDENTIFIER ${folder} folder)
      list(APPEND folders ${folder})
      list(APPEND in_${folder} ${name})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(batches "")
  foreach(folder IN LISTS folders)
    list(LENGTH in_${folder} count)
    math(EXPR last "(${count} + ${MESOWARP_BATCH} - 1) / ${MESOWARP_BATCH} - 1")
    math(EXPR each "(${count} + ${last}) / (${last} + 1)") # as many in each
    # Of a folder with one source here, whether a target before compiles it in a batch: alone it would be left out.
    list(GET in_${folder} 0 first)
    get_source_file_property(in_another ${PROJECT_SOURCE_DIR}/${first} HEADER_FILE_ONLY)
    if(count GREATER 1 OR in_another)
      foreach(number RANGE ${last})
        math(EXPR first "${number} * ${each}")
        list(SUBLIST in_${folder} ${first} ${each} names)
        set(text "")
        foreach(name IN LISTS names)
          string(APPEND text "#include \"${name}\"\n")
          set_source_files_properties(${PROJECT_SOURCE_DIR}/${name} PROPERTIES HEADER_FILE_ONLY ON)
        endforeach()
        set(batch ${PROJECT_BINARY_DIR}/generated/batches/${target}/${folder}_${number}.cpp)
        file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY)
        list(APPEND batches ${batch})
      endforeach()
    endif()
  endforeach()
  set(${sources} ${${sources}} ${batches} PARENT_SCOPE)
endfunction()
