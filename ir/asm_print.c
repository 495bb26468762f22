// Printing custom forms: the interpreter of compiled formats, and what print hooks and directives call.
#include "asm.h"
#include "cake/callable.h"

#include <string.h>

typedef struct State {
  CakeAsmPrinter *printer;
  CakeOp *op;
  CakeAsmLast last;
} State;

static void print_nodes(State *state, uint32_t begin, uint32_t end);

// ---- What hooks call -----------------------------------------------------------------------------------------------

CakePrinter *cake_asm_out(CakeAsmPrinter *printer) {
  return printer->out;
}

CakeBuf *cake_asm_buf(CakeAsmPrinter *printer) {
  return printer->out->out;
}

void cake_asm_print_value(CakeAsmPrinter *printer, const CakeValue *value) {
  cake_printer_value(printer->out, value);
}

void cake_asm_print_region(CakeAsmPrinter *printer, const CakeRegion *region, bool print_args, bool print_terminator) {
  cake_printer_region(printer->out, region, (CakeRegionStyle){print_args, print_terminator, false});
}

void cake_asm_print_successor(CakeAsmPrinter *printer, const CakeBlock *block) {
  cake_printer_block(printer->out, block);
}

void cake_asm_print_target(CakeAsmPrinter *printer, const CakeBlock *block, CakeOperandRange operands) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_asm_print_successor(printer, block);
  if (operands.count == 0) return;
  for (uint32_t i = 0; i < operands.count; i++) {
    cake_buf_text(out, i ? ", " : "(");
    cake_asm_print_value(printer, operands.first[i].value);
  }
  for (uint32_t i = 0; i < operands.count; i++) {
    cake_buf_text(out, i ? ", " : " : ");
    cake_printer_type(cake_asm_out(printer), operands.first[i].value->type);
  }
  cake_buf_char(out, ')');
}

void cake_asm_print_loc(CakeAsmPrinter *printer, CakeLoc loc) {
  cake_printer_trailing_loc(printer->out, loc);
}

void cake_asm_newline(CakeAsmPrinter *printer) {
  cake_buf_char(printer->out->out, '\n');
  cake_buf_fill(printer->out->out, ' ', printer->out->indent);
}

static bool is_default(const CakeAsmFormat *format, uint32_t row, CakeAttr attr) {
  return format->defaults && format->defaults[row] == attr;
}

// Rows that the dictionary leaves out: printed elsewhere, or with their default.
static uint64_t silent_rows(const CakeOp *op, uint64_t printed, const CakeAsmFormat *format) {
  const CakeOpDef *def = op->info->def;
  for (uint32_t i = 0; i < def->n_attrs && i < 64; i++)
    if (!cake_op_prop(op, i) || is_default(format, i, cake_op_prop(op, i))) printed |= UINT64_C(1) << i;
  if (def->traits & CAKE_TRAIT_SEGMENTS && def->n_attrs < 64) printed |= UINT64_C(1) << def->n_attrs;
  return printed;
}

// Inherent ones that are left, and discardable ones: both sorted, merged.
static size_t merge(const CakeOp *op, uint64_t silent, CakeNamedAttr *out) {
  size_t n_props = cake_op_named_props(op, silent, out), n_attrs = op->attrs ? cake_attr_count(op->attrs) : 0;
  size_t at = n_props + n_attrs, i = n_props, j = n_attrs;
  while (j > 0) {
    CakeNamedAttr entry = cake_attr_entry(op->attrs, j - 1);
    if (i > 0 && cake_id_less(entry.name, out[i - 1].name))
      out[--at] = out[--i];
    else
      out[--at] = entry, j--;
  }
  return n_props + n_attrs;
}

void cake_asm_print_attr_dict(CakeAsmPrinter *printer, const CakeOp *op, uint64_t printed_rows, bool with_keyword) {
  uint64_t all = op->info->n_props < 64 ? (UINT64_C(1) << op->info->n_props) - 1 : UINT64_MAX;
  if (!op->attrs && op->info->n_props < 64 && !(all & ~printed_rows)) return;
  uint64_t silent = silent_rows(op, printed_rows, printer->format);
  if (!op->attrs && op->info->n_props < 64 && !(all & ~silent)) return; // nothing is left
  size_t room = op->info->n_props + (op->attrs ? cake_attr_count(op->attrs) : 0);
  if (!room) return;
  enum { FEW = 24 };
  CakeNamedAttr few[FEW], *entries = room <= FEW ? few : cake_mem_zeroed(room * sizeof *entries);
  size_t count = merge(op, silent, entries);
  if (count) {
    cake_buf_text(printer->out->out, with_keyword ? " attributes " : " ");
    cake_printer_dictionary(printer->out, entries, count);
  }
  if (entries != few) cake_mem_free(entries);
}

