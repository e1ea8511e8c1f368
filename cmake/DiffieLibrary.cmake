# diffie::diffie, once static (what our own programs link) and once shared (what others link).
add_library(diffie STATIC)
add_library(diffie::diffie ALIAS diffie)
set_target_properties(diffie PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME diffie_static)
target_compile_features(diffie PUBLIC cxx_std_20)
target_include_directories(diffie PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                  PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Headers only, and only ours to see: who links diffie needs none of it.
target_include_directories(diffie SYSTEM PRIVATE
  $<TARGET_PROPERTY:nlohmann_json::nlohmann_json,INTERFACE_INCLUDE_DIRECTORIES>)
diffie_target_defaults(diffie)

if(DIFFIE_SHARED)
  add_library(diffie_shared SHARED $<TARGET_OBJECTS:diffie>)
  set_target_properties(diffie_shared PROPERTIES
    OUTPUT_NAME diffie VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE CXX)
  target_compile_features(diffie_shared PUBLIC cxx_std_20)
  diffie_harden(diffie_shared)
  target_include_directories(diffie_shared PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
endif()

# diffie_link(LIBRARY... [PACKAGE NAME ARGUMENT...] [FLAGS FLAG...]): libraries that both forms link,
# and how who links the static one gets them: from find_package, or by flags in pkg-config's file.
function(diffie_link)
  cmake_parse_arguments(arg "" "" "PACKAGE;FLAGS" ${ARGN})
  target_link_libraries(diffie PRIVATE ${arg_UNPARSED_ARGUMENTS})
  if(DIFFIE_SHARED)
    target_link_libraries(diffie_shared PRIVATE ${arg_UNPARSED_ARGUMENTS})
  endif()
  if(arg_PACKAGE)
    list(JOIN arg_PACKAGE " " package)
    set_property(GLOBAL APPEND PROPERTY DIFFIE_PACKAGES "${package}")
  endif()
  set_property(GLOBAL APPEND PROPERTY DIFFIE_FLAGS ${arg_FLAGS})
endfunction()
diffie_link(fmt::fmt PACKAGE fmt FLAGS -lfmt)
diffie_link(Threads::Threads PACKAGE Threads FLAGS -pthread)
