// inline: puts the bodies of callables where they are called.
//
// Callables are visited in the order of the call graph, callees first, those that call one another together. Each is
// canonicalised, then the calls in it are inlined, until there is nothing left to inline or the limit is reached. Calls
// that come with an inlined body are inlined too, except into what they came from. Private callables that nothing refers
// to any more go.
#include "analysis/call_graph.h"
#include "analysis/flow.h"
#include "cake/symbol.h"
#include "passes/passes.h"

// A call that may be inlined, and through which callables it came there.
typedef struct Call {
  CakeOp *op;
  size_t history; // index + 1
} Call;

typedef struct History {
  CakeOp *callee;
  size_t before; // index + 1
} History;

typedef struct Inliner {
  CakePassContext *pass;
  CakeCallGraph graph;
  CAKE_VEC(Call) calls;
  CAKE_VEC(History) history;
  CAKE_VEC(CakeValue *) values;
  CakeOp *root;
  CakeMap uses; // callable → how many references to it there are
  CakeMap gone; // callables that were erased
  CAKE_VEC(CakeAttr) attrs;
  CAKE_VEC(CakeOp *) dead; // what lost its last reference, if it has got none since
  int64_t room;            // how many more ops may be put in
  int64_t threshold;       // percent of the caller's ops that a callee may have; -1: any number
  CakeMap sizes;           // with a threshold, callable → how many ops are in it, + 1
} Inliner;

// ---- What may be inlined -------------------------------------------------------------------------------------------

static bool is_in_history(const Inliner *inliner, size_t at, const CakeOp *callee) {
  for (; at; at = inliner->history.data[at - 1].before)
    if (inliner->history.data[at - 1].callee == callee) return true;
  return false;
}

static bool has_same_signature(const CakeOp *call, const CakeOp *callee) {
  const CakeBlock *entry = cake_op_region(callee, 0)->first;
  if (call->n_operands != entry->n_args) return false;
  for (uint32_t i = 0; i < call->n_operands; i++)
    if (call->operands[i].value->type != entry->args[i]->type) return false;
  return true;
}

// Every way out of the callee hands over what the call gives; ways out that are no return (a trap) are fine.
static bool has_same_returns(const CakeOp *call, const CakeOp *callee) {
  for (const CakeBlock *block = cake_op_region(callee, 0)->first; block; block = block->next) {
    const CakeOp *last = block->last;
    if (!last) return false;
    if (!cake_op_has_trait(last, CAKE_TRAIT_RETURN)) continue;
    if (last->n_operands != call->n_results) return false;
    for (uint32_t i = 0; i < last->n_operands; i++)
      if (last->operands[i].value->type != call->results[i].type) return false;
  }
  return true;
}

// Whether a call may become several blocks where it stands.
static bool may_have_blocks(const CakeOp *op) {
  const CakeOp *around = cake_op_parent(op);
  return around && around->info->def && cake_flow_may_have_blocks(op) &&
         cake_context_find_dialect(op->context, CAKE_STR("cf"));
}

static bool may_inline(const Inliner *inliner, const Call *call, CakeOp *callee) {
  if (!callee || !callee->n_regions || !cake_op_region(callee, 0)->first) return false;
  if (cake_op_is_ancestor(callee, call->op) || is_in_history(inliner, call->history, callee)) return false;
  if (cake_op_attr_text(call->op, "no_inline") || cake_op_attr_text(callee, "no_inline")) return false;
  if (cake_op_has_trait(call->op, CAKE_TRAIT_TERMINATOR)) return false;
  bool is_straight = cake_op_region(callee, 0)->first == cake_op_region(callee, 0)->last;
  if (!is_straight && !call->op->next) return false;
  if (is_straight ? !cake_op_has_trait(cake_op_region(callee, 0)->first->last, CAKE_TRAIT_RETURN)
                  : !may_have_blocks(call->op))
    return false;
  return has_same_signature(call->op, callee) && has_same_returns(call->op, callee);
}

// ---- Callables that are not needed any more ------------------------------------------------------------------------

static bool is_dead(const Inliner *inliner, const CakeOp *callable) {
  uintptr_t uses = 0;
  CakeAttr visibility = cake_op_attr_text(callable, "sym_visibility");
  return visibility && cake_str_is(cake_attr_string_value(visibility), "private") &&
         (!cake_map_get(&inliner->uses, callable, &uses) || !uses);
}

