# CMAKE_BUILD_TYPE=Race: the whole project with checks.
#
# RACERT_RACE_FLAGS is what else the build type compiles with. The variables
# are in the cache, because find_package may be called in a folder and the
# build type is the whole project's.

set(RACERT_RACE_FLAGS "-g -O1" CACHE STRING "Flags of the build type Race besides racert's own")
mark_as_advanced(RACERT_RACE_FLAGS)

if(CMAKE_BUILD_TYPE STREQUAL "Race" AND (Racert_C_LAUNCHER OR Racert_CXX_LAUNCHER))
  message(FATAL_ERROR
    "racert: the build type Race needs racert-clang or a clang that a plugin is installed for as the compiler: -DCMAKE_TOOLCHAIN_FILE=${_racert_package}/racert-toolchain.cmake")
endif()

foreach(_racert_language IN ITEMS C CXX)
  set(_racert_flags "${RACERT_RACE_FLAGS}")
  if(Racert_${_racert_language}_PLUGIN)
    set(_racert_plugin "${Racert_${_racert_language}_PLUGIN}")
    string(APPEND _racert_flags
      " \"-fpass-plugin=${_racert_plugin}\" \"-fplugin=${_racert_plugin}\""
      " -Xclang -fsanitize=thread -Xclang -mllvm -Xclang -racert-honour-sanitize-attribute"
      " -D__RACERT__=1 \"-I${Racert_INCLUDE_DIR}/racert/headers\" -idirafter \"${Racert_INCLUDE_DIR}\"")
  endif()
  set(CMAKE_${_racert_language}_FLAGS_RACE "${_racert_flags}" CACHE INTERNAL "")
endforeach()

set(_racert_flags "")
if(NOT _racert_wrapped)
  set(_racert_flags
    "-Wl,-u,__racert_init \"-Wl,--dynamic-list=${Racert_RUNTIME}.syms\" \"${Racert_RUNTIME}\" -lpthread -ldl")
endif()
set(CMAKE_EXE_LINKER_FLAGS_RACE "${_racert_flags}" CACHE INTERNAL "")
set(CMAKE_SHARED_LINKER_FLAGS_RACE "" CACHE INTERNAL "")
set(CMAKE_MODULE_LINKER_FLAGS_RACE "" CACHE INTERNAL "")

get_property(_racert_many GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(_racert_many AND NOT "Race" IN_LIST CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_CONFIGURATION_TYPES "${CMAKE_CONFIGURATION_TYPES};Race"
      CACHE STRING "Build types of this project" FORCE)
endif()

foreach(_racert_name IN ITEMS flags plugin many)
  unset(_racert_${_racert_name})
endforeach()
