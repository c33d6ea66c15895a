# fathom_folder(NAME LINKS libraries...): one library target fathom_NAME for src/NAME, with its tests, benchmarks and fuzzers.
#
#   x.cpp         into the library
#   x_test.cpp    into NAME_test; suites whose name ends in "Slow" run under the ctest label "slow"
#   x_bench.cpp   an executable of its own, with FATHOM_BENCH
#   x_fuzz.cpp    a libFuzzer executable of its own, with FATHOM_FUZZ
function(fathom_folder name)
  cmake_parse_arguments(FOLDER "" "" "LINKS;TEST_LINKS" ${ARGN})
  set(dir ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB all CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(sources ${all})
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cpp$")
  set(tests ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(benches ${all})
  list(FILTER benches INCLUDE REGEX "_bench\\.cpp$")
  set(fuzzers ${all})
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")

  if(sources)
    add_library(fathom_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(fathom_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(fathom_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(fathom_${name} ${scope} ${FOLDER_LINKS})

  if(tests AND FATHOM_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE fathom_${name} ${FOLDER_TEST_LINKS} fathom_test_paths
                          GTest::gmock GTest::gtest_main)
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O0>)  # tests are compiled often and run briefly
    add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1 "--gtest_filter=-*Slow.*:*Slow/*")
    add_test(NAME ${name}_slow COMMAND ${name}_test --gtest_brief=1 "--gtest_filter=*Slow.*:*Slow/*")
    set_tests_properties(${name}_slow PROPERTIES LABELS slow TIMEOUT 1200)
    set_tests_properties(${name} PROPERTIES LABELS fast TIMEOUT 600)
  endif()
  if(FATHOM_BENCH)
    foreach(source ${benches})
      get_filename_component(target ${source} NAME_WE)
      add_executable(${target} ${source})
      target_link_libraries(${target} PRIVATE fathom_${name} ${FOLDER_TEST_LINKS} fathom_test_paths
                            benchmark::benchmark)
    endforeach()
  endif()
  if(FATHOM_FUZZ)
    foreach(source ${fuzzers})
      get_filename_component(target ${source} NAME_WE)
      add_executable(${target} ${source})
      target_link_libraries(${target} PRIVATE fathom_${name})
      target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
endfunction()