// Counts the references of an attribute in (or out); callables that lose their last one may be dead.
static void count_attr(Inliner *inliner, CakeOp *op, CakeAttr attr, bool in) {
  CAKE_PUSH(&inliner->attrs, attr);
  while (inliner->attrs.len) {
    CakeAttr next = inliner->attrs.data[--inliner->attrs.len];
    CakeOp *callable = cake_call_graph_lookup(&inliner->graph, op, next);
    if (callable) {
      uintptr_t uses = 0;
      cake_map_get(&inliner->uses, callable, &uses);
      cake_map_set(&inliner->uses, callable, in ? uses + 1 : uses - 1);
      if (!in && uses == 1) CAKE_PUSH(&inliner->dead, callable);
    }
    for (uint32_t i = 0; i < next->count; i++)
      if (next->params[i].kind == CAKE_PARAM_ATTR && next->params[i].attr)
        CAKE_PUSH(&inliner->attrs, next->params[i].attr);
  }
}

static void count_references(Inliner *inliner, CakeOp *root, bool in) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (op->attrs) count_attr(inliner, op, op->attrs, in);
    for (uint32_t i = 0; i < op->info->n_props; i++)
      if (cake_op_prop(op, i) && cake_op_prop(op, i)->count) count_attr(inliner, op, cake_op_prop(op, i), in);
  }
}

// What is erased early gives its memory to what is inlined next.
static void erase_dead(Inliner *inliner) {
  while (inliner->dead.len) {
    CakeOp *callable = inliner->dead.data[--inliner->dead.len];
    if (cake_map_get(&inliner->gone, callable, NULL) || !cake_op_is_ancestor(inliner->root, callable) ||
        callable == inliner->root || !is_dead(inliner, callable))
      continue;
    count_references(inliner, callable, false);
    cake_map_set(&inliner->gone, callable, 1);
    cake_rewriter_erase(&inliner->pass->rewriter, callable);
    cake_pass_count(inliner->pass, "callables erased", 1);
  }
}

// ---- Inlining one call ---------------------------------------------------------------------------------------------

// What came in was called at `call`: locations say so, and calls among it may be inlined in turn.
static void note_new_ops(Inliner *inliner, const CakeBlock *block, CakeOp *call, size_t history) {
  CakeContext *context = call->context;
  for (CakeOp *top = block->first; top; top = top->next) {
    for (CakeOp *op = top; op; op = cake_op_walk_next(top, op, false)) {
      op->loc = cake_loc_callsite(context, op->loc, call->loc);
      if (cake_call_graph_is_call(op)) CAKE_PUSH(&inliner->calls, (Call){op, history});
    }
  }
}

static void replace_results(Inliner *inliner, CakeOp *call, CakeValue *const *values) {
  for (uint32_t i = 0; i < call->n_results; i++)
    cake_rewriter_replace_uses(&inliner->pass->rewriter, &call->results[i], values[i]);
}

// A callee of one block: its ops go in front of the call, and what it returns takes the place of the call's results.
static void splice_block(Inliner *inliner, CakeOp *call, CakeBlock *body, size_t history) {
  CakeRewriter *rewriter = &inliner->pass->rewriter;
  CakeOp *end = body->last;
  inliner->values.len = 0;
  for (uint32_t i = 0; i < end->n_operands; i++)
    CAKE_PUSH(&inliner->values, cake_op_operand(end, i));
  replace_results(inliner, call, inliner->values.data);
  cake_rewriter_erase(rewriter, end);
  note_new_ops(inliner, body, call, history);
  while (body->first)
    cake_rewriter_move_before(rewriter, body->first, call);
  cake_rewriter_erase_block(rewriter, body);
}

// More blocks: the call's block is cut in two, and returns become branches to the second part.
static void splice_blocks(Inliner *inliner, CakeOp *call, CakeBlock *first, CakeBlock *rest, size_t history) {
  CakeRewriter *rewriter = &inliner->pass->rewriter;
  for (CakeBlock *block = first; block != rest; block = block->next)
    note_new_ops(inliner, block, call, history);
  inliner->values.len = 0;
  for (uint32_t i = 0; i < call->n_results; i++)
    CAKE_PUSH(&inliner->values, cake_rewriter_add_arg(rewriter, rest, call->results[i].type, call->loc));
  replace_results(inliner, call, inliner->values.data);
  for (CakeBlock *block = first; block != rest; block = block->next) {
    CakeOp *end = block->last;
    if (!cake_op_has_trait(end, CAKE_TRAIT_RETURN)) continue;
    inliner->values.len = 0;
    for (uint32_t i = 0; i < end->n_operands; i++)
      CAKE_PUSH(&inliner->values, cake_op_operand(end, i));
    cake_rewriter_set_before(rewriter, end);
    cake_rewriter_build(rewriter, &(CakeBuild){.name = "cf.br",
                                               .operands = inliner->values.data,
                                               .n_operands = inliner->values.len,
                                               .successors = &rest,
                                               .n_successors = 1});
    cake_rewriter_erase(rewriter, end);
  }
  CakeBlock *front = call->block;
  while (first->first)
    cake_rewriter_move_to_end(rewriter, first->first, front);
  cake_rewriter_erase_block(rewriter, first);
}

