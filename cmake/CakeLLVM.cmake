# Finds LLVM 22's static archives and puts what the NVPTX target needs of them into one library, libcake_nvptx.so.
#
# Sets CAKE_HAVE_NVPTX. The library exports the functions of targets/nvptx/llvm_api.def and nothing else; libstdc++, zlib
# and zstd are inside it, so that bin/ and lib/ run on a machine that has none of them. No C++ is compiled here.
#
# -DCAKE_NVPTX_LIBRARY=FILE takes a library that another build tree linked, which saves linking it twice.

option(CAKE_NVPTX "Build the NVPTX target (LLVM 22)" ON)
set(CAKE_NVPTX_LIBRARY "" CACHE FILEPATH "A libcake_nvptx.so to use instead of linking one")
set(CAKE_HAVE_NVPTX OFF)

find_program(CAKE_LLVM_CONFIG NAMES llvm-config-22 llvm-config
             HINTS /usr/lib/llvm-22/bin /usr/local/llvm-22/bin DOC "llvm-config of LLVM 22")

function(cake_llvm_config out)
  execute_process(COMMAND "${CAKE_LLVM_CONFIG}" ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE error RESULT_VARIABLE rc
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT rc EQUAL 0)
    set(text "")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Why the NVPTX target cannot be built here, or "".
function(cake_llvm_obstacle out)
  set(obstacle "")
  if(NOT CAKE_NVPTX)
    set(obstacle "CAKE_NVPTX is OFF")
  elseif(NOT EXISTS "${PROJECT_SOURCE_DIR}/targets/nvptx/llvm_exports.c")
    set(obstacle "targets/nvptx/llvm_exports.c is not there")
  elseif(NOT CAKE_LLVM_CONFIG)
    set(obstacle "llvm-config of LLVM 22 was not found (Debian: llvm-22-dev)")
  else()
    cake_llvm_config(version --version)
    cake_llvm_config(targets --targets-built)
    cake_llvm_config(libdir --libdir)
    find_library(CAKE_STDCXX_ARCHIVE NAMES libstdc++.a PATHS ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
    find_library(CAKE_ZLIB_ARCHIVE NAMES libz.a)
    find_library(CAKE_ZSTD_ARCHIVE NAMES libzstd.a)
    if(NOT version MATCHES "^22\\.")
      set(obstacle "${CAKE_LLVM_CONFIG} is of LLVM ${version}, wanted 22")
    elseif(NOT targets MATCHES "NVPTX")
      set(obstacle "LLVM ${version} was built without the NVPTX target")
    elseif(NOT EXISTS "${libdir}/libLLVMNVPTXCodeGen.a")
      set(obstacle "${libdir} has no static archives (Debian: llvm-22-dev)")
    elseif(NOT CAKE_STDCXX_ARCHIVE)
      set(obstacle "libstdc++.a was not found (Debian: libstdc++-12-dev)")
    elseif(NOT CAKE_ZLIB_ARCHIVE)
      set(obstacle "libz.a was not found (Debian: zlib1g-dev)")
    elseif(NOT CAKE_ZSTD_ARCHIVE)
      set(obstacle "libzstd.a was not found (Debian: libzstd-dev)")
    endif()
  endif()
  set(${out} "${obstacle}" PARENT_SCOPE)
endfunction()

# Writes the linker's version script from the rows LLVM_FN(name) of llvm_api.def.
function(cake_llvm_version_script out)
  set(table "${PROJECT_SOURCE_DIR}/targets/nvptx/llvm_api.def")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
  file(STRINGS "${table}" rows REGEX "^[ \t]*LLVM_FN\\(")
  set(text "CAKE_LLVM_22 {\n  global:\n")
  foreach(row IN LISTS rows)
    string(REGEX MATCHALL "LLVM_FN\\([ \t]*[A-Za-z0-9_]+" cells "${row}")
    foreach(cell IN LISTS cells)
      string(REGEX REPLACE "LLVM_FN\\([ \t]*" "" name "${cell}")
      string(APPEND text "    ${name};\n")
    endforeach()
  endforeach()
  string(APPEND text "  local: *;\n};\n")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/cake_nvptx.map" CONTENT "${text}" @ONLY)
  set(${out} "${CMAKE_BINARY_DIR}/cake_nvptx.map" PARENT_SCOPE)
endfunction()

function(cake_llvm_link)
  cake_llvm_config(includedir --includedir)
  cake_llvm_config(libdir --libdir)
  cake_llvm_config(archives --link-static --libs nvptx passes core analysis)
  separate_arguments(archives UNIX_COMMAND "${archives}")
  cake_llvm_version_script(map)

  add_library(cake_nvptx SHARED targets/nvptx/llvm_exports.c)
  target_include_directories(cake_nvptx PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}")
  target_include_directories(cake_nvptx SYSTEM PUBLIC "${includedir}")
  target_link_directories(cake_nvptx PRIVATE "${libdir}")
  # LLVM's archives are not sanitised and neither is this library; the same file serves every build type.
  target_link_options(cake_nvptx PRIVATE -static-libgcc -Wl,--gc-sections -Wl,--no-undefined -Wl,-O1
                      "-Wl,--version-script,${map}" -Wl,--strip-all)
  target_link_libraries(cake_nvptx PRIVATE ${archives} "${CAKE_ZSTD_ARCHIVE}" "${CAKE_ZLIB_ARCHIVE}"
                        "${CAKE_STDCXX_ARCHIVE}" m ${CMAKE_DL_LIBS} Threads::Threads)
  set_target_properties(cake_nvptx PROPERTIES LINK_DEPENDS "${map}")
endfunction()

# Puts a finished library into this tree's lib/.
function(cake_llvm_reuse)
  cake_llvm_config(includedir --includedir)
  set(own "${CMAKE_BINARY_DIR}/lib/libcake_nvptx.so")
  add_custom_command(OUTPUT "${own}" COMMAND "${CMAKE_COMMAND}" -E copy "${CAKE_NVPTX_LIBRARY}" "${own}"
                     DEPENDS "${CAKE_NVPTX_LIBRARY}" VERBATIM)
  add_custom_target(cake_nvptx_copy DEPENDS "${own}")
  add_library(cake_nvptx SHARED IMPORTED GLOBAL)
  set_target_properties(cake_nvptx PROPERTIES IMPORTED_LOCATION "${own}" IMPORTED_NO_SONAME OFF
                        IMPORTED_SONAME libcake_nvptx.so)
  target_include_directories(cake_nvptx SYSTEM INTERFACE "${includedir}")
  add_dependencies(cake_nvptx cake_nvptx_copy)
endfunction()

cake_llvm_obstacle(CAKE_LLVM_OBSTACLE)
if(CAKE_LLVM_OBSTACLE)
  message(STATUS "NVPTX target: left out, ${CAKE_LLVM_OBSTACLE}; cake-opt and the simulator are built without it")
else()
  set(CAKE_HAVE_NVPTX ON)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  if(CAKE_NVPTX_LIBRARY)
    cake_llvm_reuse()
  else()
    cake_llvm_link()
  endif()
endif()
