# cpack: one package with everything that is installed, as .deb and as .tar.gz. For a .deb configure with
# the prefix /usr (preset `package`): the static library remembers it.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME diffie)
set(CPACK_PACKAGE_VENDOR "diffie developers")
set(CPACK_PACKAGE_CONTACT "diffie developers")
set(CPACK_PACKAGE_DESCRIPTION "Text goes in; ranked (subject; relation; object) triples come out, each with a
confidence and exact byte offsets. A program, a library for C++ and C, and two models. English, sentence by
sentence, on the CPU.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# What linking the static library needs.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, libicu-dev, libssl-dev")
include(CPack)
