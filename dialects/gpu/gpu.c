// The gpu dialect: its table, types and constraints.
#include "dialects/gpu/gpu_accessors.h"
#include "dialects/gpu/gpu_hooks.h"

#include "cake/asm.h"

// ---- Types -----------------------------------------------------------------------------------------------------------------

static const char *const spaces[] = {[CAKE_GPU_GLOBAL] = "global", [CAKE_GPU_SHARED] = "shared"};

static bool parse_ptr(CakeParser *parser, CakeType *out) {
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  for (size_t i = 0; i < CAKE_COUNT(spaces); ++i) {
    if (!cake_parser_accept_keyword(parser, spaces[i])) continue;
    *out = cake_gpu_ptr(cake_parser_context(parser), (CakeGpuSpace)i);
    return cake_parser_expect(parser, CAKE_TOK_GREATER);
  }
  return cake_parser_error(parser, CAKE_CODE_PARSE_TYPE, "expected 'global' or 'shared'");
}

static void print_ptr(CakePrinter *printer, CakeType type) {
  cake_buf_printf(cake_printer_buf(printer), "<%s>", spaces[cake_gpu_ptr_space(type)]);
}

const CakeTypeDef cake_type_def_gpu_ptr = {.name = "ptr",
                                           .dialect = &cake_dialect_gpu,
                                           .summary = "A pointer into global or shared memory.",
                                           .syntax = "`<` (`global` | `shared`) `>`",
                                           .parse = parse_ptr,
                                           .print = print_ptr};
const CakeTypeDef cake_type_def_gpu_tensor_map = {.name = "tensor_map",
                                                  .dialect = &cake_dialect_gpu,
                                                  .summary =
                                                      "A tensor map, passed to the kernel by value (128 bytes)."};

CakeType cake_gpu_ptr(CakeContext *context, CakeGpuSpace space) {
  CakeParam param = cake_param_int(space);
  return cake_type_get(context, &cake_type_def_gpu_ptr, &param, 1);
}

CakeType cake_gpu_tensor_map(CakeContext *context) {
  return cake_type_get(context, &cake_type_def_gpu_tensor_map, NULL, 0);
}

static bool is_ptr(CakeType type) {
  return cake_type_is(type, &cake_type_def_gpu_ptr);
}
static bool is_shared_ptr(CakeType type) {
  return is_ptr(type) && cake_gpu_ptr_space(type) == CAKE_GPU_SHARED;
}
static bool is_global_ptr(CakeType type) {
  return is_ptr(type) && cake_gpu_ptr_space(type) == CAKE_GPU_GLOBAL;
}
static bool is_tensor_map(CakeType type) {
  return cake_type_is(type, &cake_type_def_gpu_tensor_map);
}

const CakeTypeConstraint gpu_is_ptr = {"pointer", is_ptr},
                         gpu_is_shared_ptr = {"pointer to shared memory", is_shared_ptr},
                         gpu_is_global_ptr = {"pointer to global memory", is_global_ptr},
                         gpu_is_tensor_map = {"tensor map", is_tensor_map};

// ---- Assembly: custom<func_args>($body) ------------------------------------------------------------------------------------------

static bool parse_func_arg(CakeAsmParser *parser, void *user) {
  const uint32_t *region = user;
  CakeParser *stream = cake_asm_stream(parser);
  CakeId name;
  CakeLoc loc;
  CakeType type;
  if (!cake_asm_argument(parser, &name, &loc) || !cake_parser_expect(stream, CAKE_TOK_COLON) ||
      !cake_parser_type(stream, &type))
    return false;
  cake_asm_add_region_arg(parser, *region, name, loc, type);
  return true;
}

static bool parse_func_args(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  uint32_t region = refs[0].row;
  return cake_asm_list(parser, parse_func_arg, &region);
}

static void print_func_args(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  const CakeBlock *block = refs[0].row < op->n_regions ? cake_op_region(op, refs[0].row)->first : NULL;
  cake_buf_char(cake_asm_buf(printer), '(');
  for (uint32_t i = 0; block && i < block->n_args; ++i) {
    if (i) cake_buf_text(cake_asm_buf(printer), ", ");
    cake_asm_print_value(printer, block->args[i]);
    cake_buf_text(cake_asm_buf(printer), ": ");
    cake_printer_type(cake_asm_out(printer), block->args[i]->type);
  }
  cake_buf_char(cake_asm_buf(printer), ')');
}

// ---- Table -----------------------------------------------------------------------------------------------------------------

#define CAKE_DIALECT gpu
#define CAKE_ROWS "dialects/gpu/gpu.def"
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

static const CakeTypeDef *const types[] = {&cake_type_def_gpu_ptr, &cake_type_def_gpu_tensor_map};
static const CakeAsmDirective directives[] = {
    {"func_args", parse_func_args, print_func_args, NULL, NULL}
};

static CakeSpace space_of(CakeType type) {
  if (!is_ptr(type)) return CAKE_SPACE_ANY;
  return cake_gpu_ptr_space(type) == CAKE_GPU_SHARED ? CAKE_SPACE_SHARED : CAKE_SPACE_GLOBAL;
}

const CakeDialectDef cake_dialect_gpu = {.name = "gpu",
                                         .summary = "The thread level: about one op per PTX instruction.",
                                         .ops = cake_ops_gpu,
                                         .n_ops = CAKE_COUNT(cake_ops_gpu),
                                         .types = types,
                                         .n_types = CAKE_COUNT(types),
                                         .directives = directives,
                                         .n_directives = CAKE_COUNT(directives),
                                         .space = space_of};
