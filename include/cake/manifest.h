// What a program must know of a kernel to launch it, as one C struct: arguments, sizes, grid, guard, tensor maps, resources.
//
// The compiler writes it (cake-translate --emit=manifest as XML, --emit=c as a table in C); the runtime (cake/runtime.h) reads it. It needs
// nothing else of Cake. Everything is borrowed and constant; a manifest is usually static data.
#ifndef CAKE_MANIFEST_H
#define CAKE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAKE_MANIFEST_VERSION 2
#define CAKE_MANIFEST_MAX_RANK 8     // of an array
#define CAKE_MANIFEST_MAP_RANK 5     // of a tensor map
#define CAKE_MANIFEST_MAX_MAPS 16    // of a kernel
#define CAKE_MANIFEST_MAX_PARAMS 128 // arrays, scalars, sizes and tensor maps together

// ---- Formulas over the sizes -----------------------------------------------------------------------------------------

// One step of a formula in postfix order: a leaf pushes a value, every other step takes two and pushes one.
typedef enum CakeFormulaOp {
  CAKE_FORMULA_CONST, // `value`
  CAKE_FORMULA_SIZE,  // the size of number `value`
  CAKE_FORMULA_ADD,
  CAKE_FORMULA_SUB,
  CAKE_FORMULA_MUL,
  CAKE_FORMULA_FLOORDIV, // to minus infinity
  CAKE_FORMULA_CEILDIV,  // to plus infinity
  CAKE_FORMULA_MOD,      // of FLOORDIV
  CAKE_FORMULA_MIN,
  CAKE_FORMULA_MAX,
  CAKE_FORMULA_EQ, // comparisons give 0 or 1
  CAKE_FORMULA_NE,
  CAKE_FORMULA_LT,
  CAKE_FORMULA_LE,
  CAKE_FORMULA_GT,
  CAKE_FORMULA_GE,
  CAKE_FORMULA_AND, // of 0 and 1
  CAKE_FORMULA_OP_COUNT
} CakeFormulaOp;

typedef struct CakeFormulaStep {
  CakeFormulaOp op;
  int64_t value;
} CakeFormulaStep;

#define CAKE_FORMULA_MAX_DEPTH 64 // values on the stack

typedef struct CakeFormula {
  const CakeFormulaStep *steps;
  uint32_t count; // 0: there is none
} CakeFormula;

// ---- Parts -----------------------------------------------------------------------------------------------------------

typedef enum CakeElement {
  CAKE_ELEMENT_I1, // one byte, 0 or 1
  CAKE_ELEMENT_I8,
  CAKE_ELEMENT_I16,
  CAKE_ELEMENT_I32,
  CAKE_ELEMENT_I64,
  CAKE_ELEMENT_F8E4M3FN,
  CAKE_ELEMENT_F8E5M2,
  CAKE_ELEMENT_F16,
  CAKE_ELEMENT_BF16,
  CAKE_ELEMENT_TF32, // a float whose low 13 bits are not read
  CAKE_ELEMENT_F32,
  CAKE_ELEMENT_F64,
  CAKE_ELEMENT_INDEX, // scalars only: int64_t here, 32 bits on the device
  CAKE_ELEMENT_COUNT
} CakeElement;

typedef struct CakeManifestArgument {
  const char *name;
  CakeElement element;
  bool is_array, is_readonly;
  bool is_added;           // to an array: the kernel adds to what a launch finds there
  uint32_t align;          // bytes; of an array's address
  uint32_t rank;           // of an array
  const CakeFormula *dims; // `rank` of them, outermost first; arrays are dense
} CakeManifestArgument;

// How a tensor map of an array is encoded. Its dimensions, innermost first: {last, second to last, …} of the array; with a panel
// {panel, second to last, last / panel, third to last, …}. What a copy reads outside of the array is 0.
typedef struct CakeManifestMap {
  uint32_t argument, rank;
  uint32_t box[CAKE_MANIFEST_MAP_RANK]; // elements, innermost first
  uint32_t panel;                       // elements; 0: none
  uint32_t swizzle;                     // bytes: 0, 32, 64 or 128
} CakeManifestMap;

// For people; a launch does not need it.
typedef struct CakeManifestRole {
  const char *name;
  uint32_t first_warp, warps, replicas, registers; // warps of one replica; registers of a thread, 0: no budget
} CakeManifestRole;

// The mbarriers of a pipeline, for the report of a watchdog.
typedef struct CakeManifestBarriers {
  const char *pipeline;
  uint32_t offset, stages; // in dynamic shared memory: `full` of each stage, then `empty` of each stage, 8 bytes each
} CakeManifestBarriers;

// The parameters of the kernel are, in this order: the address of each array, each scalar, each size (32 bits), for a kernel with a
// watchdog the address of its report, each tensor map (128 bytes by value).
typedef struct CakeManifest {
  uint32_t version;   // CAKE_MANIFEST_VERSION
  const char *kernel; // the entry's name
  const char *target; // what its code was emitted for: "sm_90a"
  const CakeManifestArgument *args;
  uint32_t n_args;
  const char *const *sizes; // names
  uint32_t n_sizes;
  const CakeManifestMap *maps;
  uint32_t n_maps;
  const CakeManifestRole *roles;
  uint32_t n_roles;
  const CakeManifestBarriers *barriers;
  uint32_t n_barriers;
  CakeFormula items;      // CTAs of the grid, or items that they share when `persistent`
  CakeFormula guard;      // must be 1
  const char *guard_text; // the same for messages; NULL without a guard
  bool persistent;        // the grid is the smaller of the items and the CTAs that fit on the device at once
  bool programmatic;      // may begin before the kernel in front of it on its stream has ended
  bool watchdog;          // its waits are bounded, and report
  uint32_t threads;       // of a CTA
  uint32_t shared_bytes;  // dynamic shared memory of a CTA
  uint32_t cluster[3];    // CTAs; 0, 0, 0: no clusters
} CakeManifest;

#ifdef __cplusplus
}
#endif
#endif
