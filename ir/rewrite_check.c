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

// The `choice`-th way to give the variables types; false when there are no more.
static bool choose_types(const Trial *trial, RewriteMatch *match, unsigned choice) {
  uint32_t n_types = trial->rewrite->n_types;
  for (uint32_t i = 0; i < n_types; i++) {
    match->types[i] = trial->types[choice % N_TYPES];
    if (i < 2) choice /= N_TYPES; // beyond two all are as the last
    if (i >= 2) match->types[i] = match->types[1];
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

static bool complain(Trial *trial, const RewriteMatch *match, const char *what) {
  CakeBuf types = {0};
  for (uint32_t i = 0; i < trial->rewrite->n_types; i++) {
    CakeType variable = NULL;
    for (uint32_t k = 0; k < trial->rewrite->before->n_args && !variable; k++)
      if (cake_rewrite_type_var_number(trial->rewrite->before->args[k]->type) == (int)i)
        variable = trial->rewrite->before->args[k]->type;
    if (!variable) continue;
    cake_buf_printf(&types, "%s%s = ", types.len ? ", " : "for ", cake_type_text(variable));
    cake_buf_printf(&types, "%s", cake_type_text(match->types[i]));
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

static CakeOp *make_before(RewriteCopy *copy, CakeBlock *block) {
  const Rewrite *rewrite = copy->match->rewrite;
  CakeOp *op = NULL;
  for (uint32_t i = 0; i < rewrite->before->n_args; i++) {
    const CakeValue *arg = rewrite->before->args[i];
    CakeValue *made = cake_block_add_arg(block, cake_rewrite_bound_type(copy->match, arg->type), cake_value_loc(arg));
    cake_map_set(&copy->made, arg, (uintptr_t)made);
  }
  for (uint32_t i = 0; i < rewrite->n_ops; i++)
    if (!(op = cake_rewrite_make(copy, rewrite->ops[i]))) return NULL;
  return op;
}

// What is wrong with the after at this match; false: nothing.
static bool find_fault(Trial *trial, RewriteMatch *match, CakeOp *root, CakeBuf *out) {
  RewriteCopy after = {.match = match};
  CakeOp *last = root;
  bool is_fine = true;
  for (const CakeOp *op = trial->rewrite->after->first; is_fine && op; op = op->next)
    is_fine = cake_rewrite_make(&after, op) != NULL;
  is_fine = is_fine && (!last->next || verify_from(last->next));
  if (!is_fine)
    cake_buf_printf(out, "the before is fine and the after is not: %s", trial->message.data ? trial->message.data : "");
  for (uint32_t i = 0; is_fine && i < root->n_results; i++) {
    const CakeValue *value = cake_rewrite_made_value(&after, trial->rewrite->results[i]);
    if (value->type == root->results[i].type) continue;
    is_fine = false;
    const CakeId name = cake_value_name(&trial->rewrite->ops[trial->rewrite->n_ops - 1]->results[i]);
    cake_buf_printf(out, "'%%%s' is of type '%s' in the before", name ? name->text : "…",
                    cake_type_text(root->results[i].type));
    cake_buf_printf(out, " and of type '%s' in the after", cake_type_text(value->type));
  }
  cake_map_fini(&after.made);
  return !is_fine;
}

// One choice. True: the after has a fault, in `out`.
static bool try(Trial *trial, RewriteMatch *chosen, CakeBuf *out) {
  CakeOp *module = cake_module_create(trial->context, trial->loc);
  CakeBlock *block = cake_module_body(module);
  CakeRewriter rewriter = cake_rewriter(trial->context, NULL);
  cake_rewriter_set_end(&rewriter, block);
  chosen->rewriter = &rewriter;
  RewriteCopy before = {.match = chosen};
  CakeOp *root = make_before(&before, block);
  RewriteMatch match = {.rewrite = trial->rewrite, .rewriter = &rewriter};
  bool is_fine = root && verify_from(block->first) && cake_rewrite_match(&match, root);
  cake_buf_clear(&trial->message);
  bool is_faulty = is_fine && find_fault(trial, &match, root, out);
  cake_map_fini(&before.made);
  cake_op_destroy(module);
  return is_faulty;
}

bool cake_rewrite_check_types(CakeContext *context, Rewrite *rewrite, CakeLoc loc) {
  Trial trial = {.context = context, .rewrite = rewrite, .loc = loc};
  CakeDiagnosticFn handler;
  void *user;
  CakeBuf fault = {0};
  size_t n_errors = context->n_errors;
  RewriteMatch chosen = {.rewrite = rewrite};
  bool is_faulty = false;
  usual_types(&trial);
  cake_context_set_handler(context, keep_first, &trial.message, &handler, &user);
  for (unsigned i = 0; !is_faulty && i < MAX_TRIES; i++) {
    chosen = (RewriteMatch){.rewrite = rewrite};
    if (choose(&trial, &chosen, i / N_NUMBERS, i % N_NUMBERS)) is_faulty = try(&trial, &chosen, &fault);
  }
  cake_context_set_handler(context, handler, user, NULL, NULL);
  context->n_errors = n_errors;
  if (is_faulty) complain(&trial, &chosen, fault.data);
  cake_buf_fini(&fault);
  cake_buf_fini(&trial.message);
  return !is_faulty;
}
