// Assembly formats: the custom form of an op as a format string, and what dialect directives may call.
//
// The language of `CakeOpDef.assembly` (spaces separate; one token of look-ahead decides everything):
//
//   `text`            a literal token or keyword; `` takes away the space that would be printed here
//   $name             an operand group (`%a`, or a list `%a, %b` when variadic), an attribute, or a region (`{ … }`), by the row's kind.
//                     Attributes print without their type when the constraint fixes it (i64, i32, f32 by the row's constraint; index);
//                     symbol references as @name; strings quoted; unit attributes only in groups: ( `clip` $clip^ )?
//   $name:keyword     an attribute printed as a bare keyword (a string attribute)
//   $name:symbol      `sym_name`: the string attribute printed as @name
//   type($name)       the type(s) of an operand or result group
//   functional-type   `(operand types) -> result types`
//   attr-dict         `{…}` of the attributes that nothing else prints; attr-dict-with-keyword: `attributes {…}`
//   ( … )?            optional group: printed when its anchor (an element followed by `^`, else the first that is no literal) is present;
//                     parsed when the token can begin its first element. A directive that stands first and takes no token says it is absent
//   any( … | … | … )  clauses in any order, each at most once, each starting with its own literal; printed in the order of the format,
//                     each when its anchor is present
//   args($region)     `(%a, %b, …)`: names the first arguments of the region's entry block, all of type index
//   iter($group, $region)  `iter(%x = %init, …)`: operands and the block arguments behind those of args(); their types are the operands'
//   region($region)   the block `{ … }` with the arguments given so far; the terminator is left out with CAKE_TRAIT_IMPLICIT_END when it has no operands
//   function          all that func.func has, for an op with the attributes `sym_name`, `function_type` (and, where it has them, `sym_visibility`,
//                     `arg_attrs`, `res_attrs`) and one region: `private @f(%a: i32) -> i32 attributes {…} { … }`
//   target($group)    `^block(%a, %b : types)`: the next successor, and operands that it hands to the block's arguments
//   custom<name>($a, $b, …)  a directive of the op's dialect. It prints no space in front: that is done here, but not before `<`, `,`, `(` behind
//                     a word or symbol, and `[` behind anything else
//   results           `: type, …` of the results when there is no `infer` hook that can tell (the parser requires it then); with an `infer` hook: nothing
//
// Attributes with a default are left out of the text when they equal it, and are set when the text leaves them out, in both forms.
// Operand types, where no type(…) gives them: the one type of all operands (SAME_TYPE, SAME_OPERANDS), the one type of the row's constraint
// (cake_is_index, …i1, …i32, …i64, …f32), else that of the value, which must be defined then. Result types: SAME_TYPE, the constraint, `infer`.
#ifndef CAKE_ASM_H
#define CAKE_ASM_H

#include "cake/text.h"

CAKE_BEGIN_C

typedef enum CakeAsmRefKind { CAKE_ASM_OPERAND, CAKE_ASM_ATTR, CAKE_ASM_REGION, CAKE_ASM_RESULT } CakeAsmRefKind;

// A `$name` handed to a directive: what it is and its row number.
struct CakeAsmRef {
  CakeAsmRefKind kind;
  uint32_t row;
};

// Parsing: the token stream is `cake_asm_stream(p)`, with all calls of cake/text.h.
CakeParser *cake_asm_stream(CakeAsmParser *parser);
const CakeOpDef *cake_asm_def(CakeAsmParser *parser);
// The op that will be around the one being parsed; NULL at top level.
CakeOp *cake_asm_parent(CakeAsmParser *parser);
// `%name`: appended to an operand group, unresolved until its type is known (from type(…), or because it is defined already).
bool cake_asm_operand(CakeAsmParser *parser, uint32_t group);
// `%name` that must be defined already; the value comes back too.
bool cake_asm_defined_operand(CakeAsmParser *parser, uint32_t group, CakeValue **out);
// Gives the i-th operand of a group its type.
void cake_asm_set_operand_type(CakeAsmParser *parser, uint32_t group, uint32_t index, CakeType type);
CakeType cake_asm_operand_type(CakeAsmParser *parser, uint32_t group, uint32_t index); // NULL while not known
uint32_t cake_asm_group_count(CakeAsmParser *parser, uint32_t group);
void cake_asm_set_attr(CakeAsmParser *parser, uint32_t row, CakeAttr value);
CakeAttr cake_asm_attr(CakeAsmParser *parser, uint32_t row);
void cake_asm_add_result_type(CakeAsmParser *parser, CakeType type);
// `^block`: appended to the op's successors; the label may be defined later in the region.
bool cake_asm_successor(CakeAsmParser *parser);
// `^block(%a, %b : types)`: what target($group) parses. Several targets may share a group.
bool cake_asm_target(CakeAsmParser *parser, uint32_t group);
// Names of results on the left-hand side, counted ("%a:2, %b" = 3).
uint32_t cake_asm_results_wanted(CakeAsmParser *parser);
bool cake_asm_attr_dict(CakeAsmParser *parser, bool with_keyword); // optional `{…}`, sorted into rows and discardable ones
// Adds an argument to the entry block of a region that region($x) will parse later in the same format (as args() and iter() do).
void cake_asm_add_region_arg(CakeAsmParser *parser, uint32_t region, CakeId name, CakeLoc loc, CakeType type);
// Region with already known arguments: `names` are %names (may be NULL when count is 0).
bool cake_asm_region(CakeAsmParser *parser, uint32_t region, const CakeId *names, const CakeLoc *locs, const CakeType *types, uint32_t count);
// The same with the arguments that cake_asm_add_region_arg gave.
bool cake_asm_region_with_args(CakeAsmParser *parser, uint32_t region);
bool cake_asm_region_is_empty(const CakeAsmParser *parser, uint32_t region); // that cake_asm_region has parsed: `{}`
// For hand-written forms: the `%name` of a block argument, to be handed to cake_asm_region (its type is the caller's to parse).
bool cake_asm_argument(CakeAsmParser *parser, CakeId *out_name, CakeLoc *out_loc);

