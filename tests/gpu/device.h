// The CUDA driver, as far as the C programs of these tests use it: found at run time, so that no header of CUDA is needed.
#ifndef TESTS_GPU_DEVICE_H
#define TESTS_GPU_DEVICE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Address;

static struct {
  int (*init)(unsigned), (*device_get)(int *, int), (*attribute)(int *, int, int), (*retain)(void **, int),
      (*set)(void *);
  int (*alloc)(Address *, size_t), (*release)(Address), (*to_device)(Address, const void *, size_t), (*to_host)(void *, Address, size_t);
  int (*fill)(Address, unsigned char, size_t), (*synchronize)(void);
  int (*event_create)(void **, unsigned), (*event_record)(void *, void *), (*event_elapsed)(float *, void *, void *);
} cuda;

static void die(const char *what) {
  printf("FAILED: %s\n", what);
  exit(1);
}

static void check(int result, const char *what) {
  if (result != 0) die(what);
}

static void find(void *library, const char *symbol, void *out) {
  void *address = dlsym(library, symbol);
  if (!address) die(symbol);
  memcpy(out, &address, sizeof address);
}

// Makes the first device current; 77 when there is none that runs sm_90a.
static int open_device(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *context = NULL;
  int device = 0, major = 0, minor = 0;
  if (!library) return 77;
  find(library, "cuInit", &cuda.init);
  find(library, "cuDeviceGet", &cuda.device_get);
  find(library, "cuDeviceGetAttribute", &cuda.attribute);
  find(library, "cuDevicePrimaryCtxRetain", &cuda.retain);
  find(library, "cuCtxSetCurrent", &cuda.set);
  find(library, "cuMemAlloc_v2", &cuda.alloc);
  find(library, "cuMemFree_v2", &cuda.release);
  find(library, "cuMemcpyHtoD_v2", &cuda.to_device);
  find(library, "cuMemcpyDtoH_v2", &cuda.to_host);
  find(library, "cuMemsetD8_v2", &cuda.fill);
  find(library, "cuCtxSynchronize", &cuda.synchronize);
  find(library, "cuEventCreate", &cuda.event_create);
  find(library, "cuEventRecord", &cuda.event_record);
  find(library, "cuEventElapsedTime", &cuda.event_elapsed);
  if (cuda.init(0) != 0 || cuda.device_get(&device, 0) != 0) return 77;
  check(cuda.attribute(&major, 75, device), "compute capability");
  check(cuda.attribute(&minor, 76, device), "compute capability");
  if (10 * major + minor != 90) return 77;
  check(cuda.retain(&context, device), "context");
  check(cuda.set(context), "context");
  return 0;
}

static void *upload(const void *values, size_t bytes) {
  Address address = 0;
  check(cuda.alloc(&address, bytes), "allocate");
  check(cuda.to_device(address, values, bytes), "copy");
  return (void *)(uintptr_t)address;
}

#endif
