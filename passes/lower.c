// Builders that the lowering passes share (see lower.h).
#include "lower.h"

#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu_accessors.h"

// ---- Insertion points -----------------------------------------------------------------------------------------------

CakeLowerPoint cake_lower_save(const CakeRewriter *rewriter) {
  return (CakeLowerPoint){rewriter->block, rewriter->before, rewriter->loc};
}

void cake_lower_restore(CakeRewriter *rewriter, CakeLowerPoint point) {
  rewriter->block = point.block;
  rewriter->before = point.before;
  rewriter->loc = point.loc;
}

void cake_lower_enter(CakeRewriter *rewriter, CakeRegion *region) {
  CakeBlock *block = cake_region_entry(region);
  CakeOp *end = cake_block_terminator(block);
  rewriter->block = block;
  rewriter->before = end;
}

// ---- Scalars --------------------------------------------------------------------------------------------------------

CakeValue *cake_lower_name(CakeValue *value, const char *name) {
  if (!value->name) cake_value_set_name(value, cake_str(name));
  return value;
}

bool cake_lower_constant(const CakeValue *value, int64_t *out_value) {
  const CakeOp *def = cake_value_def(value);
  if (!def || !cake_op_is(def, "arith.constant")) return false;
  CakeAttr attr = cake_op_attr_text(def, "value");
  if (!cake_attr_is(attr, &cake_attr_def_integer)) return false;
  *out_value = cake_attr_int_value(attr);
  return true;
}

CakeValue *cake_lower_const(CakeRewriter *rewriter, CakeType type, int64_t value) {
  return cake_build_constant(rewriter, cake_attr_integer(type, value));
}

CakeValue *cake_lower_index(CakeRewriter *rewriter, int64_t value) {
  return cake_lower_const(rewriter, cake_type_index(rewriter->context), value);
}

CakeValue *cake_lower_i32(CakeRewriter *rewriter, int64_t value) {
  return cake_lower_const(rewriter, cake_type_i32(rewriter->context), value);
}

CakeValue *cake_lower_i64(CakeRewriter *rewriter, int64_t value) {
  return cake_lower_const(rewriter, cake_type_i64(rewriter->context), value);
}

static bool is_constant(const CakeValue *value, int64_t wanted) {
  int64_t found;
  return cake_lower_constant(value, &found) && found == wanted;
}

static bool are_constants(const CakeValue *a, const CakeValue *b, int64_t *out_a, int64_t *out_b) {
  return cake_lower_constant(a, out_a) && cake_lower_constant(b, out_b);
}

// Modulo 2^64, as the narrower types of arith wrap too.
static int64_t wrap(uint64_t bits) {
  return (int64_t)bits;
}

CakeValue *cake_lower_add(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  int64_t x, y;
  if (are_constants(a, b, &x, &y)) return cake_lower_const(rewriter, a->type, wrap((uint64_t)x + (uint64_t)y));
  if (is_constant(a, 0)) return b;
  return is_constant(b, 0) ? a : cake_build_binary(rewriter, "arith.addi", a, b);
}

CakeValue *cake_lower_sub(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  int64_t x, y;
  if (are_constants(a, b, &x, &y)) return cake_lower_const(rewriter, a->type, wrap((uint64_t)x - (uint64_t)y));
  return is_constant(b, 0) ? a : cake_build_binary(rewriter, "arith.subi", a, b);
}

CakeValue *cake_lower_mul(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  int64_t x, y;
  if (are_constants(a, b, &x, &y)) return cake_lower_const(rewriter, a->type, wrap((uint64_t)x * (uint64_t)y));
  if (is_constant(a, 1) || is_constant(b, 0)) return b;
  return is_constant(b, 1) || is_constant(a, 0) ? a : cake_build_binary(rewriter, "arith.muli", a, b);
}

CakeValue *cake_lower_add_const(CakeRewriter *rewriter, CakeValue *a, int64_t b) {
  int64_t x;
  if (b == 0) return a;
  if (cake_lower_constant(a, &x)) return cake_lower_const(rewriter, a->type, wrap((uint64_t)x + (uint64_t)b));
  return cake_build_binary(rewriter, "arith.addi", a, cake_lower_const(rewriter, a->type, b));
}

CakeValue *cake_lower_mul_const(CakeRewriter *rewriter, CakeValue *a, int64_t b) {
  int64_t x;
  if (b == 1) return a;
  if (cake_lower_constant(a, &x)) return cake_lower_const(rewriter, a->type, wrap((uint64_t)x * (uint64_t)b));
  if (b == 0) return cake_lower_const(rewriter, a->type, 0);
  return cake_build_binary(rewriter, "arith.muli", a, cake_lower_const(rewriter, a->type, b));
}

