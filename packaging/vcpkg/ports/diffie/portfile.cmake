# An overlay port: it builds the checkout it stands in.
#   vcpkg install diffie --overlay-ports=packaging/vcpkg/ports
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES icu DIFFIE_ICU)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DDIFFIE_SHARED=${shared} -DDIFFIE_ARROW=OFF -DDIFFIE_LAB=OFF -DDIFFIE_SERVER=OFF -DDIFFIE_TESTS=OFF -DDIFFIE_WERROR=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/diffie)
vcpkg_fixup_pkgconfig()

# The library and its models; who wants the program has other packages.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin" "${CURRENT_PACKAGES_DIR}/share/doc"
                    "${CURRENT_PACKAGES_DIR}/debug/bin" "${CURRENT_PACKAGES_DIR}/debug/include"
                    "${CURRENT_PACKAGES_DIR}/debug/share")
if(shared)  # one form per triplet
  file(GLOB static "${CURRENT_PACKAGES_DIR}/lib/*.a" "${CURRENT_PACKAGES_DIR}/debug/lib/*.a"
                   "${CURRENT_PACKAGES_DIR}/share/diffie/diffieStaticTargets*.cmake")
  file(REMOVE ${static})
endif()

file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
