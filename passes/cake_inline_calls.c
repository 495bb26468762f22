// cake-inline-calls: every cake.call in a kernel becomes the body of its function; functions that only such calls used go.
#include "passes/passes.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"

// Calls inside of inlined bodies are inlined in turn; a function that calls itself would never end.
enum { MAX_CALLS = 10000 };

static bool inline_call(CakePassContext *pass, CakeOp *call) {
  CakeRewriter *rewriter = &pass->rewriter;
  CakeOp *function = cake_symbol_lookup(call, cake_cake_call_callee(call));
  CakeBlock *body = function ? cake_region_entry(cake_op_region(function, 0)) : NULL;
  CakeOperandRange args = cake_cake_call_args(call);
  if (!body || !body->last || body->n_args != args.count || body->last->n_operands != call->n_results)
    return cake_error(call, CAKE_CODE_PASS_FAILED, "calls what cannot be inlined");
  CakeMap map = {0};
  for (uint32_t i = 0; i < args.count; i++)
    cake_map_set(&map, body->args[i], (uintptr_t)args.first[i].value);
  for (CakeOp *op = body->first; op != body->last; op = op->next) {
    cake_rewriter_set_before(rewriter, call);
    cake_rewriter_clone(rewriter, op, &map);
  }
  CakeValue **results = CAKE_ARENA_ARRAY(pass->scratch, CakeValue *, call->n_results + 1);
  for (uint32_t i = 0; i < call->n_results; i++) {
    uintptr_t copy;
    CakeValue *returned = cake_op_operand(body->last, i);
    results[i] = cake_map_get(&map, returned, &copy) ? (CakeValue *)copy : returned;
  }
  cake_map_fini(&map);
  cake_rewriter_replace(rewriter, call, results);
  return true;
}

static CakeOp *next_call(CakeOp *kernel) {
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    if (cake_is_cake_op(op, cake_op_cake_call)) return op;
  return NULL;
}

static bool is_called(CakeOp *module, CakeOp *function) {
  CakeId name = cake_symbol_name(function);
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    for (uint32_t i = 0; op != function && i < op->info->n_props; i++)
      if (cake_attr_is(cake_op_prop(op, i), &cake_attr_def_symbol_ref) &&
          cake_attr_symbol_root(cake_op_prop(op, i)) == name)
        return true;
  return false;
}

// Private functions on fragments have no other use, and no lowering.
static void erase_functions(CakePassContext *pass, CakeOp *module) {
  for (CakeOp *op = cake_module_body(module)->first, *next; op; op = next) {
    next = op->next;
    CakeAttr visibility = cake_op_is(op, "func.func") ? cake_op_attr_text(op, "sym_visibility") : NULL;
    bool is_private =
        cake_attr_is(visibility, &cake_attr_def_string) && cake_str_is(cake_attr_string_value(visibility), "private");
    if (is_private && !is_called(module, op)) cake_rewriter_erase(&pass->rewriter, op);
  }
}

CakePassResult cake_pass_cake_inline_calls(CakePassContext *pass, CakeOp *module) {
  size_t count = 0;
  for (CakeOp *kernel = cake_module_body(module)->first; kernel; kernel = kernel->next) {
    if (!cake_is_cake_op(kernel, cake_op_cake_kernel)) continue;
    for (CakeOp *call = next_call(kernel); call; call = next_call(kernel)) {
      if (++count > MAX_CALLS) {
        (void)cake_error(call, CAKE_CODE_PASS_FAILED, "is one of more than %d calls: does the function call itself?",
                         MAX_CALLS);
        return CAKE_PASS_FAILED;
      }
      if (!inline_call(pass, call)) return CAKE_PASS_FAILED;
    }
  }
  if (count == 0) return CAKE_PASS_UNCHANGED;
  erase_functions(pass, module);
  cake_pass_count(pass, "calls inlined", (int64_t)count);
  return CAKE_PASS_CHANGED;
}
