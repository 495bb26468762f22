// Uses a generated kernel as a library would, with a CUDA driver of its own: the generated file finds the driver's functions
// in this program (link it with -rdynamic), and what reaches them is printed.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "assign.h"
#include "fake_driver.h"
#include "tensor.h"

// ---- The driver ------------------------------------------------------------------------------------------------------

int cuModuleGetFunction(void **out, void *module, const char *name) {
  printf("loaded %s: %s\n", name, strstr(image, ".entry kmeans_assign(") ? "its PTX" : "something else");
  return *out = module, 0;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, void *function, int threads, size_t shared_bytes) {
  return *out = 1, !function || threads != 384 || shared_bytes == 0;
}

int cuTensorMapEncodeTiled(void *out, int type, uint32_t rank, void *base, const uint64_t *dims,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                           int swizzle, int promotion, int fill) {
  printf("tensor map at %p: %llu x %llu x %llu x %llu, stride %llu, box %u x %u x %u\n", base,
         (unsigned long long)dims[0], (unsigned long long)dims[1], (unsigned long long)dims[2],
         (unsigned long long)dims[3], (unsigned long long)strides[0], box[0], box[1], box[2]);
  memset(out, 0, 128);
  return type != 9 || rank != 4 || steps[0] != 1 || interleave || swizzle != 3 || promotion != 3 || fill;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared_bytes, void *stream, void **params, void **extra) {
  int32_t sizes[3];
  void *arrays[4];
  for (int i = 0; i < 4; i++)
    memcpy(&arrays[i], params[i], sizeof arrays[i]);
  for (int i = 0; i < 3; i++)
    memcpy(&sizes[i], params[4 + i], sizeof sizes[i]);
  printf("launch of %u x %u x %u CTAs of %u x %u x %u threads, %s shared memory, stream %p, x %p, label %p, B %d N %d "
         "K %d\n",
         gx, gy, gz, bx, by, bz, shared_bytes > 98304 ? "much" : "little", stream, arrays[0], arrays[3], sizes[0],
         sizes[1], sizes[2]);
  return !function || extra;
}

// ---- The calls -------------------------------------------------------------------------------------------------------

static char error[512];

static void call(void *x, int64_t B, int64_t N, int64_t D, int64_t K) {
  strcpy(error, "fine");
  int result = assign(x, (void *)0x2000, (void *)0x3000, (void *)0x4000, B, N, D, K, (void *)0x99, error, sizeof error);
  printf("%d: %s\n", result, error);
}

static void call_dlpack(int64_t D) {
  int64_t xs[] = {2, 300, D}, cs[] = {2, 77, D}, c2s[] = {2, 77}, labels[] = {2, 300};
  Tensor x = {(void *)0x1000, 2, 0, 3, 4, 16, 1, xs, NULL, 0}, c = {(void *)0x2000, 2, 0, 3, 4, 16, 1, cs, NULL, 0},
         c2 = {(void *)0x3000, 2, 0, 2, 2, 32, 1, c2s, NULL, 0},
         label = {(void *)0x4000, 2, 0, 2, 0, 32, 1, labels, NULL, 0};
  strcpy(error, "fine");
  int result = assign_dlpack(&x, &c, &c2, &label, NULL, error, sizeof error);
  printf("%d: %s\n", result, error);
}

int main(void) {
  // Refused or done before there is a driver.
  call((void *)0x1000, 1, 300, 64, 0);
  call((void *)0x1000, 1, 300, 96, 10);
  call((void *)0x1008, 1, 300, 64, 10);
  call(NULL, 1, 300, 64, 10);
  call((void *)0x1000, -5, 300, 64, 10);
  call((void *)0x1000, 1, INT64_C(1) << 31, 64, 10);
  call((void *)0x1000, 1 << 20, 1 << 20, 64, 10);
  call((void *)0x1000, 1, 0, 64, 10);
  printf("%d\n", assign(NULL, NULL, NULL, NULL, 1, 1, 64, 1, NULL, NULL, 0));

  if (assign_driver(NULL, error, sizeof error)) return printf("no driver: %s\n", error), 1;
  call((void *)0x1000, 2, 300, 64, 10);
  call((void *)0x1000, 2, 300, 64, 10); // the same again: everything is there
  call((void *)0x1000, 32, 65536, 128, 1024);
  call_dlpack(128);
  call_dlpack(32);
  assign_unload();
  device_sm = 100;
  call((void *)0x1000, 2, 300, 64, 10);
  printf("%d: %s\n", assign_load(error, sizeof error), error);
  return 0;
}
