# MPI, parallel HDF5 and the small libraries. Results: mesowarp_mpi, mesowarp_hdf5 and the libraries' own targets.

# mesowarp_find(PACKAGE DEBIAN_PACKAGE WHAT)
macro(mesowarp_find package debian_package what)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR
      "${what} was not found (CMake package ${package}).\nDebian, Ubuntu: scripts/install-dependencies, or "
      "apt-get install ${debian_package}; elsewhere see docs/install.md. If it is installed in an unusual place: "
      "cmake -D${package}_ROOT=/path …")
  endif()
endmacro()

find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(FATAL_ERROR
    "No MPI C++ compiler (mpicxx) was found.\nDebian, Ubuntu: apt-get install libopenmpi-dev openmpi-bin; Fedora: "
    "openmpi-devel and `module load mpi/openmpi-x86_64`; cluster: load its MPI module. An MPI in an unusual place is "
    "named with cmake -DMPI_CXX_COMPILER=/path/to/mpicxx …")
endif()
add_library(mesowarp_mpi INTERFACE)
target_link_libraries(mesowarp_mpi INTERFACE MPI::MPI_CXX)
target_compile_definitions(mesowarp_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

# Debian installs serial HDF5 and one flavour for each MPI side by side; h5pcc.openmpi belongs to the flavour wanted.
set(HDF5_PREFER_PARALLEL TRUE)
set(HDF5_FIND_QUIETLY TRUE)
find_package(HDF5 QUIET COMPONENTS C)

# Names of shared libraries of MPI that stand behind a word, NEEDED or SONAME, in a library's dynamic section.
function(mesowarp_mpi_names result word)
  set(names "")
  foreach(library IN LISTS ARGN)
    if(CMAKE_READELF AND library MATCHES "\\.so")
      execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE section ERROR_QUIET)
      string(REGEX MATCHALL "${word}[^\n]*lib(mpi|mpich)\\.so\\.[0-9]+" lines "${section}")
      list(APPEND names ${lines})
    endif()
  endforeach()
  list(TRANSFORM names REPLACE ".*lib(mpi|mpich)\\.so" "libmpi.so")  # Debian's MPICH has another name, no other calls
  set(${result} ${names} PARENT_SCOPE)
endfunction()
# One for another MPI links, and fails when it runs.
mesowarp_mpi_names(hdf5_needs NEEDED ${HDF5_C_LIBRARIES})
mesowarp_mpi_names(mpi_is SONAME ${MPI_CXX_LIBRARIES})

if(NOT HDF5_FOUND)
  set(hdf5_problem "HDF5 was not found.")
elseif(NOT HDF5_IS_PARALLEL)
  set(hdf5_problem
    "The HDF5 found is serial (${HDF5_C_LIBRARIES}); mesowarp writes from all ranks and needs parallel HDF5.")
elseif(HDF5_VERSION AND HDF5_VERSION VERSION_LESS 1.10.5)
  set(hdf5_problem "The HDF5 found is ${HDF5_VERSION}; mesowarp asks it where chunks lie, which takes 1.10.5.")
elseif(hdf5_needs AND mpi_is AND NOT hdf5_needs IN_LIST mpi_is)
  list(GET HDF5_C_LIBRARIES 0 hdf5_first)
  string(CONCAT hdf5_problem
    "The HDF5 found, ${hdf5_first}, is for another MPI than ${MPI_CXX_COMPILER}. Name the compiler of yours: "
    "cmake -DHDF5_C_COMPILER_EXECUTABLE=/path/to/h5pcc … (Debian's MPICH: /usr/bin/h5pcc.mpich of libhdf5-mpich-dev).")
endif()
if(hdf5_problem)
  message(FATAL_ERROR
    "${hdf5_problem}\nDebian, Ubuntu: apt-get install libhdf5-openmpi-dev; Fedora: hdf5-openmpi-devel; Spack: "
    "hdf5+mpi; cluster: load the parallel module (often hdf5-mpi, hdf5-parallel or phdf5). Then configure in a fresh "
    "build folder; to name one: cmake -DHDF5_ROOT=/path/to/parallel/hdf5 …")
