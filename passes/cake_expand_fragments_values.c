// Small builders of cake-expand-fragments: lane numbers, vectors and their parts, constants, pointers.
#include "passes/fragments.h"

#include "dialects/gpu/gpu_accessors.h"

#include "cake/float.h"

#include <math.h>
#include <string.h>

// ---- Roles and lanes -----------------------------------------------------------------------------------------------------

// The block in which a role's program stands: that of the marked scf.if around it, else the function's first.
static CakeBlock *role_block(const CakeFragments *expand, const CakeOp *op) {
  const CakeOp *inner = op;
  for (const CakeOp *outer = cake_op_parent(op); outer && outer != expand->func;
       inner = outer, outer = cake_op_parent(outer)) {
    if (cake_op_attr_text(outer, CAKE_LOWER_ROLE_MARK) && inner->block->region == cake_op_region(outer, 0))
      return inner->block;
  }
  return cake_region_entry(cake_op_region(expand->func, 0));
}

// The warp's number in the CTA, at the top of the function: the one that chooses the roles where there is one.
static CakeValue *cta_warp(CakeFragments *expand) {
  CakeBlock *entry = cake_region_entry(cake_op_region(expand->func, 0));
  CakeOp *found = entry->first;
  while (found && !cake_is_gpu_op(found, cake_op_gpu_warp_id))
    found = found->next;
  if (found) {
    if (found->prev) cake_rewriter_move_before(expand->rewriter, found, entry->first);
    return cake_op_result(found, 0);
  }
  CakeLowerPoint point = cake_lower_save(expand->rewriter);
  cake_rewriter_set_start(expand->rewriter, entry);
  CakeValue *warp = cake_build1(expand->rewriter, "gpu.warp_id", cake_type_index(expand->context), NULL, 0);
  cake_lower_restore(expand->rewriter, point);
  return warp;
}

// The last of the ops that come first, before any that is lowered: setmaxnreg, and in the function's own block the warp's number and the conversions of arguments.
static CakeOp *prologue(CakeBlock *block) {
  CakeOp *last = NULL;
  for (CakeOp *op = block->first; op; op = op->next) {
    if (op->n_regions > 0 || op->info->dialect == &cake_dialect_cake) break;
    bool is_first = cake_is_gpu_op(op, cake_op_gpu_setmaxnreg) || cake_is_gpu_op(op, cake_op_gpu_warp_id);
    if (is_first || cake_op_is(op, "builtin.unrealized_conversion_cast")) last = op;
  }
  return last;
}

static void read_facts(const CakeFragments *expand, const CakeOp *op, CakeFragmentsRole *role) {
  CakeLowerRole facts;
  role->warps = role->replicas = 1;
  if (cake_lower_role_of(op, &facts)) {
    role->first_warp = facts.first_warp, role->warps = facts.warps, role->replicas = facts.replicas;
    return;
  }
  CakeAttr threads = cake_op_attr_text(expand->func, "block"); // no role: all warps together
  if (cake_attr_is(threads, &cake_attr_def_integer)) role->warps = cake_attr_int_value(threads) / 32;
  if (role->warps < 1) role->warps = 1;
}

CakeFragmentsRole *cake_fragments_role(CakeFragments *expand, const CakeOp *op) {
  CakeBlock *block = role_block(expand, op);
  for (CakeFragmentsRole *role = expand->roles; role; role = role->next) {
    if (role->block == block) return role;
  }
  CakeFragmentsRole *role = CAKE_ARENA_NEW(expand->scratch, CakeFragmentsRole);
  *role = (CakeFragmentsRole){.next = expand->roles, .block = block};
  read_facts(expand, op, role);
  if (role->warps > 1) role->cta_warp = cta_warp(expand);
  role->last = prologue(block);
  return expand->roles = role;
}

CakeLowerPoint cake_fragments_hoist_begin(CakeFragments *expand, CakeFragmentsRole *role) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeLowerPoint point = cake_lower_save(rewriter);
  rewriter->block = role->block;
  rewriter->before = role->last ? role->last->next : role->block->first;
  return point;
}

