// Trying a rewrite when it is loaded: on usual types and numbers its before is made as real ops. Where these verify and `where` holds, the
// after must verify too, with the same result types. What is tried proves nothing about other types; it finds the faults that are common.
#include "rewrite.h"

enum { N_TYPES = 9, N_NUMBERS = 5, MAX_TRIES = 500 };

typedef struct Trial {
  CakeContext *context;
  Rewrite *rewrite;
  CakeLoc loc;
  CakeType types[N_TYPES];
  CakeBuf message; // the first error of the after
} Trial;

static void usual_types(Trial *trial) {
  CakeContext *context = trial->context;
  static const int64_t four[] = {4};
  CakeType f32 = cake_type_f32(context), i32 = cake_type_i32(context);
  const CakeType types[N_TYPES] = {i32,
                                   cake_type_i1(context),
                                   cake_type_i64(context),
                                   cake_type_index(context),
                                   f32,
                                   cake_type_float(context, CAKE_FLOAT_BF16),
                                   cake_type_vector(context, four, 1, i32, NULL),
                                   cake_type_vector(context, four, 1, f32, NULL),
                                   cake_type_tensor(context, four, 1, f32, NULL)};
  memcpy(trial->types, types, sizeof types);
}

// ---- Silence -------------------------------------------------------------------------------------------------------

static void keep_first(void *user, const CakeDiagnostic *diagnostic) {
  CakeBuf *message = user;
  if (diagnostic->severity == CAKE_ERROR && !message->len) cake_buf_str(message, diagnostic->message);
}

// ---- One choice of types and numbers -------------------------------------------------------------------------------

// Two, one or no types of the `which`-th kind.
static void choose_range(const Trial *trial, RewriteMatch *match, uint32_t variable, unsigned which) {
  RewriteSpan *span = &match->type_spans[variable];
  *span = (RewriteSpan){(uint32_t)match->range_types.len, 2 - which % 3, true};
  for (uint32_t i = 0; i < span->count; i++)
    CAKE_PUSH(&match->range_types, trial->types[which]);
}

// The `choice`-th way to give the variables types; false when there are no more.
static bool choose_types(const Trial *trial, RewriteMatch *match, unsigned choice) {
  const Rewrite *rewrite = trial->rewrite;
  unsigned which = 0;
  for (uint32_t i = 0; i < rewrite->n_types; i++) {
    if (i < 2) { // beyond two all are as the last
      which = choice % N_TYPES;
      choice /= N_TYPES;
    }
    match->types[i] = trial->types[which];
    if (rewrite->is_range[i]) choose_range(trial, match, i, which);
  }
  return choice == 0;
}

static CakeAttr number(CakeType type, unsigned choice) {
  static const int64_t numbers[N_NUMBERS] = {2, 1, 0, -1, 3};
  CakeAttr one = cake_rewrite_one_of(type);
  CakeType element = cake_type_element(type);
  if (!one || element != type) return one;
  return cake_type_is_any_float(type)
             ? cake_attr_float(type, (double)numbers[choice])
             : cake_attr_integer(type, cake_type_width(type) == 1 ? numbers[choice] & 1 : numbers[choice]);
}

// Gives the declared attribute variables, as they occur in the ops of the before, a number; false when one cannot have any.
static bool choose_attrs(const Trial *trial, RewriteMatch *match, unsigned choice, CakeAttr attr) {
  int at = cake_rewrite_attr_var_number(attr);
  if (at >= 0) {
    CakeType type = attr->params[2].type;
    type = type ? cake_rewrite_bound_type(match, type) : cake_type_i64(trial->context);
    match->attrs[at] = number(type, choice);
    return match->attrs[at] != NULL;
  }
  for (uint32_t i = 0; i < attr->count; i++)
    if (attr->params[i].kind == CAKE_PARAM_ATTR && attr->params[i].attr &&
        !choose_attrs(trial, match, choice, attr->params[i].attr))
      return false;
  return true;
}

static bool choose(const Trial *trial, RewriteMatch *match, unsigned types, unsigned numbers) {
  if (!choose_types(trial, match, types)) return false;
  for (uint32_t i = 0; i < trial->rewrite->n_ops; i++) {
    const CakeOp *op = trial->rewrite->ops[i];
    for (uint32_t k = 0; k < op->info->n_props; k++)
      if (cake_op_prop(op, k) && !choose_attrs(trial, match, numbers, cake_op_prop(op, k))) return false;
    if (op->attrs && !choose_attrs(trial, match, numbers, op->attrs)) return false;
  }
  return true;
}

