# Toolchain file: the whole project, compiler checks included, with racert.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/Racert/racert-toolchain.cmake ..

get_filename_component(_racert_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${_racert_bin}/racert-clang")
set(CMAKE_CXX_COMPILER "${_racert_bin}/racert-clang++")
unset(_racert_bin)
