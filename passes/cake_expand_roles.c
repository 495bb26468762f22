// cake-expand-roles: a cake.kernel becomes a gpu.func, its roles branches on the number of the warp, its iterators
// loops.
//
// Behind it a thread runs through the program of the role that its warp belongs to; what is collective about an op
// (fragments, pipelines) stays for the passes that follow. Expressions keep only constants, operands, `row` and `col`:
// named sizes and `instance` become operands.
#include "passes/cake_expand_roles.h"

#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/views.h"

#include <stdlib.h>

// The register file of an SM, shared by the threads of a CTA in units of 8 registers a thread (CUDA programming guide,
// compute capabilities).
enum { REGISTER_FILE = 65536, REGISTER_UNIT = 8, MOST_REGISTERS = 256, WARP = 32, WARPGROUP = 4, MOST_ROLES = 64 };

// ---- What the kernel is made of -------------------------------------------------------------------------------------

static int compare_roles(const void *left, const void *right) {
  const ExpandRole *a = left, *b = right;
  return a->shape.first_warp < b->shape.first_warp ? -1 : a->shape.first_warp > b->shape.first_warp;
}

static int64_t role_end(const ExpandRole *role) {
  return role->shape.first_warp + role->shape.warps * role->shape.replicas;
}

// A budget holds for whole warpgroups, so the padding of the last one belongs to the role.
static int64_t padded_end(const ExpandRole *role) {
  int64_t end = role_end(role);
  return role->shape.regs ? (end + WARPGROUP - 1) / WARPGROUP * WARPGROUP : end;
}

static bool read_role(ExpandKernel *k, CakeOp *op) {
  ExpandRole role = {.op = op, .name = cake_symbol_name(op)};
  if (!cake_role_shape(op, &role.shape))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "has no constant shape; run cake-instantiate first");
  if (role.shape.regs && role.shape.first_warp % WARPGROUP)
    return cake_error(op, CAKE_CODE_PASS_FAILED, "has a register budget but does not start a warpgroup");
  if (k->roles.len == MOST_ROLES)
    return cake_error(op, CAKE_CODE_PASS_FAILED, "is one of more than %d roles", MOST_ROLES);
  CAKE_PUSH(&k->roles, role);
  return true;
}

// The one iterator that the items and steps of the kernel name.
static bool read_tiles(ExpandKernel *k, CakeOp *user) {
  CakeOp *tiles = cake_op_tiles(user);
  if (!tiles) return cake_error(user, CAKE_CODE_PASS_FAILED, "names an iterator that is not there");
  if (k->tiles && tiles != k->tiles)
    return cake_error(user, CAKE_CODE_LOWER_UNSUPPORTED,
                      "works on another iterator than other loops of the kernel; one a kernel is supported");
  if (cake_is_cake_op(user, cake_op_cake_steps) && cake_axes_count(cake_cake_tiles_steps(tiles)) != 1)
    return cake_error(user, CAKE_CODE_LOWER_UNSUPPORTED, "runs over an iterator that has not exactly one inner axis");
  k->tiles = tiles;
  k->has_steps |= cake_is_cake_op(user, cake_op_cake_steps);
  return true;
}

static bool read_declaration(ExpandKernel *k, CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_param) || cake_is_cake_op(op, cake_op_cake_require))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "is still there; run cake-instantiate first");
  if (!cake_is_cake_op(op, cake_op_cake_role)) return true;
  for (CakeOp *inner = cake_op_walk_next(op, op, false); inner; inner = cake_op_walk_next(op, inner, false)) {
    bool is_loop = cake_is_cake_op(inner, cake_op_cake_items) || cake_is_cake_op(inner, cake_op_cake_steps);
    if (is_loop && !read_tiles(k, inner)) return false;
  }
  return read_role(k, op);
}

static bool check_warps(ExpandKernel *k) {
  int64_t end = 0;
  if (k->roles.len) qsort(k->roles.data, k->roles.len, sizeof *k->roles.data, compare_roles);
  for (size_t i = 0; i < k->roles.len; i++) {
    if (k->roles.data[i].shape.first_warp < end)
      return cake_error(k->roles.data[i].op, CAKE_CODE_PASS_FAILED, "shares warps with another role");
    end = padded_end(&k->roles.data[i]);
  }
  if (k->threads < 0 || end * WARP > k->threads)
    return cake_error(k->kernel, CAKE_CODE_PASS_FAILED, "has %lld threads, but its roles need %lld",
                      (long long)k->threads, (long long)(end * WARP));
  return true;
}

