// Comments that say which ops use a value, as mlir-opt writes them. An op without results has a number there, too.
#include "numbers.h"

// Results of a user, or its own number.
static void print_user(CakePrinter *printer, const CakeOp *op) {
  if (!op->n_results) cake_printer_op_number(printer, op);
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (i) cake_buf_text(printer->out, ", ");
    cake_printer_value(printer, &op->results[i]);
  }
}

// Each op once.
static void print_users(CakePrinter *printer, const CakeValue *value) {
  CakeMap seen = {0};
  if (!value->first_use) cake_buf_text(printer->out, "unused");
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    if (!cake_map_add(&seen, use->owner, 1)) continue;
    if (use != value->first_use) cake_buf_text(printer->out, ", ");
    print_user(printer, use->owner);
  }
  cake_map_fini(&seen);
}

// Whether one op uses the result, and has one itself at most.
static bool has_one_user(const CakeValue *value) {
  const CakeOp *user = value->first_use->owner;
  for (const CakeUse *use = value->first_use; use; use = use->next)
    if (use->owner != user) return false;
  return user->n_results <= 1;
}

static bool is_used(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    if (op->results[i].first_use) return true;
  return false;
}

void cake_printer_op_users(CakePrinter *printer, const CakeOp *op) {
  CakeBuf *out = printer->out;
  if (!op->n_results) {
    if (!op->n_operands) return;
    cake_buf_text(out, " // id: ");
    cake_printer_op_number(printer, op);
    return;
  }
  if (!is_used(op)) {
    cake_buf_text(out, " // unused");
    return;
  }
  cake_buf_text(out, op->n_results == 1 && has_one_user(&op->results[0]) ? " // user: " : " // users: ");
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (i) cake_buf_text(out, ", ");
    if (op->n_results > 1) cake_buf_char(out, '(');
    print_users(printer, &op->results[i]);
    if (op->n_results > 1) cake_buf_char(out, ')');
  }
}

void cake_printer_arg_users(CakePrinter *printer, const CakeValue *arg) {
  cake_buf_text(printer->out, "// ");
  cake_printer_value(printer, arg);
  cake_buf_text(printer->out, arg->first_use ? " is used by " : " is ");
  print_users(printer, arg);
}