// ---- Presence ------------------------------------------------------------------------------------------------------

static bool is_group_present(const CakeOp *op, CakeAsmRef ref) {
  if (ref.kind == CAKE_ASM_OPERAND) return cake_op_operand_group(op, ref.row).count > 0;
  if (ref.kind == CAKE_ASM_RESULT) return cake_op_result_group(op, ref.row).count > 0;
  return ref.row < op->n_regions && cake_op_region(op, ref.row)->first;
}

bool cake_asm_is_present(const CakeOp *op, const CakeAsmFormat *format, const CakeAsmNode *node) {
  switch (node->kind) {
  case CAKE_ASM_OPERANDS:
  case CAKE_ASM_TYPE:
  case CAKE_ASM_ITER:
  case CAKE_ASM_REGION_PLAIN:
  case CAKE_ASM_REGION_ARGS: return is_group_present(op, node->ref);
  case CAKE_ASM_ATTRIBUTE:
  case CAKE_ASM_KEYWORD:
  case CAKE_ASM_SYMBOL:
  case CAKE_ASM_UNIT:
    return cake_op_prop(op, node->ref.row) && !is_default(format, node->ref.row, cake_op_prop(op, node->ref.row));
  case CAKE_ASM_CUSTOM:
    return !node->directive->is_present || node->directive->is_present(op, node->refs, node->n_refs);
  case CAKE_ASM_FUNCTIONAL: return op->n_operands || op->n_results;
  case CAKE_ASM_RESULTS: return op->n_results > 0;
  default: return true;
  }
}

// ---- Elements ------------------------------------------------------------------------------------------------------

static CakeBuf *out_of(State *state) {
  return state->printer->out->out;
}

static inline void space(State *state) {
  if (state->last != CAKE_LAST_GLUE) cake_buf_char(out_of(state), ' ');
  state->last = CAKE_LAST_OTHER;
}

// How a literal is set off.
enum {
  TIGHT_BEHIND_PUNCTUATION = 1, // no space between it and punctuation before it
  TIGHT_BEHIND_OTHERS = 2,      // or anything else
  OPENS = 4,                    // no space behind it
  WORD = 8,
};

uint8_t cake_asm_spacing(CakeStr literal) {
  bool single = literal.len == 1;
  unsigned spacing = cake_text_is_bare_id(literal) ? WORD : 0;
  if (single && strchr(">)}],", literal.ptr[0])) spacing |= TIGHT_BEHIND_PUNCTUATION;
  if (single && strchr("<>(){}[],", literal.ptr[0])) spacing |= TIGHT_BEHIND_OTHERS;
  if (single && strchr("<({[", literal.ptr[0])) spacing |= OPENS;
  return (uint8_t)spacing;
}

bool cake_asm_literal_is_tight(const CakeAsmNode *node, CakeAsmLast last) {
  return node->spacing & (last == CAKE_LAST_PUNCTUATION ? TIGHT_BEHIND_PUNCTUATION : TIGHT_BEHIND_OTHERS);
}

CakeAsmLast cake_asm_behind_literal(const CakeAsmNode *node) {
  return node->spacing & WORD ? CAKE_LAST_WORD : node->spacing & OPENS ? CAKE_LAST_GLUE : CAKE_LAST_PUNCTUATION;
}

static void print_literal(State *state, const CakeAsmNode *node) {
  if (!cake_asm_literal_is_tight(node, state->last)) space(state);
  if (node->text.len == 1)
    cake_buf_char(out_of(state), node->text.ptr[0]);
  else
    cake_buf_str(out_of(state), node->text);
  state->last = cake_asm_behind_literal(node);
}

static void print_operands(State *state, uint32_t group) {
  CakeOperandRange range = cake_op_operand_group(state->op, group);
  if (!range.count) return;
  space(state);
  for (uint32_t i = 0; i < range.count; i++) {
    if (i) cake_buf_text(out_of(state), ", ");
    cake_printer_value(state->printer->out, range.first[i].value);
  }
}

void cake_asm_print_prop(CakePrinter *printer, CakeAttr attr, CakeType fixed_type) {
  bool elides = fixed_type && cake_attr_value_type(attr) == fixed_type;
  cake_printer_attr_as(printer, attr, elides ? CAKE_TYPE_ELIDE : CAKE_TYPE_ALWAYS);
}

