# cmake -DLINKAGE=static|dynamic -DBUILD=DIR -DPACKAGE=DIR -P run_port.cmake: runs the portfile as vcpkg would,
# release only, with stand-ins for the helpers it calls, after their documentation; dependencies from the system.
get_filename_component(CURRENT_PORT_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../packaging/vcpkg/ports/diffie" ABSOLUTE)
set(PORT diffie)
set(FEATURES core icu)
set(VCPKG_LIBRARY_LINKAGE ${LINKAGE})
set(CURRENT_PACKAGES_DIR "${PACKAGE}")

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_FILE "${BUILD}/log" ERROR_FILE "${BUILD}/log" RESULT_VARIABLE code)
  if(code)
    file(READ "${BUILD}/log" log)
    message(FATAL_ERROR "${ARGN}: ${code}\n${log}")
  endif()
endfunction()

function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" OUT_FEATURE_OPTIONS FEATURES)
  list(GET arg_FEATURES 0 feature)
  list(GET arg_FEATURES 1 option)
  list(FIND FEATURES ${feature} at)
  set(value OFF)
  if(at GREATER -1)
    set(value ON)
  endif()
  set(${arg_OUT_FEATURE_OPTIONS} -D${option}=${value} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" SOURCE_PATH OPTIONS)
  string(COMPARE EQUAL ${LINKAGE} dynamic shared)
  run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${BUILD} -G Ninja -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_INSTALL_PREFIX=${PACKAGE} -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=${shared} ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${BUILD} --target install)
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" CONFIG_PATH "")
  file(GLOB files "${PACKAGE}/${arg_CONFIG_PATH}/*.cmake")
  foreach(path ${files})
    file(READ "${path}" text)
    string(REGEX REPLACE "PACKAGE_PREFIX_DIR \"\\\${CMAKE_CURRENT_LIST_DIR}/[./]+\""
           "PACKAGE_PREFIX_DIR \"\${CMAKE_CURRENT_LIST_DIR}/../..\"" text "${text}")
    # The exported targets climb from lib/cmake/diffie, four steps with the file's own name; here three.
    string(REPLACE "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n"
           "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n" text "${text}")
    get_filename_component(name "${path}" NAME)
    file(WRITE "${PACKAGE}/share/${PORT}/${name}" "${text}")
  endforeach()
  file(REMOVE_RECURSE "${PACKAGE}/lib/cmake")
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" FILE_LIST)
  configure_file("${arg_FILE_LIST}" "${PACKAGE}/share/${PORT}/copyright" COPYONLY)
endfunction()

include("${CURRENT_PORT_DIR}/portfile.cmake")
