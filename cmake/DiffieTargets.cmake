# Warnings, sanitizers and the test helper shared by every target of ours.

include(CheckPIESupported)
check_pie_supported(LANGUAGES C CXX)

# What makes a mistake of ours harder to turn against its user (SECURITY.md). Sanitizers find the mistake instead, and
# _FORTIFY_SOURCE needs an optimising build.
function(diffie_harden target)
  if(NOT DIFFIE_HARDEN OR DIFFIE_SANITIZE)
    return()
  endif()
  set(fortify -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong$<SEMICOLON>$<$<CONFIG:Release>:${fortify}>>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now)
  endif()
endfunction()

# Whether coverage is counted in the target: in what is the product's, and in the lab where asked. Everything else is
# compiled as in a release.
function(diffie_is_counted target result)
  set(counted OFF)
  if(DIFFIE_COVERAGE AND NOT target MATCHES "_test$")
    if(DIFFIE_COVERAGE STREQUAL "all" OR NOT target MATCHES "^diffie_(lab|models)")
      set(counted ON)
    endif()
  endif()
  set(${result} ${counted} PARENT_SCOPE)
endfunction()

# g++ 12 sees overflows in fmt and std::equal that are none, hence no -Wstringop-*.
function(diffie_target_defaults target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                                           $<$<BOOL:${DIFFIE_WERROR}>:-Werror> -Wno-stringop-overflow
                                           -Wno-stringop-overread -ffp-contract=off)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(DIFFIE_TRAIN)  # PyTorch's shared libraries refer to std:: functions instantiated here too: hidden, they fail the link
    set_target_properties(${target} PROPERTIES VISIBILITY_INLINES_HIDDEN OFF)
  endif()
  diffie_is_counted(${target} counted)
  if(counted)  # atomically: the product has threads
    target_compile_options(${target} PRIVATE -O0 --coverage -fprofile-update=atomic)
  elseif(DIFFIE_COVERAGE AND target MATCHES "_test$")
    target_compile_options(${target} PRIVATE -O0)  # compiled twice as fast
  elseif(NOT target MATCHES "_test$")
    diffie_harden(${target})
  endif()
  if(DIFFIE_COVERAGE)
    target_link_options(${target} PUBLIC --coverage)
  endif()
  if(DIFFIE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${DIFFIE_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${DIFFIE_SANITIZE})
  endif()
endfunction()

# diffie_test(NAME SOURCES ... [LABELS fast|slow|corpus] [LIBS ...]): one GoogleTest executable; ctest runs it as one test.
# Tests see the private headers (src/) and two paths as macros. With PROGRAM they run `diffie`, too.
function(diffie_test name)
  cmake_parse_arguments(arg "PROGRAM" "LABELS" "SOURCES;LIBS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS fast)
  endif()
  add_executable(${name}_test ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE diffie::diffie fmt::fmt nlohmann_json::nlohmann_json
                                             GTest::gmock GTest::gtest_main Threads::Threads ${arg_LIBS})
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name}_test PRIVATE
    DIFFIE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" DIFFIE_DATA_DIR="${DIFFIE_DATA_DIR}")
  diffie_target_defaults(${name}_test)
  if(arg_PROGRAM)
    target_sources(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/cli/run_program.cpp)
    target_compile_definitions(${name}_test PRIVATE DIFFIE_BINARY="$<TARGET_FILE:diffie_cli>")
    add_dependencies(${name}_test diffie_cli)
    if(DIFFIE_LAB)  # which diffie hands over to
      add_dependencies(${name}_test diffie_lab_cli)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${name}_test)
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
endfunction()
