// What the files of cake-expand-fragments share: how a fragment lies in the registers of a warp, and the state of a run.
//
// Thread layout (l = lane, g = l / 4, t = l % 4), as PTX's mma.m16n8k16 and wgmma m64nNk16 define it:
//   acc   of 16×8:  (g, 2t) (g, 2t+1) (g+8, 2t) (g+8, 2t+1)             wgmma.acc of 64×N is mma.acc<4x1> of that shape
//   a     of 16×16: (g, 2t..2t+1) (g+8, 2t..) (g, 2t+8..) (g+8, 2t+8..)
//   b     of 8×16 (stored N×K): (g, 2t..2t+1) (g, 2t+8..)
// A fragment is one vector a thread; a running best is a vector of values and a vector of indices, one candidate a row slot.
#ifndef CAKE_PASSES_FRAGMENTS_H
#define CAKE_PASSES_FRAGMENTS_H

#include "cake/text.h"
#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu.h"
#include "passes/lower.h"

CAKE_BEGIN_C

// ---- Layouts (cake_expand_fragments_layout.c) ----------------------------------------------------------------------------

// How a fragment is cut among the warps and lanes of a role instance.
typedef struct CakeLayout {
  CakeFragment fragment;
  int64_t rows, cols; // of one warp; 1 where a row or col fragment has none
  uint32_t count;     // elements a thread
} CakeLayout;

// False: reported at `op` (no fragment, or a form that no lowering knows).
CAKE_NODISCARD bool cake_layout_of(CakeOp *op, CakeType type, CakeLayout *out);
// The vector of one thread.
CakeType cake_layout_vector(const CakeLayout *layout);
// An element's coordinates, counted from the lane's first (cake_expand_row, cake_expand_col).
void cake_layout_at(const CakeLayout *layout, uint32_t element, int64_t *out_row, int64_t *out_col);
// Row slots and col slots of an accumulator, and those of one of its elements.
uint32_t cake_layout_row_slots(const CakeLayout *layout);
uint32_t cake_layout_col_slots(const CakeLayout *layout);
uint32_t cake_layout_row_slot(const CakeLayout *layout, uint32_t element);
uint32_t cake_layout_col_slot(const CakeLayout *layout, uint32_t element);
static inline bool cake_layout_has_rows(const CakeLayout *layout) {
  return layout->fragment.part != CAKE_FORM_COL;
}
static inline bool cake_layout_has_cols(const CakeLayout *layout) {
  return layout->fragment.part != CAKE_FORM_ROW;
}

// ---- A run ---------------------------------------------------------------------------------------------------------------

// The thread-level values of one schedule-level value: a fragment, view or pending accumulator is one, a best two. A pending accumulator
// into which nothing was accumulated has none.
typedef struct CakeThreadValues {
  CakeValue *values[2];
  uint32_t count;
} CakeThreadValues;

// A role's program: where values that do not change in it are computed.
typedef struct CakeExpandRole {
  struct CakeExpandRole *next;
  CakeBlock *block;
  CakeOp *last; // the last op that was put at the block's start; NULL: none yet
  int64_t first_warp, warps, replicas;
  CakeValue *cta_warp; // with more than one warp
  CakeValue *lane, *quad, *quad_lane,
      *warp; // lane number, lane / 4, lane % 4, warp number in its instance; NULL: not asked for yet
} CakeExpandRole;

typedef struct CakeExpand {
  CakePassContext *pass;
  CakeRewriter *rewriter;
  CakeContext *context;
  CakeArena *scratch;
  CakeOp *func;
  CakeMap values;                  // CakeValue * → CakeThreadValues *
  CakeMap dead;                    // ops in `dead_ops`
  CAKE_VEC(CakeOp *) dead_ops;     // erased in reverse order at the end
  CAKE_VEC(CakeValue *) dead_args; // block arguments, likewise
  CakeExpandRole *roles;
  CakeLowerEnv sizes; // names of the sizes and their values
} CakeExpand;

typedef bool (*CakeExpandFn)(CakeExpand *expand, CakeOp *op); // false: reported