static bool read_kernel(ExpandKernel *k) {
  k->threads = cake_kernel_threads(k->kernel);
  k->cluster = cake_op_cluster(k->kernel);
  if (k->cluster < 1)
    return cake_error(k->kernel, CAKE_CODE_PASS_FAILED, "has no constant cluster; run cake-instantiate first");
  for (CakeOp *op = cake_region_entry(cake_op_region(k->kernel, 0))->first; op; op = op->next)
    if (!read_declaration(k, op)) return false;
  return check_warps(k);
}

// ---- Dispatch on the warp -------------------------------------------------------------------------------------------

static CakeValue *is_in_warps(CakeRewriter *rewriter, CakeValue *relative, int64_t count) {
  return cake_lower_cmpi(rewriter, CAKE_CMPI_ULT, relative, cake_lower_index(rewriter, count));
}

// ptxas gives every thread an equal share of the register file at entry.
static void set_registers(ExpandKernel *k, int64_t regs) {
  CakeContext *context = k->rewriter->context;
  int64_t entry = REGISTER_FILE / k->threads / REGISTER_UNIT * REGISTER_UNIT;
  bool is_more = regs > (entry < MOST_REGISTERS ? entry : MOST_REGISTERS);
  CakeNamedAttr attrs[] = {
      {cake_id_text(context, "action"), cake_attr_string(context, cake_str(is_more ? "increase" : "decrease"))},
      {cake_id_text(context, "count"),  cake_attr_i64(context,    regs)                                       }
  };
  cake_rewriter_build(k->rewriter,
                      &(CakeBuild){.name = "gpu.setmaxnreg", .attrs = attrs, .n_attrs = CAKE_COUNT(attrs)});
}

static void mark(ExpandKernel *k, CakeOp *branch, const ExpandRole *role) {
  cake_rewriter_set_attr_text(k->rewriter, branch, CAKE_LOWER_ROLE_MARK,
                              cake_attr_string_id(k->rewriter->context, role->name));
}

// ---- Buffers --------------------------------------------------------------------------------------------------------

static CakeOp *next_buffer(CakeOp *op) {
  while (op && !cake_is_cake_op(op, cake_op_cake_buffer))
    op = op->next;
  return op;
}

// Whether the buffer is of this role: `each` buffers lie apart for the replicas.
static bool is_used_by(const CakeOp *buffer, const CakeOp *role) {
  for (const CakeUse *use = buffer->results[0].first_use; use; use = use->next)
    if (cake_op_role(use->owner) == role) return true;
  return false;
}

// A view at the insertion point of every buffer of the role, in place of the declared one.
static bool expand_buffers(ExpandKernel *k, const ExpandRole *role) {
  CakeRewriter *rewriter = k->rewriter;
  CakeOp *first = cake_region_entry(cake_op_region(k->kernel, 0))->first;
  for (CakeOp *buffer = next_buffer(first); buffer; buffer = next_buffer(buffer->next)) {
    if (!is_used_by(buffer, role->op)) continue;
    CakeAttr offset = cake_cake_buffer_offset(buffer), stride = cake_cake_buffer_stride(buffer);
    if (!offset || !stride)
      return cake_error(buffer, CAKE_CODE_PASS_FAILED, "has no place in shared memory; run cake-assign-shared first");
    CakeType pointer = cake_gpu_ptr(rewriter->context, CAKE_GPU_SHARED);
    CakeValue *ptr = cake_build1(rewriter, "gpu.shared_memory", pointer, NULL, 0);
    ptr = cake_lower_ptr_add(rewriter, ptr, cake_lower_i32(rewriter, cake_attr_int_value(offset)));
    if (cake_cake_buffer_each(buffer) && role->instance) {
      CakeValue *bytes = cake_lower_mul_const(rewriter, role->instance, cake_attr_int_value(stride));
      ptr = cake_lower_ptr_add(rewriter, ptr, cake_lower_cast(rewriter, bytes, cake_type_i32(rewriter->context)));
    }
    CakeValue *view = cake_lower_view(rewriter, ptr, buffer->results[0].type);
    view->name = buffer->results[0].name;
    cake_rewriter_set_attr_text(rewriter, cake_value_def(view), CAKE_LOWER_BUFFER_MARK,
                                cake_attr_unit(rewriter->context));
    cake_rewriter_replace_uses(rewriter, &buffer->results[0], view);
  }
  return true;
}