static void inline_call(Inliner *inliner, CakeOp *call, CakeOp *callee, size_t history) {
  CakeRewriter *rewriter = &inliner->pass->rewriter;
  CakeRegion *body = cake_op_region(callee, 0);
  bool is_straight = body->first == body->last;
  CakeBlock *rest = is_straight ? call->block->next : cake_rewriter_split_block(rewriter, call->next);
  CakeBlock *before = call->block;
  CakeMap map = {0};
  for (uint32_t i = 0; i < call->n_operands; i++)
    cake_map_set(&map, body->first->args[i], (uintptr_t)cake_op_operand(call, i));
  cake_rewriter_clone_region(rewriter, body, call->block->region, rest, &map);
  cake_map_fini(&map);
  if (is_straight)
    splice_block(inliner, call, before->next, history);
  else
    splice_blocks(inliner, call, before->next, rest, history);
  cake_rewriter_erase(rewriter, call);
  cake_pass_count(inliner->pass, "calls inlined", 1);
}

// ---- Callables that call one another -------------------------------------------------------------------------------

static void collect_calls(Inliner *inliner, CakeOp *callable) {
  for (CakeOp *op = cake_op_walk_next(callable, callable, false); op;) {
    bool is_other = cake_op_has_trait(op, CAKE_TRAIT_CALLABLE);
    if (!is_other && cake_call_graph_is_call(op)) CAKE_PUSH(&inliner->calls, (Call){op, 0});
    op = cake_op_walk_next(callable, op, is_other);
  }
}

static int64_t count_ops(CakeOp *root) {
  int64_t count = 0;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    count++;
  return count;
}

static int64_t size_of(Inliner *inliner, CakeOp *callable) {
  uintptr_t size;
  if (!cake_map_get(&inliner->sizes, callable, &size)) {
    size = (uintptr_t)count_ops(callable);
    cake_map_set(&inliner->sizes, callable, size);
  }
  return (int64_t)size - 1;
}

static CakeOp *caller_of(CakeOp *call) {
  CakeOp *caller = call;
  while (caller && !cake_op_has_trait(caller, CAKE_TRAIT_CALLABLE))
    caller = cake_op_parent(caller);
  return caller;
}

// Whether the callee is small beside its caller.
static bool is_small(Inliner *inliner, CakeOp *call, CakeOp *callee) {
  CakeOp *caller = inliner->threshold < 0 ? NULL : caller_of(call);
  return !caller ||
         (inliner->threshold > 0 && size_of(inliner, callee) * 100 / size_of(inliner, caller) <= inliner->threshold);
}

// The caller has the callee's ops now, but for the call and the return.
static void note_growth(Inliner *inliner, CakeOp *caller, CakeOp *callee) {
  if (inliner->threshold >= 0 && caller)
    cake_map_set(&inliner->sizes, caller, (uintptr_t)(size_of(inliner, caller) + size_of(inliner, callee) - 1));
}

// Whether the callee's ops still have room; says so once when they do not. A few calls a function, level by level, would
// otherwise become more code than any memory holds.
static bool has_room(Inliner *inliner, CakeOp *call, CakeOp *callee) {
  if (inliner->room < 0) return false;
  inliner->room -= count_ops(callee);
  if (inliner->room < 0)
    cake_pass_remark(inliner->pass, call,
                     "this call and further ones stay: inlining has made the code grow by its limit");
  return inliner->room >= 0;
}

// True when something was inlined.
static bool inline_calls(Inliner *inliner, CakeOp *const *members, size_t count) {
  bool is_changed = false;
  inliner->calls.len = inliner->history.len = 0;
  for (size_t i = 0; i < count; i++)
    collect_calls(inliner, members[i]);
  for (size_t i = 0; i < inliner->calls.len; i++) {
    Call call = inliner->calls.data[i];
    CakeOp *callee = cake_call_graph_callee(&inliner->graph, call.op);
    if (!may_inline(inliner, &call, callee) || !is_small(inliner, call.op, callee) ||
        !has_room(inliner, call.op, callee))
      continue;
    note_growth(inliner, caller_of(call.op), callee);
    CAKE_PUSH(&inliner->history, (History){callee, call.history});
    inline_call(inliner, call.op, callee, inliner->history.len);
    is_changed = true;
  }
  return is_changed;
}

// Of "func.func(canonicalize,cse),my.func(cse)", the first part, which is taken off.
static CakeStr next_part(CakeStr *pipelines) {
  size_t end = 0, depth = 0;
  for (; end < pipelines->len && (depth || pipelines->ptr[end] != ','); end++) {
    char c = pipelines->ptr[end];
    depth += c == '(' || c == '{';
    depth -= depth && (c == ')' || c == '}');
  }
  CakeStr part = {pipelines->ptr, end};
  size_t next = end < pipelines->len ? end + 1 : end;
  *pipelines = (CakeStr){pipelines->ptr + next, pipelines->len - next};
  return part;
}