static void print_types(const RewriteMatch *match, CakeType variable, CakeBuf *out) {
  RewriteTypes types = {0};
  bool is_range = cake_rewrite_is_range(variable);
  cake_rewrite_bound_types(match, variable, &types);
  cake_buf_printf(out, "%s%s = %s", out->len ? ", " : "for ", cake_type_text(variable), is_range ? "(" : "");
  for (size_t i = 0; i < types.len; i++)
    cake_buf_printf(out, "%s%s", i ? ", " : "", cake_type_text(types.data[i]));
  if (is_range) cake_buf_char(out, ')');
  CAKE_VEC_FINI(&types);
}

static bool complain(Trial *trial, const RewriteMatch *match, const char *what) {
  CakeBuf types = {0};
  for (uint32_t i = 0; i < trial->rewrite->n_types; i++) {
    CakeType variable = NULL;
    for (uint32_t k = 0; k < trial->rewrite->before->n_args && !variable; k++)
      if (cake_rewrite_type_var_number(trial->rewrite->before->args[k]->type) == (int)i)
        variable = trial->rewrite->before->args[k]->type;
    if (variable) print_types(match, variable, &types);
  }
  CakeDiagnostic *d = cake_diag_begin(trial->context, CAKE_ERROR, trial->loc, CAKE_CODE_REWRITE, "%s%s%s",
                                      types.len ? types.data : "", types.len ? " " : "", what);
  cake_diag_fix(trial->context, d, "say in 'where' what the variables may stand for");
  cake_buf_fini(&types);
  return cake_diag_emit(trial->context, d);
}

// Whether all ops from `first` on verify.
static bool verify_from(CakeOp *first) {
  for (CakeOp *op = first; op; op = op->next)
    if (!cake_verify(op)) return false;
  return true;
}

// ---- Trying --------------------------------------------------------------------------------------------------------

// Arguments of the block that the ops stand in, in the place of values from outside.
static void add_args(RewriteCopy *copy, CakeBlock *block, const CakeValue *pattern, CakeLoc loc) {
  RewriteTypes types = {0};
  RewriteValues values = {0};
  cake_rewrite_bound_types(copy->match, pattern->type, &types);
  for (size_t i = 0; i < types.len; i++)
    CAKE_PUSH(&values, cake_block_add_arg(block, types.data[i], loc));
  CakeValue *const one[] = {(CakeValue *)(uintptr_t)pattern}; // it is only read
  RewriteList list = cake_rewrite_pattern((RewriteList){.args = one, .count = 1}),
              made = {.args = values.data, .count = (uint32_t)values.len};
  cake_rewrite_note(copy, &list, &made);
  CAKE_VEC_FINI(&types);
  CAKE_VEC_FINI(&values);
}

// A block that hands on what the op's results are, with the terminator that the op has by itself.
static void fill_region(RewriteCopy *copy, CakeOp *op, uint32_t region, const CakeBlock *pattern) {
  CakeRewriter *rewriter = copy->match->rewriter;
  const CakeOpDef *def = op->info->def;
  RewriteTypes types = {0};
  for (uint32_t i = 0; i < pattern->n_args; i++)
    cake_rewrite_bound_types(copy->match, pattern->args[i]->type, &types);
  CakeBlock *block =
      cake_rewriter_add_block(rewriter, cake_op_region(op, region), types.data, types.len, rewriter->loc);
  CAKE_VEC_FINI(&types);
  copy->is_unknown |= !def || !def->end;
  if (copy->is_unknown) return;
  RewriteValues values = {0};
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&values, cake_block_add_arg(op->block, op->results[i].type, rewriter->loc));
  cake_rewriter_set_end(rewriter, block);
  CakeBuild build = {.name = def->end, .operands = values.data, .n_operands = values.len};
  cake_rewriter_build(rewriter, &build);
  CAKE_VEC_FINI(&values);
}

// Blocks that the terminator can go to.
static void add_successors(RewriteCopy *copy, CakeBlock *block) {
  const Rewrite *rewrite = copy->match->rewrite;
  for (uint32_t i = 0; i < rewrite->n_blocks; i++)
    if (rewrite->blocks[i].kind == REWRITE_SUCCESSOR)
      copy->match->blocks[i] =
          cake_rewriter_add_block(copy->match->rewriter, block->region, NULL, 0, copy->match->rewriter->loc);
}

// Their arguments, as the terminator wants them.
static void add_successor_args(const CakeOp *root) {
  const CakeOpDef *def = root->info->def;
  for (uint32_t i = 0; def && def->successor_operands && i < root->n_successors; i++) {
    CakeOperandRange operands = def->successor_operands(root, i);
    CakeBlock *block = cake_op_successor(root, i);
    for (uint32_t k = block->n_args; k < operands.count; k++)
      cake_block_add_arg(block, operands.first[k].value->type, root->loc);
  }
}

