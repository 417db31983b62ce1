# CMake package of racert.
#
#   find_package(Racert REQUIRED)
#
#   racert_instrument(app)                          one target, or
#   target_link_libraries(app PRIVATE Racert::racert)
#
#   racert_add_variant(NAME race TARGETS app tests) twins of targets and tests
#   cmake -DCMAKE_BUILD_TYPE=Race                   everything
#
# The compiler may be a clang that a plugin was built for, or racert-clang, or
# any other: then racert-clang compiles the targets with checks in its place.
# Works with CMake 3.16 and newer.

# The folder may be a link into the install tree.
get_filename_component(_racert_package "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(Racert_PREFIX "${_racert_package}/../../.." ABSOLUTE)
set(Racert_LIBRARY_DIR "${Racert_PREFIX}/lib")
set(Racert_INCLUDE_DIR "${Racert_PREFIX}/include")
set(Racert_RUNTIME "${Racert_LIBRARY_DIR}/libracert.a")
# The functions are called from folders that did not find the package.
set_property(GLOBAL PROPERTY _racert_package "${CMAKE_CURRENT_LIST_DIR}")

include("${CMAKE_CURRENT_LIST_DIR}/RacertCompiler.cmake")

set(Racert_FOUND TRUE)
set(_racert_wrapped TRUE)
foreach(_racert_language IN ITEMS C CXX)
  if(NOT CMAKE_${_racert_language}_COMPILER_LOADED)
    continue()
  endif()
  _racert_find_compiler(${_racert_language} Racert_${_racert_language}_PLUGIN
                        Racert_${_racert_language}_LAUNCHER _racert_problem)
  if(_racert_problem)
    set(Racert_FOUND FALSE)
    set(Racert_NOT_FOUND_MESSAGE "${_racert_problem}")
  elseif(Racert_${_racert_language}_PLUGIN OR Racert_${_racert_language}_LAUNCHER)
    set(_racert_wrapped FALSE)
  endif()
  set_property(GLOBAL PROPERTY _racert_plugin_${_racert_language}
               "${Racert_${_racert_language}_PLUGIN}")
  set_property(GLOBAL PROPERTY _racert_launcher_${_racert_language}
               "${Racert_${_racert_language}_LAUNCHER}")
endforeach()

if(Racert_FOUND AND NOT TARGET Racert::racert)
  include("${CMAKE_CURRENT_LIST_DIR}/RacertTargets.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/RacertBuildType.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/RacertInstrument.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/RacertTests.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/RacertVariant.cmake")
endif()

foreach(_racert_name IN ITEMS package language problem wrapped name)
  unset(_racert_${_racert_name})
endforeach()