// The name in front of the parenthesis; empty: the part is no pipeline.
static CakeStr anchor_of(CakeStr part) {
  size_t len = 0;
  while (len < part.len && part.ptr[len] != '(')
    len++;
  return (CakeStr){part.ptr, len < part.len && part.ptr[part.len - 1] == ')' ? len : 0};
}

static bool check_pipelines(CakePassContext *pass, CakeOp *root) {
  for (CakeStr rest = cake_pass_option_str(pass->pass, "op-pipelines"); rest.len;) {
    CakeStr part = next_part(&rest);
    if (anchor_of(part).len) continue;
    return cake_error(root, CAKE_CODE_PASS_PIPELINE,
                      "can't be inlined into: '%.*s' of `op-pipelines` is no pipeline on an op", CAKE_STR_ARG(part));
  }
  return true;
}

// What is for that op; empty: nothing.
static CakeStr pipeline_for(CakeStr pipelines, CakeStr name) {
  while (pipelines.len) {
    CakeStr part = next_part(&pipelines);
    if (cake_str_equal(anchor_of(part), name)) return part;
  }
  return CAKE_STR("");
}

// What is done to a callable before calls in it are inlined.
static bool simplify(Inliner *inliner, CakeOp *callable) {
  CakePassContext *pass = inliner->pass;
  CakeStr own = pipeline_for(cake_pass_option_str(pass->pass, "op-pipelines"), cake_op_name(callable)),
          others = cake_pass_option_str(pass->pass, "default-pipeline");
  if (own.len) return cake_pass_run_pipeline(pass, own, callable);
  if (cake_str_is(others, "canonicalize")) return cake_greedy_rewrite(pass, callable, NULL, NULL);
  if (!others.len) return true;
  CakeBuf text = {0};
  cake_buf_printf(&text, "%.*s(%.*s)", CAKE_STR_ARG(cake_op_name(callable)), CAKE_STR_ARG(others));
  bool is_fine = cake_pass_run_pipeline(pass, cake_buf_view(&text), callable);
  cake_buf_fini(&text);
  return is_fine;
}

static bool simplify_and_inline(Inliner *inliner, CakeOp *const *members, size_t count) {
  int64_t limit = cake_pass_option_int(inliner->pass->pass, "max-iterations");
  for (int64_t i = 0; i < limit; i++) {
    for (size_t m = 0; m < count; m++)
      if (!simplify(inliner, members[m])) return false;
    cake_map_empty(&inliner->sizes);
    if (!inline_calls(inliner, members, count)) break;
  }
  return true;
}

// What the callables refer to is counted again behind all that was done to them.
static bool run_component(Inliner *inliner, CakeOp *const *members, size_t count) {
  for (size_t i = 0; i < count; i++)
    count_references(inliner, members[i], false);
  if (!simplify_and_inline(inliner, members, count)) return false;
  for (size_t i = 0; i < count; i++)
    count_references(inliner, members[i], true);
  erase_dead(inliner);
  return true;
}

// ---- The pass ------------------------------------------------------------------------------------------------------

CakePassResult cake_pass_inline(CakePassContext *pass, CakeOp *root) {
  uint64_t before = pass->rewriter.changes;
  enum { SPARE_OPS = 100000 };
  if (!check_pipelines(pass, root)) return CAKE_PASS_FAILED;
  Inliner inliner = {.pass = pass, .root = root, .threshold = cake_pass_option_int(pass->pass, "inlining-threshold")};
  inliner.room = SPARE_OPS + count_ops(root) * cake_pass_option_int(pass->pass, "max-growth");
  cake_call_graph_init(&inliner.graph, root);
  count_references(&inliner, root, true);
  bool ok = true;
  for (size_t begin = 0, end; ok && begin < inliner.graph.order.len; begin = end) {
    end = cake_call_graph_component(&inliner.graph, begin);
    ok = run_component(&inliner, inliner.graph.order.data + begin, end - begin);
  }
  for (size_t i = 0; i < inliner.graph.order.len; i++) // those that nobody ever referred to
    CAKE_PUSH(&inliner.dead, inliner.graph.order.data[i]);
  if (ok) erase_dead(&inliner);
  cake_call_graph_fini(&inliner.graph);
  CAKE_VEC_FINI(&inliner.calls);
  CAKE_VEC_FINI(&inliner.history);
  CAKE_VEC_FINI(&inliner.values);
  cake_map_fini(&inliner.uses);
  cake_map_fini(&inliner.gone);
  cake_map_fini(&inliner.sizes);
  CAKE_VEC_FINI(&inliner.attrs);
  CAKE_VEC_FINI(&inliner.dead);
  if (!ok) return CAKE_PASS_FAILED;
  return pass->rewriter.changes != before ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