bool cake_expand_load(CakeExpand *expand, CakeOp *op); // cake_expand_fragments_global.c
bool cake_expand_store(CakeExpand *expand, CakeOp *op);
bool cake_expand_get(CakeExpand *expand, CakeOp *op);    // cake_expand_fragments_shared.c
bool cake_expand_copy(CakeExpand *expand, CakeOp *op);   // cake_expand_fragments_copy.c
bool cake_expand_mma(CakeExpand *expand, CakeOp *op);    // cake_expand_fragments_mma.c
CakeType cake_expand_pending_fragment(CakeType pending); // the type of its value once it is awaited
bool cake_expand_await(CakeExpand *expand, CakeOp *op);
bool cake_expand_mask(CakeExpand *expand, CakeOp *op); // cake_expand_fragments_best.c
bool cake_expand_best_init(CakeExpand *expand, CakeOp *op);
bool cake_expand_best(CakeExpand *expand, CakeOp *op);
bool cake_expand_settle(CakeExpand *expand, CakeOp *op);

// cake_expand_fragments.c: what values became.
bool cake_expand_is_schedule_type(CakeType type); // a fragment, view, pending accumulator, best or slot
CakeThreadValues cake_expand_get_values(const CakeExpand *expand, const CakeValue *value);
CakeValue *cake_expand_get_value(const CakeExpand *expand, const CakeValue *value); // the only one
void cake_expand_set_values(CakeExpand *expand, const CakeValue *value, CakeThreadValues values);
void cake_expand_set_value(CakeExpand *expand, const CakeValue *value, CakeValue *thread_value);

// cake_expand_fragments_values.c: lanes, vectors and scalars.
// The role around an op.
CakeExpandRole *cake_expand_role(CakeExpand *expand, const CakeOp *op);
// Builds at the start of the role's program until the point is restored by cake_expand_hoist_end.
CakeLowerPoint cake_expand_hoist_begin(CakeExpand *expand, CakeExpandRole *role);
void cake_expand_hoist_end(CakeExpand *expand, CakeExpandRole *role, CakeLowerPoint point);
// Index values, computed once a role.
CakeValue *cake_expand_lane(CakeExpand *expand, CakeExpandRole *role);      // 0 … 31
CakeValue *cake_expand_quad(CakeExpand *expand, CakeExpandRole *role);      // g
CakeValue *cake_expand_quad_lane(CakeExpand *expand, CakeExpandRole *role); // t
CakeValue *cake_expand_warp(CakeExpand *expand, CakeExpandRole *role);      // in its instance
// The lane's first row (column) in a fragment: an index, hoisted.
CakeValue *cake_expand_row(CakeExpand *expand, CakeExpandRole *role, const CakeLayout *layout);
CakeValue *cake_expand_col(CakeExpand *expand, CakeExpandRole *role, const CakeLayout *layout);

// `first` (hoisted) plus the first row of the warp's part.
CakeValue *cake_expand_warp_row(CakeExpand *expand, CakeExpandRole *role, const CakeLayout *layout, CakeValue *first);

CakeType cake_expand_vector_type(CakeType element, int64_t count);
// Constants of a scalar or vector type, every element the same: an integer, NaN (of a float type).
CakeValue *cake_expand_integer(CakeExpand *expand, CakeType type, int64_t value);
CakeValue *cake_expand_nan(CakeExpand *expand, CakeType type);
// The number of a #cake scalar attribute (float or integer) as a constant of `type`, a scalar or vector.
CakeValue *cake_expand_constant(CakeExpand *expand, CakeType type, CakeAttr number);
bool cake_expand_is_zero(CakeAttr number); // NULL too; not -0.0
// A vector's parts, each a `part` type; `count` of them. In the scratch arena.
CakeValue **cake_expand_unpack(CakeExpand *expand, CakeValue *vector, CakeType part, uint32_t count);
CakeValue *cake_expand_pack(CakeExpand *expand, CakeValue *const *parts, uint32_t count, CakeType vector);
CakeValue *cake_expand_cmpf(CakeExpand *expand, CakeFloatPredicate predicate, CakeValue *a, CakeValue *b);
CakeValue *cake_expand_and(CakeExpand *expand, CakeValue *a, CakeValue *b); // i1; either may be NULL (true)
CakeValue *cake_expand_or(CakeExpand *expand, CakeValue *a, CakeValue *b);
// A pointer some bytes further, the number of bytes being an index value or a constant. Offsets into shared memory are i32, else i64.
CakeValue *cake_expand_ptr_add(CakeExpand *expand, CakeValue *ptr, CakeValue *bytes);
CakeValue *cake_expand_ptr_add_const(CakeExpand *expand, CakeValue *ptr, int64_t bytes);
// gpu.load of a scalar or vector; `readonly`: nobody writes it while the kernel runs.
CakeValue *cake_expand_load_from(CakeExpand *expand, CakeValue *ptr, CakeType type, bool readonly);
// Names and values of the sizes with the operands of an expression attribute.
CakeLowerEnv cake_expand_env(const CakeExpand *expand, CakeOperandRange operands);
// Bytes of an element (1 for i1); and the largest number that is known to divide an expression (0 for the constant 0).
int64_t cake_expand_bytes(CakeType element);
int64_t cake_expand_divisor(CakeAttr expr);
// scf.if in one elected lane of the role's first warp; the insertion point is inside until it is restored.
CakeLowerPoint cake_expand_elected_begin(CakeExpand *expand, CakeExpandRole *role);
// scf.if on a condition (NULL: none is needed); the insertion point is inside until it is restored.
CakeLowerPoint cake_expand_guard_begin(CakeExpand *expand, CakeValue *condition);