static CakeOp *make_before(RewriteCopy *copy, CakeBlock *block) {
  const Rewrite *rewrite = copy->match->rewrite;
  CakeOp *op = NULL;
  copy->fill = fill_region;
  add_successors(copy, block);
  for (uint32_t i = 0; i < rewrite->before->n_args; i++)
    add_args(copy, block, rewrite->before->args[i], cake_value_loc(rewrite->before->args[i]));
  for (const CakeOp *pattern = rewrite->before->first; pattern; pattern = pattern->next)
    if (!cake_rewrite_make(copy, pattern, &op)) return NULL;
  add_successor_args(op);
  return op;
}

static void compare_results(const RewriteCopy *after, const CakeOp *root, CakeBuf *out) {
  const Rewrite *rewrite = after->match->rewrite;
  RewriteValues values = {0};
  for (uint32_t i = 0; i < rewrite->root->n_results; i++)
    cake_rewrite_made_values(after, rewrite->results[i], &values);
  if (values.len != root->n_results)
    cake_buf_printf(out, "there are %u results in the before and %zu in the after", root->n_results, values.len);
  for (uint32_t i = 0; !out->len && i < root->n_results; i++) {
    if (values.data[i]->type == root->results[i].type) continue;
    CakeId name = rewrite->root->n_results == root->n_results ? cake_value_name(&rewrite->root->results[i]) : NULL;
    cake_buf_printf(out, "'%%%s' is of type '%s' in the before", name ? name->text : "…",
                    cake_type_text(root->results[i].type));
    cake_buf_printf(out, " and of type '%s' in the after", cake_type_text(values.data[i]->type));
  }
  CAKE_VEC_FINI(&values);
}

// What is wrong with the after at this match; false: nothing.
static bool find_fault(Trial *trial, RewriteMatch *match, CakeOp *root, CakeBuf *out) {
  RewriteCopy after = {.match = match};
  bool is_fine = true;
  for (const CakeOp *op = trial->rewrite->after->first; is_fine && op; op = op->next)
    is_fine = cake_rewrite_make(&after, op, NULL);
  is_fine = is_fine && (!root->next || verify_from(root->next));
  if (!is_fine)
    cake_buf_printf(out, "the before is fine and the after is not: %s", trial->message.data ? trial->message.data : "");
  else
    compare_results(&after, root, out);
  cake_rewrite_copy_fini(&after);
  return out->len != 0;
}

// One choice. True: the after has a fault, in `out`.
static bool try(Trial *trial, RewriteMatch *chosen, CakeBuf *out) {
  CakeOp *module = cake_module_create(trial->context, trial->loc);
  CakeBlock *block = cake_module_body(module);
  CakeRewriter rewriter = cake_rewriter(trial->context, NULL);
  rewriter.loc = trial->loc;
  cake_rewriter_set_end(&rewriter, block);
  chosen->rewriter = &rewriter;
  RewriteCopy before = {.match = chosen};
  CakeOp *root = make_before(&before, block);
  RewriteMatch match;
  cake_rewrite_match_init(&match, trial->rewrite, &rewriter);
  bool is_fine = root && !before.is_unknown && verify_from(block->first) && cake_rewrite_match(&match, root);
  cake_buf_clear(&trial->message);
  bool is_faulty = is_fine && find_fault(trial, &match, root, out);
  cake_rewrite_copy_fini(&before);
  cake_rewrite_match_fini(&match);
  cake_op_destroy(module);
  return is_faulty;
}

bool cake_rewrite_check_types(CakeContext *context, Rewrite *rewrite, CakeLoc loc) {
  Trial trial = {.context = context, .rewrite = rewrite, .loc = loc};
  CakeDiagnosticFn handler;
  void *user;
  CakeBuf fault = {0};
  size_t n_errors = context->n_errors;
  RewriteMatch chosen;
  bool is_faulty = false;
  usual_types(&trial);
  cake_rewrite_match_init(&chosen, rewrite, NULL);
  cake_context_set_handler(context, keep_first, &trial.message, &handler, &user);
  for (unsigned i = 0; !is_faulty && i < MAX_TRIES; i++) {
    cake_rewrite_match_clear(&chosen);
    if (choose(&trial, &chosen, i / N_NUMBERS, i % N_NUMBERS)) is_faulty = try(&trial, &chosen, &fault);
  }
  cake_context_set_handler(context, handler, user, NULL, NULL);
  context->n_errors = n_errors;
  if (is_faulty) complain(&trial, &chosen, fault.data);
  cake_rewrite_match_fini(&chosen);
  cake_buf_fini(&fault);
  cake_buf_fini(&trial.message);
  return !is_faulty;
}