void cake_fragments_hoist_end(CakeFragments *expand, CakeFragmentsRole *role, CakeLowerPoint point) {
  CakeOp *before = expand->rewriter->before;
  role->last = before ? before->prev : role->block->last;
  cake_lower_restore(expand->rewriter, point);
}

CakeValue *cake_fragments_lane(CakeFragments *expand, CakeFragmentsRole *role) {
  if (role->lane) return role->lane;
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  role->lane = cake_build1(expand->rewriter, "gpu.lane_id", cake_type_index(expand->context), NULL, 0);
  cake_lower_name(role->lane, "lane");
  cake_fragments_hoist_end(expand, role, point);
  return role->lane;
}

CakeValue *cake_fragments_quad(CakeFragments *expand, CakeFragmentsRole *role) {
  if (role->quad) return role->quad;
  CakeValue *lane = cake_fragments_lane(expand, role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  role->quad = cake_lower_divui(expand->rewriter, lane, cake_lower_index(expand->rewriter, 4));
  cake_lower_name(role->quad, "quad");
  cake_fragments_hoist_end(expand, role, point);
  return role->quad;
}

CakeValue *cake_fragments_quad_lane(CakeFragments *expand, CakeFragmentsRole *role) {
  if (role->quad_lane) return role->quad_lane;
  CakeValue *lane = cake_fragments_lane(expand, role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  role->quad_lane = cake_lower_remui(expand->rewriter, lane, cake_lower_index(expand->rewriter, 4));
  cake_lower_name(role->quad_lane, "quad_lane");
  cake_fragments_hoist_end(expand, role, point);
  return role->quad_lane;
}

CakeValue *cake_fragments_warp(CakeFragments *expand, CakeFragmentsRole *role) {
  if (role->warp) return role->warp;
  CakeRewriter *rewriter = expand->rewriter;
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  if (role->warps == 1) {
    role->warp = cake_lower_index(rewriter, 0);
  } else {
    CakeValue *warp = cake_lower_add_const(rewriter, role->cta_warp, -role->first_warp);
    role->warp = role->replicas > 1 ? cake_lower_remui(rewriter, warp, cake_lower_index(rewriter, role->warps)) : warp;
  }
  cake_fragments_hoist_end(expand, role, point);
  return role->warp;
}

// first + warp number along an axis × extent of a warp.
static CakeValue *with_warp(CakeFragments *expand, CakeFragmentsRole *role, CakeValue *first, bool along_rows,
                            const CakeLayout *layout) {
  CakeRewriter *rewriter = expand->rewriter;
  const CakeFragment *f = &layout->fragment;
  if ((along_rows ? f->warp_rows : f->warp_cols) == 1) return first;
  CakeValue *warp = cake_fragments_warp(expand, role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  CakeValue *warp_cols = cake_lower_index(rewriter, f->warp_cols);
  CakeValue *number =
      along_rows ? cake_lower_divui(rewriter, warp, warp_cols) : cake_lower_remui(rewriter, warp, warp_cols);
  int64_t extent = along_rows || f->kind == CAKE_FORM_MMA_B ? layout->rows : layout->cols;
  if (f->kind == CAKE_FORM_WGMMA_A) extent = 16;
  CakeValue *sum = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, number, extent), first);
  cake_fragments_hoist_end(expand, role, point);
  return sum;
}

CakeValue *cake_fragments_warp_row(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout,
                                   CakeValue *first) {
  return with_warp(expand, role, first, layout->fragment.kind != CAKE_FORM_MMA_B,
                   layout); // b is cut along the N of the accumulator
}

CakeValue *cake_fragments_row(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout) {
  if (cake_layout_is_vec(layout)) return cake_fragments_vec_row(expand, role, layout);
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD)
    return cake_fragments_warp_row(expand, role, layout, cake_fragments_lane(expand, role));
  return cake_fragments_warp_row(expand, role, layout, cake_fragments_quad(expand, role));
}

