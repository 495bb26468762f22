// Printing operations: the generic form, regions, blocks and locations; and the entry points of printing.
#include "asm.h"
#include "put.h"

#include <stdlib.h>
#include <string.h>

// ---- Attributes of an op -------------------------------------------------------------------------------------------

bool cake_id_less(CakeId a, CakeId b) {
  size_t len = a->len < b->len ? a->len : b->len;
  int order = memcmp(a->text, b->text, len);
  return order < 0 || (order == 0 && a->len < b->len);
}

size_t cake_op_named_props(const CakeOp *op, uint64_t without_rows, CakeNamedAttr *out) {
  const CakeOpInfoStorage *storage = (const CakeOpInfoStorage *)op->info;
  size_t count = 0;
  for (uint32_t i = 0; i < op->info->n_props && i < storage->n_rows; i++) {
    if (!cake_op_prop(op, i) || (i < 64 && without_rows >> i & 1)) continue;
    CakeNamedAttr entry = {storage->row_names[i], cake_op_prop(op, i)};
    size_t at = count++;
    for (; at > 0 && cake_id_less(entry.name, out[at - 1].name); at--)
      out[at] = out[at - 1];
    out[at] = entry;
  }
  return count;
}

static void print_properties(CakePrinter *printer, const CakeOp *op) {
  if (!op->info->def) {
    if (!op->info->n_props || !cake_op_prop(op, 0)) return;
    cake_buf_text(printer->out, " <");
    cake_printer_attr(printer, cake_op_prop(op, 0));
    cake_buf_char(printer->out, '>');
    return;
  }
  enum { FEW = 16 };
  CakeNamedAttr few[FEW],
      *entries = op->info->n_props <= FEW ? few : cake_mem_zeroed(op->info->n_props * sizeof *entries);
  size_t count = cake_op_named_props(op, 0, entries);
  if (count) {
    cake_buf_text(printer->out, " <");
    cake_printer_dictionary(printer, entries, count);
    cake_buf_char(printer->out, '>');
  }
  if (entries != few) cake_mem_free(entries);
}

// ---- Types of an op ------------------------------------------------------------------------------------------------

void cake_printer_type_results(CakePrinter *printer, const CakeOp *op) {
  bool bare = op->n_results == 1 && !cake_type_is(op->results[0].type, &cake_type_def_function);
  if (!bare) cake_buf_char(printer->out, '(');
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (i) cake_buf_text(printer->out, ", ");
    cake_printer_type(printer, op->results[i].type);
  }
  if (!bare) cake_buf_char(printer->out, ')');
}

void cake_printer_functional_type(CakePrinter *printer, const CakeOp *op) {
  cake_buf_char(printer->out, '(');
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *value = cake_op_operand(op, i);
    if (i) cake_buf_text(printer->out, ", ");
    cake_printer_type(printer, value ? value->type : NULL);
  }
  cake_buf_text(printer->out, ") -> ");
  cake_printer_type_results(printer, op);
}

// ---- Blocks and regions --------------------------------------------------------------------------------------------

static void new_line(CakePrinter *printer) {
  enum { FEW = 16, MOST = 64 };
  static const char line[MOST + 1] = "\n                                                               ";
  if (printer->indent >= MOST) {
    cake_buf_char(printer->out, '\n');
    cake_buf_fill(printer->out, ' ', printer->indent);
    return;
  }
  char *to = cake_put_room(printer->out, MOST);
  if (printer->indent < FEW)
    memcpy(to, line, FEW);
  else
    memcpy(to, line, MOST);
  printer->out->len += printer->indent + 1;
  cake_put_end(printer->out);
}

// Of an argument: it is written out, as mlir-opt does it, although it has an alias.
void cake_printer_trailing_loc(CakePrinter *printer, CakeLoc loc) {
  if (!printer->options.locations) return;
  if (cake_printer_is_collecting(printer)) cake_printer_collect_loc(printer, loc);
  cake_buf_char(printer->out, ' ');
  cake_printer_loc_in_brackets(printer, loc);
}

// Of the op that was begun as number `at`.
static void print_op_loc(CakePrinter *printer, CakeLoc loc, size_t at) {
  if (!printer->options.locations) return;
  if (printer->options.pretty_locations) {
    cake_buf_char(printer->out, ' ');
    cake_printer_loc_in_brackets(printer, loc);
    return;
  }
  cake_put(printer->out, " loc(", 5);
  bool is_alias = cake_printer_has_aliases(printer) && cake_printer_op_loc_alias(printer, loc, at);
  if (!is_alias) cake_printer_loc(printer, loc);
  cake_buf_char(printer->out, ')');
}

