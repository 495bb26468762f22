// Calls a generated kernel on a GPU. Nothing of Cake is included but the generated header.
//
//   main device                  exit 77 when there is no GPU that it runs on
//   main make FOLDER B N K D     writes x.npy, c.npy, c2.npy
//   main run FOLDER B N K D      runs on them, twice, and compares with label.npy
//   main time B N K D            prints the time of a launch
#include <assign.h> // generated; -I.

#include "device.h"
#include "tensor.h"

// ---- Arrays ----------------------------------------------------------------------------------------------------------

static size_t B, N, K, D;

static float *make(size_t count, uint32_t seed) {
  float *values = malloc((count + 1) * sizeof *values);
  if (!values) die("memory");
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = (float)((int)(seed >> 20) % 129 - 64) / 16; // bf16 holds it
  }
  return values;
}

static float *norms(const float *c) {
  float *sums = malloc((B * K + 1) * sizeof *sums);
  if (!sums) die("memory");
  for (size_t i = 0; i < B * K; i++) {
    sums[i] = 0;
    for (size_t d = 0; d < D; d++)
      sums[i] += c[i * D + d] * c[i * D + d];
  }
  return sums;
}

static FILE *open_npy(const char *folder, const char *name, const char *mode) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, mode);
  if (!file) die(path);
  return file;
}

static void write_npy(const char *folder, const char *name, const char *shape, const float *values, size_t count) {
  char header[128];
  memset(header, ' ', sizeof header);
  memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
  int len =
      snprintf(header + 10, sizeof header - 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", shape);
  header[10 + len] = ' ';
  header[127] = '\n';
  FILE *file = open_npy(folder, name, "wb");
  if (fwrite(header, 1, sizeof header, file) != sizeof header || fwrite(values, sizeof *values, count, file) != count ||
      fclose(file) != 0)
    die("cannot write");
}

static int32_t *read_labels(const char *folder) {
  unsigned char header[10];
  int32_t *labels = malloc((B * N + 1) * sizeof *labels);
  FILE *file = open_npy(folder, "label.npy", "rb");
  if (!labels || fread(header, 1, sizeof header, file) != sizeof header ||
      fseek(file, 10 + header[8] + 256 * header[9], SEEK_SET) != 0 ||
      fread(labels, sizeof *labels, B * N, file) != B * N)
    die("cannot read label.npy");
  fclose(file);
  return labels;
}

static void *upload_bf16(const float *values, size_t count) {
  uint16_t *narrow = malloc((count + 1) * sizeof *narrow);
  if (!narrow) die("memory");
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    narrow[i] = (uint16_t)(bits >> 16);
  }
  void *address = upload(narrow, count * sizeof *narrow);
  free(narrow);
  return address;
}

// ---- Commands --------------------------------------------------------------------------------------------------------

static void *x, *c, *c2, *label;

static void upload_all(void) {
  float *points = make(B * N * D, 1), *centres = make(B * K * D, 2), *sums = norms(centres);
  x = upload_bf16(points, B * N * D);
  c = upload_bf16(centres, B * K * D);
  c2 = upload(sums, B * K * sizeof *sums);
  Address address = 0;
  check(cuda.alloc(&address, B * N * 4), "allocate");
  label = (void *)(uintptr_t)address;
  free(points), free(centres), free(sums);
}

static void compare(const int32_t *expected, const char *way) {
  int32_t *found = malloc((B * N + 1) * sizeof *found);
  if (!found) die("memory");
  check(cuda.synchronize(), "the kernel failed");
  check(cuda.to_host(found, (Address)(uintptr_t)label, B * N * sizeof *found), "copy");
  for (size_t i = 0; i < B * N; i++)
    if (found[i] != expected[i]) die("a label differs from the simulator's");
  printf("B=%zu N=%zu K=%zu D=%zu %s: %zu labels equal the simulator's\n", B, N, K, D, way, B * N);
  check(cuda.fill((Address)(uintptr_t)label, 0xff, B * N * 4), "fill");
  free(found);
}

static void run(const char *folder) {
  char error[512];
  int64_t xs[] = {(int64_t)B, (int64_t)N, (int64_t)D}, cs[] = {(int64_t)B, (int64_t)K, (int64_t)D},
          c2s[] = {(int64_t)B, (int64_t)K}, labels[] = {(int64_t)B, (int64_t)N};
  int32_t *expected = read_labels(folder);
  upload_all();
  if (assign(x, c, c2, label, xs[0], xs[1], xs[2], cs[1], NULL, error, sizeof error)) die(error);
  compare(expected, "from addresses");
  Tensor tx = {x, 2, 0, 3, 4, 16, 1, xs, NULL, 0}, tc = {c, 2, 0, 3, 4, 16, 1, cs, NULL, 0},
         tc2 = {c2, 2, 0, 2, 2, 32, 1, c2s, NULL, 0}, tl = {label, 2, 0, 2, 0, 32, 1, labels, NULL, 0};
  if (assign_dlpack(&tx, &tc, &tc2, &tl, NULL, error, sizeof error)) die(error);
  compare(expected, "from DLPack tensors");
  if (!assign((char *)x + 2, c, c2, label, xs[0], xs[1], xs[2], cs[1], NULL, error, sizeof error))
    die("an unaligned address was taken");
  free(expected);
}

static void measure(void) {
  enum { LAUNCHES = 200 };
  void *start, *end;
  float ms;
  char error[512];
  upload_all();
  check(cuda.event_create(&start, 0), "event");
  check(cuda.event_create(&end, 0), "event");
  for (int i = 0; i < 2 * LAUNCHES; i++) { // the first half warms up
    if (i == LAUNCHES) check(cuda.event_record(start, NULL), "event");
    if (assign(x, c, c2, label, (int64_t)B, (int64_t)N, (int64_t)D, (int64_t)K, NULL, error, sizeof error)) die(error);
  }
  check(cuda.event_record(end, NULL), "event");
  check(cuda.synchronize(), "the kernel failed");
  check(cuda.event_elapsed(&ms, start, end), "event");
  printf("B=%zu N=%zu K=%zu D=%zu: sustained %.4f ms a launch\n", B, N, K, D, ms / LAUNCHES);
}

int main(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  int first = strcmp(command, "time") == 0 ? 2 : 3;
  size_t *sizes[] = {&B, &N, &K, &D};
  for (int i = 0; i < 4 && first + i < argc; i++)
    *sizes[i] = strtoul(argv[first + i], NULL, 10);
  if (strcmp(command, "make") == 0) {
    char shape[3][64];
    float *points = make(B * N * D, 1), *centres = make(B * K * D, 2), *sums = norms(centres);
    (void)snprintf(shape[0], sizeof shape[0], "%zu, %zu, %zu", B, N, D);
    (void)snprintf(shape[1], sizeof shape[1], "%zu, %zu, %zu", B, K, D);
    (void)snprintf(shape[2], sizeof shape[2], "%zu, %zu", B, K);
    write_npy(argv[2], "x.npy", shape[0], points, B * N * D);
    write_npy(argv[2], "c.npy", shape[1], centres, B * K * D);
    write_npy(argv[2], "c2.npy", shape[2], sums, B * K);
    free(points), free(centres), free(sums);
    return 0;
  }
  int result = open_device();
  if (result != 0 || strcmp(command, "device") == 0) {
    if (result != 0) printf("no GPU of compute capability 9.0\n");
    return result;
  }
  if (strcmp(command, "run") == 0)
    run(argv[2]);
  else
    measure();
  return 0;
}
