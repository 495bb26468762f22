// remove-dead-values: what is computed, handed on and returned for nothing goes.
//
// Values are live when an effect, or what others may see, depends on them (analysis/live_values.h). What goes is decided
// first, and then goes in an order in which nothing is used any more: operands that hand on what nobody needs, pure ops,
// results, arguments, and what types of callables say of them.
#include "analysis/live_values.h"
#include "cake/callable.h"
#include "passes/passes.h"

// An operand or result of an op, what a callable returns, or an argument of a block.
typedef struct Drop {
  CakeOp *op;
  CakeBlock *block;
  uint32_t index;
} Drop;

typedef CAKE_VEC(Drop) DropVec; // those of one op, or block, are neighbours, in order

typedef struct Removal {
  CakePassContext *pass;
  CakeLiveValues values;
  CAKE_VEC(CakeOp *) dead; // outermost ops
  DropVec operands, results, arguments, returned;
} Removal;

// ---- What goes -----------------------------------------------------------------------------------------------------

static bool is_dead(const Removal *removal, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    if (cake_value_is_live(&removal->values, &op->results[i])) return false;
  return !cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR | CAKE_TRAIT_SYMBOL) && cake_op_is_pure(op);
}

static void collect_arguments(Removal *removal, CakeBlock *block) {
  for (uint32_t i = 0; i < block->n_args; i++)
    if (cake_argument_is_dead(&removal->values, block->args[i]))
      CAKE_PUSH(&removal->arguments, ((Drop){.block = block, .index = i}));
}

static void collect_parts(Removal *removal, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (cake_operand_is_dead(&removal->values, op, i)) CAKE_PUSH(&removal->operands, ((Drop){.op = op, .index = i}));
  for (uint32_t i = 0; i < op->n_results; i++)
    if (cake_result_is_dead(&removal->values, op, i)) CAKE_PUSH(&removal->results, ((Drop){.op = op, .index = i}));
  CakeType type = cake_op_has_trait(op, CAKE_TRAIT_CALLABLE) ? cake_callable_type(op) : NULL;
  for (uint32_t i = 0; type && i < cake_type_function_results(type); i++)
    if (cake_returned_is_dead(&removal->values, op, i)) CAKE_PUSH(&removal->returned, ((Drop){.op = op, .index = i}));
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      collect_arguments(removal, block);
}

static void collect(Removal *removal, CakeOp *root) {
  for (CakeOp *op = root, *next; op; op = next) {
    bool goes = op != root && is_dead(removal, op);
    next = cake_op_walk_next(root, op, goes);
    if (goes)
      CAKE_PUSH(&removal->dead, op);
    else
      collect_parts(removal, op);
  }
}

// The drops of one op, or block, from `begin` on: where they end.
static size_t end_of(const DropVec *drops, size_t begin) {
  size_t end = begin;
  while (end < drops->len && drops->data[end].op == drops->data[begin].op &&
         drops->data[end].block == drops->data[begin].block)
    end++;
  return end;
}

// Whether `index` is the next of them, which is taken then.
static bool take(const DropVec *drops, size_t *at, size_t end, uint32_t index) {
  if (*at == end || drops->data[*at].index != index) return false;
  (*at)++;
  return true;
}

// ---- Operands and ops ----------------------------------------------------------------------------------------------

static void drop_operands(Removal *removal, size_t begin, size_t end) {
  CakeOp *op = removal->operands.data[begin].op;
  const CakeOpDef *def = op->info->def;
  bool has_groups = def && (def->traits & CAKE_TRAIT_SEGMENTS);
  CakeValueVec kept = {0};
  CAKE_VEC(int32_t) sizes = {0};
  CAKE_VEC(uint32_t) counts = {0};
  size_t at = begin;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CAKE_PUSH(&counts, !take(&removal->operands, &at, end, i));
    if (counts.data[i]) CAKE_PUSH(&kept, cake_op_operand(op, i));
  }
  for (uint32_t group = 0; has_groups && group < def->n_operands; group++) {
    CakeOperandRange range = cake_op_operand_group(op, group);
    int32_t size = 0;
    for (uint32_t i = 0; i < range.count; i++)
      size += (int32_t)counts.data[range.start + i];
    CAKE_PUSH(&sizes, size);
  }
  CakeAttr successor_sizes = cake_op_successor_sizes(op, counts.data);
  cake_rewriter_set_operands(&removal->pass->rewriter, op, kept.data, kept.len, has_groups ? sizes.data : NULL,
                             sizes.len);
  if (successor_sizes) cake_rewriter_set_attr_text(&removal->pass->rewriter, op, def->successor_sizes, successor_sizes);
  CAKE_VEC_FINI(&kept);
  CAKE_VEC_FINI(&sizes);
  CAKE_VEC_FINI(&counts);
}

static void erase_dead(Removal *removal) {
  for (size_t i = 0; i < removal->dead.len; i++) {
    CakeOp *root = removal->dead.data[i];
    for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
      for (uint32_t k = 0; k < op->n_operands; k++)
        cake_use_set(&op->operands[k], NULL);
  }
  for (size_t i = 0; i < removal->dead.len; i++)
    cake_rewriter_erase(&removal->pass->rewriter, removal->dead.data[i]);
}

// ---- Results and arguments -----------------------------------------------------------------------------------------