CakeValue *cake_fragments_quad_col(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout,
                                   int64_t run) {
  CakeValue *quad_lane = cake_fragments_quad_lane(expand, role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  CakeValue *col = cake_lower_mul_const(expand->rewriter, quad_lane, run);
  cake_fragments_hoist_end(expand, role, point);
  bool is_cut = layout->fragment.kind == CAKE_FORM_MMA_ACC || layout->fragment.kind == CAKE_FORM_WGMMA_ACC;
  return is_cut ? with_warp(expand, role, col, false, layout) : col;
}

CakeValue *cake_fragments_col(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout) {
  if (cake_layout_is_vec(layout)) return cake_fragments_vec_col(expand, role, layout);
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD) return cake_lower_index(expand->rewriter, 0);
  return cake_fragments_quad_col(expand, role, layout, 2);
}

// ---- Constants -----------------------------------------------------------------------------------------------------------

CakeType cake_fragments_vector_type(CakeType element, int64_t count) {
  return cake_type_vector(element->context, &count, 1, element, NULL);
}

int64_t cake_fragments_bytes(CakeType element) {
  return ((int64_t)cake_type_width(element) + 7) / 8;
}

// The bits of a number as an element; integers take `integer`.
static uint64_t encode(CakeType element, double number, int64_t integer) {
  uint64_t bits;
  switch (cake_type_float_kind(element)) {
  case CAKE_FLOAT_F16: return cake_format_encode(&cake_format_f16, number, CAKE_OVERFLOW_INFINITE);
  case CAKE_FLOAT_BF16: return cake_format_encode(&cake_format_bf16, number, CAKE_OVERFLOW_INFINITE);
  case CAKE_FLOAT_F32: return cake_f32_bits((float)number);
  case CAKE_FLOAT_F64: memcpy(&bits, &number, sizeof bits); return bits;
  default: return (uint64_t)integer;
  }
}

static CakeValue *constant(CakeFragments *expand, CakeType type, double number, int64_t integer) {
  CakeType element = cake_type_element(type);
  if (!cake_type_is_shaped(type)) {
    if (cake_type_is_any_float(type)) return cake_build_constant(expand->rewriter, cake_attr_float(type, number));
    return cake_lower_const(expand->rewriter, type, integer);
  }
  char bytes[8];
  size_t size = (size_t)cake_fragments_bytes(element);
  uint64_t bits = encode(element, number, integer);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (char)(bits >> (8 * i) & 0xff);
  return cake_build_constant(expand->rewriter, cake_attr_dense_elements(type, (CakeStr){bytes, size}, true));
}

CakeValue *cake_fragments_constant(CakeFragments *expand, CakeType type, CakeAttr number) {
  if (cake_attr_is(number, &cake_attr_def_float)) {
    double value = cake_attr_float_value(number);
    return constant(expand, type, value, value >= -9e18 && value <= 9e18 ? (int64_t)value : 0);
  }
  int64_t value = cake_attr_is(number, &cake_attr_def_integer) ? cake_attr_int_value(number) : 0;
  return constant(expand, type, (double)value, value);
}

CakeValue *cake_fragments_nan(CakeFragments *expand, CakeType type) {
  return constant(expand, type, (double)NAN, 0);
}

CakeValue *cake_fragments_integer(CakeFragments *expand, CakeType type, int64_t value) {
  return constant(expand, type, (double)value, value);
}

bool cake_fragments_is_zero(CakeAttr number) {
  if (cake_attr_is(number, &cake_attr_def_integer)) return cake_attr_int_value(number) == 0;
  return !number || (cake_attr_is(number, &cake_attr_def_float) && cake_attr_float_value(number) == 0 &&
                     !signbit(cake_attr_float_value(number)));
}

// ---- Vectors -------------------------------------------------------------------------------------------------------------

// The splat constant that a vector is; NULL when it is none.
static CakeAttr splat_of(const CakeValue *vector) {
  const CakeOp *def = cake_value_def(vector);
  CakeAttr value = def && cake_op_is(def, "arith.constant") ? cake_op_attr_text(def, "value") : NULL;
  return cake_attr_is(value, &cake_attr_def_dense_elements) && cake_attr_is_splat(value) ? value : NULL;
}

// One part of a splat constant of vectors; NULL for scalar parts, which gpu.unpack gives.
static CakeValue *splat_part(CakeFragments *expand, CakeAttr splat, CakeType part) {
  if (!cake_type_is_shaped(part)) return NULL;
  return cake_build_constant(expand->rewriter, cake_attr_dense_elements(part, cake_attr_string_value(splat), true));
}

