// The cake dialect: what its types and attributes hold, and the structure around its ops.
//
// Enumerators (cake_op_cake_<op>) and accessors (cake_cake_<op>_<name>) of ops come from dialects/cake/ops/*.h.
#ifndef CAKE_DIALECTS_CAKE_H
#define CAKE_DIALECTS_CAKE_H

#include "cake/dialect.h"

extern const CakeDialectDef cake_dialect_cake;

static inline bool cake_is_cake_op(const CakeOp *op, int enumerator) {
  return op->info->def && op->info->dialect == &cake_dialect_cake && op->info->def->ordinal == (uint32_t)enumerator;
}

// ---- Expressions: #cake.expr<…> -------------------------------------------------------------------------------------

typedef enum CakeExprKind {
  CAKE_EXPR_CONST,    // an integer
  CAKE_EXPR_NAME,     // a named size or template parameter
  CAKE_EXPR_OPERAND,  // dN
  CAKE_EXPR_INSTANCE, // number of the role's replica
  CAKE_EXPR_RANK,     // number of the CTA in its cluster
  CAKE_EXPR_ROW, CAKE_EXPR_COL, // in predicates: the element's coordinates
  CAKE_EXPR_UNKNOWN,  // `?`
  CAKE_EXPR_ADD, CAKE_EXPR_SUB, CAKE_EXPR_MUL, CAKE_EXPR_FLOORDIV, CAKE_EXPR_CEILDIV, CAKE_EXPR_MOD, CAKE_EXPR_MIN, CAKE_EXPR_MAX,
} CakeExprKind;

extern const CakeAttrDef cake_attr_def_expr; // params: INT kind, then INT value | ID name | INT operand | ATTR lhs, ATTR rhs

CakeAttr cake_expr_const(CakeContext *context, int64_t value);
CakeAttr cake_expr_name(CakeContext *context, CakeId name);
CakeAttr cake_expr_operand(CakeContext *context, uint32_t index);
CakeAttr cake_expr_leaf(CakeContext *context, CakeExprKind kind);
// Folds constants and x + 0, x * 1, x * 0.
CakeAttr cake_expr_binary(CakeContext *context, CakeExprKind kind, CakeAttr lhs, CakeAttr rhs);
CakeExprKind cake_expr_kind(CakeAttr expr);
int64_t cake_expr_value(CakeAttr expr);     // of CONST; the operand number of OPERAND
CakeId cake_expr_name_of(CakeAttr expr);    // of NAME
CakeAttr cake_expr_lhs(CakeAttr expr);
CakeAttr cake_expr_rhs(CakeAttr expr);
bool cake_expr_is_const(CakeAttr expr, int64_t *out_value); // NULL expr: false

// For messages: an attribute of this dialect without `#cake.…<` and `>`. Interned.
const char *cake_body_text(CakeAttr attr);

// What names and operands stand for. `name` returns false for one that it does not know.
typedef struct CakeExprEnv {
  bool (*name)(void *user, CakeId name, int64_t *out_value);
  void *user;
  const int64_t *operands;
  size_t n_operands;
  int64_t instance, rank, row, col;
} CakeExprEnv;
// False: unknown name or operand, division by zero, or overflow of 64 bits.
CAKE_NODISCARD bool cake_expr_eval(CakeAttr expr, const CakeExprEnv *env, int64_t *out_value);

// #cake.at<[e, …]>
extern const CakeAttrDef cake_attr_def_at;
CakeAttr cake_at_get(CakeContext *context, const CakeAttr *exprs, size_t count);
static inline size_t cake_at_count(CakeAttr at) { return at->count; }
static inline CakeAttr cake_at_expr(CakeAttr at, size_t index) { return at->params[index].attr; }

// #cake.pred<e ge e, …>: all must hold.
typedef enum CakeCompare { CAKE_COMPARE_EQ, CAKE_COMPARE_NE, CAKE_COMPARE_LT, CAKE_COMPARE_LE, CAKE_COMPARE_GT, CAKE_COMPARE_GE } CakeCompare;
extern const CakeAttrDef cake_attr_def_pred;
typedef struct CakePredTerm {
  CakeCompare compare;
  CakeAttr lhs, rhs;
} CakePredTerm;
CakeAttr cake_pred_get(CakeContext *context, const CakePredTerm *terms, size_t count);
size_t cake_pred_count(CakeAttr pred);
CakePredTerm cake_pred_term(CakeAttr pred, size_t index);
CAKE_NODISCARD bool cake_pred_eval(CakeAttr pred, const CakeExprEnv *env, bool *out_holds);

