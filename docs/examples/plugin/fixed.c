// A plugin: the dialect `fixed`, a pass that turns it into arith, and a rule about whole functions.
#include "cake/plugin.h"

// ---- The dialect ---------------------------------------------------------------------------------------------------

#define CAKE_ROWS "fixed.def"
#define CAKE_DIALECT fixed
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

static const CakeDialectDef cake_dialect_fixed;

#define CAKE_ROWS "fixed.def"
#define CAKE_DIALECT fixed
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

static bool mul_verify(CakeOp *op) {
  int64_t shift = cake_attr_int_value(cake_fixed_mul_shift(op));
  unsigned width = cake_type_width(cake_fixed_mul_result(op)->type);
  if (shift >= 0 && shift < (int64_t)width) return true;
  return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "shifts by %lld, but its numbers have %u bits", (long long)shift,
                    width);
}

#define CAKE_ROWS "fixed.def"
#define CAKE_DIALECT fixed
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

// A question of rewrites as text: `fixed.has_room(%x, 8)`.
static bool has_room(const CakeRewriteArg *args) {
  return cake_attr_is(args[1].attr, &cake_attr_def_integer) &&
         cake_attr_int_value(args[1].attr) < (int64_t)cake_type_width(args[0].type);
}

static const CakeRewriteNative natives[] = {
    {.name = "has_room", .kinds = "xa", .doc = "the type has more bits than that", .check = has_room},
    {0}
};

static const CakeDialectDef cake_dialect_fixed = {.name = "fixed",
                                                  .summary = "Numbers with a fixed point.",
                                                  .ops = cake_ops_fixed,
                                                  .n_ops = CAKE_COUNT(cake_ops_fixed),
                                                  .natives = natives};

static bool is_mul(const CakeOp *op) {
  return op->info->def == &cake_ops_fixed[cake_op_fixed_mul];
}

// ---- The pass ------------------------------------------------------------------------------------------------------

// (a · b) >> shift
static void lower_mul(CakeRewriter *rewriter, CakeOp *op) {
  cake_rewriter_set_before(rewriter, op);
  CakeType type = cake_fixed_mul_result(op)->type;
  CakeValue *product = cake_build_binary(rewriter, "arith.muli", cake_fixed_mul_lhs(op), cake_fixed_mul_rhs(op));
  CakeAttr shift = cake_attr_integer(type, cake_attr_int_value(cake_fixed_mul_shift(op)));
  CakeValue *result = cake_build_binary(rewriter, "arith.shrsi", product, cake_build_constant(rewriter, shift));
  cake_rewriter_replace(rewriter, op, &result);
}

static CakePassResult lower_fixed(CakePassContext *pass, CakeOp *root) {
  for (CakeOp *op = root, *next; op; op = next) {
    next = cake_op_walk_next(root, op, false);
    if (!is_mul(op)) continue;
    lower_mul(&pass->rewriter, op);
    cake_pass_count(pass, "products lowered", 1);
  }
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}

static const CakePassDef passes[] = {
    {.name = "lower-fixed",
     .summary = "Turns fixed-point products into integer arithmetic.",
     .description = "",
     .run = lower_fixed},
    {.name = "fixed-to-arith",
     .summary = "Lowers fixed-point numbers, and cleans up.",
     .description = "",
     .anchor = "builtin.module",
     .pipeline = "builtin.module(func.func(lower-fixed,canonicalize),cse)"},
    {0}
};

// ---- The rule ------------------------------------------------------------------------------------------------------

// The point stands at one place in all of a module.
static bool check_one_point(CakeOp *module) {
  CakeOp *first = NULL;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    if (!is_mul(op)) continue;
    if (!first) first = op;
    if (cake_fixed_mul_shift(op) == cake_fixed_mul_shift(first)) continue;
    CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_PLUGIN_RULE, "has its point at another place than others");
    cake_diag_note(op->context, d, first->loc, "this one has %lld bits behind it",
                   (long long)cake_attr_int_value(cake_fixed_mul_shift(first)));
    cake_diag_fix(op->context, d, "give it as many");
    CakeBuf old = {0};
    cake_buf_printf(&old, "shift %lld", (long long)cake_attr_int_value(cake_fixed_mul_shift(op)));
    cake_diag_substitute(d, op, old.data, "shift %lld", (long long)cake_attr_int_value(cake_fixed_mul_shift(first)));
    cake_buf_fini(&old);
    return cake_diag_emit(op->context, d);
  }
  return true;
}

static const CakePluginRule rules[] = {
    {"fixed-one-point", "All products of a module have their point at one place.", check_one_point},
    {0}
};

// ---- The plugin ----------------------------------------------------------------------------------------------------

CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void);
CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void) {
  static const CakeDialectDef *const dialects[] = {&cake_dialect_fixed, NULL};
  static const CakePlugin plugin = {CAKE_PLUGIN_HEAD,     .name = "fixed",  .version = "1.0",
                                    .dialects = dialects, .passes = passes, .rules = rules};
  return &plugin;
}
