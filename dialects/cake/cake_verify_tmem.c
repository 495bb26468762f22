// Verification of tensor memory and tcgen05: parts of slots, the matrix instruction, commits that wait for it, and reads.
#include "dialects/cake/cake_verify.h"

#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"

static bool is_f32(CakeType type) {
  return cake_type_is_float(type, CAKE_FLOAT_F32);
}

// PTX ISA, tcgen05: 128 lanes; columns of 32 bits are allocated in powers of two from 32 to 512.
bool cake_verify_tmem(CakeOp *op, CakeType type, CakeStr name) {
  int64_t rows = cake_shared_size(type, 0), cols = cake_shared_size(type, 1);
  bool is_acc = cake_tmem_use(type) == CAKE_TMEM_ACC;
  if (is_acc && !is_f32(cake_shared_element(type)))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "part '%.*s' holds an accumulator of 'f32' elements, not of '%s'",
                      CAKE_STR_ARG(name), cake_type_text(cake_shared_element(type)));
  if (rows >= 0 && rows != 64 && rows != 128)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "part '%.*s' has %lld rows; tensor memory has 64 or 128",
                      CAKE_STR_ARG(name), (long long)rows);
  if (cols < 0 || (cols >= 8 && cols <= 512)) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "part '%.*s' has %lld columns; tensor memory has 512",
                    CAKE_STR_ARG(name), (long long)cols);
}

bool cake_verify_tmem_get(CakeOp *op) {
  CakeType view = cake_cake_get_view(op)->type, result = op->results[0].type;
  CakeFragment fragment;
  CakeAttr off = cake_cake_get_off(op);
  if (!cake_fragment_of(result, &fragment)) return false;
  if (fragment.kind != CAKE_FORM_TMEM_LD || fragment.part != CAKE_FORM_WHOLE) {
    CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_FORM_MISMATCH, "no instruction reads '%s' into '%s'",
                                         cake_type_text(view), cake_type_text(result));
    cake_diag_fix(op->context, d, "read it into the form tmem.ld");
    return cake_diag_emit(op->context, d);
  }
  if (!cake_verify_element(op, cake_shared_element(view), fragment.element, "elements of view and fragment"))
    return false;
  if (off && cake_at_count(off) != 2)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu coordinate(s) in 'off', but the view has 2 dimensions",
                      cake_at_count(off));
  if (!cake_verify_expr(op, "off", off, cake_cake_get_off_idx(op).count)) return false;
  int64_t first = 0;
  if (off && (!cake_expr_is_const(cake_at_expr(off, 0), &first) || first != 0))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "must start at row 0: a lane reads its own row");
  if (cake_sizes_differ(cake_shared_dim(view, 0), cake_fragment_dim(result, 0)) ||
      (!off && cake_sizes_differ(cake_shared_dim(view, 1), cake_fragment_dim(result, 1))))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the sizes of '%s' and '%s' differ", cake_type_text(view),
                      cake_type_text(result));
  int64_t cols = cake_shared_size(view, 1);
  if (cols < 0 || fragment.cols < 0 || fragment.cols <= cols) return true;
  return cake_error(op, CAKE_CODE_IR_SEMANTICS, "reads %lld columns of %lld", (long long)fragment.cols,
                    (long long)cols);
}

bool cake_zero_verify(CakeOp *op) {
  CakeType pending = op->results[0].type;
  const CakeValue *view = cake_cake_zero_view(op);
  bool is_tcgen05 = pending->params[1].attr->def == &cake_attr_def_tcgen05_acc;
  if (!is_tcgen05)
    return !view || cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' lies in registers, not in tensor memory",
                               cake_type_text(pending));
  if (!view)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "'%s' lies in tensor memory: name the view of an open slot that holds it",
                      cake_type_text(pending));
  bool fits = cake_tmem_use(view->type) == CAKE_TMEM_ACC && cake_shared_element(view->type) == pending->params[0].type;
  for (size_t i = 0; fits && i < 2; i++)
    fits = !cake_sizes_differ(cake_shared_dim(view->type, i), pending->params[2 + i].attr);
  return fits || cake_error(op, CAKE_CODE_FORM_MISMATCH, "'%s' does not hold '%s'", cake_type_text(view->type),
                            cake_type_text(pending));
}