CakeValue *cake_lower_divui(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  int64_t x, y;
  if (are_constants(a, b, &x, &y) && x >= 0 && y > 0) return cake_lower_const(rewriter, a->type, x / y);
  return is_constant(b, 1) ? a : cake_build_binary(rewriter, "arith.divui", a, b);
}

CakeValue *cake_lower_remui(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  int64_t x, y;
  if (are_constants(a, b, &x, &y) && x >= 0 && y > 0) return cake_lower_const(rewriter, a->type, x % y);
  if (is_constant(b, 1)) return cake_lower_const(rewriter, a->type, 0);
  return cake_build_binary(rewriter, "arith.remui", a, b);
}

CakeValue *cake_lower_cmpi(CakeRewriter *rewriter, CakeIntPredicate predicate, CakeValue *a, CakeValue *b) {
  CakeType i1 = cake_type_i1(rewriter->context);
  CakeNamedAttr attr = {cake_id_text(rewriter->context, "predicate"), cake_attr_i64(rewriter->context, predicate)};
  CakeValue *operands[] = {a, b};
  CakeOp *op = cake_rewriter_build(rewriter, &(CakeBuild){.name = "arith.cmpi",
                                                          .operands = operands,
                                                          .n_operands = 2,
                                                          .result_types = &i1,
                                                          .n_results = 1,
                                                          .attrs = &attr,
                                                          .n_attrs = 1});
  return cake_op_result(op, 0);
}

CakeValue *cake_lower_select(CakeRewriter *rewriter, CakeValue *condition, CakeValue *a, CakeValue *b) {
  CakeValue *operands[] = {condition, a, b};
  return a == b ? a : cake_build1(rewriter, "arith.select", a->type, operands, 3);
}

CakeValue *cake_lower_cast(CakeRewriter *rewriter, CakeValue *value, CakeType type) {
  int64_t constant;
  if (value->type == type) return value;
  if (cake_lower_constant(value, &constant)) return cake_lower_const(rewriter, type, constant);
  return cake_build_unary(rewriter, "arith.index_cast", type, value);
}

CakeValue *cake_lower_view(CakeRewriter *rewriter, CakeValue *value, CakeType type) {
  return cake_build_unary(rewriter, "builtin.unrealized_conversion_cast", type, value);
}

CakeValue *cake_lower_ptr_add(CakeRewriter *rewriter, CakeValue *base, CakeValue *bytes) {
  return is_constant(bytes, 0) ? base : cake_build_binary(rewriter, "gpu.ptr_add", base, bytes);
}

// ---- Structure ------------------------------------------------------------------------------------------------------

static void add_yield(CakeRewriter *rewriter, CakeRegion *region) {
  CakeLowerPoint point = cake_lower_save(rewriter);
  CakeBlock *block = cake_rewriter_add_block(rewriter, region, NULL, 0, rewriter->loc);
  rewriter->block = block;
  rewriter->before = NULL;
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "scf.yield"});
  cake_lower_restore(rewriter, point);
}

CakeOp *cake_lower_if(CakeRewriter *rewriter, CakeValue *condition, bool with_else) {
  CakeOp *op = cake_rewriter_build(
      rewriter, &(CakeBuild){.name = "scf.if", .operands = &condition, .n_operands = 1, .n_regions = 2});
  add_yield(rewriter, cake_op_region(op, 0));
  if (with_else) add_yield(rewriter, cake_op_region(op, 1));
  return op;
}

CakeOp *cake_lower_choice(CakeRewriter *rewriter, CakeValue *condition, const CakeType *types, uint32_t count) {
  CakeOp *op = cake_rewriter_build(rewriter, &(CakeBuild){.name = "scf.if",
                                                          .operands = &condition,
                                                          .n_operands = 1,
                                                          .result_types = types,
                                                          .n_results = count,
                                                          .n_regions = 2});
  for (uint32_t side = 0; side < 2; side++)
    cake_rewriter_add_block(rewriter, cake_op_region(op, side), NULL, 0, op->loc);
  return op;
}

void cake_lower_side(CakeRewriter *rewriter, CakeOp *choice, uint32_t side) {
  cake_rewriter_set_end(rewriter, cake_op_region(choice, side)->first);
}