// ---- Other attributes ----------------------------------------------------------------------------------------------------

// #cake.axes<b = B, n = ceildiv(N, 64)>
extern const CakeAttrDef cake_attr_def_axes;
static inline size_t cake_axes_count(CakeAttr axes) { return axes ? axes->count / 2 : 0; }
static inline CakeId cake_axes_name(CakeAttr axes, size_t i) { return axes->params[2 * i].id; }
static inline CakeAttr cake_axes_extent(CakeAttr axes, size_t i) { return axes->params[2 * i + 1].attr; }

// #cake.schedule<grid, longest_first> | #cake.schedule<persistent, group<m, 8>>: params INT kind, INT is_longest_first, then ID axis, ATTR expr
typedef enum CakeScheduleKind { CAKE_SCHEDULE_GRID, CAKE_SCHEDULE_PERSISTENT } CakeScheduleKind;
extern const CakeAttrDef cake_attr_def_schedule;
static inline CakeScheduleKind cake_schedule_kind(CakeAttr schedule) { return (CakeScheduleKind)schedule->params[0].i; }
static inline bool cake_schedule_is_longest_first(CakeAttr schedule) { return schedule->params[1].i != 0; }
// The axis whose values are grouped, and how many make a band; NULL: none.
static inline CakeId cake_schedule_axis(CakeAttr schedule) { return schedule->count > 2 ? schedule->params[2].id : NULL; }
static inline CakeAttr cake_schedule_group(CakeAttr schedule) { return schedule->count > 2 ? schedule->params[3].attr : NULL; }
// The number of an axis in `axes`; -1: there is none of that name.
int cake_axes_find(CakeAttr axes, CakeId name);

// #cake.lets<lo = d0[s], end = d0[s + 1], len = end - lo>: names of the item (NULL: none)
extern const CakeAttrDef cake_attr_def_lets;
size_t cake_lets_count(CakeAttr lets);
CakeId cake_lets_name(CakeAttr lets, size_t i);
int64_t cake_lets_array(CakeAttr lets, size_t i);  // number among the operands; -1: the name is an expression
CakeAttr cake_lets_value(CakeAttr lets, size_t i); // #cake.at of the element, or #cake.expr
bool cake_lets_have(CakeAttr lets, CakeId name);

// The dimension of an array along which dimension `i` of a tile runs: as `dims` says, or (NULL) one of the last.
static inline size_t cake_dims_of(CakeAttr dims, size_t array_rank, size_t tile_rank, size_t i) {
  return dims ? (size_t)cake_attr_dense_array_value(dims, i) : array_rank - tile_rank + i;
}

// #cake.parts<x: !cake.shared<…>, …>
extern const CakeAttrDef cake_attr_def_parts;
static inline size_t cake_parts_count(CakeAttr parts) { return parts->count / 2; }
static inline CakeId cake_parts_name(CakeAttr parts, size_t i) { return parts->params[2 * i].id; }
static inline CakeType cake_parts_type(CakeAttr parts, size_t i) { return parts->params[2 * i + 1].type; }

// #cake.choices<[64, 128]> | #cake.choices<2..4>: params INT is_range, then the values or the two bounds
extern const CakeAttrDef cake_attr_def_choices;
bool cake_choices_contain(CakeAttr choices, int64_t value);

// #cake.via<tma>
typedef enum CakeVia { CAKE_VIA_TMA, CAKE_VIA_BULK, CAKE_VIA_CP_ASYNC } CakeVia;
extern const CakeAttrDef cake_attr_def_via;
static inline CakeVia cake_via_of(CakeAttr via) { return (CakeVia)via->params[0].i; }

// #cake.form<wgmma.m64n128k16.nt>
typedef enum CakeMmaFamily { CAKE_MMA_MMA, CAKE_MMA_WGMMA, CAKE_MMA_TCGEN05, CAKE_MMA_FAMILIES } CakeMmaFamily;
const char *cake_mma_family_name(CakeMmaFamily family);
extern const CakeAttrDef cake_attr_def_form; // params INT family, ATTR m, n, k (expressions), INT a_letter ('n'|'t'), b_letter
typedef struct CakeMmaForm {
  CakeMmaFamily family;
  int64_t m, n, k; // -1 before instantiation
  char a, b;       // 'n' or 't'
} CakeMmaForm;
CakeMmaForm cake_form_of(CakeAttr form);
bool cake_form_is_known(CakeMmaForm form); // its extents are numbers

// ---- Types ---------------------------------------------------------------------------------------------------------------