static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// In order: a few by insertion.
static void sort_numbers(uint32_t *numbers, size_t count) {
  enum { FEW = 16 };
  if (count > FEW) {
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    uint32_t number = numbers[i];
    size_t at = i;
    for (; at > 0 && numbers[at - 1] > number; at--)
      numbers[at] = numbers[at - 1];
    numbers[at] = number;
  }
}

// `// 2 preds: ^bb0, ^bb1`: a comment, as MLIR writes it.
static void print_predecessors(CakePrinter *printer, const CakeBlock *block) {
  CakeBuf *out = printer->out;
  printer->predecessors.len = 0;
  for (const CakeSuccessor *use = block->first_use; use; use = use->next)
    if (use->owner->block) CAKE_PUSH(&printer->predecessors, use->owner->block->order);
  size_t count = printer->predecessors.len;
  const uint32_t *numbers = printer->predecessors.data;
  if (!count) {
    if (block != block->region->first) cake_buf_text(out, "  // no predecessors");
    return;
  }
  sort_numbers(printer->predecessors.data, count);
  cake_put(out, "  // ", 5);
  if (count > 1) cake_buf_int(out, (int64_t)count);
  cake_buf_text(out, count > 1 ? " preds: " : "pred: ");
  for (size_t i = 0; i < count; i++) {
    if (i) cake_put_two(out, ", ");
    cake_put(out, "^bb", 3);
    cake_put_number(out, numbers[i]);
  }
  cake_put_end(out);
}

static void print_label(CakePrinter *printer, const CakeBlock *block) {
  CakeBuf *out = printer->out;
  cake_printer_block(printer, block);
  if (block->n_args) {
    cake_buf_char(out, '(');
    for (uint32_t i = 0; i < block->n_args; i++) {
      if (i) cake_buf_text(out, ", ");
      cake_printer_value(printer, block->args[i]);
      cake_buf_text(out, ": ");
      cake_printer_type(printer, block->args[i]->type);
      cake_printer_trailing_loc(printer, cake_value_loc(block->args[i]));
    }
    cake_buf_char(out, ')');
  }
  cake_buf_char(out, ':');
  print_predecessors(printer, block);
}

static void print_block(CakePrinter *printer, const CakeBlock *block, bool label, bool terminator) {
  if (label) {
    new_line(printer);
    print_label(printer, block);
  }
  printer->indent += 2;
  for (uint32_t i = 0; i < block->n_args && printer->options.value_users; i++) {
    new_line(printer);
    cake_printer_arg_users(printer, block->args[i]);
  }
  for (CakeOp *op = block->first; op; op = op->next) {
    if (!terminator && !op->next) break;
    new_line(printer);
    cake_printer_op(printer, op);
    cake_printer_hand_over(printer);
  }
  printer->indent -= 2;
}

static bool has_empty_regions(const CakeOp *op) {
  bool all = true;
  for (uint32_t i = 0; i < op->n_regions; i++) {
    const CakeBlock *block = cake_op_region(op, i)->first;
    all &= block && !block->next && !block->first && !block->n_args;
  }
  return all;
}

// Whether the last op may be left out: an operand-less terminator without anything to say.
static bool can_leave_out(const CakePrinter *printer, const CakeBlock *block) {
  const CakeOp *last = block->last;
  return last && cake_op_has_trait(last, CAKE_TRAIT_TERMINATOR) && !last->n_operands && !last->n_successors &&
         has_empty_regions(last) && !last->n_results && !last->attrs && !printer->options.locations;
}

static void print_region(CakePrinter *printer, const CakeRegion *region, CakeRegionStyle style) {
  cake_buf_char(printer->out, '{');
  for (const CakeBlock *block = region->first; block; block = block->next) {
    bool is_entry = block == region->first;
    bool label = !is_entry || (style.args && block->n_args) || (style.empty_block && !block->first);
    // A branch to the entry block needs its label; the verifier refuses it, printing does not.
    label |= is_entry && block->first_use && style.args;
    bool terminator = style.terminator || block->next || !can_leave_out(printer, block);
    print_block(printer, block, label, terminator);
  }
  new_line(printer);
  cake_buf_char(printer->out, '}');
}

