// What every fake CUDA driver of these tests does in the same way: functions that a generated C file finds in the program itself (linked with
// -rdynamic).
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include <stdio.h>

static const char *image; // that was loaded last
static int device_sm = 90;
static int marker;

int cuInit(unsigned flags) {
  return (int)flags;
}
int cuGetErrorName(int error, const char **out) {
  return *out = error ? "CUDA_ERROR_TEST" : "CUDA_SUCCESS", 0;
}
int cuCtxGetCurrent(void **out) {
  return *out = &marker, 0;
}
int cuCtxGetDevice(int *out) {
  return *out = 0;
}
int cuModuleUnload(void *module) {
  return printf("unloaded\n"), module != &marker;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  return !function || attribute != 8 || value < 0;
}

int cuDeviceGetAttribute(int *out, int attribute, int device) {
  *out = attribute == 75 ? device_sm / 10 : attribute == 76 ? device_sm % 10 : attribute == 16 ? 132 : 1 << 30;
  return device;
}

int cuModuleLoadDataEx(void **out, const void *data, unsigned count, int *options, void **values) {
  image = data;
  *out = &marker;
  return count != 2 || options[0] != 5 || !values[0];
}

#endif