// ---- Tiles of global memory (cake_expand_fragments_global.c) -------------------------------------------------------------

// Addresses of elements of a tile of an array. The minor coordinate runs along the array's last dimension, the major one (tiles of rank 2)
// along the one before. Both count from the lane's first element; what may leave the array is clamped and tested.
typedef struct CakeTile {
  CakeExpand *expand;
  CakeOp *op;
  CakeType array;
  int64_t bytes; // of an element
  bool has_major, check_major, check_minor;
  CakeValue *base; // pointer to the lane's first element, without coordinates that are clamped
  CakeValue *major, *minor, *major_extent, *minor_extent; // index values: of the lane's first element, and the array's
  CakeValue *pitch;                                       // bytes from one major coordinate to the next, i64
  int64_t pitch_const;                                    // the same where it is constant, else -1
  int64_t minor_divisor, extent_divisor; // of the lane's first minor coordinate and of the last dimension; 0: it is 0
  struct CakeTileLine *lines;            // major coordinates asked for so far
  struct CakeTileStop *stops;            // minor coordinates that are clamped, likewise
} CakeTile;

// An address with the condition under which it is inside the array (NULL: always).
typedef struct CakeTileAddress {
  CakeValue *ptr, *inside;
} CakeTileAddress;

typedef struct CakeTileOptions {
  CakeValue *array; // the schedule-level view
  CakeAttr at;      // #cake.at
  CakeOperandRange at_idx;
  int64_t major_size, minor_size;     // of the tile; major_size 0: rank 1
  CakeValue *lane_major, *lane_minor; // offsets of the lane's first element; NULL: 0
  int64_t lane_divisor;               // divides lane_minor; 0: it is 0
  bool is_ragged;                     // a part may leave the array
} CakeTileOptions;

CAKE_NODISCARD bool cake_tile_init(CakeTile *tile, CakeExpand *expand, CakeOp *op, const CakeTileOptions *options);
// The address of `width` consecutive elements, all of them inside or none: the caller has asked cake_tile_can_take.
CakeTileAddress cake_tile_at(CakeTile *tile, int64_t major, int64_t minor, int64_t width);
// Whether runs of `width` elements at multiples of `width` (from the lane's first) are aligned to their bytes, and never half inside.
bool cake_tile_can_take(const CakeTile *tile, int64_t width);

// ---- Views of shared memory (cake_expand_fragments_shared.c) -------------------------------------------------------------

// The offset into a view: constants where they are, else index values. Rank 1 has no rows.
typedef struct CakeViewOffset {
  CakeValue *row, *col; // index values; NULL: the constant alone
  int64_t row_const, col_const;
  int64_t row_divisor, col_divisor; // of the whole offset; 0: it is 0
} CakeViewOffset;
CAKE_NODISCARD bool cake_view_offset(CakeExpand *expand, CakeOp *op, CakeType view, CakeAttr off,
                                     CakeOperandRange off_idx, CakeViewOffset *out);
// The pointer to a view's element at that offset. In swizzled storage the offset must be whole rows of 8 and whole panels: else reported.
CAKE_NODISCARD bool cake_view_pointer(CakeExpand *expand, CakeOp *op, CakeValue *view, const CakeViewOffset *offset,
                                      CakeValue **out);
// Bytes from row to row of a view kept as `rows`.
int64_t cake_view_pitch(CakeType view);

CAKE_END_C
#endif