void cake_printer_region(CakePrinter *printer, const CakeRegion *region, CakeRegionStyle style) {
  if (printer->depth >= CAKE_MAX_PRINT_DEPTH) {
    cake_buf_text(printer->out, "{ <<TOO DEEP>> }");
    return;
  }
  if (printer->options.skip_regions) {
    cake_buf_text(printer->out, "{...}");
    return;
  }
  uint32_t value = printer->next_value, arg = printer->next_arg;
  size_t base = printer->numberings_base;
  CakeNumbering numbering = printer->numberings.data[base + (size_t)(region - cake_op_regions(region->parent))];
  cake_printer_enter_region(printer, &numbering);
  printer->depth++;
  print_region(printer, region, style);
  printer->depth--;
  cake_printer_forget_names(printer, &numbering);
  printer->next_value = value;
  printer->next_arg = arg;
}

// ---- Operations ----------------------------------------------------------------------------------------------------

static void print_successors(CakePrinter *printer, const CakeOp *op) {
  if (!op->n_successors) return;
  cake_buf_char(printer->out, '[');
  for (uint32_t i = 0; i < op->n_successors; i++) {
    if (i) cake_buf_text(printer->out, ", ");
    cake_printer_block(printer, cake_op_successor(op, i));
  }
  cake_buf_char(printer->out, ']');
}

static void print_generic(CakePrinter *printer, const CakeOp *op) {
  CakeBuf *out = printer->out;
  cake_printer_string(printer, cake_op_name(op));
  cake_buf_char(out, '(');
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_printer_value(printer, cake_op_operand(op, i));
  }
  cake_buf_char(out, ')');
  print_successors(printer, op);
  print_properties(printer, op);
  if (op->n_regions) {
    cake_buf_text(out, " (");
    for (uint32_t i = 0; i < op->n_regions; i++) {
      if (i) cake_buf_text(out, ", ");
      cake_printer_region(printer, cake_op_region(op, i), (CakeRegionStyle){true, true, true});
    }
    cake_buf_char(out, ')');
  }
  if (op->attrs) {
    cake_buf_char(out, ' ');
    cake_printer_attr(printer, op->attrs);
  }
  cake_buf_text(out, " : ");
  cake_printer_functional_type(printer, op);
}

// Whether the custom form can say it: everything that the rows promise is there.
static bool is_well_formed(const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!def->n_regions && !op->n_regions && cake_op_is_known(op)) return true;
  if (!cake_op_group_sizes(op, sizes) || !cake_def_result_sizes(def, op->n_results, sizes)) return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!cake_op_operand(op, i)) return false;
  for (uint32_t i = 0; i < def->n_attrs; i++) {
    const CakeAttrRow *row = &def->attrs[i];
    if (!cake_op_prop(op, i) ? !row->optional
                             : row->constraint && !cake_attr_satisfies(row->constraint, cake_op_prop(op, i)))
      return false;
  }
  bool any_regions = def->n_regions && def->regions[def->n_regions - 1].arity != CAKE_SINGLE;
  return any_regions || op->n_regions == def->n_regions;
}

static void print_body(CakePrinter *printer, CakeOp *op) {
  if (!printer->options.generic && op->info->def && is_well_formed(op)) {
    const CakeAsmFormat *format = cake_asm_met_format(op->context, op->info);
    if (format->nodes || op->info->def->print) {
      cake_asm_print_op(printer, op, format);
      return;
    }
  }
  print_generic(printer, op);
}

static bool attrs_may_alias(const CakeOp *op) {
  bool may = op->attrs && op->attrs->may_alias;
  for (uint32_t i = 0; i < op->info->n_props && !may; i++)
    may = cake_op_prop(op, i) && cake_op_prop(op, i)->may_alias;
  return may;
}

static bool types_may_alias(const CakeOp *op) {
  bool may = false;
  for (uint32_t i = 0; i < op->n_results && !may; i++)
    may = op->results[i].type->may_alias;
  for (uint32_t i = 0; i < op->n_operands && !may; i++)
    may = cake_op_operand(op, i) && cake_op_operand(op, i)->type->may_alias;
  return may;
}

// Prints the op, of which only what may have an alias matters, to find it.
static void collect_op(CakePrinter *printer, CakeOp *op) {
  size_t base = printer->numberings.len, outer = printer->numberings_base;
  if (printer->options.locations) cake_printer_collect_op_loc(printer, op->loc);
  if (!op->n_regions && !attrs_may_alias(op) && !types_may_alias(op)) return;
  CakeNumbering none = {printer->next_value, printer->next_arg, printer->used_log.len, printer->used_log.len};
  for (uint32_t i = 0; i < op->n_regions; i++)
    CAKE_PUSH(&printer->numberings, none);
  printer->numberings_base = base;
  print_body(printer, op);
  printer->numberings.len = base;
  printer->numberings_base = outer;
}

