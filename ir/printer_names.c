// Names of values and blocks while printing: MLIR's numbering, or the names that the text had.
//
// A region is numbered as a whole before it is printed; its nested regions go on from where it ended, so siblings share
// numbers. In the map an op (for its results), a block argument, or a single result has a word: a number, or the name
// to print. Blocks are numbered in their own field.
#include "text.h"

#include <string.h>

enum { WORD_NUMBER = 1, WORD_ARG = 3, WORD_MASK = 3, WORD_SHIFT = 2 };

// ---- The table -----------------------------------------------------------------------------------------------------

static CakeNameSlot *find_slot(const CakeNameTable *table, const void *key) {
  size_t i = (size_t)((uintptr_t)key >> 4) & (table->capacity - 1);
  while (table->slots[i].key && table->slots[i].key != key)
    i = (i + 1) & (table->capacity - 1);
  return &table->slots[i];
}

static void grow_table(CakeNameTable *table) {
  CakeNameTable old = *table;
  table->capacity = old.capacity ? 2 * old.capacity : 64;
  table->slots = cake_mem_zeroed(table->capacity * sizeof *table->slots);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].key) *find_slot(table, old.slots[i].key) = old.slots[i];
  cake_mem_free(old.slots);
}

static void set_word(CakePrinter *printer, const void *key, uintptr_t word) {
  if (!printer->n_scopes) cake_printer_push_scope(printer);
  CakeNameTable *table = &printer->tables.data[printer->n_scopes - 1];
  if (2 * table->len >= table->capacity) grow_table(table);
  CakeNameSlot *slot = find_slot(table, key);
  if (!slot->key) table->len++;
  *slot = (CakeNameSlot){key, word};
}

static bool get_word(CakePrinter *printer, const void *key, uintptr_t *out) {
  for (size_t i = printer->n_scopes; i-- > 0;) {
    if (!printer->tables.data[i].len) continue;
    const CakeNameSlot *slot = find_slot(&printer->tables.data[i], key);
    if (!slot->key) continue;
    *out = slot->word;
    return true;
  }
  return false;
}

void cake_printer_push_scope(CakePrinter *printer) {
  if (printer->n_scopes == printer->tables.len) CAKE_PUSH(&printer->tables, (CakeNameTable){0});
  printer->n_scopes++;
}

// A table that was much too large for what was in it goes: clearing it for every small scope would take too long.
void cake_printer_pop_scope(CakePrinter *printer) {
  CakeNameTable *table = &printer->tables.data[--printer->n_scopes];
  if (table->capacity > 64 && table->len < table->capacity / 16) {
    cake_mem_free(table->slots);
    *table = (CakeNameTable){0};
  } else if (table->len) {
    memset(table->slots, 0, table->capacity * sizeof *table->slots);
    table->len = 0;
  }
}

// ---- Kept names ----------------------------------------------------------------------------------------------------

static bool is_taken(CakePrinter *printer, CakeId name) {
  uintptr_t ignored;
  return cake_map_get(&printer->used, name, &ignored);
}

static void take(CakePrinter *printer, CakeId name) {
  cake_map_set(&printer->used, name, 1);
  CAKE_PUSH(&printer->used_log, name);
}

// `arg` with a number is what arguments without a name are called.
static bool is_argument_name(CakeStr name) {
  if (!cake_str_starts_with(name, "arg") || name.len == 3) return false;
  for (size_t i = 3; i < name.len; i++)
    if (name.ptr[i] < '0' || name.ptr[i] > '9') return false;
  return true;
}

static bool is_usable(const CakeValue *value) {
  if (!value->name) return false;
  CakeStr name = cake_id_str(cake_value_name(value));
  return cake_text_is_suffix_id(name) && !cake_name_is_number(name) && !is_argument_name(name);
}

// A name that nobody in sight has: the value's own, or with a number behind it.
static uintptr_t unique_name(CakePrinter *printer, CakeId name) {
  CakeBuf text = {0};
  CakeId unique = name;
  while (is_taken(printer, unique)) {
    cake_buf_clear(&text);
    cake_buf_printf(&text, "%s_%u", name->text, printer->next_conflict++);
    unique = cake_id(printer->context, cake_buf_view(&text));
  }
  cake_buf_fini(&text);
  take(printer, unique);
  return (uintptr_t)unique;
}

// Results with a name each are printed as a list.
static bool is_split(const CakePrinter *printer, const CakeOp *op) {
  if (!printer->options.use_names || op->n_results < 2) return false;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!is_usable(&op->results[i])) return false;
  return true;
}

// ---- Numbering -----------------------------------------------------------------------------------------------------

