# What the toolchain file does once there is a project.

if(NOT TARGET Racert::racert)
  include("${CMAKE_CURRENT_LIST_DIR}/RacertConfig.cmake")
  if(NOT Racert_FOUND)
    message(WARNING "racert: ${Racert_NOT_FOUND_MESSAGE}; tests are not watched")
  endif()
endif()
