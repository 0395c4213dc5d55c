# Script: writes OUTPUT from TEMPLATE with what `git describe` says of SOURCE. The file keeps its time when unchanged.
set(GIT_DESCRIBE "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --tags
    OUTPUT_VARIABLE GIT_DESCRIBE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT GIT_DESCRIBE)
  set(GIT_DESCRIBE "unknown")
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