// Another op of the same kind in the place of this one, without these results.
static void drop_results(Removal *removal, size_t begin, size_t end) {
  CakeRewriter *rewriter = &removal->pass->rewriter;
  CakeOp *op = removal->results.data[begin].op;
  CakeValueVec operands = {0};
  CAKE_VEC(bool) kept = {0};
  for (uint32_t i = 0; i < op->n_operands; i++)
    CAKE_PUSH(&operands, cake_op_operand(op, i));
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&kept, !take(&removal->results, &begin, end, i));
  cake_rewriter_keep_results(rewriter, op, operands.data, operands.len, kept.data);
  CAKE_VEC_FINI(&operands);
  CAKE_VEC_FINI(&kept);
}

static void drop_arguments(Removal *removal) {
  for (size_t i = removal->arguments.len; i-- > 0;)
    cake_rewriter_remove_arg(&removal->pass->rewriter, removal->arguments.data[i].block,
                             removal->arguments.data[i].index);
}

// ---- Callables -----------------------------------------------------------------------------------------------------

// The list without the entries that are dropped; dictionaries of arguments and results.
static void drop_entries(Removal *removal, CakeOp *op, const char *name, const DropVec *drops, size_t begin,
                         size_t end) {
  CakeAttr list = cake_op_attr_text(op, name);
  CAKE_VEC(CakeAttr) kept = {0};
  if (!list || begin == end) return;
  for (uint32_t i = 0; i < cake_attr_count(list); i++)
    if (!take(drops, &begin, end, i)) CAKE_PUSH(&kept, cake_attr_element(list, i));
  cake_rewriter_set_attr_text(&removal->pass->rewriter, op, name, cake_attr_array(op->context, kept.data, kept.len));
  CAKE_VEC_FINI(&kept);
}

static void drop_results_of_type(Removal *removal, size_t begin, size_t end) {
  CakeOp *op = removal->returned.data[begin].op;
  CakeType type = cake_callable_type(op);
  CAKE_VEC(CakeType) inputs = {0}, results = {0};
  for (size_t i = 0; i < cake_type_function_inputs(type); i++)
    CAKE_PUSH(&inputs, cake_type_function_input(type, i));
  size_t at = begin;
  for (uint32_t i = 0; i < cake_type_function_results(type); i++)
    if (!take(&removal->returned, &at, end, i)) CAKE_PUSH(&results, cake_type_function_result(type, i));
  CakeType made = cake_type_function(op->context, inputs.data, inputs.len, results.data, results.len);
  cake_rewriter_set_attr_text(&removal->pass->rewriter, op, "function_type", cake_attr_type(made));
  drop_entries(removal, op, "res_attrs", &removal->returned, begin, end);
  CAKE_VEC_FINI(&inputs);
  CAKE_VEC_FINI(&results);
}

// Arguments have gone: the type says what is left.
static void drop_inputs_of_type(Removal *removal, size_t begin, size_t end) {
  CakeBlock *block = removal->arguments.data[begin].block;
  CakeOp *op = cake_block_parent(block);
  CakeType type =
      cake_op_has_trait(op, CAKE_TRAIT_CALLABLE) && block == block->region->first ? cake_callable_type(op) : NULL;
  if (!type) return;
  CAKE_VEC(CakeType) inputs = {0}, results = {0};
  for (uint32_t i = 0; i < block->n_args; i++)
    CAKE_PUSH(&inputs, block->args[i]->type);
  for (size_t i = 0; i < cake_type_function_results(type); i++)
    CAKE_PUSH(&results, cake_type_function_result(type, i));
  CakeType made = cake_type_function(op->context, inputs.data, inputs.len, results.data, results.len);
  cake_rewriter_set_attr_text(&removal->pass->rewriter, op, "function_type", cake_attr_type(made));
  drop_entries(removal, op, "arg_attrs", &removal->arguments, begin, end);
  CAKE_VEC_FINI(&inputs);
  CAKE_VEC_FINI(&results);
}

// ---- The whole -----------------------------------------------------------------------------------------------------

static void for_each(Removal *removal, const DropVec *drops, void (*drop)(Removal *removal, size_t begin, size_t end)) {
  for (size_t begin = 0, end; begin < drops->len; begin = end) {
    end = end_of(drops, begin);
    drop(removal, begin, end);
  }
}

static void count(Removal *removal) {
  const struct {
    const char *what;
    size_t n;
  } counts[] = {
      {"ops erased",        removal->dead.len                           },
      {"operands removed",  removal->operands.len                       },
      {"results removed",   removal->results.len + removal->returned.len},
      {"arguments removed", removal->arguments.len                      },
  };
  for (size_t i = 0; i < CAKE_COUNT(counts); i++)
    if (counts[i].n) cake_pass_count(removal->pass, counts[i].what, (int64_t)counts[i].n);
}

CakePassResult cake_pass_remove_dead_values(CakePassContext *pass, CakeOp *root) {
  Removal removal = {.pass = pass};
  cake_live_values_init(&removal.values, root);
  collect(&removal, root);
  count(&removal);
  for_each(&removal, &removal.operands, drop_operands);
  erase_dead(&removal);
  for_each(&removal, &removal.results, drop_results);
  drop_arguments(&removal);
  for_each(&removal, &removal.arguments, drop_inputs_of_type);
  for_each(&removal, &removal.returned, drop_results_of_type);
  cake_live_values_fini(&removal.values);
  CAKE_VEC_FINI(&removal.dead);
  CAKE_VEC_FINI(&removal.operands);
  CAKE_VEC_FINI(&removal.results);
  CAKE_VEC_FINI(&removal.arguments);
  CAKE_VEC_FINI(&removal.returned);
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