// !cake.global<[B]x[N]x64xbf16, readonly, align 16>: params TYPE element, INT flags, INT align (0: that of the element), then ATTR expr a dimension
enum { CAKE_GLOBAL_READONLY = 1 };
extern const CakeTypeDef cake_type_def_global;
CakeType cake_global_get(CakeType element, int64_t flags, int64_t align, const CakeAttr *dims, size_t rank);
static inline size_t cake_global_rank(CakeType type) { return type->count - 3; }
static inline CakeAttr cake_global_dim(CakeType type, size_t i) { return type->params[3 + i].attr; }
static inline CakeType cake_global_element(CakeType type) { return type->params[0].type; }
static inline int64_t cake_global_flags(CakeType type) { return type->params[1].i; }
static inline int64_t cake_global_align(CakeType type) { return type->params[2].i; } // bytes; 0: the element's size

// !cake.shared<128x64xbf16, sw128>: params TYPE element, INT storage, INT pad bytes, then ATTR expr a dimension
typedef enum CakeStorage { CAKE_STORAGE_ROWS, CAKE_STORAGE_SW128, CAKE_STORAGE_SW64, CAKE_STORAGE_SW32 } CakeStorage;
extern const CakeTypeDef cake_type_def_shared;
CakeType cake_shared_get(CakeType element, CakeStorage storage, int64_t pad, const CakeAttr *dims, size_t rank);
// Elements along a dimension of what lies in shared memory or registers: far more than there are, so that products stay far from overflow.
enum { CAKE_MAX_EXTENT = 1 << 24 };
static inline size_t cake_shared_rank(CakeType type) { return type->count - 3; }
static inline CakeAttr cake_shared_dim(CakeType type, size_t i) { return type->params[3 + i].attr; }
int64_t cake_shared_size(CakeType type, size_t i); // of an instantiated type; -1 otherwise
static inline CakeType cake_shared_element(CakeType type) { return type->params[0].type; }
static inline CakeStorage cake_shared_storage(CakeType type) { return (CakeStorage)type->params[1].i; }
static inline int64_t cake_shared_pad(CakeType type) { return type->params[2].i; }
int64_t cake_shared_bytes(CakeType type);     // of one buffer; -1 when not instantiated
int64_t cake_shared_panel(CakeType type);     // bytes of a row of a panel: 128, 64, 32 for sw128, sw64, sw32; 0 for rows
int64_t cake_shared_alignment(CakeType type); // 1024, 512, 256 for sw128, sw64, sw32; 16 otherwise (128 for rows that a bulk or tensor copy may fill)
// Byte offset of element (row, col) of an instantiated rank-2 view (row = 0 for rank 1), as the storage form places it:
// rows: row * (cols * size + pad) + col * size. swW: panels of W bytes, [panel][row][W bytes], and inside a panel the hardware's swizzle:
// address bits 4… (the 16-byte chunk) are XORed with bits 7… (as many as W has chunks), which for sw128 is the row mod 8.
int64_t cake_shared_offset(CakeType type, int64_t row, int64_t col);

// !cake.tmem<128x256xf32, acc>: params as those of !cake.shared (INT use, INT 0), so that cake_shared_rank, _dim, _size and _element read them too
typedef enum CakeTmemUse { CAKE_TMEM_ACC, CAKE_TMEM_A, CAKE_TMEM_SCALES } CakeTmemUse;
extern const CakeTypeDef cake_type_def_tmem;
static inline CakeTmemUse cake_tmem_use(CakeType type) { return (CakeTmemUse)type->params[1].i; }
bool cake_pipeline_has_tmem(const CakeOp *pipeline); // a part of its slots is tensor memory

// !cake.slot<@p, open>: params ID pipeline, INT state
typedef enum CakeSlotState { CAKE_SLOT_OPEN, CAKE_SLOT_FULL } CakeSlotState;
extern const CakeTypeDef cake_type_def_slot;
CakeType cake_slot_get(CakeContext *context, CakeId pipeline, CakeSlotState state);

// !cake.turn<@order>: params ID order
extern const CakeTypeDef cake_type_def_turn;
CakeType cake_turn_get(CakeContext *context, CakeId order);

// !cake.pending<64x128xf32, wgmma.acc>: params TYPE element, ATTR form, then ATTR expr a dimension
extern const CakeTypeDef cake_type_def_pending;
CakeType cake_pending_of(CakeType fragment); // that holds a fragment of form wgmma.acc; NULL: it is none

