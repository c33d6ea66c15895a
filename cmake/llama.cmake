# llama.cpp, prebuilt (FATHOM_DEPS_DIR/llama, see `./dev setup`) or the system's with FATHOM_LLAMA_DIR:
#   llama        the C API and its shared libraries
#   llama_jinja  the chat template engine, compiled from llama.cpp's own sources
set(FATHOM_LLAMA_DIR "${FATHOM_DEPS_DIR}/llama" CACHE PATH "llama.cpp: include/, lib/ and common/")
if(NOT EXISTS ${FATHOM_LLAMA_DIR}/include/llama.h)
  message(FATAL_ERROR "no llama.cpp in ${FATHOM_LLAMA_DIR}: run ./dev setup, or set FATHOM_LLAMA_DIR")
endif()

file(GLOB llama_libraries ${FATHOM_LLAMA_DIR}/lib/libllama.*so* ${FATHOM_LLAMA_DIR}/lib/libggml.*so*
     ${FATHOM_LLAMA_DIR}/lib/libggml-base.so*)
add_library(llama INTERFACE)
target_include_directories(llama SYSTEM INTERFACE ${FATHOM_LLAMA_DIR}/include)
target_link_libraries(llama INTERFACE ${llama_libraries})
target_link_options(llama INTERFACE -Wl,-rpath,${FATHOM_LLAMA_DIR}/lib)
target_compile_definitions(llama INTERFACE FATHOM_LLAMA_LIB_DIR="${FATHOM_LLAMA_DIR}/lib")

file(GLOB jinja_sources ${FATHOM_LLAMA_DIR}/common/jinja/*.cpp)
add_library(llama_jinja STATIC ${jinja_sources} ${FATHOM_LLAMA_DIR}/common/unicode.cpp ${FATHOM_LLAMA_DIR}/common/json.cpp)
target_include_directories(llama_jinja SYSTEM PUBLIC ${FATHOM_LLAMA_DIR}/common ${FATHOM_LLAMA_DIR}/include)
target_link_libraries(llama_jinja PUBLIC llama)
target_compile_options(llama_jinja PRIVATE -w)
