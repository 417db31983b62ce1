# Which plugin belongs to the compiler of a language.

# Gives the plugin, or nothing if the compiler is one of racert's wrappers, or
# the reason why there is none.
function(_racert_find_plugin language plugin_variable problem_variable)
  set(${plugin_variable} "" PARENT_SCOPE)
  set(${problem_variable} "" PARENT_SCOPE)
  get_filename_component(name "${CMAKE_${language}_COMPILER}" NAME)
  if(name MATCHES "^racert-")
    return()
  endif()
  _racert_plugin_versions(installed)
  if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
    set(${problem_variable}
        "the ${language} compiler is ${CMAKE_${language}_COMPILER_ID}, racert needs clang (plugins are installed for clang ${installed})"
        PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "^[0-9]+" major "${CMAKE_${language}_COMPILER_VERSION}")
  set(plugin "${Racert_LIBRARY_DIR}/libracert_pass-${major}.so")
  if(EXISTS "${plugin}")
    set(${plugin_variable} "${plugin}" PARENT_SCOPE)
  else()
    set(${problem_variable}
        "the ${language} compiler is clang ${major}, but the plugins in ${Racert_LIBRARY_DIR} are for clang ${installed}"
        PARENT_SCOPE)
  endif()
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