// !cake.best<64x1xf32, min, tie<low>, nan<last>, group<1>, mma.acc<4x1>>: params TYPE element, INT rows, k, is_max, tie, nan, group, ATTR form
typedef enum CakeTie { CAKE_TIE_LOW, CAKE_TIE_HIGH, CAKE_TIE_ANY } CakeTie;
typedef enum CakeNan { CAKE_NAN_FIRST, CAKE_NAN_LAST, CAKE_NAN_NEVER } CakeNan;
extern const CakeTypeDef cake_type_def_best;
typedef struct CakeBest {
  CakeType element;
  int64_t rows, k, group;
  bool is_max;
  CakeTie tie;
  CakeNan nan;
  CakeAttr form; // the base form of the candidates
} CakeBest;
CakeBest cake_best_of(CakeType type);

// ---- Fragments: tensors whose encoding is a form -----------------------------------------------------------------------

typedef enum CakeFormKind {
  CAKE_FORM_WGMMA_ACC, // #cake.wgmma.acc
  CAKE_FORM_WGMMA_A,   // #cake.wgmma.a
  CAKE_FORM_MMA_ACC,   // #cake.mma.acc<RxC>
  CAKE_FORM_MMA_A,     // #cake.mma.a<RxC>
  CAKE_FORM_MMA_B,     // #cake.mma.b<RxC>
  CAKE_FORM_VEC,       // #cake.vec<warp, 8>, #cake.vec<role, 8>
  CAKE_FORM_TMEM_LD,   // #cake.tmem.ld
} CakeFormKind;

// PARTIAL: one value a row and lane, of which the row's is the sum (maximum, …) over lanes.
typedef enum CakeFormPart { CAKE_FORM_WHOLE, CAKE_FORM_ROW, CAKE_FORM_COL, CAKE_FORM_PARTIAL } CakeFormPart;

typedef enum CakeReduceKind { CAKE_REDUCE_ADD, CAKE_REDUCE_MAX, CAKE_REDUCE_MIN, CAKE_REDUCE_MUL, CAKE_REDUCE_AND, CAKE_REDUCE_OR, CAKE_REDUCE_XOR, CAKE_REDUCE_COUNT } CakeReduceKind;
const char *cake_reduce_name(CakeReduceKind kind);
bool cake_reduce_find(CakeStr name, CakeReduceKind *out);

// Whether the bulk-store engine can add elements of that type to an array.
bool cake_type_adds_in_memory(CakeType element);

extern const CakeAttrDef cake_attr_def_wgmma_acc, cake_attr_def_wgmma_a, cake_attr_def_mma_acc, cake_attr_def_mma_a, cake_attr_def_mma_b, cake_attr_def_vec, cake_attr_def_tmem_ld,
    cake_attr_def_tcgen05_acc, // of pending accumulators alone
    cake_attr_def_row, cake_attr_def_col, // params ATTR base form
    cake_attr_def_part,                   // #cake.part<add, wgmma.acc>: params INT kind, ATTR base form
    cake_attr_def_of;                     // #cake.of<64x[D], mma.a<4x1>>: params ATTR form, then ATTR expr a dimension (before instantiation)

typedef struct CakeFragment {
  CakeType element;
  CakeFormKind kind;
  CakeFormPart part;
  CakeAttr base;     // the base form
  CakeReduceKind reduce; // of PARTIAL
  int64_t rank;      // 2 for WHOLE, 1 for the others
  int64_t rows, cols; // a ROW or PARTIAL has cols = 1, a COL has rows = 1; -1 when not instantiated
  int64_t warp_rows, warp_cols; // R and C of mma.* forms (-1 when not instantiated); wgmma forms: 4 and 1
} CakeFragment;
// False when the type is no fragment.
bool cake_fragment_of(CakeType type, CakeFragment *out);
// The numbers of a vec form: consecutive elements a lane; whether the whole role owns a row.
static inline int64_t cake_vec_width(CakeAttr base) { return base->params[1].i; }
static inline bool cake_vec_is_role(CakeAttr base) { return base->params[0].i == 1; }
static inline bool cake_vec_is_lane(CakeAttr base) { return base->params[0].i == 2; } // each lane owns whole rows
// Whether both have the same elements in the same registers, so that `cake.convert` makes the one of the other.
bool cake_can_convert(CakeType from, CakeType to);
CakeType cake_fragment_get(CakeType element, int64_t rows, int64_t cols, CakeFormPart part, CakeAttr base); // ROW uses rows, COL uses cols

// ---- Structure -----------------------------------------------------------------------------------------------------------

