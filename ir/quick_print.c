// Prints ops by their quick forms (quick.h): where spaces go was found out when the form was made.
#include "numbers.h"
#include "quick.h"

typedef struct Quick {
  CakePrinter *printer;
  CakeBuf *out;
  const CakeOp *op;
  const CakeAsmFormat *format;
  uint32_t n_targets;
} Quick;

static void put_space(const Quick *quick, const CakeQuickStep *step) {
  if (step->has_space) cake_put_char(quick->out, ' ');
}

static void put_values(const Quick *quick, CakeOperandRange values) {
  for (uint32_t i = 0; i < values.count; i++) {
    if (i) cake_put_two(quick->out, ", ");
    cake_put_value(quick->printer, quick->out, values.first[i].value);
  }
}

static void put_types(const Quick *quick, CakeOperandRange values) {
  for (uint32_t i = 0; i < values.count; i++) {
    if (i) cake_put_two(quick->out, ", ");
    cake_printer_type(quick->printer, values.first[i].value->type);
  }
}

static void put_target(Quick *quick, CakeOperandRange values) {
  cake_printer_block(quick->printer, cake_op_successor(quick->op, quick->n_targets++));
  if (!values.count) return;
  cake_put_char(quick->out, '(');
  put_values(quick, values);
  cake_put(quick->out, " : ", 3);
  put_types(quick, values);
  cake_put_char(quick->out, ')');
}

static void put_literal(const Quick *quick, const CakeQuickStep *step) {
  memcpy(cake_put_room(quick->out, sizeof step->printed), step->printed, sizeof step->printed);
  quick->out->len += step->n_printed;
}

// False: a word that is no string.
static bool put_keyword(const Quick *quick, const CakeQuickStep *step, CakeAttr attr) {
  if (!cake_attr_is(attr, &cake_attr_def_string)) return false;
  put_space(quick, step);
  cake_printer_keyword_or_string(quick->printer, cake_attr_string_value(attr));
  return true;
}

// Nodes of the format. They stay in the buffer, too.
static void put_nodes(const Quick *quick, uint32_t begin) {
  quick->printer->held++;
  cake_asm_print_nodes(quick->printer, quick->op, quick->format, begin, quick->format->nodes[begin].end);
  quick->printer->held--;
}

// A group that can be printed when it is there, or a dictionary.
static bool put_unlikely(const Quick *quick, const CakeQuickStep *step) {
  const CakeAsmNode *nodes = quick->format->nodes;
  if (nodes[step->node].kind == CAKE_ASM_RESULTS) return true;
  bool is_there = !step->anchor || cake_asm_is_present(quick->op, quick->format, &nodes[step->anchor]);
  if (is_there && step->anchor && !step->is_printable) return false;
  if (is_there) put_nodes(quick, step->node);
  return true;
}

// Any attribute. It stays in the buffer while a step is left that may find that the form does not fit: a step finds so before it prints.
static void put_prop(const Quick *quick, const CakeQuickStep *step, CakeAttr attr) {
  const CakeQuickForm *form = quick->format->quick;
  bool is_last =
      step + 1 == form->printed.steps + form->printed.count || step + 1 == form->full.steps + form->full.count;
  quick->printer->held += !is_last;
  cake_asm_print_prop(quick->printer, attr, form->number_types[step->row]);
  quick->printer->held -= !is_last;
}

// False: the form does not say how this is printed.
static bool put_attribute(const Quick *quick, const CakeQuickStep *step) {
  CakeAttr attr = cake_op_prop(quick->op, step->row);
  if (!attr) return false;
  if (step->kind == CAKE_QUICK_KEYWORD) return put_keyword(quick, step, attr);
  put_space(quick, step);
  bool is_plain_symbol =
      step->kind == CAKE_QUICK_SYMBOL && cake_attr_is(attr, &cake_attr_def_symbol_ref) && !cake_attr_count(attr);
  if (is_plain_symbol && !cake_printer_has_aliases(quick->printer))
    cake_printer_symbol(quick->printer, cake_id_str(cake_attr_symbol_root(attr)));
  else
    put_prop(quick, step, attr);
  return true;
}

