# cmake --install: libraries and what finds them, programs, models. Components: libraries, development,
# runtime, lab.
include(CMakePackageConfigHelpers)

set(headers arrow.h error.h export.h extractor.h model.h output.h settings.h stage_times.h text.h trace.h version.h)
list(TRANSFORM headers PREPEND include/diffie/)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/diffie COMPONENT development)
install(FILES include/diffie.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

# Two export sets: who links the shared library needs nothing of what the static one needs.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/diffie)
install(TARGETS diffie EXPORT diffieStaticTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT diffieStaticTargets NAMESPACE diffie:: DESTINATION ${package_dir} COMPONENT development)
if(DIFFIE_SHARED)
  install(TARGETS diffie_shared EXPORT diffieSharedTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries NAMELINK_COMPONENT development
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT diffieSharedTargets NAMESPACE diffie:: DESTINATION ${package_dir} COMPONENT development)
endif()

get_property(packages GLOBAL PROPERTY DIFFIE_PACKAGES)
list(TRANSFORM packages REPLACE "(.+)" "  _diffie_find(\\1)")
list(JOIN packages "\n" diffie_find_packages)
set(diffie_models_dir ${CMAKE_INSTALL_DATADIR}/diffie/models)
configure_package_config_file(cmake/diffieConfig.cmake.in diffieConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS diffie_models_dir NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(diffieConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/diffieConfig.cmake ${PROJECT_BINARY_DIR}/diffieConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# Relative to the file itself, so that the prefix can be moved.
file(RELATIVE_PATH diffie_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
get_property(flags GLOBAL PROPERTY DIFFIE_FLAGS)
list(JOIN flags " " diffie_flags)
configure_file(cmake/diffie.pc.in diffie.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/diffie.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)

if(DIFFIE_ARROW_WHEEL_LIBRARIES)  # of no package, so they come along
  install(FILES ${DIFFIE_ARROW_WHEEL_LIBRARIES} DESTINATION ${CMAKE_INSTALL_LIBDIR}/diffie COMPONENT runtime)
  file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/diffie")
  set_target_properties(diffie_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}")
endif()
install(TARGETS diffie_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
if(TARGET diffie_server_cli)
  install(TARGETS diffie_server_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endif()
if(DIFFIE_LAB)
  install(TARGETS diffie_lab_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT lab)
endif()
install(DIRECTORY models share/bert-base-uncased share/demo
        DESTINATION ${CMAKE_INSTALL_DATADIR}/diffie COMPONENT runtime)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
# Not among the sources that some packages are made from.
install(FILES SECURITY.md packaging/sbom.cdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime OPTIONAL)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)  # Debian's name for it
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
