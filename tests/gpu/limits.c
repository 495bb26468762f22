// Calls of generated functions at their limits (tests/gpu/limits). Numbers are small integers, so that sums are exact whatever their order.
#include <assign.h> // generated; -I.
#include <gemm.h>
#include <score.h>

#include "device.h"

enum { D = 128, MOST = 40, ALIGN = 256 };

typedef int (*Assign)(void *, void *, void *, void *, int64_t, int64_t, int64_t, int64_t, void *, char *, size_t);
static const struct {
  const char *name;
  Assign call;
  int centroids;
} families[] = {
    {"assign", assign, 40},
    {"score",  score,  40},
    {"small",  score,  13}  // the family's other kernel
};

static char error[512];

// ---- Arrays ----------------------------------------------------------------------------------------------------------

static uint32_t seed = 1;

// From -3 to 3.
static int small(void) {
  seed = seed * 1664525u + 1013904223u;
  return (int)(seed >> 16) % 7 - 3;
}

static uint16_t bf16_of(int value) {
  float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return (uint16_t)(bits >> 16); // small integers have no more bits
}

static int int_of(uint16_t value) {
  uint32_t bits = (uint32_t)value << 16;
  float number;
  memcpy(&number, &bits, sizeof number);
  return (int)number;
}

static void *allocate(size_t count, size_t bytes) {
  void *memory = calloc(count ? count : 1, bytes);
  if (!memory) die("memory");
  return memory;
}

