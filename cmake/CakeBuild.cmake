# Compiler settings and the two functions that declare libraries and programs.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Debug CACHE STRING "Debug (sanitised) or Release" FORCE)
endif()
if(NOT CMAKE_BUILD_TYPE MATCHES "^(Debug|Release)$")
  message(FATAL_ERROR "CMAKE_BUILD_TYPE is '${CMAKE_BUILD_TYPE}'; wanted Debug (sanitised, warnings are errors) or Release")
endif()

set(CAKE_SANITIZERS -fsanitize=address,undefined -fno-sanitize-recover=undefined)
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer -Werror")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

option(CAKE_FUZZ "Build tests/fuzz with libFuzzer (needs clang)" OFF)
if(CAKE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CAKE_FUZZ needs clang (-DCMAKE_C_COMPILER=clang-22); this compiler is ${CMAKE_C_COMPILER_ID}")
  endif()
  list(APPEND CAKE_SANITIZERS -fsanitize=fuzzer-no-link)
endif()

# Everything that a target of ours inherits: warnings, sanitisers, include paths.
add_library(cake_settings INTERFACE)
target_compile_options(cake_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
  -ffunction-sections -fdata-sections
  $<$<CONFIG:Debug>:${CAKE_SANITIZERS}>)
target_link_options(cake_settings INTERFACE -Wl,--gc-sections $<$<CONFIG:Debug>:${CAKE_SANITIZERS}>)
# -std=c11 hides POSIX; libraries of ours may use it.
target_compile_definitions(cake_settings INTERFACE _DEFAULT_SOURCE _XOPEN_SOURCE=700)
target_include_directories(cake_settings INTERFACE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}")

# cake_existing_targets(LIST): drops from LIST the names that are no target (a folder that is still empty).
function(cake_existing_targets list)
  set(kept)
  foreach(name IN LISTS ${list})
    if(TARGET ${name})
      list(APPEND kept ${name})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# cake_library(NAME SOURCES glob… [EXCLUDES glob…] [LINKS library…]): a static library of every source that the globs
# find. Without a source there is no target; names in LINKS that begin with cake_ and are no target are left out.
function(cake_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;EXCLUDES;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${arg_SOURCES})
  if(arg_EXCLUDES)
    file(GLOB excluded CONFIGURE_DEPENDS ${arg_EXCLUDES})
    list(REMOVE_ITEM sources ${excluded})
  endif()
  if(NOT sources)
    return()
  endif()
  set(links)
  foreach(link IN LISTS arg_LINKS)
    if(TARGET ${link} OR NOT link MATCHES "^cake_")
      list(APPEND links ${link})
    endif()
  endforeach()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PRIVATE cake_settings PUBLIC ${links})
endfunction()

# cake_program(NAME SOURCE [LOWERS]): an executable in bin/. With LOWERS it may run on a GPU and emit PTX: it links the
# CUDA loader and, where LLVM is there, the NVPTX target, and sees CAKE_HAVE_NVPTX as 1 or 0.
function(cake_program name source)
  cmake_parse_arguments(arg "LOWERS" "" "" ${ARGN})
  set(links cake_tools ${CAKE_LIBRARIES})
  if(arg_LOWERS)
    list(PREPEND links cake_run_tools cake_target_nvptx cake_runtime)
  endif()
  cake_existing_targets(links)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE cake_settings ${links})
  target_compile_definitions(${name} PRIVATE "CAKE_VERSION=\"${PROJECT_VERSION}\"")
  add_dependencies(cake_programs ${name})
  if(arg_LOWERS)
    target_compile_definitions(${name} PRIVATE CAKE_HAVE_NVPTX=$<BOOL:${CAKE_HAVE_NVPTX}>)
    set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib")
  endif()
endfunction()

option(CAKE_STRIP "Leave the names that only debuggers and profilers ask for out of release tools: a tenth of a tool" ON)
option(CAKE_FIRST "Put the functions that most runs meet side by side in release tools (cmake/first.ld)" ON)
set(CAKE_FIRST_LIST "${PROJECT_SOURCE_DIR}/cmake/first.ld")
if(CAKE_FIRST)
  include(CheckLinkerFlag)
  check_linker_flag(C "-Wl,-T,${CAKE_FIRST_LIST}" CAKE_LINKER_ORDERS) # the GNU linker and LLVM's do
endif()

# cake_release_links(PROGRAM): how a tool is linked in release builds. What plugins look up stays; calls of other libraries are bound at the start,
# which takes no longer than looking them up one by one, and their table is read-only from then on.
function(cake_release_links name)
  set(options -Wl,-z,now)
  if(CAKE_STRIP)
    list(APPEND options -Wl,-s)
  endif()
  if(CAKE_FIRST AND CAKE_LINKER_ORDERS)
    list(APPEND options "-Wl,-T,${CAKE_FIRST_LIST}")
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${CAKE_FIRST_LIST}")
  endif()
  target_link_options(${name} PRIVATE "$<$<CONFIG:Release>:${options}>")
endfunction()

# cake_exports_api(PROGRAM): plugins find the functions of include/cake and of the analyses in the program, also those that it does not call.
function(cake_exports_api name)
  set(list "${PROJECT_SOURCE_DIR}/cmake/cake_api.list")
  target_link_options(${name} PRIVATE "-Wl,--dynamic-list=${list}" -Wl,--whole-archive $<TARGET_FILE:cake_ir>
                      $<TARGET_FILE:cake_dialects> $<TARGET_FILE:cake_analysis> -Wl,--no-whole-archive)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${list}")
endfunction()