// Builds `role` at the insertion point, which is reached by its warps and the padding behind them.
static bool expand_branch(ExpandKernel *k, CakeOp *branch, ExpandRole *role, CakeValue *relative) {
  int64_t warps = role->shape.warps * role->shape.replicas;
  if (role->shape.regs) set_registers(k, role->shape.regs);
  if (role_end(role) != padded_end(role)) {
    branch = cake_lower_if(k->rewriter, is_in_warps(k->rewriter, relative, warps), false);
    cake_lower_enter(k->rewriter, cake_op_region(branch, 0));
  }
  if (branch) mark(k, branch, role);
  if (role->shape.replicas > 1)
    role->instance = cake_lower_name(
        cake_lower_divui(k->rewriter, relative, cake_lower_index(k->rewriter, role->shape.warps)), "instance");
  return expand_buffers(k, role) && cake_expand_role(k, role);
}

static bool is_whole_cta(const ExpandKernel *k, const ExpandRole *role) {
  return k->roles.len == 1 && role->shape.first_warp == 0 && padded_end(role) * WARP == k->threads;
}

static bool expand_roles(ExpandKernel *k) {
  CakeRewriter *rewriter = k->rewriter;
  CakeValue *warp =
      cake_lower_name(cake_build1(rewriter, "gpu.warp_id", cake_type_index(rewriter->context), NULL, 0), "warp");
  for (size_t i = 0; i < k->roles.len; i++) {
    ExpandRole *role = &k->roles.data[i];
    rewriter->loc = role->op->loc;
    CakeValue *relative = cake_lower_sub(rewriter, warp, cake_lower_index(rewriter, role->shape.first_warp));
    if (is_whole_cta(k, role)) return expand_branch(k, NULL, role, relative);
    CakeValue *is_role = is_in_warps(rewriter, relative, padded_end(role) - role->shape.first_warp);
    CakeOp *branch = cake_lower_if(rewriter, is_role, i + 1 < k->roles.len);
    cake_lower_enter(rewriter, cake_op_region(branch, 0));
    if (!expand_branch(k, branch, role, relative)) return false;
    if (i + 1 < k->roles.len) cake_lower_enter(rewriter, cake_op_region(branch, 1));
  }
  return true;
}

// ---- The kernel -----------------------------------------------------------------------------------------------------

// A kernel holds declarations and roles only; of these, pipelines are still needed.
static void move_pipelines(ExpandKernel *k) {
  CakeBlock *body = cake_region_entry(cake_op_region(k->kernel, 0));
  for (CakeOp *op = body->first, *next; op; op = next) {
    next = op->next;
    if (cake_is_cake_op(op, cake_op_cake_pipeline)) cake_rewriter_move_before(k->rewriter, op, k->end);
  }
}

static bool expand_kernel(ExpandKernel *k, CakeOp *module) {
  if (!read_kernel(k) || !cake_expand_func(k, module)) return false;
  move_pipelines(k);
  cake_rewriter_set_before(k->rewriter, k->end);
  k->rewriter->loc = k->kernel->loc;
  if (k->cluster > 1) k->rank = cake_lower_rank(k->rewriter);
  if (!cake_expand_extents(k) || !cake_expand_orders(k) || !expand_roles(k)) return false;
  cake_rewriter_erase(k->rewriter, k->kernel);
  return true;
}

static CakeOp *next_kernel(CakeOp *op) {
  while (op && !cake_is_cake_op(op, cake_op_cake_kernel))
    op = op->next;
  return op;
}

CakePassResult cake_pass_cake_expand_roles(CakePassContext *pass, CakeOp *module) {
  CakePassResult result = CAKE_PASS_UNCHANGED;
  CakeOp *next;
  for (CakeOp *kernel = next_kernel(cake_module_body(module)->first); kernel; kernel = next) {
    next = next_kernel(kernel->next);
    ExpandKernel k = {.rewriter = &pass->rewriter, .kernel = kernel};
    result = expand_kernel(&k, module) ? CAKE_PASS_CHANGED : CAKE_PASS_FAILED;
    CAKE_VEC_FINI(&k.roles);
    CAKE_VEC_FINI(&k.names);
    CAKE_VEC_FINI(&k.sizes);
    CAKE_VEC_FINI(&k.extents);
    CAKE_VEC_FINI(&k.item);
    CAKE_VEC_FINI(&k.orders);
    if (result == CAKE_PASS_FAILED) break;
  }
  return result;
}