static void cut_vector(CakeFragments *expand, CakeValue *vector, CakeType part, uint32_t count, CakeValue **out) {
  CakeType *types = CAKE_ARENA_ARRAY(expand->scratch, CakeType, count);
  for (uint32_t i = 0; i < count; i++)
    types[i] = part;
  CakeOp *op = cake_rewriter_build(
      expand->rewriter,
      &(CakeBuild){
          .name = "gpu.unpack", .operands = &vector, .n_operands = 1, .result_types = types, .n_results = count});
  for (uint32_t i = 0; i < count; i++)
    out[i] = cake_op_result(op, i);
}

// Parts of what gpu.pack put together: its own parts, groups of them, or pieces of each. False: they do not line up.
static bool cut_pack(CakeFragments *expand, const CakeOp *pack, CakeType part, uint32_t count, CakeValue **out) {
  uint32_t n = pack->n_operands, group = n / count, pieces = count / n;
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, n);
  if (n % count != 0 && count % n != 0) return false;
  for (uint32_t i = 0; i < n; i++)
    parts[i] = cake_op_operand(pack, i);
  for (uint32_t i = 0; i < count && group > 0; i++)
    out[i] = cake_fragments_pack(expand, parts + i * group, group, part);
  for (uint32_t i = 0; i < n && pieces > 1; i++)
    cut_vector(expand, parts[i], part, pieces, out + i * pieces);
  return true;
}

CakeValue **cake_fragments_unpack(CakeFragments *expand, CakeValue *vector, CakeType part, uint32_t count) {
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  const CakeOp *def = cake_value_def(vector);
  if (vector->type == part) return parts[0] = vector, parts;
  if (def && cake_is_gpu_op(def, cake_op_gpu_pack) && cut_pack(expand, def, part, count, parts)) return parts;
  CakeAttr splat = splat_of(vector);
  CakeValue *same = splat ? splat_part(expand, splat, part) : NULL;
  for (uint32_t i = 0; i < count && same; i++)
    parts[i] = same;
  if (!same) cut_vector(expand, vector, part, count, parts);
  return parts;
}

CakeValue *cake_fragments_pack(CakeFragments *expand, CakeValue *const *parts, uint32_t count, CakeType vector) {
  if (count == 1 && parts[0]->type == vector) return parts[0];
  return cake_build1(expand->rewriter, "gpu.pack", vector, parts, count);
}

// ---- Conditions ----------------------------------------------------------------------------------------------------------

CakeValue *cake_fragments_cmpf(CakeFragments *expand, CakeFloatPredicate predicate, CakeValue *a, CakeValue *b) {
  CakeType i1 = cake_type_i1(expand->context);
  CakeNamedAttr attr = {cake_id_text(expand->context, "predicate"), cake_attr_i64(expand->context, predicate)};
  CakeValue *operands[] = {a, b};
  CakeOp *op = cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "arith.cmpf",
                                                                  .operands = operands,
                                                                  .n_operands = 2,
                                                                  .result_types = &i1,
                                                                  .n_results = 1,
                                                                  .attrs = &attr,
                                                                  .n_attrs = 1});
  return cake_op_result(op, 0);
}

CakeValue *cake_fragments_and(CakeFragments *expand, CakeValue *a, CakeValue *b) {
  if (!a || !b) return a ? a : b;
  return a == b ? a : cake_build_binary(expand->rewriter, "arith.andi", a, b);
}

CakeValue *cake_fragments_or(CakeFragments *expand, CakeValue *a, CakeValue *b) {
  return a == b ? a : cake_build_binary(expand->rewriter, "arith.ori", a, b);
}

CakeLowerPoint cake_fragments_guard_begin(CakeFragments *expand, CakeValue *condition) {
  CakeLowerPoint point = cake_lower_save(expand->rewriter);
  if (!condition) return point;
  CakeOp *branch = cake_lower_if(expand->rewriter, condition, false);
  cake_lower_enter(expand->rewriter, cake_op_region(branch, 0));
  return point;
}

