# CMake package of racert.
#
#   find_package(Racert REQUIRED)
#   racert_instrument(app)                          # one target, or
#   target_link_libraries(app PRIVATE Racert::racert)
#
# Both compile the target with the plugin and, if it is an executable, link the
# runtime into it. Shared and static libraries only need the plugin: they find
# the runtime in the executable. The compiler must be a clang that a plugin was
# built for; with racert-clang as the compiler nothing is left to be added.

include_guard(GLOBAL)

get_filename_component(_racert_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Racert_LIBRARY_DIR "${_racert_prefix}/lib")
set(Racert_INCLUDE_DIR "${_racert_prefix}/include")
set(Racert_RUNTIME "${Racert_LIBRARY_DIR}/libracert.a")

# Chooses the plugin for the compiler of one language, or says why there is none.
function(_racert_find_plugin language plugin_variable problem_variable)
  set(${plugin_variable} "" PARENT_SCOPE)
  set(${problem_variable} "" PARENT_SCOPE)
  if(NOT CMAKE_${language}_COMPILER_LOADED)
    return()
  endif()
  get_filename_component(name "${CMAKE_${language}_COMPILER}" NAME)
  if(name MATCHES "^racert-")
    return()
  endif()
  if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
    set(${problem_variable}
        "the ${language} compiler is ${CMAKE_${language}_COMPILER_ID}, racert needs clang"
        PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "^[0-9]+" major "${CMAKE_${language}_COMPILER_VERSION}")
  set(plugin "${Racert_LIBRARY_DIR}/libracert_pass-${major}.so")
  if(EXISTS "${plugin}")
    set(${plugin_variable} "${plugin}" PARENT_SCOPE)
  else()
    set(${problem_variable} "there is no plugin for clang ${major} in ${Racert_LIBRARY_DIR}"
        PARENT_SCOPE)
  endif()
endfunction()

set(Racert_FOUND TRUE)
set(_racert_compile "")
set(_racert_wrapped FALSE)
foreach(_racert_language IN ITEMS C CXX)
  _racert_find_plugin(${_racert_language} _racert_plugin _racert_problem)
  if(_racert_problem)
    set(Racert_FOUND FALSE)
    set(Racert_NOT_FOUND_MESSAGE "${_racert_problem}")
  elseif(_racert_plugin)
    # Twice the plugin, and the front end as for ThreadSanitizer: so that the
    # plugin's options are known and no_sanitize("thread") is honoured.
    foreach(_racert_flag IN ITEMS
        "-fpass-plugin=${_racert_plugin}"
        "-fplugin=${_racert_plugin}"
        "SHELL:-Xclang -fsanitize=thread"
        "SHELL:-Xclang -mllvm -Xclang -racert-honour-sanitize-attribute")
      list(APPEND _racert_compile
           "$<$<COMPILE_LANGUAGE:${_racert_language}>:${_racert_flag}>")
    endforeach()
  elseif(CMAKE_${_racert_language}_COMPILER_LOADED)
    set(_racert_wrapped TRUE)
  endif()
endforeach()

if(Racert_FOUND AND NOT TARGET Racert::racert)
  add_library(Racert::racert INTERFACE IMPORTED)
  target_include_directories(Racert::racert INTERFACE "${Racert_INCLUDE_DIR}")
  if(NOT _racert_wrapped)
    set(_racert_is_executable "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
    target_compile_definitions(Racert::racert INTERFACE __RACERT__=1)
    target_compile_options(Racert::racert INTERFACE ${_racert_compile})
    target_link_options(
      Racert::racert INTERFACE
      "$<${_racert_is_executable}:LINKER:-u,__racert_init>"
      "$<${_racert_is_executable}:LINKER:--dynamic-list=${Racert_RUNTIME}.syms>")
    target_link_libraries(
      Racert::racert INTERFACE
      "$<${_racert_is_executable}:${Racert_RUNTIME}>"
      "$<${_racert_is_executable}:pthread>"
      "$<${_racert_is_executable}:${CMAKE_DL_LIBS}>")
    unset(_racert_is_executable)
  endif()
endif()

# Instruments targets of this project.
function(racert_instrument)
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "racert_instrument: there is no target ${target}")
    endif()
    target_link_libraries(${target} PRIVATE Racert::racert)
  endforeach()
endfunction()

foreach(_racert_name IN ITEMS prefix language plugin problem compile wrapped flag name)
  unset(_racert_${_racert_name})
endforeach()
