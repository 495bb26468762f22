// Prototypes of the functions that build the ops of CAKE_ROWS, a file of rows of CAKE_DIALECT (program.c has the tables). No include guard:
// included once a file of rows, so that a source is compiled again only for those whose ops it builds.
#include "cake/dialect_rows_clear.h"
#undef OP
#define OP(op, ...) bool CAKE_CAT4(cake_sim_build_, CAKE_DIALECT, _, op)(CakeSimBuilder *builder, CakeOp *operation);
#include CAKE_ROWS
#undef OP
#define OP(...)
#undef CAKE_DIALECT
#undef CAKE_ROWS