// The operands of a step's group.
static CakeOperandRange operands_of(const Quick *quick, const CakeQuickStep *step) {
  const CakeOpInfoStorage *info = (const CakeOpInfoStorage *)quick->op->info;
  if (info->has_plain_operands) return (CakeOperandRange){quick->op->operands + step->row, 1, step->row};
  return cake_op_operand_group(quick->op, step->row);
}

static bool put_operands(Quick *quick, const CakeQuickStep *step) {
  CakeOperandRange values = operands_of(quick, step);
  if (!values.count && step->kind != CAKE_QUICK_TARGET) return true;
  put_space(quick, step);
  if (step->kind == CAKE_QUICK_TARGET)
    put_target(quick, values);
  else if (step->kind == CAKE_QUICK_TYPES)
    put_types(quick, values);
  else
    put_values(quick, values);
  return true;
}

static bool put_result(const Quick *quick, const CakeQuickStep *step) {
  const CakeOpInfoStorage *info = (const CakeOpInfoStorage *)quick->op->info;
  if (!info->has_plain_results) return false;
  put_space(quick, step);
  cake_printer_type(quick->printer, quick->op->results[step->row].type);
  return true;
}

// What the step says but for its literal; *at is its number.
static inline bool put_step(Quick *quick, const CakeQuickStep *step, uint32_t *at) {
  switch (step->kind) {
  case CAKE_QUICK_LITERAL: return true;
  case CAKE_QUICK_UNLESS: return put_unlikely(quick, step);
  case CAKE_QUICK_CUSTOM: put_nodes(quick, step->node); return true;
  case CAKE_QUICK_IF_LIST: *at += operands_of(quick, step).count ? 0 : step->skip; return true;
  case CAKE_QUICK_VALUE:
    put_space(quick, step);
    cake_put_value(quick->printer, quick->out, operands_of(quick, step).first->value);
    return true;
  case CAKE_QUICK_LIST:
  case CAKE_QUICK_TYPES:
  case CAKE_QUICK_TARGET: return put_operands(quick, step);
  case CAKE_QUICK_RESULT: return put_result(quick, step);
  case CAKE_QUICK_SYMBOL:
  case CAKE_QUICK_ATTR:
  case CAKE_QUICK_KEYWORD: return put_attribute(quick, step);
  case CAKE_QUICK_FUNCTIONAL:
    put_space(quick, step);
    cake_printer_functional_type(quick->printer, quick->op);
    return true;
  case CAKE_QUICK_NAME:
  case CAKE_QUICK_ARGS:
  case CAKE_QUICK_ITER:
  case CAKE_QUICK_IF_WORD:
  case CAKE_QUICK_REGION: return false; // a form that has them is not printable
  }
  return false;
}

static bool put_steps(Quick *quick, const CakeQuickSteps *steps) {
  for (uint32_t i = 0; i < steps->count; i++) {
    const CakeQuickStep *step = &steps->steps[i];
    if (!put_step(quick, step, &i)) return false;
    if (step->len) put_literal(quick, step);
  }
  return true;
}

// Whether there is a dictionary to print.
static bool has_dictionary(const CakeOp *op, const CakeAsmFormat *format) {
  if (op->attrs) return true;
  uint64_t rows = format->quick->dictionary_rows;
  for (uint32_t i = 0; rows; i++, rows >>= 1) {
    CakeAttr attr = rows & 1 ? cake_op_prop(op, i) : NULL;
    if (attr && !(format->defaults && format->defaults[i] == attr)) return true;
  }
  return false;
}

bool cake_quick_print(CakePrinter *printer, const CakeOp *op, const CakeAsmFormat *format) {
  const CakeQuickForm *form = format->quick;
  Quick quick = {.printer = printer, .out = printer->out, .op = op, .format = format};
  if (!form->is_printable || op->n_successors != form->n_targets) return false;
  size_t begin = printer->out->len;
  CakeStr name = cake_asm_printed_name(op);
  cake_put(printer->out, name.ptr, name.len);
  bool is_printed = put_steps(&quick, has_dictionary(op, format) ? &form->full : &form->printed);
  if (!is_printed) printer->out->len = begin;
  cake_put_end(printer->out);
  return is_printed;
}