// The role (kernel) around an op; NULL when there is none.
CakeOp *cake_op_role(const CakeOp *op);
CakeOp *cake_op_kernel(const CakeOp *op);
// Facts of a role after instantiation (expressions are constants then; before, defaults are not filled in: false).
typedef struct CakeRoleShape {
  int64_t warps;     // of one instance (a warpgroup is 4)
  int64_t replicas;
  int64_t regs;      // 0: no budget
  bool is_warpgroup;
  int64_t first_warp; // warp id of instance 0 in the CTA: warpgroup roles first, on multiples of four, then the others in order;
                      // with budgets, each other role starts a warpgroup of its own
} CakeRoleShape;
bool cake_role_shape(const CakeOp *role, CakeRoleShape *out);
int64_t cake_kernel_threads(const CakeOp *kernel); // of the CTA, padding included; -1 before instantiation
// The declaration of a pipeline or iterator that an op names; NULL when missing.
CakeOp *cake_op_pipeline(const CakeOp *op); // of acquire, wait, and of ops with a slot operand
CakeOp *cake_op_tiles(const CakeOp *op);
// Of an iterator: whether an expression uses names of the item (`let`), or axes; the extent of an axis with what `bound` says of
// such names in their place (NULL: no bound is known); the axis that the number of steps depends on (-1: none, or several).
bool cake_tiles_uses_lets(const CakeOp *tiles, CakeAttr expr);
bool cake_tiles_uses_axes(const CakeOp *tiles, CakeAttr expr);
CakeAttr cake_tiles_extent(const CakeOp *tiles, size_t axis);
int cake_tiles_steps_axis(const CakeOp *tiles);
// Rings of a pipeline: 1, or with `each` one a replica of its `from` role; -1 before instantiation.
int64_t cake_pipeline_rings(const CakeOp *pipeline);
bool cake_barrier_has_role(const CakeOp *barrier, CakeAttr symbol); // among those that arrive or meet
CakeOp *cake_op_order(const CakeOp *op); // of take and pass
// CTAs of a cluster, of the kernel or gpu.func that an op is or stands in: 1 without clusters, 0 while it is no number.
enum { CAKE_MAX_CLUSTER = 8 }; // more are not portable
int64_t cake_op_cluster(const CakeOp *op);
// What the kernel is one of several for (`family(@name)`); {NULL, 0}: it stands for itself.
CakeStr cake_kernel_family(const CakeOp *kernel);
// Who shares what by multicast, by rank: bit s of masks[r]. The CTAs of a copy's mask have the same mask.
typedef struct CakeMulticast {
  int64_t cluster;                  // CTAs
  uint32_t masks[CAKE_MAX_CLUSTER];
} CakeMulticast;
// Whose slots a copy fills. False: it has no `multicast`, or that is not known yet.
bool cake_copy_multicast(const CakeOp *copy, CakeMulticast *out);
// Whose slots the copies into a pipeline fill, all of them together. False: each CTA's its own.
bool cake_pipeline_multicast(const CakeOp *pipeline, CakeMulticast *out);
// CTAs of a mask; those below `rank`.
int64_t cake_multicast_count(uint32_t mask);
int64_t cake_multicast_index(uint32_t mask, int64_t rank);
// The expression where `rank` is a number.
CakeAttr cake_expr_at_rank(CakeAttr expr, int64_t rank);
// Instance parameters: substitutes every parameter by its value in a kernel's types and attributes (the pass cake-instantiate uses it; so may the simulator).
// `values` are pairs name, value for the parameters that do not take their default. False: reported (unknown parameter, not a choice, a requirement fails).
typedef struct CakeParamValue {
  CakeStr name;
  int64_t value;
} CakeParamValue;
CAKE_NODISCARD bool cake_kernel_instantiate(CakeRewriter *rewriter, CakeOp *kernel, const CakeParamValue *values, size_t count);

// ---- Constraints -----------------------------------------------------------------------------------------------------------

extern const CakeTypeConstraint cake_is_memory, cake_is_tmem, cake_is_global, cake_is_shared, cake_is_slot, cake_is_turn, cake_is_pending, cake_is_best, cake_is_fragment, cake_is_accumulator, cake_is_mma_operand;
extern const CakeAttrConstraint cake_attr_is_expr, cake_attr_is_at, cake_attr_is_pred, cake_attr_is_axes, cake_attr_is_schedule, cake_attr_is_lets, cake_attr_is_parts, cake_attr_is_choices,
    cake_attr_is_via, cake_attr_is_form, cake_attr_is_i64_array, cake_attr_is_float_or_integer;

#endif
