// What the files of the cake dialect share and nobody else sees.
#ifndef CAKE_DIALECTS_CAKE_PRIVATE_H
#define CAKE_DIALECTS_CAKE_PRIVATE_H

#include "cake/asm.h"
#include "dialects/cake/cake.h"

// ---- Text of expressions (cake_expr_text.c) ------------------------------------------------------------------------

// Where an expression is read from. In custom form operands are written in place and appended to `group`; in generic
// form they are `d0`, `d1`, ….
typedef struct CakeExprReader {
  CakeParser *parser;
  CakeAsmParser *asm_parser; // NULL: operands are written `dN`
  uint32_t group;
  bool no_operands; // sizes in types and declarations: an operand is refused
  unsigned depth, nodes;
} CakeExprReader;

// Without folding, so that what was written is what is printed.
CakeAttr cake_expr_raw(CakeContext *context, CakeExprKind kind, CakeAttr lhs, CakeAttr rhs);
bool cake_expr_has_operand(CakeAttr expr);

bool cake_expr_read(CakeExprReader *reader, CakeAttr *out);
// `e, e` up to (not including) the closing bracket; both brackets are the caller's.
bool cake_exprs_read(CakeExprReader *reader, CakeToken end, CakeAttr *out_at);
bool cake_pred_read(CakeExprReader *reader, CakeAttr *out);

// Where an expression is written to. `op` == NULL: operands print as `dN`.
typedef struct CakeExprWriter {
  CakeBuf *out;
  CakeAsmPrinter *asm_printer;
  const CakeOp *op;
  uint32_t group;
} CakeExprWriter;

void cake_expr_write(const CakeExprWriter *writer, CakeAttr expr);
void cake_at_write(const CakeExprWriter *writer, CakeAttr at); // `e, e`
void cake_pred_write(const CakeExprWriter *writer, CakeAttr pred);

// ---- Text shared by types, attributes and directives -----------------------------------------------------------------

enum { CAKE_MAX_RANK = 8, CAKE_MAX_LIST = 64 };

// `4x[N]x?x`: dimensions as expressions, up to the element type or (without a trailing `x`) the end of the list.
typedef struct CakeDims {
  CakeAttr exprs[CAKE_MAX_RANK];
  size_t count;
} CakeDims;
bool cake_dims_read(CakeParser *parser, CakeDims *out, bool before_element);
void cake_dims_write(CakeBuf *out, const CakeParam *params, size_t count, bool before_element);

// Bodies without their brackets, for the attribute's generic form and for the directive.
bool cake_axes_read(CakeParser *parser, CakeToken end, CakeAttr *out);
void cake_axes_write(CakeBuf *out, CakeAttr axes);
bool cake_parts_read(CakeParser *parser, CakeToken end, CakeAttr *out);
void cake_parts_write(CakePrinter *printer, CakeAttr parts);
bool cake_choices_read(CakeParser *parser, CakeAttr *out);
void cake_choices_write(CakeBuf *out, CakeAttr choices);
bool cake_schedule_read(CakeParser *parser, CakeAttr *out);
void cake_schedule_write(CakeBuf *out, CakeAttr schedule);
// `group` holds the arrays; `asm_parser` NULL: they are written `dN`.
bool cake_lets_read(CakeParser *parser, CakeAsmParser *asm_parser, uint32_t group, CakeAttr *out);
void cake_lets_write(const CakeExprWriter *writer, CakeAttr lets);
bool cake_via_read(CakeParser *parser, CakeAttr *out);
void cake_via_write(CakeBuf *out, CakeAttr via);
bool cake_form_read(CakeParser *parser, CakeAttr *out);
void cake_form_write(CakeBuf *out, CakeAttr form);

// A form behind the substitution of parameters: warps that are numbers now are stored as such.
CakeAttr cake_form_instance(CakeAttr form);

// One of `words`: its number. Reports the list of words otherwise.
bool cake_word_read(CakeParser *parser, const char *const *words, int count, const char *what, int64_t *out);
// A number of the language (`0.0`, `-2`, `inf`, `-inf`, `nan`) of a type.
bool cake_scalar_read(CakeParser *parser, CakeType type, CakeAttr *out);
void cake_scalar_write(CakePrinter *printer, CakeAttr value);

// ---- Tables and hooks ------------------------------------------------------------------------------------------------

enum { CAKE_CAKE_DIRECTIVES = 24 };
extern const CakeAsmDirective cake_cake_directives[CAKE_CAKE_DIRECTIVES];

const char *cake_storage_name(CakeStorage storage);
bool cake_type_is_scalar_argument(CakeType type); // integers, floats, index

bool cake_loop_infer(CakeInference *inference);
bool cake_acquire_infer(CakeInference *inference);
bool cake_wait_infer(CakeInference *inference);
bool cake_take_infer(CakeInference *inference);
bool cake_mask_infer(CakeInference *inference);
bool cake_mma_infer(CakeInference *inference);
bool cake_best_infer(CakeInference *inference);
bool cake_settle_infer(CakeInference *inference);

bool cake_kernel_verify(CakeOp *op);
bool cake_kernel_verify_regions(CakeOp *op);
bool cake_param_verify(CakeOp *op);
bool cake_pipeline_decl_verify(CakeOp *op);
bool cake_tiles_verify(CakeOp *op);
bool cake_buffer_verify(CakeOp *op);
bool cake_reduce_verify(CakeOp *op);
bool cake_merge_verify(CakeOp *op);
bool cake_zero_verify(CakeOp *op);
bool cake_barrier_verify(CakeOp *op);
bool cake_meet_verify(CakeOp *op);
bool cake_arrive_verify(CakeOp *op);
bool cake_depend_verify(CakeOp *op);
bool cake_prefetch_verify(CakeOp *op);
bool cake_call_verify(CakeOp *op);
bool cake_print_verify(CakeOp *op);
bool cake_assert_verify(CakeOp *op);
bool cake_iota_verify(CakeOp *op);
bool cake_convert_verify(CakeOp *op);
bool cake_role_verify(CakeOp *op);
bool cake_order_verify(CakeOp *op);
bool cake_take_verify(CakeOp *op);
bool cake_items_verify(CakeOp *op);
bool cake_steps_verify(CakeOp *op);
bool cake_unroll_verify(CakeOp *op);
bool cake_acquire_verify(CakeOp *op);
bool cake_commit_verify(CakeOp *op);
bool cake_wait_verify(CakeOp *op);
bool cake_release_verify(CakeOp *op);
bool cake_copy_verify(CakeOp *op);
bool cake_get_verify(CakeOp *op);
bool cake_put_verify(CakeOp *op);
bool cake_store_view_verify(CakeOp *op);
bool cake_load_verify(CakeOp *op);
bool cake_store_verify(CakeOp *op);
bool cake_index_verify(CakeOp *op);
bool cake_fill_verify(CakeOp *op);
bool cake_slice_verify(CakeOp *op);
bool cake_spread_verify(CakeOp *op);
bool cake_mask_verify(CakeOp *op);
bool cake_mma_verify(CakeOp *op);
bool cake_await_verify(CakeOp *op);
bool cake_best_verify(CakeOp *op);
bool cake_settle_verify(CakeOp *op);

// Every `dN` of an expression attribute (at, pred or expr; NULL is fine) names one of `n` operands, and `row`, `col`
// occur only in predicates.
bool cake_verify_expr(CakeOp *op, const char *name, CakeAttr attr, size_t n);

#endif
