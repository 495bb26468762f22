# What `cmake --install` installs: tools and libraries, and under the component `development` what a program or plugin outside
# this tree is built with: headers, static libraries, find_package(Cake) and pkg-config's cake.pc.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER programs INCLUDE REGEX "^cake-")
list(FILTER programs EXCLUDE REGEX "^cake-bench-")
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
install(TARGETS cake_runtime_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
if(CAKE_HAVE_NVPTX) # beside bin/, where the tools look for it
  install(FILES "${CMAKE_BINARY_DIR}/lib/libcake_nvptx.so" DESTINATION lib COMPONENT tools)
endif()

set(CAKE_ARCHIVES)
foreach(library IN LISTS CAKE_LIBRARIES)
  install(TARGETS ${library} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  list(APPEND CAKE_ARCHIVES "lib${library}.a")
endforeach()
install(DIRECTORY include/cake DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
set(analyses alias call_graph constant_values dataflow dense effects flow liveness ranges)
list(TRANSFORM analyses REPLACE "(.+)" "analysis/\\1.h")
install(FILES ${analyses} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cake/analysis" COMPONENT development)

set(CAKE_LINK_FLAGS "")
if(CMAKE_BUILD_TYPE STREQUAL Debug) # sanitised archives need the sanitisers' libraries
  set(CAKE_LINK_FLAGS ${CAKE_SANITIZERS})
endif()
list(JOIN CAKE_LINK_FLAGS " " CAKE_PC_FLAGS)
list(TRANSFORM CAKE_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE CAKE_PC_LIBRARIES)
list(JOIN CAKE_PC_LIBRARIES " " CAKE_PC_LIBRARIES)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Cake")
configure_package_config_file(cmake/CakeConfig.cmake.in "${CMAKE_BINARY_DIR}/package/CakeConfig.cmake"
  INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/package/CakeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
configure_file(cmake/cake.pc.in "${CMAKE_BINARY_DIR}/package/cake.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/package/CakeConfig.cmake" "${CMAKE_BINARY_DIR}/package/CakeConfigVersion.cmake"
        DESTINATION "${package}" COMPONENT development)
install(FILES "${CMAKE_BINARY_DIR}/package/cake.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