static uint16_t *random_bf16(size_t count) {
  uint16_t *values = allocate(count, sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = bf16_of(small());
  return values;
}

// Memory on the device, every byte `value`.
static char *device_bytes(size_t bytes, unsigned char value) {
  Address address = 0;
  check(cuda.alloc(&address, bytes), "allocate");
  check(cuda.fill(address, value, bytes), "fill");
  return (char *)(uintptr_t)address;
}

static void put(char *to, const void *from, size_t bytes) {
  check(cuda.to_device((Address)(uintptr_t)to, from, bytes), "copy to the device");
}

static void take(void *to, const char *from, size_t bytes) {
  check(cuda.synchronize(), "the kernel failed");
  check(cuda.to_host(to, (Address)(uintptr_t)from, bytes), "copy from the device");
}

static void give_back(char *memory) {
  check(cuda.release((Address)(uintptr_t)memory), "give back");
}

static void expect(bool is_right, const char *what, const char *name) {
  printf("%-6s %s: %s\n", name, what, is_right ? "as it should be" : error);
  if (!is_right) die(what);
}

// ---- The assign step -------------------------------------------------------------------------------------------------

static int K;
static uint16_t *centres; // at most MOST of them are used: K
static float norms[MOST];

static void make_centres(void) {
  centres = random_bf16((size_t)MOST * D);
  for (int k = 0; k < MOST; k++)
    for (int d = 0; d < D; d++)
      norms[k] += (float)(int_of(centres[k * D + d]) * int_of(centres[k * D + d]));
}

static int nearest(const uint16_t *point) {
  int best = 0;
  float least = 0;
  for (int k = 0; k < K; k++) {
    int dot = 0;
    for (int d = 0; d < D; d++)
      dot += int_of(point[d]) * int_of(centres[k * D + d]);
    float distance = norms[k] - 2 * (float)dot;
    if (k > 0 && distance >= least) continue;
    best = k;
    least = distance;
  }
  return best;
}

// Points at `first`, of which the labels are looked at later.
typedef struct Island {
  size_t first, count;
  uint16_t *points;
} Island;

static void check_labels(const int32_t *labels, const Island *island) {
  for (size_t i = 0; i < island->count; i++)
    if (labels[i] != nearest(island->points + i * D)) die("a label is wrong");
}

// Each of the arrays a few bytes further on: refused where it is not aligned as declared, right where it is.
static void shifted(const char *name, Assign call) {
  enum { N = 300 };
  Island island = {0, N, random_bf16((size_t)N * D)};
  static const size_t refused[] = {8, 8, 2, 2}, taken[] = {16, 16, 4, 4};
  size_t bytes[] = {(size_t)N * D * 2, (size_t)K * D * 2, (size_t)K * 4, N * 4};
  const void *values[] = {island.points, centres, norms, NULL};
  int32_t labels[N];
  for (int shift = 0; shift < 2; shift++)
    for (int i = 0; i < 4; i++) {
      char *memory[4], *arrays[4];
      for (int j = 0; j < 4; j++) {
        memory[j] = device_bytes(bytes[j] + ALIGN, 0xff);
        arrays[j] = memory[j] + (i == j ? (shift ? taken : refused)[j] : 0);
        if (values[j] && (shift || i != j)) put(arrays[j], values[j], bytes[j]);
      }
      int result = call(arrays[0], arrays[1], arrays[2], arrays[3], 1, N, D, K, NULL, error, sizeof error);
      if (!shift)
        expect(result == 1 && strstr(error, "must be a multiple of"), "an address that is not aligned is refused",
               name);
      if (shift) {
        expect(result == 0, "an address that is aligned as declared is taken", name);
        take(labels, arrays[3], sizeof labels);
        check_labels(labels, &island);
      }
      for (int j = 0; j < 4; j++)
        give_back(memory[j]);
    }
  free(island.points);
}

// Addresses that nobody may use: nothing is to be started.
static void *const nowhere = (void *)4096;

static int call_nowhere(Assign call, int64_t batches, int64_t points, int64_t centroids) {
  return call(nowhere, nowhere, nowhere, nowhere, batches, points, D, centroids, NULL, error, sizeof error);
}

static void empty(const char *name, Assign call) {
  expect(call_nowhere(call, 0, 100, K) == 0, "no batch", name);
  expect(call_nowhere(call, 1, 0, K) == 0, "no point", name);
  expect(call_nowhere(call, 1, 100, 0) == 1 && strstr(error, "guard"), "no centroid is refused", name);
  expect(call_nowhere(call, 1, INT64_C(1) << 31, K) == 1 && strstr(error, "sizes are from 0 to"),
         "2^31 points are refused", name);
  check(cuda.synchronize(), "nothing was to be started");
}

// More than 2^31 numbers: all points are 0 but for a few at the begin, around element 2^31 and at the end.
static void large(const char *name, Assign call) {
  const size_t border = ((size_t)1 << 31) / D, n = border + 1003;
  Island islands[] = {
      {0,            300, random_bf16(300 * D)},
      {border - 150, 300, random_bf16(300 * D)},
      {n - 300,      300, random_bf16(300 * D)}
  };
  static const uint16_t zeros[D];
  char *x = device_bytes(n * D * 2, 0), *c = upload(centres, (size_t)K * D * 2), *c2 = upload(norms, (size_t)K * 4),
       *label = device_bytes(n * 4, 0xff);
  for (int i = 0; i < 3; i++)
    put(x + islands[i].first * D * 2, islands[i].points, islands[i].count * D * 2);
  expect(call(x, c, c2, label, 1, (int64_t)n, D, K, NULL, error, sizeof error) == 0, "2^31 + 128384 numbers are taken",
         name);
  int32_t *labels = allocate(n, sizeof *labels);
  take(labels, label, n * sizeof *labels);
  int far = nearest(zeros);
  for (size_t i = 0, at = 0; i < 3; at = islands[i].first + islands[i].count, i++) {
    for (; at < islands[i].first; at++)
      if (labels[at] != far) die("the label of a point that is 0 is wrong");
    check_labels(labels + islands[i].first, &islands[i]);
  }
  printf("%-6s %zu labels, all right\n", name, n);
  give_back(x), give_back(c), give_back(c2), give_back(label), free(labels);
}

// ---- The matrix product ----------------------------------------------------------------------------------------------

static int gemm_nowhere(int64_t m, int64_t k, int64_t n) {
  return gemm(nowhere, nowhere, nowhere, m, k, n, NULL, error, sizeof error);
}

static void gemm_empty(void) {
  expect(gemm_nowhere(0, 8, 8) == 0, "no row", "gemm");
  expect(gemm_nowhere(8, 8, 0) == 0, "no column", "gemm");
  expect(gemm_nowhere(8, 0, 8) == 1 && strstr(error, "guard"), "no sum is refused", "gemm");
  expect(gemm_nowhere(8, 7, 8) == 1 && strstr(error, "guard"), "rows that no tensor map takes are refused", "gemm");
  check(cuda.synchronize(), "nothing was to be started");
}

static void check_row(const uint16_t *found, const uint16_t *a, const uint16_t *b, size_t n, size_t k) {
  for (size_t j = 0; j < n; j++) {
    int sum = 0;
    for (size_t i = 0; i < k; i++)
      sum += int_of(a[i]) * int_of(b[j * k + i]);
    if (int_of(found[j]) != sum) die("an element of the product is wrong");
  }
}

// A result of more than 2^31 numbers; rows at the begin, around element 2^31 and at the end are looked at.
static void gemm_large_result(void) {
  enum { M = 66000, N = 32800, DEPTH = 8 };
  uint16_t *a = random_bf16((size_t)M * DEPTH), *b = random_bf16((size_t)N * DEPTH), *row = allocate(N, sizeof *row);
  char *da = upload(a, (size_t)M * DEPTH * 2), *db = upload(b, (size_t)N * DEPTH * 2),
       *dc = device_bytes((size_t)M * N * 2, 0xff);
  static const size_t rows[] = {0, 1, 127, 65471, 65472, 65473, 65999};
  expect(gemm(da, db, dc, M, DEPTH, N, NULL, error, sizeof error) == 0, "a result of 2164800000 numbers", "gemm");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    take(row, dc + rows[i] * N * 2, (size_t)N * 2);
    check_row(row, a + rows[i] * DEPTH, b, N, DEPTH);
  }
  give_back(da), give_back(db), give_back(dc), free(a), free(b), free(row);
}

