// Elementwise ops of arith and math: how one is described, and how it is built.
#ifndef CAKE_SIMULATOR_EACH_H
#define CAKE_SIMULATOR_EACH_H

#include "simulator/build.h"

// Operands and result in kept form: of each, the pointer that its kind uses.
typedef struct CakeSimLanes {
  const float *f[3];
  const int64_t *i[3];
  float *out_f;
  int64_t *out_i;
  CakeSimElement in, out; // elements of the first operand and of the result
  int64_t predicate;      // of a comparison
} CakeSimLanes;

// Computes `count` elements. Gives `count`, or the number of an element whose result is undefined. Float results are rounded to the
// result's element type afterwards.
typedef size_t (*CakeSimEach)(const CakeSimLanes *x, size_t count);

typedef struct CakeSimEachRow {
  CakeSimEach run;
  const char *undefined; // words for an element that `run` refuses; NULL: there is none
} CakeSimEachRow;

bool cake_sim_build_each(CakeSimBuilder *builder, CakeOp *op, const CakeSimEachRow *row, int64_t predicate);

#endif