static void print_attribute(State *state, const CakeAsmNode *node) {
  CakeAttr attr = cake_op_prop(state->op, node->ref.row);
  CakePrinter *out = state->printer->out;
  if (!attr) return;
  space(state);
  bool is_string = cake_attr_is(attr, &cake_attr_def_string);
  if (node->kind == CAKE_ASM_SYMBOL && is_string)
    cake_printer_symbol(out, cake_attr_string_value(attr));
  else if (node->kind == CAKE_ASM_KEYWORD && is_string)
    cake_printer_keyword_or_string(out, cake_attr_string_value(attr));
  else
    cake_asm_print_prop(out, attr, node->fixed_type);
}

static void print_types(State *state, CakeAsmRef ref) {
  CakeOperandRange operands = {0};
  CakeResultRange results = {0};
  if (ref.kind == CAKE_ASM_OPERAND)
    operands = cake_op_operand_group(state->op, ref.row);
  else
    results = cake_op_result_group(state->op, ref.row);
  if (!operands.count && !results.count) return;
  space(state);
  for (uint32_t i = 0; i < operands.count + results.count; i++) {
    if (i) cake_buf_text(out_of(state), ", ");
    cake_printer_type(state->printer->out, operands.count ? operands.first[i].value->type : results.first[i].type);
  }
}

static void print_result_types(State *state) {
  if (state->op->info->def->infer || !state->op->n_results) return;
  cake_buf_text(out_of(state), " :");
  state->last = CAKE_LAST_OTHER;
  for (uint32_t i = 0; i < state->op->n_results; i++) {
    cake_buf_text(out_of(state), i ? ", " : " ");
    cake_printer_type(state->printer->out, state->op->results[i].type);
  }
}

static void print_target(State *state, const CakeAsmNode *node) {
  const CakeBlock *block =
      node->second.row < state->op->n_successors ? cake_op_successor(state->op, node->second.row) : NULL;
  space(state);
  cake_asm_print_target(state->printer, block, cake_op_operand_group(state->op, node->ref.row));
}

// How many arguments of a region iter() names; args() names the ones before.
static uint32_t count_iter(State *state, uint32_t region) {
  const CakeAsmFormat *format = state->printer->format;
  for (uint32_t i = 0; i < format->n_nodes; i++)
    if (format->nodes[i].kind == CAKE_ASM_ITER && format->nodes[i].second.row == region)
      return cake_op_operand_group(state->op, format->nodes[i].ref.row).count;
  return 0;
}

static const CakeBlock *entry_of(State *state, uint32_t region) {
  return region < state->op->n_regions ? cake_op_region(state->op, region)->first : NULL;
}

static void print_args(State *state, const CakeAsmNode *node) {
  const CakeBlock *entry = entry_of(state, node->ref.row);
  uint32_t n_iter = count_iter(state, node->ref.row),
           count = entry && entry->n_args > n_iter ? entry->n_args - n_iter : 0;
  space(state);
  cake_buf_char(out_of(state), '(');
  for (uint32_t i = 0; i < count; i++) {
    if (i) cake_buf_text(out_of(state), ", ");
    cake_printer_value(state->printer->out, entry->args[i]);
  }
  cake_buf_char(out_of(state), ')');
}

static void print_iter(State *state, const CakeAsmNode *node) {
  CakeOperandRange range = cake_op_operand_group(state->op, node->ref.row);
  const CakeBlock *entry = entry_of(state, node->second.row);
  if (!range.count || !entry || entry->n_args < range.count) return;
  space(state);
  cake_buf_text(out_of(state), "iter(");
  for (uint32_t i = 0; i < range.count; i++) {
    if (i) cake_buf_text(out_of(state), ", ");
    cake_printer_value(state->printer->out, entry->args[entry->n_args - range.count + i]);
    cake_buf_text(out_of(state), " = ");
    cake_printer_value(state->printer->out, range.first[i].value);
  }
  cake_buf_char(out_of(state), ')');
}

static void print_region(State *state, const CakeAsmNode *node) {
  if (node->ref.row >= state->op->n_regions) return;
  bool plain = node->kind == CAKE_ASM_REGION_PLAIN, implicit = cake_op_has_trait(state->op, CAKE_TRAIT_IMPLICIT_END);
  space(state);
  cake_printer_region(state->printer->out, cake_op_region(state->op, node->ref.row),
                      (CakeRegionStyle){plain, !implicit, false});
}

// A directive's text is set off by a space, but for brackets that belong to what stands before.
static void print_custom(State *state, const CakeAsmNode *node) {
  CakeBuf *out = out_of(state);
  CakeAsmLast before = state->last;
  size_t at = out->len;
  space(state);
  size_t begin = out->len;
  state->printer->out->held++;
  node->directive->print(state->printer, state->op, node->refs, node->n_refs);
  state->printer->out->held--;
  char first = begin < out->len ? out->data[begin] : '\0';
  bool is_word = before == CAKE_LAST_WORD;
  bool tight = first == '<' || first == ',' || (first == '(' && is_word) || (first == '[' && !is_word);
  if (begin == out->len) state->last = before;
  if ((begin == out->len || tight) && begin > at) {
    memmove(out->data + at, out->data + begin, out->len - begin);
    out->len -= begin - at;
    out->data[out->len] = '\0';
  }
}