// An operand of more than 2^31 numbers, all 0 but for the ends of some rows.
static void gemm_large_operand(void) {
  enum { M = 65700, N = 8, DEPTH = 32768, ENDS = 8 };
  static const size_t rows[] = {0, 65535, 65536, 65537, 65699};
  uint16_t *b = random_bf16((size_t)N * DEPTH), *found = allocate((size_t)M * N, sizeof *found),
           *a = allocate(DEPTH, sizeof *a);
  char *da = device_bytes((size_t)M * DEPTH * 2, 0), *db = upload(b, (size_t)N * DEPTH * 2),
       *dc = device_bytes((size_t)M * N * 2, 0xff);
  uint16_t *ends = random_bf16(ENDS * sizeof rows / sizeof *rows);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    put(da + ((rows[i] + 1) * DEPTH - ENDS) * 2, ends + i * ENDS, ENDS * 2);
  expect(gemm(da, db, dc, M, DEPTH, N, NULL, error, sizeof error) == 0, "an operand of 2152857600 numbers", "gemm");
  take(found, dc, (size_t)M * N * 2);
  for (size_t row = 0, next = 0; row < M; row++) {
    bool is_set = next < sizeof rows / sizeof *rows && rows[next] == row;
    memset(a, 0, DEPTH * sizeof *a);
    if (is_set) memcpy(a + DEPTH - ENDS, ends + next++ * ENDS, ENDS * 2);
    for (size_t j = 0; !is_set && j < N; j++)
      if (int_of(found[row * N + j]) != 0) die("the product of a row that is 0 is wrong");
    if (is_set) check_row(found + row * N, a, b, N, DEPTH);
  }
  give_back(da), give_back(db), give_back(dc), free(a), free(b), free(found), free(ends);
}

int main(void) {
  int result = open_device();
  if (result != 0) return result;
  make_centres();
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    K = families[i].centroids;
    empty(families[i].name, families[i].call);
    shifted(families[i].name, families[i].call);
    large(families[i].name, families[i].call);
  }
  gemm_empty();
  gemm_large_result();
  gemm_large_operand();
  free(centres);
  return 0;
}
