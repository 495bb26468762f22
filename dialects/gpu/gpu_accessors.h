// Accessors of the gpu dialect's operands and attributes: cake_gpu_<op>_<name>(op). Only for files that work on the dialect.
#ifndef CAKE_DIALECTS_GPU_ACCESSORS_H
#define CAKE_DIALECTS_GPU_ACCESSORS_H

#include "dialects/gpu/gpu.h"

#define CAKE_DIALECT gpu
#define CAKE_ROWS "dialects/gpu/gpu.def"
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
