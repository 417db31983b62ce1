# Racert::racert, which instruments what links it, and Racert::runtime, which
# only brings the runtime into programs.
#
# Executables contain the runtime; libraries find it there. With the build type
# Race and with racert's wrappers as compilers the flags are there already.

set(_racert_apart "$<NOT:$<CONFIG:Race>>")
set(_racert_in_program "$<AND:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${_racert_apart}>")

add_library(Racert::runtime INTERFACE IMPORTED GLOBAL)
if(NOT _racert_wrapped)
  # As libraries and not as link options: so they also reach a program through
  # a static library that links this privately.
  target_link_libraries(
    Racert::runtime INTERFACE
    "$<${_racert_in_program}:-Wl,-u,__racert_init>"
    "$<${_racert_in_program}:-Wl,--dynamic-list=${Racert_RUNTIME}.syms>"
    "$<${_racert_in_program}:${Racert_RUNTIME}>"
    "$<${_racert_in_program}:pthread>"
    "$<${_racert_in_program}:${CMAKE_DL_LIBS}>")
endif()

add_library(Racert::racert INTERFACE IMPORTED GLOBAL)
target_include_directories(Racert::racert INTERFACE "${Racert_INCLUDE_DIR}")
target_link_libraries(Racert::racert INTERFACE Racert::runtime)
foreach(_racert_language IN ITEMS C CXX)
  if(Racert_${_racert_language}_PLUGIN)
    # Twice the plugin, and the front end as for ThreadSanitizer: so that the
    # plugin's options are known and no_sanitize("thread") is honoured.
    foreach(_racert_flag IN ITEMS
        "-fpass-plugin=${Racert_${_racert_language}_PLUGIN}"
        "-fplugin=${Racert_${_racert_language}_PLUGIN}"
        "SHELL:-Xclang -fsanitize=thread"
        "SHELL:-Xclang -mllvm -Xclang -racert-honour-sanitize-attribute"
        "-D__RACERT__=1"
        "-I${Racert_INCLUDE_DIR}/racert/headers")
      target_compile_options(
        Racert::racert INTERFACE
        "$<$<AND:$<COMPILE_LANGUAGE:${_racert_language}>,${_racert_apart}>:${_racert_flag}>")
    endforeach()
  elseif(Racert_${_racert_language}_LAUNCHER)
    target_compile_options(
      Racert::racert INTERFACE
      "$<$<COMPILE_LANGUAGE:${_racert_language}>:SHELL:-include \"${_racert_package}/racert-needs-instrument.h\">")
  endif()
endforeach()

foreach(_racert_name IN ITEMS apart in_program flag)
  unset(_racert_${_racert_name})
endforeach()
