# Tests of instrumented programs: a finding fails the test, and the records of
# its findings are attached to it.
#
# CTest reads its own files when it runs, so that is where tests are changed:
# racert-ctest.cmake is included in front of them and sees every test, whoever
# added it, those discovered after the build included.

# Makes CTest read `script` first.
function(_racert_prepend_to_tests script)
  get_property(scripts DIRECTORY "${CMAKE_SOURCE_DIR}" PROPERTY TEST_INCLUDE_FILES)
  if(NOT script IN_LIST scripts)
    list(INSERT scripts 0 "${script}")
    set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" PROPERTY TEST_INCLUDE_FILES "${scripts}")
  endif()
endfunction()

# All tests run what they run with records.
function(_racert_watch_all_tests)
  get_property(package GLOBAL PROPERTY _racert_package)
  set(script "${CMAKE_BINARY_DIR}/racert/ctest.cmake")
  set(condition TRUE)
  get_property(many GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(many)
    set(condition "CTEST_CONFIGURATION_TYPE STREQUAL \"Race\"")
  endif()
  file(WRITE "${script}" "\
cmake_policy(VERSION 3.16)
include(\"${package}/racert-ctest.cmake\")
if(${condition})
  racert_watch_tests(\"${CMAKE_BINARY_DIR}/racert/reports\")
endif()
")
  _racert_prepend_to_tests("${script}")
endfunction()

get_property(_racert_many GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(_racert_wrapped OR _racert_many OR CMAKE_BUILD_TYPE STREQUAL "Race")
  _racert_watch_all_tests()
endif()
unset(_racert_many)
