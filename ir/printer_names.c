// Names of values and blocks while printing: MLIR's numbering, or the names that the text had.
//
// A region is numbered as a whole before it is printed; its nested regions go on from where it ended, so siblings share
// numbers. Numbers stand in the IR, in fields that nothing else needs meanwhile: a table would be larger than the cache.
// Only names, and values of an op in no region, have a word in a table: an op (for its results), an argument, or a result.
#include "numbers.h"
#include "parser.h"

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
  CakeNameTable *table = &printer->scopes.data[printer->n_scopes - 1].table;
  if (2 * table->len >= table->capacity) grow_table(table);
  CakeNameSlot *slot = find_slot(table, key);
  if (!slot->key) table->len++;
  *slot = (CakeNameSlot){key, word};
}

static bool get_word(CakePrinter *printer, const void *key, uintptr_t *out) {
  for (size_t i = printer->n_scopes; i-- > 0;) {
    const CakeNameTable *table = &printer->scopes.data[i].table;
    if (!table->len) continue;
    const CakeNameSlot *slot = find_slot(table, key);
    if (!slot->key) continue;
    *out = slot->word;
    return true;
  }
  return false;
}

// The number of the innermost scope, when values have numbers in it; no block has the other.
static void set_scope(CakePrinter *printer) {
  bool has_numbers = printer->n_scopes && !printer->has_names;
  printer->scope = has_numbers ? printer->scopes.data[printer->n_scopes - 1].number : UINT32_MAX;
}

void cake_printer_push_scope(CakePrinter *printer) {
  if (printer->n_scopes == printer->scopes.len) CAKE_PUSH(&printer->scopes, (CakePrintScope){.number = 0});
  printer->scopes.data[printer->n_scopes++].number = ++printer->context->n_print_scopes;
  set_scope(printer);
}

// A table that was much too large for what was in it goes: clearing it for every small scope would take too long.
void cake_printer_pop_scope(CakePrinter *printer) {
  CakeNameTable *table = &printer->scopes.data[--printer->n_scopes].table;
  set_scope(printer);
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

static bool is_usable_name(CakeStr name) {
  return cake_text_is_suffix_id(name) && !cake_name_is_number(name) && !is_argument_name(name);
}

// What the value is to be called; NULL: a number.
static CakeId wanted_name(const CakePrinter *printer, const CakeValue *value) {
  CakeId name = printer->options.loc_names ? cake_loc_name_of(cake_value_loc(value)) : NULL;
  if (name && is_usable_name(cake_id_str(name))) return name;
  name = printer->options.use_names ? cake_value_name(value) : NULL;
  return name && is_usable_name(cake_id_str(name)) ? name : NULL;
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
  if (!printer->has_names || op->n_results < 2) return false;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!wanted_name(printer, &op->results[i])) return false;
  return true;
}

// ---- Numbering -----------------------------------------------------------------------------------------------------

