# cmake --install: program, manual page, completion, docs, examples and, if asked for, the Python package. cpack -G DEB:
# a Debian package of that.
include(GNUInstallDirs)
option(MESOWARP_INSTALL_PYTHON "Install the Python package beside the program" ON)
set(MESOWARP_PYTHON_DIR ${CMAKE_INSTALL_DATADIR}/mesowarp/python CACHE STRING
  "Where cmake --install puts the Python package, below the prefix; the program finds it there")

set(MESOWARP_LEVELS "" CACHE STRING
  "Builds of the same program for levels of x86-64, installed beside it: x86-64-v3=/path/mesowarp;…")
if(MESOWARP_LEVELS)
  install(PROGRAMS $<TARGET_FILE:mesowarp_launcher> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME mesowarp)
  install(TARGETS mesowarp RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/mesowarp/x86-64)
  foreach(level IN LISTS MESOWARP_LEVELS)
    if(NOT level MATCHES "^(x86-64-v[34])=(.+)$")
      message(FATAL_ERROR "MESOWARP_LEVELS has \"${level}\"; expected x86-64-v3=/path/mesowarp or x86-64-v4=…")
    endif()
    install(PROGRAMS ${CMAKE_MATCH_2} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/mesowarp/${CMAKE_MATCH_1} RENAME mesowarp)
  endforeach()
else()
  install(TARGETS mesowarp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The program itself says its manual page and its completion.
foreach(words "manual:mesowarp.1" "completion bash:mesowarp.bash")
  string(REPLACE ":" ";" words "${words}")
  list(GET words 0 verb)
  list(GET words 1 file)
  string(REPLACE " " ";" verb "${verb}")
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:mesowarp>\" ${verb} OUTPUT_FILE \"${PROJECT_BINARY_DIR}/${file}\"
      RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR \"mesowarp ${verb} failed: \${status}\")
    endif()")
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/mesowarp.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/mesowarp.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME mesowarp)

install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  PATTERN "*.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
if(MESOWARP_INSTALL_PYTHON)
  install(DIRECTORY python/mesowarp DESTINATION ${MESOWARP_PYTHON_DIR} FILES_MATCHING PATTERN "*.py")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "the mesowarp developers")
set(CPACK_PACKAGE_CONTACT "the mesowarp developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Mesoscopic particle simulation: DPD, transport DPD, MPCD, N-body")
set(CPACK_PACKAGE_DESCRIPTION "mesowarp simulates mesoscopic fluids with particles from one
input deck, on CPU cores and, over MPI, on many machines: dissipative particle dynamics, transport DPD,
multiparticle collision dynamics and direct N-body sums.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)                 # the libraries that the program is linked with
set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)          # mpirun, and what a single process of Open MPI starts
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy, python3-h5py, python3-matplotlib") # mesowarp plot
set(CPACK_DEBIAN_PACKAGE_SUGGESTS paraview)
include(CPack)
