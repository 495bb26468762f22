// Prototypes of the functions that build ops, one a row of the dialects (program.c has the tables), and what they share.
#ifndef CAKE_SIMULATOR_BUILD_H
#define CAKE_SIMULATOR_BUILD_H

#include "simulator/sim.h"

#include "dialects/arith/arith.h"
#include "dialects/math/math.h"
#include "dialects/scf/scf.h"

#include "cake/dialect_rows_clear.h"
#undef OP
#define OP(op, ...) bool cake_sim_build_cake_##op(CakeSimBuilder *builder, CakeOp *operation);
#include "dialects/cake/cake.def"
#undef OP
#define OP(op, ...) bool cake_sim_build_arith_##op(CakeSimBuilder *builder, CakeOp *operation);
#include "dialects/arith/arith.def"
#undef OP
#define OP(op, ...) bool cake_sim_build_math_##op(CakeSimBuilder *builder, CakeOp *operation);
#include "dialects/math/math.def"
#undef OP
#define OP(op, ...) bool cake_sim_build_scf_##op(CakeSimBuilder *builder, CakeOp *operation);
#include "dialects/scf/scf.def"
#undef OP
#define OP(...)

// Hands the values of a terminator to the frame of its region.
bool cake_sim_build_yield(CakeSimBuilder *builder, CakeOp *op, CakeOperandRange values);

// acc (M×N) += a (M×K) · b (K×N), all without gaps: see sim_mma.c for the order of the additions. `is_short`: factors have at most 12 significant bits.
void cake_sim_multiply(bool is_short, float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k);
void cake_sim_cut_to_tf32(float *values, size_t count);

#endif