void cake_printer_number_op(CakePrinter *printer, const CakeOp *op) {
  if (!op->n_results) return;
  CakeId first = printer->has_names ? wanted_name(printer, &op->results[0]) : NULL;
  if (!first) {
    set_word(printer, op, (uintptr_t)printer->next_value++ << WORD_SHIFT | WORD_NUMBER);
    return;
  }
  if (!is_split(printer, op)) {
    set_word(printer, op, unique_name(printer, first));
    return;
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    set_word(printer, &op->results[i], unique_name(printer, wanted_name(printer, &op->results[i])));
}

static void name_args(CakePrinter *printer, const CakeBlock *block) {
  bool is_entry = block == block->region->first;
  for (uint32_t i = 0; i < block->n_args; i++) {
    const CakeValue *arg = block->args[i];
    CakeId name = wanted_name(printer, arg);
    uintptr_t word;
    if (name)
      word = unique_name(printer, name);
    else if (is_entry)
      word = (uintptr_t)printer->next_arg++ << WORD_SHIFT | WORD_ARG;
    else
      word = (uintptr_t)printer->next_value++ << WORD_SHIFT | WORD_NUMBER;
    set_word(printer, arg, word);
  }
}

static void name_block(CakePrinter *printer, const CakeBlock *block) {
  name_args(printer, block);
  for (const CakeOp *op = block->first; op; op = op->next)
    cake_printer_number_op(printer, op);
}

static void number_block(CakePrinter *printer, CakeBlock *block, uint32_t scope) {
  uint32_t *first = block == block->region->first ? &printer->next_arg : &printer->next_value;
  block->print_scope = scope;
  block->print_args = *first;
  *first += block->n_args;
  block->ops_ordered = false;
  for (CakeOp *op = block->first; op; op = op->next) {
    op->order = printer->next_value;
    printer->next_value += op->n_results > 0 || printer->options.value_users;
  }
}

static void number_blocks(CakePrinter *printer, const CakeRegion *region) {
  uint32_t n_blocks = 0;
  if (!printer->n_scopes) cake_printer_push_scope(printer);
  uint32_t scope = printer->scopes.data[printer->n_scopes - 1].number;
  for (CakeBlock *block = region->first; block; block = block->next) {
    block->order = n_blocks++;
    if (printer->has_names)
      name_block(printer, block);
    else
      number_block(printer, block, scope);
  }
}

void cake_printer_number_region(CakePrinter *printer, const CakeRegion *region, CakeNumbering *out) {
  uint32_t value = printer->next_value, arg = printer->next_arg;
  out->first_used = printer->used_log.len;
  if (!printer->is_numbered) number_blocks(printer, region);
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

// A region that waits for its numbers, which go on from there.
typedef struct Waiting {
  const CakeRegion *region;
  uint32_t next_value, next_arg;
} Waiting;

typedef CAKE_VEC(Waiting) WaitingVec;

static void add_regions(const CakePrinter *printer, const CakeOp *op, WaitingVec *out) {
  for (uint32_t i = 0; i < op->n_regions; i++)
    CAKE_PUSH(out, ((Waiting){cake_op_region(op, i), printer->next_value, printer->next_arg}));
}

// In the order of mlir-opt: of the regions that wait, the last.
void cake_printer_number_inside(CakePrinter *printer, CakeOp *op) {
  bool is_unique = printer->options.unique_numbers;
  WaitingVec waiting = {0};
  add_regions(printer, op, &waiting);
  if (printer->options.value_users && !op->n_results && !op->block) printer->next_value++;
  while (waiting.len) {
    Waiting next = waiting.data[--waiting.len];
    if (!is_unique) {
      printer->next_value = next.next_value;
      printer->next_arg = next.next_arg;
    }
    number_blocks(printer, next.region);
    for (CakeBlock *block = next.region->first; block; block = block->next)
      for (CakeOp *inner = block->first; inner; inner = inner->next)
        add_regions(printer, inner, &waiting);
  }
  CAKE_VEC_FINI(&waiting);
  printer->is_numbered = true;
}

// ---- Printing ------------------------------------------------------------------------------------------------------

static void put_word(CakeBuf *out, uintptr_t word) {
  if (word & WORD_NUMBER) {
    cake_put_value_number(out, (uint32_t)(word >> WORD_SHIFT), (word & WORD_MASK) == WORD_ARG);
    return;
  }
  CakeStr name = cake_id_str((CakeId)word);
  cake_put_char(out, '%');
  cake_put(out, name.ptr, name.len);
}

static bool is_open_scope(const CakePrinter *printer, uint32_t scope) {
  for (size_t i = printer->n_scopes; i-- > 0;)
    if (printer->scopes.data[i].number == scope) return true;
  return false;
}

// Whether the values of the block have numbers.
static inline bool is_numbered(const CakePrinter *printer, const CakeBlock *block) {
  if (!block || printer->has_names) return false;
  return block->print_scope == printer->scope || is_open_scope(printer, block->print_scope);
}

// The name of the op's results; false: it has none, but each result may have its own.
static bool put_op_name(CakePrinter *printer, const CakeOp *op) {
  uintptr_t word;
  if (is_numbered(printer, op->block))
    cake_put_value_number(printer->out, op->order, false);
  else if (get_word(printer, op, &word))
    put_word(printer->out, word);
  else
    return false;
  return true;
}

static void put_arg(CakePrinter *printer, const CakeValue *value) {
  const CakeBlock *block = cake_arg_owner(value);
  uintptr_t word;
  if (is_numbered(printer, block))
    cake_put_value_number(printer->out, block->print_args + value->index, block == block->region->first);
  else if (get_word(printer, value, &word))
    put_word(printer->out, word);
  else
    cake_buf_text(printer->out, "<<UNKNOWN SSA VALUE>>");
}

void cake_printer_put_value(CakePrinter *printer, const CakeValue *value) {
  CakeBuf *out = printer->out;
  uintptr_t word;
  if (!value) {
    cake_buf_text(out, "<<NULL VALUE>>");
  } else if (value->is_argument) {
    put_arg(printer, value);
  } else if (put_op_name(printer, cake_result_owner(value))) {
    if (cake_result_owner(value)->n_results > 1) cake_buf_printf(out, "#%u", value->index);
  } else if (get_word(printer, value, &word)) {
    put_word(out, word);
  } else {
    cake_buf_text(out, "<<UNKNOWN SSA VALUE>>");
  }
}

void cake_printer_value(CakePrinter *printer, const CakeValue *value) {
  cake_printer_put_value(printer, value);
  cake_put_end(printer->out);
}

void cake_printer_result_names(CakePrinter *printer, const CakeOp *op) {
  if (!op->n_results) return;
  if (put_op_name(printer, op)) {
    if (op->n_results > 1) cake_buf_printf(printer->out, ":%u", op->n_results);
  } else {
    for (uint32_t i = 0; i < op->n_results; i++) {
      if (i) cake_buf_text(printer->out, ", ");
      cake_printer_value(printer, &op->results[i]);
    }
  }
  cake_put(printer->out, " = ", 3);
  cake_put_end(printer->out);
}

void cake_printer_op_number(CakePrinter *printer, const CakeOp *op) {
  if (!put_op_name(printer, op)) cake_buf_text(printer->out, "<<UNKNOWN OPERATION>>");
  cake_put_end(printer->out);
}

void cake_printer_block(CakePrinter *printer, const CakeBlock *block) {
  if (!block || !block->region) {
    cake_buf_text(printer->out, "^INVALIDBLOCK");
    return;
  }
  cake_put(printer->out, "^bb", 3);
  cake_put_number(printer->out, block->order);
  cake_put_end(printer->out);
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
