// What the files of cake-expand-fragments share: how a fragment lies in the registers of a warp, and the state of a run.
//
// Thread layout (l = lane, g = l / 4, t = l % 4), as PTX's mma.m16n8k16 and wgmma m64nNk16 define it:
//   acc   of 16×8:  (g, 2t) (g, 2t+1) (g+8, 2t) (g+8, 2t+1)             wgmma.acc of 64×N is mma.acc<4x1> of that shape
//   a     of 16×16: (g, 2t..2t+1) (g+8, 2t..) (g, 2t+8..) (g+8, 2t+8..) wgmma.a: the same, 16 rows of every 64 a warp
//   b     of 8×16 (stored N×K): (g, 2t..2t+1) (g, 2t+8..)
//   tmem.ld of 128×N: lane l of warp w has row 32w + l, all of it
// A fragment is one vector a thread; a running best is a vector of values and a vector of indices (cake_expand_fragments_best.c).
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
  // Of vec: lanes that share a row, rows from one of a lane's to the next, a thread's rows and columns.
  int64_t lanes, row_step;
  uint32_t row_slots, col_slots;
} CakeLayout;

// False: reported at `op` (no fragment, or a form that no lowering knows).
CAKE_NODISCARD bool cake_layout_of(CakeOp *op, CakeType type, CakeLayout *out);
// The vector of one thread.
CakeType cake_layout_vector(const CakeLayout *layout);
// An element's coordinates, counted from the lane's first (cake_fragments_row, cake_fragments_col).
void cake_layout_at(const CakeLayout *layout, uint32_t element, int64_t *out_row, int64_t *out_col);
// Rows from one tile of a warp to its next: those of a warp lie together, but the next 16 rows of wgmma.a are 64 further.
int64_t cake_layout_row_step(const CakeLayout *layout);
// Row slots and col slots of an accumulator, and those of one of its elements.
uint32_t cake_layout_row_slots(const CakeLayout *layout);
uint32_t cake_layout_col_slots(const CakeLayout *layout);
uint32_t cake_layout_row_slot(const CakeLayout *layout, uint32_t element);
uint32_t cake_layout_col_slot(const CakeLayout *layout, uint32_t element);
static inline bool cake_layout_is_vec(const CakeLayout *layout) {
  return layout->fragment.kind == CAKE_FORM_VEC;
}
// Elements of a lane that are neighbours in a row: accesses may take them together.
uint32_t cake_layout_run(const CakeLayout *layout);
// A part lies in registers like a row: in layouts it is one.
static inline bool cake_layout_has_rows(const CakeLayout *layout) {
  return layout->fragment.part != CAKE_FORM_COL;
}
static inline bool cake_layout_has_cols(const CakeLayout *layout) {
  return layout->fragment.part != CAKE_FORM_ROW;
}

// The form vec (cake_expand_fragments_vec.c).
CAKE_NODISCARD bool cake_layout_vec(CakeOp *op, CakeType type, CakeLayout *layout);
void cake_layout_vec_at(const CakeLayout *layout, uint32_t element, int64_t *out_row, int64_t *out_col);

// ---- A run ---------------------------------------------------------------------------------------------------------------

// The thread-level values of one schedule-level value: a fragment or view is one, a best two. A pending accumulator is its registers and an
// i1, whether something was accumulated in them; in tensor memory its address takes the place of the registers.
typedef struct CakeThreadValues {
  CakeValue *values[2];
  uint32_t count;
} CakeThreadValues;

// A role's program: where values that do not change in it are computed.
typedef struct CakeFragmentsRole {
  struct CakeFragmentsRole *next;
  CakeBlock *block;
  CakeOp *last; // the last op that was put at the block's start; NULL: none yet
  int64_t first_warp, warps, replicas;
  CakeValue *cta_warp; // with more than one warp
  CakeValue *lane, *quad, *quad_lane,
      *warp; // lane number, lane / 4, lane % 4, warp number in its instance; NULL: not asked for yet
} CakeFragmentsRole;

typedef struct CakeFragments {
  CakePassContext *pass;
  CakeRewriter *rewriter;
  CakeContext *context;
  CakeArena *scratch;
  CakeOp *func;
  CakeMap values;                  // CakeValue * → CakeThreadValues *
  CakeMap dead;                    // ops in `dead_ops`
  CAKE_VEC(CakeOp *) dead_ops;     // erased in reverse order at the end
  CAKE_VEC(CakeValue *) dead_args; // block arguments, likewise
  CakeFragmentsRole *roles;
  CakeLowerEnv sizes; // names of the sizes and their values
} CakeFragments;

typedef bool (*CakeFragmentsFn)(CakeFragments *expand, CakeOp *op); // false: reported