void cake_printer_number_op(CakePrinter *printer, const CakeOp *op) {
  if (!op->n_results) return;
  if (!printer->options.use_names || !is_usable(&op->results[0])) {
    set_word(printer, op, (uintptr_t)printer->next_value++ << WORD_SHIFT | WORD_NUMBER);
    return;
  }
  if (!is_split(printer, op)) {
    set_word(printer, op, unique_name(printer, cake_value_name(&op->results[0])));
    return;
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    set_word(printer, &op->results[i], unique_name(printer, cake_value_name(&op->results[i])));
}

static void number_args(CakePrinter *printer, const CakeBlock *block) {
  bool is_entry = block == block->region->first;
  for (uint32_t i = 0; i < block->n_args; i++) {
    const CakeValue *arg = block->args[i];
    uintptr_t word;
    if (printer->options.use_names && is_usable(arg))
      word = unique_name(printer, cake_value_name(arg));
    else if (is_entry)
      word = (uintptr_t)printer->next_arg++ << WORD_SHIFT | WORD_ARG;
    else
      word = (uintptr_t)printer->next_value++ << WORD_SHIFT | WORD_NUMBER;
    set_word(printer, arg, word);
  }
}

void cake_printer_number_region(CakePrinter *printer, const CakeRegion *region, CakeNumbering *out) {
  uint32_t value = printer->next_value, arg = printer->next_arg, n_blocks = 0;
  out->first_used = printer->used_log.len;
  for (CakeBlock *block = region->first; block; block = block->next) {
    block->order = n_blocks++;
    number_args(printer, block);
    for (const CakeOp *op = block->first; op; op = op->next)
      cake_printer_number_op(printer, op);
  }
  *out = (CakeNumbering){printer->next_value, printer->next_arg, out->first_used, printer->used_log.len};
  printer->next_value = value;
  printer->next_arg = arg;
  cake_printer_forget_names(printer, out);
}

void cake_printer_enter_region(CakePrinter *printer, const CakeNumbering *numbering) {
  printer->next_value = numbering->next_value;
  printer->next_arg = numbering->next_arg;
  for (size_t i = numbering->first_used; i < numbering->end_used; i++)
    cake_map_set(&printer->used, printer->used_log.data[i], 1);
}

void cake_printer_forget_names(CakePrinter *printer, const CakeNumbering *numbering) {
  for (size_t i = numbering->first_used; i < numbering->end_used; i++)
    cake_map_remove(&printer->used, printer->used_log.data[i]);
}

void cake_printer_number_around(CakePrinter *printer, const CakeOp *op) {
  CAKE_VEC(const CakeRegion *) around = {0};
  const CakeOp *top = op;
  for (; top->block && top->block->region; top = top->block->region->parent) {
    CAKE_PUSH(&around, top->block->region);
    if (!top->block->region->parent) break;
  }
  if (!around.len) cake_printer_number_op(printer, op);
  for (size_t i = around.len; i-- > 0;) {
    CakeNumbering numbering;
    cake_printer_number_region(printer, around.data[i], &numbering);
    cake_printer_enter_region(printer, &numbering);
  }
  CAKE_VEC_FINI(&around);
}

// ---- Printing ------------------------------------------------------------------------------------------------------

static void print_word(CakeBuf *out, uintptr_t word) {
  if (!(word & WORD_NUMBER)) {
    cake_buf_char(out, '%');
    cake_buf_str(out, cake_id_str((CakeId)word));
    return;
  }
  char text[32];
  size_t at = sizeof text;
  uintptr_t number = word >> WORD_SHIFT;
  do {
    text[--at] = (char)('0' + number % 10);
  } while ((number /= 10) != 0);
  if ((word & WORD_MASK) == WORD_ARG) memcpy(text + (at -= 3), "arg", 3);
  text[--at] = '%';
  cake_buf_append(out, text + at, sizeof text - at);
}

void cake_printer_value(CakePrinter *printer, const CakeValue *value) {
  CakeBuf *out = printer->out;
  uintptr_t word;
  if (!value) {
    cake_buf_text(out, "<<NULL VALUE>>");
  } else if (value->is_argument) {
    if (get_word(printer, value, &word))
      print_word(out, word);
    else
      cake_buf_text(out, "<<UNKNOWN SSA VALUE>>");
  } else if (get_word(printer, cake_result_owner(value), &word)) {
    print_word(out, word);
    if (cake_result_owner(value)->n_results > 1) cake_buf_printf(out, "#%u", value->index);
  } else if (get_word(printer, value, &word)) {
    print_word(out, word);
  } else {
    cake_buf_text(out, "<<UNKNOWN SSA VALUE>>");
  }
}

void cake_printer_result_names(CakePrinter *printer, const CakeOp *op) {
  if (!op->n_results) return;
  uintptr_t word;
  if (get_word(printer, op, &word)) {
    print_word(printer->out, word);
    if (op->n_results > 1) cake_buf_printf(printer->out, ":%u", op->n_results);
  } else {
    for (uint32_t i = 0; i < op->n_results; i++) {
      if (i) cake_buf_text(printer->out, ", ");
      cake_printer_value(printer, &op->results[i]);
    }
  }
  cake_buf_text(printer->out, " = ");
}

void cake_printer_block(CakePrinter *printer, const CakeBlock *block) {
  if (!block || !block->region) {
    cake_buf_text(printer->out, "^INVALIDBLOCK");
    return;
  }
  cake_buf_text(printer->out, "^bb");
  cake_buf_int(printer->out, block->order);
}

const char *cake_value_text(const CakeValue *value) {
  const CakeOp *op = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : cake_result_owner(value);
  CakeContext *context = value->type->context;
  CakeBuf *out = cake_context_text(context);
  if (value->name)
    cake_buf_printf(out, "%%%s", cake_value_name(value)->text);
  else
    cake_buf_printf(out, "%s #%u of '%s'", value->is_argument ? "argument" : "result", value->index,
                    op ? op->info->name->text : "?");
  return out->data;
}