void cake_lower_yield(CakeRewriter *rewriter, CakeValue *const *values, uint32_t count) {
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "scf.yield", .operands = values, .n_operands = count});
}

CakeOp *cake_lower_for(CakeRewriter *rewriter, CakeValue *lower, CakeValue *upper, CakeValue *step,
                       CakeValue *const *inits, size_t n_inits) {
  CAKE_VEC(CakeValue *) operands = {0};
  CAKE_VEC(CakeType) types = {0};
  CAKE_PUSH(&operands, lower);
  CAKE_PUSH(&operands, upper);
  CAKE_PUSH(&operands, step);
  CAKE_PUSH(&types, lower->type);
  for (size_t i = 0; i < n_inits; i++) {
    CAKE_PUSH(&operands, inits[i]);
    CAKE_PUSH(&types, inits[i]->type);
  }
  CakeOp *op = cake_rewriter_build(rewriter, &(CakeBuild){.name = "scf.for",
                                                          .operands = operands.data,
                                                          .n_operands = operands.len,
                                                          .result_types = types.data + 1,
                                                          .n_results = n_inits,
                                                          .n_regions = 1});
  cake_rewriter_add_block(rewriter, cake_op_region(op, 0), types.data, types.len, rewriter->loc);
  CAKE_VEC_FINI(&operands);
  CAKE_VEC_FINI(&types);
  return op;
}

// ---- Roles ----------------------------------------------------------------------------------------------------------

static CakeAttr role_list(const CakeOp *func) {
  CakeAttr roles = cake_op_attr_text(func, "roles");
  return cake_attr_is(roles, &cake_attr_def_array) ? roles : NULL;
}

static bool read_number(CakeAttr dictionary, const char *name, int64_t *out) {
  CakeAttr attr = cake_attr_lookup_text(dictionary, name);
  if (!cake_attr_is(attr, &cake_attr_def_integer)) return false;
  *out = cake_attr_int_value(attr);
  return true;
}

size_t cake_lower_role_count(const CakeOp *func) {
  CakeAttr roles = role_list(func);
  return roles ? cake_attr_count(roles) : 0;
}

bool cake_lower_role_at(const CakeOp *func, size_t index, CakeLowerRole *out) {
  if (index >= cake_lower_role_count(func)) return false;
  CakeAttr row = cake_attr_element(role_list(func), index);
  if (!cake_attr_is(row, &cake_attr_def_dictionary)) return false;
  CakeAttr name = cake_attr_lookup_text(row, "name");
  if (!cake_attr_is(name, &cake_attr_def_string)) return false;
  out->name = cake_id(func->context, cake_attr_string_value(name));
  return read_number(row, "first_warp", &out->first_warp) && read_number(row, "warps", &out->warps) &&
         read_number(row, "replicas", &out->replicas) && read_number(row, "regs", &out->regs) && out->warps > 0 &&
         out->replicas > 0;
}

bool cake_lower_role_find(const CakeOp *func, CakeId name, CakeLowerRole *out) {
  for (size_t i = 0; i < cake_lower_role_count(func); i++)
    if (cake_lower_role_at(func, i, out) && out->name == name) return true;
  return false;
}

// The scf.if with a role's mark whose first region holds `op`; NULL: none up to gpu.func, which comes back through
// `out_func`.
static const CakeOp *marked_branch(const CakeOp *op, const CakeOp **out_func) {
  *out_func = NULL;
  for (const CakeOp *inner = op, *outer = cake_op_parent(op); outer; inner = outer, outer = cake_op_parent(outer)) {
    if (cake_is_gpu_op(outer, cake_op_gpu_func)) {
      *out_func = outer;
      return NULL;
    }
    if (cake_op_attr_text(outer, CAKE_LOWER_ROLE_MARK) && inner->block->region == cake_op_region(outer, 0))
      return outer;
  }
  return NULL;
}

bool cake_lower_role_of(const CakeOp *op, CakeLowerRole *out) {
  const CakeOp *func;
  const CakeOp *branch = marked_branch(op, &func);
  if (!branch) return func && cake_lower_role_count(func) == 1 && cake_lower_role_at(func, 0, out);
  CakeAttr mark = cake_op_attr_text(branch, CAKE_LOWER_ROLE_MARK);
  func = cake_op_parent_named(branch, "gpu.func");
  return func && cake_attr_is(mark, &cake_attr_def_string) &&
         cake_lower_role_find(func, cake_id(op->context, cake_attr_string_value(mark)), out);
}