bool cake_fragments_load(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_global.c
bool cake_fragments_store(CakeFragments *expand, CakeOp *op);
// Of the lanes and warps that hold the same elements of a row or col fragment, one is the owner. NULL: each element is held once.
CakeValue *cake_fragments_owner(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout);
bool cake_fragments_get(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_shared.c
bool cake_fragments_put(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_put.c
bool cake_fragments_slice(CakeFragments *expand, CakeOp *op);
bool cake_fragments_copy(CakeFragments *expand, CakeOp *op);       // cake_expand_fragments_copy.c
bool cake_fragments_store_view(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_tensor.c
bool cake_fragments_mma(CakeFragments *expand, CakeOp *op);        // cake_expand_fragments_mma.c
CakeType cake_fragments_pending_fragment(CakeType pending);        // the type of its value once it is awaited
bool cake_fragments_await(CakeFragments *expand, CakeOp *op);
bool cake_fragments_is_in_tmem(CakeType type); // a pending accumulator of tcgen05 (cake_expand_fragments_tmem.c)
bool cake_fragments_tmem_zero(CakeFragments *expand, CakeOp *op);
bool cake_fragments_commit_mma(CakeFragments *expand, CakeOp *op);
bool cake_fragments_tmem_get(CakeFragments *expand, CakeOp *op);
bool cake_fragments_reduce(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_reduce.c
bool cake_fragments_merge(CakeFragments *expand, CakeOp *op);
bool cake_fragments_mask(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_keep.c
// A fragment that is a whole accumulator; false: reported.
CAKE_NODISCARD bool cake_fragments_acc_layout(CakeOp *op, CakeType type, CakeLayout *out);
bool cake_fragments_sync(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_other.c
bool cake_fragments_fence(CakeFragments *expand, CakeOp *op);
bool cake_fragments_depend(CakeFragments *expand, CakeOp *op);
bool cake_fragments_prefetch(CakeFragments *expand, CakeOp *op);
bool cake_fragments_print(CakeFragments *expand, CakeOp *op); // cake_expand_fragments_debug.c
bool cake_fragments_assert(CakeFragments *expand, CakeOp *op);
bool cake_fragments_iota(CakeFragments *expand, CakeOp *op);
bool cake_fragments_convert(CakeFragments *expand, CakeOp *op);
bool cake_fragments_best_init(CakeFragments *expand, CakeOp *op);
bool cake_fragments_best(CakeFragments *expand, CakeOp *op);
bool cake_fragments_settle(CakeFragments *expand, CakeOp *op);
// The types of a running best's two vectors: values, and indices. False: reported.
CAKE_NODISCARD bool cake_fragments_best_types(CakeOp *op, CakeType type, CakeType out[2]);

// cake_expand_fragments.c: what values became.
bool cake_fragments_is_schedule_type(CakeType type); // a fragment, view, pending accumulator, best or slot
CakeThreadValues cake_fragments_get_values(const CakeFragments *expand, const CakeValue *value);
CakeValue *cake_fragments_get_value(const CakeFragments *expand, const CakeValue *value); // the only one
void cake_fragments_set_values(CakeFragments *expand, const CakeValue *value, CakeThreadValues values);
void cake_fragments_set_value(CakeFragments *expand, const CakeValue *value, CakeValue *thread_value);

// cake_expand_fragments_values.c: lanes, vectors and scalars.
// The role around an op.
CakeFragmentsRole *cake_fragments_role(CakeFragments *expand, const CakeOp *op);
// Builds at the start of the role's program until the point is restored by cake_fragments_hoist_end.
CakeLowerPoint cake_fragments_hoist_begin(CakeFragments *expand, CakeFragmentsRole *role);
void cake_fragments_hoist_end(CakeFragments *expand, CakeFragmentsRole *role, CakeLowerPoint point);
// Index values, computed once a role.
CakeValue *cake_fragments_lane(CakeFragments *expand, CakeFragmentsRole *role);      // 0 … 31
CakeValue *cake_fragments_quad(CakeFragments *expand, CakeFragmentsRole *role);      // g
CakeValue *cake_fragments_quad_lane(CakeFragments *expand, CakeFragmentsRole *role); // t
CakeValue *cake_fragments_warp(CakeFragments *expand, CakeFragmentsRole *role);      // in its instance
// The lane's first row (column) in a fragment: an index, hoisted.
CakeValue *cake_fragments_row(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout);
CakeValue *cake_fragments_col(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout);
// The same where each of a row's four lanes has `run` columns side by side.
CakeValue *cake_fragments_quad_col(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout, int64_t run);

// The same for vec (cake_expand_fragments_vec.c), and the lane's number among those that share a row.
CakeValue *cake_fragments_vec_row(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout);
CakeValue *cake_fragments_vec_col(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout);
CakeValue *cake_fragments_vec_lane(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout);

// `first` (hoisted) plus the first row of the warp's part.
CakeValue *cake_fragments_warp_row(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout,
                                   CakeValue *first);

CakeType cake_fragments_vector_type(CakeType element, int64_t count);
// Constants of a scalar or vector type, every element the same: an integer, NaN (of a float type).
CakeValue *cake_fragments_integer(CakeFragments *expand, CakeType type, int64_t value);
CakeValue *cake_fragments_nan(CakeFragments *expand, CakeType type);
// The number of a #cake scalar attribute (float or integer) as a constant of `type`, a scalar or vector.
CakeValue *cake_fragments_constant(CakeFragments *expand, CakeType type, CakeAttr number);
bool cake_fragments_is_zero(CakeAttr number); // NULL too; not -0.0
// A vector's parts, each a `part` type; `count` of them. In the scratch arena.
CakeValue **cake_fragments_unpack(CakeFragments *expand, CakeValue *vector, CakeType part, uint32_t count);
CakeValue *cake_fragments_pack(CakeFragments *expand, CakeValue *const *parts, uint32_t count, CakeType vector);
// gpu.shuffle xor: the value of the lane whose number differs in the bits of `mask`.
CakeValue *cake_fragments_shuffle(CakeFragments *expand, CakeValue *value, int64_t mask);
CakeValue *cake_fragments_cmpf(CakeFragments *expand, CakeFloatPredicate predicate, CakeValue *a, CakeValue *b);
CakeValue *cake_fragments_and(CakeFragments *expand, CakeValue *a, CakeValue *b); // i1; either may be NULL (true)
CakeValue *cake_fragments_or(CakeFragments *expand, CakeValue *a, CakeValue *b);
// A pointer some bytes further, the number of bytes being an index value or a constant. Offsets into shared memory are i32, else i64.
CakeValue *cake_fragments_ptr_add(CakeFragments *expand, CakeValue *ptr, CakeValue *bytes);
CakeValue *cake_fragments_ptr_add_const(CakeFragments *expand, CakeValue *ptr, int64_t bytes);
// gpu.load of a scalar or vector; `readonly`: nobody writes it while the kernel runs.
CakeValue *cake_fragments_load_from(CakeFragments *expand, CakeValue *ptr, CakeType type, bool readonly);
// Names and values of the sizes with the operands of an expression attribute.
CakeLowerEnv cake_fragments_env(const CakeFragments *expand, CakeOperandRange operands);
// Bytes of an element (1 for i1); and the largest number that is known to divide an expression (0 for the constant 0).
int64_t cake_fragments_bytes(CakeType element);
int64_t cake_fragments_divisor(CakeAttr expr);
// scf.if in one elected lane of the role's first warp; the insertion point is inside until it is restored.
CakeLowerPoint cake_fragments_elected_begin(CakeFragments *expand, CakeFragmentsRole *role);
// scf.if on a condition (NULL: none is needed); the insertion point is inside until it is restored.
CakeLowerPoint cake_fragments_guard_begin(CakeFragments *expand, CakeValue *condition);

// ---- Tiles of global memory (cake_expand_fragments_global.c) -------------------------------------------------------------

// Addresses of elements of a tile of an array. The minor coordinate runs along the array's last dimension, the major one (tiles of rank 2)
// along the one before. Both count from the lane's first element; what may leave the array is clamped and tested.
typedef struct CakeTile {
  CakeFragments *expand;
  CakeOp *op;
  CakeType array;
  int64_t bytes; // of an element
  bool has_major, check_major, check_minor;
  bool clamps;     // what is checked is clamped
  CakeValue *base; // pointer to the lane's first element, without coordinates that are clamped
  CakeValue *major, *minor, *major_extent, *minor_extent; // index values: of the lane's first element, and the array's
  CakeValue *pitch;                                       // bytes from one major coordinate to the next, i64
  int64_t pitch_const;                                    // the same where it is constant, else -1
  int64_t minor_divisor, extent_divisor; // of the lane's first minor coordinate and of the last dimension; 0: it is 0
  struct CakeTileLine *lines;            // major coordinates asked for so far
  struct CakeTileStop *stops;            // minor coordinates that are checked, likewise
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
  bool is_guarded;                    // the caller accesses only what is inside: addresses outside are not clamped into the array
  CakeAttr dims;                      // along which dimensions of the array a tile of rank 2 runs; NULL: the last ones
} CakeTileOptions;

CAKE_NODISCARD bool cake_tile_init(CakeTile *tile, CakeFragments *expand, CakeOp *op, const CakeTileOptions *options);
// The address of `width` consecutive elements, all of them inside or none: the caller has asked cake_tile_can_take.
CakeTileAddress cake_tile_at(CakeTile *tile, int64_t major, int64_t minor, int64_t width);
// What is there, or `padding` (NULL: everything is inside) if it is outside.
CakeValue *cake_fragments_load_padded(CakeFragments *expand, CakeTileAddress address, CakeType type, bool readonly, CakeValue *padding);
// Whether runs of `width` elements at multiples of `width` (from the lane's first) are aligned to their bytes, and never half inside.
bool cake_tile_can_take(const CakeTile *tile, int64_t width);

// ---- Accesses of 16 bytes (cake_expand_fragments_runs.c) -----------------------------------------------------------------

// Runs of 8 elements of 16 bits, at multiples of 8 from the lane's first: one access each.
enum { CAKE_FRAGMENTS_RUN = 8 };

// Whether a cake.load may take its columns in another order, since all products that it goes into sum over them, and the other operands' too.
bool cake_fragments_loads_runs(CakeOp *load);
CAKE_NODISCARD bool cake_fragments_load_runs(CakeFragments *expand, CakeOp *op, CakeTileOptions options);
// Whether runs of elements of 16 bits at these coordinates of an array are aligned to their bytes, and never half inside.
bool cake_fragments_has_runs(CakeOp *op, CakeType array, CakeAttr at);
// Whether the four lanes that share the rows of a fragment can exchange what they hold, so that each has runs (cake_expand_fragments_exchange.c).
bool cake_layout_can_exchange(const CakeLayout *layout);
// Those runs, `layout->count / CAKE_FRAGMENTS_RUN` vectors. All lanes take part.
CakeValue **cake_fragments_exchange(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout, CakeValue *value);
// The element with which a run of the first lane begins.
uint32_t cake_layout_run_start(const CakeLayout *layout, uint32_t run);

// ---- Tensor copies (cake_expand_fragments_tensor.c) ----------------------------------------------------------------------

enum { CAKE_MAX_MAP_RANK = 5 };

// A tile of an array that tensor copies move to or from a whole view. The caller sets the first seven, and `sharers`.
typedef struct CakeTensorTile {
  CakeFragments *expand;
  CakeOp *op;
  CakeValue *global;
  CakeAttr dims; // as in CakeTileOptions
  CakeType view;
  CakeAttr at;
  CakeOperandRange at_idx;
  int64_t sharers;                      // CTAs that fetch a share of the rows each; 0, 1: all rows are this one's
  CakeValue *map;                       // the function's argument
  CakeValue *starts[CAKE_MAX_MAP_RANK]; // the tile's first element, the last dimension first
  int64_t box[CAKE_MAX_MAP_RANK], n_boxes;
  size_t rank;                // of the map
  int64_t panel, panel_bytes; // elements of a row of a panel (0: the view has none), bytes from panel to panel
  bool is_split;              // the map has a dimension of panels
} CakeTensorTile;
CAKE_NODISCARD bool cake_tensor_tile_init(CakeTensorTile *tile);
// Where a box is in the view that begins at `start`; its `rank` coordinates, innermost first, as i32.
CakeValue *cake_tensor_tile_pointer(const CakeTensorTile *tile, CakeValue *start, int64_t box);
void cake_tensor_tile_coordinates(const CakeTensorTile *tile, int64_t box, CakeValue **out);

// ---- Views of shared memory (cake_expand_fragments_shared.c) -------------------------------------------------------------

// The offset into a view: constants where they are, else index values. Rank 1 has no rows.
typedef struct CakeViewOffset {
  CakeValue *row, *col; // index values; NULL: the constant alone
  int64_t row_const, col_const;
  int64_t row_divisor, col_divisor; // of the whole offset; 0: it is 0
} CakeViewOffset;
CAKE_NODISCARD bool cake_view_offset(CakeFragments *expand, CakeOp *op, CakeType view, CakeAttr off,
                                     CakeOperandRange off_idx, CakeViewOffset *out);
// The pointer to a view's element at that offset. In swizzled storage the offset must be whole rows of 8 and whole panels: else reported.
CAKE_NODISCARD bool cake_view_pointer(CakeFragments *expand, CakeOp *op, CakeValue *view, const CakeViewOffset *offset,
                                      CakeValue **out);
// Bytes from row to row of a view kept as `rows`.
int64_t cake_view_pitch(CakeType view);
// Where a chunk of `chunk` bytes goes, in bytes from the view's start: a hoisted i32 plus `*out_const`. Its row and its number in the row are
// index values of the lane plus constants; in swizzled storage it has 16 bytes.
CakeValue *cake_view_chunk(CakeFragments *expand, CakeFragmentsRole *role, CakeType view, CakeValue *row,
                           int64_t row_const, CakeValue *col, int64_t col_const, int64_t chunk, int64_t *out_const);

CAKE_END_C
#endif
