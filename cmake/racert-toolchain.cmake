# Toolchain file: the whole project, compiler checks included, with racert.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/Racert/racert-toolchain.cmake ..

get_filename_component(_racert_package "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_racert_bin "${_racert_package}/../../../bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${_racert_bin}/racert-clang")
set(CMAKE_CXX_COMPILER "${_racert_bin}/racert-clang++")
unset(_racert_bin)
unset(_racert_package)

# For -DCMAKE_BUILD_TYPE=Race in projects that do not ask for the package.
set(CMAKE_C_FLAGS_RACE_INIT "-g -O1")
set(CMAKE_CXX_FLAGS_RACE_INIT "-g -O1")

# Tests fail on findings and get the records attached. A project has to be
# there first, so this is read at the end of project().
if(NOT DEFINED CMAKE_PROJECT_INCLUDE)
  set(CMAKE_PROJECT_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/racert-project.cmake")
endif()
