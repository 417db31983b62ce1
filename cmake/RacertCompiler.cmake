# How the sources of a language come to their checks: the project's compiler is
# one of racert's wrappers, or loads a plugin, or racert's wrapper stands in for
# it where a target is to have checks.

# Gives the plugin, or the launcher that lets the wrapper stand in, or neither
# where the compiler is a wrapper; or the reason why there is no way.
function(_racert_find_compiler language plugin_variable launcher_variable problem_variable)
  set(${plugin_variable} "" PARENT_SCOPE)
  set(${launcher_variable} "" PARENT_SCOPE)
  set(${problem_variable} "" PARENT_SCOPE)
  get_filename_component(name "${CMAKE_${language}_COMPILER}" NAME)
  if(name MATCHES "^racert-")
    return()
  endif()
  if(CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
    string(REGEX MATCH "^[0-9]+" major "${CMAKE_${language}_COMPILER_VERSION}")
    set(plugin "${Racert_LIBRARY_DIR}/libracert_pass-${major}.so")
    if(EXISTS "${plugin}")
      set(${plugin_variable} "${plugin}" PARENT_SCOPE)
      return()
    endif()
  endif()
  if(language STREQUAL "C")
    set(wrapper "${Racert_PREFIX}/bin/racert-clang")
  else()
    set(wrapper "${Racert_PREFIX}/bin/racert-clang++")
  endif()
  execute_process(
    COMMAND "${wrapper}" -dumpversion
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
  if(NOT failed)
    set(${launcher_variable} "${_racert_package}/racert-launcher.sh;${wrapper}" PARENT_SCOPE)
    return()
  endif()
  _racert_plugin_versions(installed)
  string(STRIP "${said}" said)
  set(${problem_variable}
      "the ${language} compiler is ${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}, plugins are installed for clang ${installed}, and racert's own wrapper does not work: ${said}"
      PARENT_SCOPE)
endfunction()

# The versions there are plugins for, in words.
function(_racert_plugin_versions variable)
  file(GLOB plugins "${Racert_LIBRARY_DIR}/libracert_pass-*.so")
  set(versions "")
  foreach(plugin IN LISTS plugins)
    string(REGEX REPLACE ".*libracert_pass-([0-9]+)\\.so$" "\\1" version "${plugin}")
    list(APPEND versions "${version}")
  endforeach()
  list(SORT versions)
  list(REVERSE versions)
  string(REPLACE ";" " and " versions "${versions}")
  set(${variable} "${versions}" PARENT_SCOPE)
endfunction()