// `(item, …)`, or `()`: `item` parses one.
bool cake_asm_list(CakeAsmParser *parser, bool (*item)(CakeAsmParser *parser, void *user), void *user);

// ---- Reading from characters (ir/quick.h) -----------------------------------------------------------------------------
//
// For `quick` hooks of ops and directives: the form that has nothing unusual about it, on one line, with at most one space in front of each
// part, and values that are defined. Each of these reads what it says, or is false: then so is the hook, and `parse` reads the op from its
// start on. Nothing is made and nothing is reported; a literal that is not there leaves the hook where it was.
enum { CAKE_QUICK_TYPES_MOST = 16 };
typedef struct CakeQuickTypes {
  uint32_t count;
  CakeType types[CAKE_QUICK_TYPES_MOST];
} CakeQuickTypes;

CakeContext *cake_quick_context(const CakeQuick *quick);
char cake_quick_next(const CakeQuick *quick); // the first character of the next token, wherever it stands; NUL: there is none
bool cake_quick_literal(CakeQuick *quick, const char *text);
bool cake_quick_bare(CakeQuick *quick, CakeStr *out); // a word
const CakeOpDef *cake_quick_def(const CakeQuick *quick);
bool cake_quick_operand(CakeQuick *quick, uint32_t group); // `%a`; groups come in their order
CakeType cake_quick_operand_type(const CakeQuick *quick, uint32_t index); // of all operands so far
// `%a`, an argument of the region; its type must be given before the hook ends.
bool cake_quick_argument(CakeQuick *quick, uint32_t region);
bool cake_quick_arguments(CakeQuick *quick, uint32_t region); // `%a: type, …)` behind the opening parenthesis
uint32_t cake_quick_n_arguments(const CakeQuick *quick);      // so far
CakeType cake_quick_argument_type(const CakeQuick *quick, uint32_t index);
void cake_quick_set_argument_type(CakeQuick *quick, uint32_t index, CakeType type);
// `%x = %init, …)` behind the opening parenthesis: arguments of the region, and operands.
bool cake_quick_assignments(CakeQuick *quick, uint32_t region, uint32_t group);
bool cake_quick_type(CakeQuick *quick, CakeType *out);             // whose text was read before
bool cake_quick_types(CakeQuick *quick, CakeQuickTypes *out);      // `type, …)` behind the opening parenthesis
bool cake_quick_type_list(CakeQuick *quick, CakeQuickTypes *out);  // `type` or `(type, …)`
void cake_quick_set_results(CakeQuick *quick, const CakeQuickTypes *types); // the types of all results; else there are none
bool cake_quick_symbol_name(CakeQuick *quick, uint32_t row);       // `@name` as a string attribute
bool cake_quick_attributes(CakeQuick *quick); // `attributes {…}`, if it is there, of discardable ones
void cake_quick_set_attr(CakeQuick *quick, uint32_t row, CakeAttr value);

CakePrinter *cake_asm_out(CakeAsmPrinter *printer); // for cake_printer_* calls
CakeBuf *cake_asm_buf(CakeAsmPrinter *printer);
void cake_asm_print_value(CakeAsmPrinter *printer, const CakeValue *value);
void cake_asm_print_region(CakeAsmPrinter *printer, const CakeRegion *region, bool print_args, bool print_terminator);
void cake_asm_print_loc(CakeAsmPrinter *printer, CakeLoc loc); // ` loc(…)` of an argument, when locations are printed
void cake_asm_print_successor(CakeAsmPrinter *printer, const CakeBlock *block);
void cake_asm_print_target(CakeAsmPrinter *printer, const CakeBlock *block, CakeOperandRange operands);
// A line end and the indentation of the op that is being printed (scf.index_switch).
void cake_asm_newline(CakeAsmPrinter *printer);
// `{…}` of discardable attributes and of inherent ones not in `printed` (bit by row).
void cake_asm_print_attr_dict(CakeAsmPrinter *printer, const CakeOp *op, uint64_t printed_rows, bool with_keyword);

// What is wrong with the op's assembly format or the text of its defaults; NULL when nothing is. For tests: all registered ops must pass.
const char *cake_op_format_error(CakeContext *context, CakeOpInfo *info);

CAKE_END_C
#endif