void cake_printer_op(CakePrinter *printer, CakeOp *op) {
  if (cake_printer_is_collecting(printer)) {
    collect_op(printer, op);
    return;
  }
  size_t base = printer->numberings.len, outer = printer->numberings_base, n_used = printer->used_log.len,
         number = printer->n_begun++;
  bool is_scope = op->n_regions && cake_op_has_trait(op, CAKE_TRAIT_ISOLATED);
  if (is_scope) cake_printer_push_scope(printer);
  for (uint32_t i = 0; i < op->n_regions; i++) {
    CakeNumbering numbering;
    cake_printer_number_region(printer, cake_op_region(op, i), &numbering);
    CAKE_PUSH(&printer->numberings, numbering);
  }
  printer->numberings_base = base;
  cake_printer_result_names(printer, op);
  if (printer->options.begins) printer->options.begins(printer->options.begins_user, op, printer->out->len);
  print_body(printer, op);
  print_op_loc(printer, op->loc, number);
  if (printer->options.value_users) cake_printer_op_users(printer, op);
  if (is_scope) cake_printer_pop_scope(printer);
  printer->numberings.len = base;
  printer->numberings_base = outer;
  printer->used_log.len = n_used;
}

// ---- Entry points --------------------------------------------------------------------------------------------------

void cake_printer_fini(CakePrinter *printer) {
  cake_map_fini(&printer->printed->distinct);
  cake_map_fini(&printer->printed->seen);
  CAKE_VEC_FINI(&printer->printed->resources);
  cake_printer_aliases_fini(&printer->printed->aliases);
  for (size_t i = 0; i < printer->scopes.len; i++)
    cake_mem_free(printer->scopes.data[i].table.slots);
  CAKE_VEC_FINI(&printer->scopes);
  CAKE_VEC_FINI(&printer->predecessors);
  cake_map_fini(&printer->used);
  CAKE_VEC_FINI(&printer->used_log);
  CAKE_VEC_FINI(&printer->numberings);
}

void cake_print_op(const CakeOp *op, const CakePrintOptions *options, CakeBuf *out) {
  CakePrinted printed = {0};
  CakePrinter printer = {.out = out, .context = op->context, .printed = &printed, .scope = UINT32_MAX};
  if (options) printer.options = *options;
  bool has_numbers = printer.options.value_users || printer.options.unique_numbers;
  printer.has_names = !has_numbers && (printer.options.use_names || printer.options.loc_names);
  // Printing changes nothing; hooks take the op as they take it everywhere.
  CakeOp *printed_op = (CakeOp *)(uintptr_t)op;
  bool has_aliases = !printer.options.local_scope && (op->context->may_alias || printer.options.locations);
  if (has_aliases) cake_printer_find_aliases(&printer, printed_op); // before the numbers, of which it writes its own
  cake_printer_number_around(&printer, op);
  if (has_numbers) cake_printer_number_inside(&printer, printed_op);
  cake_printer_aliases(&printer, false);
  cake_printer_op(&printer, printed_op);
  cake_buf_char(out, '\n');
  cake_printer_aliases(&printer, true);
  if (!printer.options.local_scope) cake_printer_resources(&printer);
  cake_printer_fini(&printer);
}

void cake_print_type(CakeType type, CakeBuf *out) {
  CakePrinter printer = {.out = out, .context = type ? type->context : NULL};
  cake_printer_type(&printer, type);
}

void cake_print_attr(CakeAttr attr, CakeBuf *out) {
  CakePrinter printer = {.out = out, .context = attr ? attr->context : NULL};
  cake_printer_attr(&printer, attr);
}

void cake_print_loc(const CakeContext *context, CakeLoc loc, CakeBuf *out) {
  CakeStr file;
  uint32_t line, column;
  if (cake_loc_find_file(context, loc, &file, &line, &column))
    cake_buf_printf(out, "%.*s:%u:%u", CAKE_STR_ARG(file), line, column);
  else
    cake_buf_text(out, "unknown");
}

CakeBuf *cake_context_text(CakeContext *context) {
  CakeBuf *text = &context->text_ring[context->next_text++ % CAKE_TEXT_RING];
  cake_buf_clear(text);
  return text;
}

const char *cake_type_text(CakeType type) {
  if (!type) return "<<NULL TYPE>>";
  CakeBuf *out = cake_context_text(type->context);
  cake_print_type(type, out);
  return out->data;
}

const char *cake_attr_text(CakeAttr attr) {
  if (!attr) return "<<NULL ATTRIBUTE>>";
  CakeBuf *out = cake_context_text(attr->context);
  cake_print_attr(attr, out);
  return out->data;
}