endif()
# A shared HDF5 brings what it needs itself; only a static one has the compression libraries and the rest linked here.
set(hdf5_libraries ${HDF5_C_LIBRARIES})
if(hdf5_libraries MATCHES "hdf5[^/;]*\\.(so|dylib)")
  list(FILTER hdf5_libraries INCLUDE REGEX "hdf5[^/]*\\.(so|dylib)|^hdf5")
endif()
add_library(mesowarp_hdf5 INTERFACE)
target_include_directories(mesowarp_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(mesowarp_hdf5 INTERFACE ${hdf5_libraries} mesowarp_mpi)

mesowarp_find(fmt libfmt-dev "The text formatting library fmt")
mesowarp_find(spdlog libspdlog-dev "The logging library spdlog")
mesowarp_find(CLI11 libcli11-dev "The command-line library CLI11")
mesowarp_find(tomlplusplus libtomlplusplus-dev "The TOML parser toml++")
mesowarp_find(nlohmann_json nlohmann-json3-dev "The JSON library of nlohmann")

# xxHash brings no CMake package on Debian.
find_path(XXHASH_INCLUDE_DIR xxhash.h)
find_library(XXHASH_LIBRARY xxhash)
mark_as_advanced(XXHASH_INCLUDE_DIR XXHASH_LIBRARY)
if(NOT XXHASH_INCLUDE_DIR OR NOT XXHASH_LIBRARY)
  message(FATAL_ERROR "The hash library xxHash was not found.\nDebian, Ubuntu: apt-get install libxxhash-dev; Fedora: "
    "xxhash-devel. In an unusual place: cmake -DXXHASH_INCLUDE_DIR=… -DXXHASH_LIBRARY=…")
endif()
add_library(mesowarp_xxhash INTERFACE)
target_include_directories(mesowarp_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
target_link_libraries(mesowarp_xxhash INTERFACE ${XXHASH_LIBRARY})

if(MESOWARP_ENABLE_TESTS)
  mesowarp_find(GTest libgtest-dev "GoogleTest")
endif()

# A Python with numpy and h5py, for the tests: a pyenv or conda python ahead in PATH seldom has them.
set(MESOWARP_PYTHON "" CACHE FILEPATH "Python 3 with numpy and h5py, for the tests")
if(NOT MESOWARP_PYTHON)
  find_program(python_in_path python3)
  mark_as_advanced(python_in_path)
  foreach(candidate /usr/bin/python3 "${python_in_path}")
    execute_process(COMMAND "${candidate}" -c "import numpy, h5py" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(MESOWARP_PYTHON ${candidate} CACHE FILEPATH "Python 3 with numpy and h5py, for the tests" FORCE)
      break()
    endif()
  endforeach()
endif()

# NCCL, where there is one.
set(MESOWARP_HAS_NCCL OFF)
if(MESOWARP_NCCL AND MESOWARP_CUDA)
  find_path(MESOWARP_NCCL_INCLUDE nccl.h HINTS ENV NCCL_HOME ENV NCCL_ROOT ${CUDAToolkit_INCLUDE_DIRS}
    PATH_SUFFIXES include)
  find_library(MESOWARP_NCCL_LIBRARY nccl HINTS ENV NCCL_HOME ENV NCCL_ROOT ${CUDAToolkit_LIBRARY_DIR}
    PATH_SUFFIXES lib lib64)
  if(MESOWARP_NCCL_INCLUDE AND MESOWARP_NCCL_LIBRARY)
    set(MESOWARP_HAS_NCCL ON)
  else()
    message(STATUS "NCCL was not found: membranes on several GPUs add up their areas over the host, which takes "
      "longer. NCCL_HOME may name its installation.")
  endif()
endif()
