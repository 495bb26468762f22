// What the files share that build ops; the prototypes of their functions, one a row of the dialects, come from build_rows.h.
#ifndef CAKE_SIMULATOR_BUILD_H
#define CAKE_SIMULATOR_BUILD_H

#include "simulator/sim.h"

// Hands the values of a terminator to the frame of its region.
bool cake_sim_build_yield(CakeSimBuilder *builder, CakeOp *op, CakeOperandRange values);

// How a matrix instruction adds (accumulate.c): products of one group at a time, bits below the largest exponent, bits behind the first of a sum.
typedef struct CakeSimSums {
  int group, aligned, kept; // group 0: one fused multiply-add in f32 behind the other, in ascending k
} CakeSimSums;
CakeSimSums cake_sim_sums_of(CakeSimElement element, bool is_tf32);
// acc (M×N) += a (M×K) · b (K×N), all without gaps. In groups, factors have at most 11 significant bits.
void cake_sim_multiply(CakeSimSums sums, float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k);
// What a product of `cake.mma` sums over; -1: it does not say.
int64_t cake_sim_mma_depth(CakeOp *op);
void cake_sim_cut_to_tf32(float *values, size_t count);
void cake_sim_negate(float *values, size_t count);

#endif
