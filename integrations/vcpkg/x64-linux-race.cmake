# vcpkg: a triplet that builds packages with racert.
#
#   vcpkg install zlib --overlay-triplets=<prefix>/share/racert/vcpkg --triplet x64-linux-race
#   cmake -DVCPKG_TARGET_TRIPLET=x64-linux-race -DVCPKG_OVERLAY_TRIPLETS=<prefix>/share/racert/vcpkg ...
set(VCPKG_TARGET_ARCHITECTURE x64)
set(VCPKG_CRT_LINKAGE dynamic)
set(VCPKG_LIBRARY_LINKAGE static)
set(VCPKG_CMAKE_SYSTEM_NAME Linux)
# With checks, and once: a release build has line tables, too.
set(VCPKG_BUILD_TYPE release)
get_filename_component(VCPKG_CHAINLOAD_TOOLCHAIN_FILE
  "${CMAKE_CURRENT_LIST_DIR}/../../../lib/cmake/Racert/racert-toolchain.cmake" ABSOLUTE)
