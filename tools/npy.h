// NumPy's .npy files: arrays of plain numbers, little-endian, in C order.
//
// Format: NumPy Enhancement Proposal 1, versions 1.0, 2.0 and 3.0. Every error names the file and the byte.
#ifndef CAKE_TOOLS_NPY_H
#define CAKE_TOOLS_NPY_H

#include "cake/base.h"

CAKE_BEGIN_C

typedef enum CakeNpyType {
  CAKE_NPY_F2,
  CAKE_NPY_F4,
  CAKE_NPY_F8,
  CAKE_NPY_I1,
  CAKE_NPY_I2,
  CAKE_NPY_I4,
  CAKE_NPY_I8,
  CAKE_NPY_U1,
  CAKE_NPY_U2,
  CAKE_NPY_U4,
  CAKE_NPY_U8,
  CAKE_NPY_B1, // one byte, 0 or 1
} CakeNpyType;

#define CAKE_NPY_MAX_RANK 8

// An array. Zero-initialise or let a function fill it in, give back with `cake_npy_fini`.
typedef struct CakeNpy {
  CakeNpyType type;
  unsigned rank;
  uint64_t shape[CAKE_NPY_MAX_RANK];
  size_t count; // elements
  void *data;   // aligned for its type; owned by `storage`
  CakeBuf storage;
} CakeNpy;

const char *cake_npy_type_name(CakeNpyType type); // "float32"
size_t cake_npy_type_bytes(CakeNpyType type);

// A zeroed array. The product of the shape must fit in memory, else out of memory is fatal.
void cake_npy_init(CakeNpy *out, CakeNpyType type, unsigned rank, const uint64_t *shape);
void cake_npy_fini(CakeNpy *array);
// Element `i` in C order, as a double (exact but for 64-bit integers beyond 2^53).
double cake_npy_get(const CakeNpy *array, size_t i);
// Appends "(3, 4)".
void cake_npy_append_shape(const CakeNpy *array, CakeBuf *out);

// Reads a file ("-" is standard input). False: `error` has "FILE: byte N: …", and `out` needs no fini.
CAKE_NODISCARD bool cake_npy_read(const char *path, CakeNpy *out, CakeBuf *error);
// The same from bytes in memory; `name` stands for the file in errors.
CAKE_NODISCARD bool cake_npy_parse(CakeStr bytes, const char *name, CakeNpy *out, CakeBuf *error);
// Writes version 1.0, at once or not at all.
CAKE_NODISCARD bool cake_npy_write(const char *path, const CakeNpy *array, CakeBuf *error);

CAKE_END_C
#endif