CakeLowerPoint cake_fragments_elected_begin(CakeFragments *expand, CakeFragmentsRole *role) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeLowerPoint point = cake_lower_save(rewriter);
  if (role->warps > 1) {
    CakeValue *warp = cake_fragments_warp(expand, role);
    CakeValue *is_first = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, warp, cake_lower_index(rewriter, 0));
    cake_fragments_guard_begin(expand, is_first);
  }
  CakeValue *elected = cake_build1(rewriter, "gpu.elect", cake_type_i1(expand->context), NULL, 0);
  cake_fragments_guard_begin(expand, elected);
  return point;
}

// ---- Lanes ---------------------------------------------------------------------------------------------------------------

CakeValue *cake_fragments_shuffle(CakeFragments *expand, CakeValue *value, int64_t mask) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeType types[] = {value->type, cake_type_i1(expand->context)};
  CakeValue *operands[] = {value, cake_lower_i32(rewriter, mask), cake_lower_i32(rewriter, 32)};
  CakeNamedAttr attr = {cake_id_text(expand->context, "mode"), cake_attr_string(expand->context, CAKE_STR("xor"))};
  CakeOp *op = cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.shuffle",
                                                          .operands = operands,
                                                          .n_operands = 3,
                                                          .result_types = types,
                                                          .n_results = 2,
                                                          .attrs = &attr,
                                                          .n_attrs = 1});
  return cake_op_result(op, 0);
}

// ---- Pointers ------------------------------------------------------------------------------------------------------------

static CakeType offset_type(const CakeValue *ptr) {
  CakeContext *context = ptr->type->context;
  return cake_gpu_ptr_space(ptr->type) == CAKE_GPU_SHARED ? cake_type_i32(context) : cake_type_i64(context);
}

CakeValue *cake_fragments_ptr_add(CakeFragments *expand, CakeValue *ptr, CakeValue *bytes) {
  return cake_lower_ptr_add(expand->rewriter, ptr, cake_lower_cast(expand->rewriter, bytes, offset_type(ptr)));
}

CakeValue *cake_fragments_ptr_add_const(CakeFragments *expand, CakeValue *ptr, int64_t bytes) {
  return bytes == 0
             ? ptr
             : cake_lower_ptr_add(expand->rewriter, ptr, cake_lower_const(expand->rewriter, offset_type(ptr), bytes));
}

CakeValue *cake_fragments_load_from(CakeFragments *expand, CakeValue *ptr, CakeType type, bool readonly) {
  CakeNamedAttr attr = {cake_id_text(expand->context, "readonly"), cake_attr_unit(expand->context)};
  CakeOp *op = cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.load",
                                                                  .operands = &ptr,
                                                                  .n_operands = 1,
                                                                  .result_types = &type,
                                                                  .n_results = 1,
                                                                  .attrs = &attr,
                                                                  .n_attrs = readonly ? 1 : 0});
  return cake_op_result(op, 0);
}

// ---- Expressions ---------------------------------------------------------------------------------------------------------

CakeLowerEnv cake_fragments_env(const CakeFragments *expand, CakeOperandRange operands) {
  CakeLowerEnv env = expand->sizes;
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, operands.count + 1);
  for (uint32_t i = 0; i < operands.count; i++)
    values[i] = operands.first[i].value;
  env.operands = values;
  env.n_operands = operands.count;
  return env;
}

static int64_t gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a < 0 ? -a : a;
}

static int64_t divisor(CakeAttr expr, int depth) {
  if (depth > 64) return 1;
  int64_t value;
  if (cake_expr_is_const(expr, &value)) return value == INT64_MIN ? 1 : value < 0 ? -value : value;
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind < CAKE_EXPR_ADD || kind == CAKE_EXPR_FLOORDIV || kind == CAKE_EXPR_CEILDIV) return 1;
  int64_t a = divisor(cake_expr_lhs(expr), depth + 1), b = divisor(cake_expr_rhs(expr), depth + 1);
  if (kind != CAKE_EXPR_MUL) return gcd(a, b);
  return a > INT32_MAX || b > INT32_MAX ? 1 : a * b;
}

int64_t cake_fragments_divisor(CakeAttr expr) {
  return divisor(expr, 0);
}