static void print_any(State *state, uint32_t index) {
  const CakeAsmNode *nodes = state->printer->format->nodes;
  for (uint32_t i = index + 1; i < nodes[index].end; i = nodes[i].end)
    if (cake_asm_is_present(state->op, state->printer->format, &nodes[nodes[i].anchor]))
      print_nodes(state, i + 1, nodes[i].end);
}

static void print_node(State *state, uint32_t index) {
  const CakeAsmNode *nodes = state->printer->format->nodes, *node = &nodes[index];
  switch (node->kind) {
  case CAKE_ASM_LITERAL: print_literal(state, node); break;
  case CAKE_ASM_NO_SPACE: state->last = CAKE_LAST_GLUE; break;
  case CAKE_ASM_OPERANDS: print_operands(state, node->ref.row); break;
  case CAKE_ASM_ATTRIBUTE:
  case CAKE_ASM_KEYWORD: print_attribute(state, node); break;
  case CAKE_ASM_SYMBOL:
    print_attribute(state, node);
    state->last = CAKE_LAST_WORD;
    break;
  case CAKE_ASM_UNIT:
  case CAKE_ASM_CLAUSE: break;
  case CAKE_ASM_REGION_PLAIN:
  case CAKE_ASM_REGION_ARGS: print_region(state, node); break;
  case CAKE_ASM_TYPE: print_types(state, node->ref); break;
  case CAKE_ASM_FUNCTIONAL:
    space(state);
    cake_printer_functional_type(state->printer->out, state->op);
    break;
  case CAKE_ASM_DICT:
  case CAKE_ASM_DICT_KEYWORD:
    cake_asm_print_attr_dict(state->printer, state->op, state->printer->format->printed_rows,
                             node->kind == CAKE_ASM_DICT_KEYWORD);
    state->last = state->last == CAKE_LAST_GLUE ? CAKE_LAST_OTHER : state->last;
    break;
  case CAKE_ASM_ARGS: print_args(state, node); break;
  case CAKE_ASM_ITER: print_iter(state, node); break;
  case CAKE_ASM_CUSTOM: print_custom(state, node); break;
  case CAKE_ASM_RESULTS: print_result_types(state); break;
  case CAKE_ASM_FUNCTION:
    cake_asm_print_function(state->printer, state->op);
    state->last = CAKE_LAST_OTHER;
    break;
  case CAKE_ASM_TARGET: print_target(state, node); break;
  case CAKE_ASM_GROUP:
    if (cake_asm_is_present(state->op, state->printer->format, &nodes[node->anchor]))
      print_nodes(state, index + 1, node->end);
    break;
  case CAKE_ASM_ANY: print_any(state, index); break;
  }
}

static void print_nodes(State *state, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i = state->printer->format->nodes[i].end)
    print_node(state, i);
}

// Nodes of a format behind something that is neither a word nor punctuation.
void cake_asm_print_nodes(CakePrinter *printer, const CakeOp *op, const CakeAsmFormat *format, uint32_t begin,
                          uint32_t end) {
  CakeOp *printed = (CakeOp *)(uintptr_t)op; // which printing does not change
  CakeAsmPrinter asm_printer = {printer, printed, format};
  State state = {&asm_printer, printed, CAKE_LAST_OTHER};
  print_nodes(&state, begin, end);
}

// The op's name: directly in an op with a default dialect, and builtin at the top, it is printed without the dialect.
CakeStr cake_asm_printed_name(const CakeOp *op) {
  const CakeOp *around = op->block ? cake_block_parent(op->block) : NULL;
  bool is_short =
      around ? cake_op_has_trait(around, CAKE_TRAIT_DEFAULT_DIALECT) && around->info->dialect == op->info->dialect
             : op->info->dialect == &cake_dialect_builtin;
  return is_short ? cake_str(op->info->def->name) : cake_op_name(op);
}

void cake_asm_print_op(CakePrinter *printer, CakeOp *op, const CakeAsmFormat *format) {
  CakeAsmPrinter asm_printer = {printer, op, format};
  if (format->quick && cake_quick_print(printer, op, format)) return;
  cake_buf_str(printer->out, cake_asm_printed_name(op));
  if (op->info->def->print) {
    op->info->def->print(&asm_printer, op);
    return;
  }
  State state = {&asm_printer, op, CAKE_LAST_NAME};
  print_nodes(&state, 0, format->n_nodes);
}