static bool verify_operand(CakeOp *op, const char *name, const char *off_name, CakeType view, CakeAttr rows,
                           CakeAttr off, CakeOperandRange idx) {
  if (!cake_type_is(view, &cake_type_def_shared) || cake_shared_storage(view) != CAKE_STORAGE_SW128)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "tcgen05 reads %s from shared memory of storage form sw128, but got '%s'", name,
                      cake_type_text(view));
  if (!cake_verify_shared(op, view, "operand", cake_str(name))) return false;
  CakeAttr extents[] = {rows, cake_shared_dim(view, 1)};
  return cake_verify_view(op, off_name, view, off, idx, extents);
}

bool cake_verify_tcgen05(CakeOp *op, CakeMmaForm form) {
  CakeType acc = cake_cake_mma_acc(op)->type, a = cake_cake_mma_a(op)->type, b = cake_cake_mma_b(op)->type;
  bool has_m = form.m == 64 || form.m == 128 || form.m < 0;
  bool has_n = form.n < 0 || (form.n >= 8 && form.n <= 256 && form.n % (form.m == 128 ? 16 : 8) == 0);
  bool has_form = has_m && has_n && form.k == 16 && form.a == 'n' && form.b == 't';
  if (!has_form)
    return cake_error(
        op, CAKE_CODE_FORM_MISMATCH,
        "there is no %s; tcgen05.m64nNk16.nt (N in steps of 8) and m128nNk16.nt (in steps of 16) exist, N up to 256",
        cake_body_text(cake_cake_mma_form(op)));
  if (!cake_type_is(acc, &cake_type_def_pending) || acc->params[1].attr->def != &cake_attr_def_tcgen05_acc)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "tcgen05 takes a pending accumulator of form tcgen05.acc, but got '%s'", cake_type_text(acc));
  if (cake_cake_mma_negate(op))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "subtracts a product, which only wgmma does");
  CakeAttr m = cake_cake_mma_form(op)->params[1].attr, n = cake_cake_mma_form(op)->params[2].attr;
  if (!verify_operand(op, "a", "a_off", a, m, cake_cake_mma_a_off(op), cake_cake_mma_a_off_idx(op)) ||
      !verify_operand(op, "b", "b_off", b, n, cake_cake_mma_b_off(op), cake_cake_mma_b_off_idx(op)))
    return false;
  CakeType element = cake_shared_element(a);
  bool is_16_bit = cake_type_is_float(element, CAKE_FLOAT_BF16) || cake_type_is_float(element, CAKE_FLOAT_F16);
  if (!is_16_bit || element != cake_shared_element(b) || !is_f32(acc->params[0].type))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                      "multiplies bf16 by bf16 or f16 by f16 and accumulates in f32, but got '%s', '%s' and '%s'",
                      cake_type_text(a), cake_type_text(b), cake_type_text(acc));
  if (!cake_sizes_differ(acc->params[2].attr, m) && !cake_sizes_differ(acc->params[3].attr, n) &&
      !cake_sizes_differ(cake_shared_dim(a, 1), cake_shared_dim(b, 1)))
    return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH, "the sizes of '%s', '%s' and '%s' do not make a product of form %s",
                    cake_type_text(acc), cake_type_text(a), cake_type_text(b), cake_body_text(cake_cake_mma_form(op)));
}

bool cake_verify_commit_after(CakeOp *op, const CakeOp *pipeline) {
  const CakeValue *after = cake_cake_commit_after(op);
  bool has_tmem = cake_pipeline_has_tmem(pipeline);
  if (cake_cake_commit_global(op))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "both stores the slot and waits for an accumulator");
  if (!after || !has_tmem) {
    CakeDiagnostic *d = after ? cake_error_begin(op, CAKE_CODE_IR_OPERANDS,
                                                 "waits for an accumulator, but the slot holds no tensor memory")
                              : cake_error_begin(op, CAKE_CODE_PIPE_NOT_FILLED,
                                                 "hands on tensor memory that no accumulator was committed to");
    cake_diag_note(op->context, d, pipeline->loc, "the pipeline is declared here");
    if (!after) cake_diag_fix(op->context, d, "write `after(%%p)` with the last accumulator of the chain");
    return cake_diag_emit(op->context, d);
  }
  return after->type->params[1].attr->def == &cake_attr_def_tcgen05_acc ||
         cake_error(op, CAKE_CODE_FORM_MISMATCH, "waits for '%s', which does not lie in tensor memory",
                    cake_type_text(after->type));
}
