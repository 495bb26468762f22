// The numbers of values while they are printed (printer_names.c), for the places where most values are printed.
#ifndef CAKE_IR_NUMBERS_H
#define CAKE_IR_NUMBERS_H

#include "put.h"
#include "printer.h"

static inline void cake_put_value_number(CakeBuf *out, uint32_t number, bool is_arg) {
  memcpy(cake_put_room(out, 4), "%arg", 4);
  out->len += is_arg ? 4 : 1;
  cake_put_number(out, number);
}

// `%0`, `%arg0`, or whatever else the value is called.
static inline void cake_put_value(CakePrinter *printer, CakeBuf *out, const CakeValue *value) {
  if (value && value->is_argument) {
    const CakeBlock *block = cake_arg_owner(value);
    if (block && block->print_scope == printer->scope) {
      cake_put_value_number(out, block->print_args + value->index, block == block->region->first);
      return;
    }
  } else if (value) {
    const CakeOp *op = cake_result_owner(value);
    if (op->n_results == 1 && op->block && op->block->print_scope == printer->scope) {
      cake_put_value_number(out, op->order, false);
      return;
    }
  }
  cake_printer_put_value(printer, value);
}

#endif
