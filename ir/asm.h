// What the files of custom forms share: formats (asm_format.c), reading (asm_parse.c, asm_resolve.c, asm_region.c) and printing (asm_print.c).
#ifndef CAKE_IR_ASM_H
#define CAKE_IR_ASM_H

#include "parser.h"
#include "printer.h"

// ---- Formats -------------------------------------------------------------------------------------------------------

typedef enum CakeAsmKind {
  CAKE_ASM_LITERAL,
  CAKE_ASM_NO_SPACE, // `` in a format
  CAKE_ASM_OPERANDS,
  CAKE_ASM_ATTRIBUTE,
  CAKE_ASM_KEYWORD,
  CAKE_ASM_SYMBOL,
  CAKE_ASM_UNIT,
  CAKE_ASM_REGION_PLAIN, // $region
  CAKE_ASM_REGION_ARGS,  // region($region)
  CAKE_ASM_TYPE,
  CAKE_ASM_FUNCTIONAL,
  CAKE_ASM_DICT,
  CAKE_ASM_DICT_KEYWORD,
  CAKE_ASM_ARGS,
  CAKE_ASM_ITER,
  CAKE_ASM_CUSTOM,
  CAKE_ASM_RESULTS,
  CAKE_ASM_FUNCTION,
  CAKE_ASM_TARGET, // the number of the successor is second.row
  CAKE_ASM_GROUP,
  CAKE_ASM_ANY,
  CAKE_ASM_CLAUSE,
} CakeAsmKind;

typedef struct CakeAsmNode {
  CakeAsmKind kind;
  uint32_t end;    // GROUP, ANY, CLAUSE: behind the last child
  uint32_t anchor; // GROUP, CLAUSE: the node whose presence decides
  CakeAsmRef ref, second;
  CakeStr text;        // LITERAL
  CakeToken token;     // LITERAL
  uint8_t spacing;     // LITERAL: how it is set off from what stands around it (asm_print.c)
  CakeType fixed_type; // ATTRIBUTE: the type that the constraint fixes
  bool has_plain_strings; // ATTRIBUTE: a type behind a string is not the string's
  const CakeAsmDirective *directive;
  CakeAsmRef *refs; // CUSTOM
  size_t n_refs;
} CakeAsmNode;

typedef struct CakeAsmFormat {
  const CakeAsmNode *nodes; // NULL: no custom form
  uint32_t n_nodes;
  uint64_t printed_rows;    // attribute rows that some node prints
  const CakeAttr *defaults; // by row; NULL entries: none. NULL: the op has no defaults
  CakeType *operand_types;  // by operand row: the one type that the constraint allows, or NULL
  CakeType *result_types;   // by result row
  CakeOpInfo *end;          // the implicit terminator
  struct CakeQuickForm *quick; // NULL: the form is not read quickly, or not yet
  uint32_t n_met;           // ops that could have been read or printed by it, up to those that make it worth while
  const char *error;        // malformed: what is wrong
} CakeAsmFormat;

// Compiled on first use, kept in the context. Never NULL; for a registered op.
const CakeAsmFormat *cake_asm_format(CakeContext *context, CakeOpInfo *info);
// The same, for an op that could be read or printed quickly: makes the quick form, too, unless such ops are few.
const CakeAsmFormat *cake_asm_met_format(CakeContext *context, CakeOpInfo *info);

// ---- Reading -------------------------------------------------------------------------------------------------------

struct CakeAsmParser {
  CakeParser *stream;
  CakeOpInfo *info;
  const CakeAsmFormat *format;
  CakeLoc loc;
  size_t operands, types, attrs, region_args, blocks, regions, results; // where its part of the parser's stacks begins
  uint32_t n_props;
  CakeAttr discardable;
  bool is_functional; // operand types were given in the order of the operands
  CakeOp *op;         // was made by its header (quick.h), and regions are parsed where they are; NULL: it comes at the end
  CakeOp *shell;      // the stand-in in which the first region was parsed, with its blocks; NULL: none
  // The operand that was asked for last: those of a group are asked for one after the other.
  uint32_t found_group, found_index;
  size_t found; // its place + 1; 0: none was
  // The group whose operands were counted last, up to where, and how many there were.
  uint32_t counted_group, counted;
  size_t counted_end; // 0: none was
};

// The custom form behind the op's name; makes the op at the end of parser->block.
CakeOp *cake_asm_parse_op(CakeParser *parser, CakeOpInfo *info, CakeLoc loc, size_t results);
uint8_t cake_asm_spacing(CakeStr literal);         // asm_print.c
bool cake_asm_parse_format(CakeAsmParser *parser); // asm_parse.c
CakeOp *cake_asm_make_op(CakeAsmParser *parser);   // asm_resolve.c: types, inference, the op itself
bool cake_asm_parse_rest(CakeParser *stream, CakeOp *op, const CakeAsmFormat *format, uint32_t node,
                         size_t region_args); // asm_parse.c: of an op that was made, what the nodes from that one on say
// asm_region.c: how a region of such an op is parsed.
CakeRegionRequest cake_asm_region_request(const CakeOpDef *def, const CakeAsmFormat *format, uint32_t region, CakeLoc loc);
// An op with the regions that were parsed, in no block.
CakeOp *cake_asm_create_with_regions(CakeAsmParser *parser, const CakeOpState *state);
CakeAsmOperand *cake_asm_operand_at(CakeAsmParser *parser, uint32_t group, uint32_t index); // NULL: none
// Types at parser->types[base …) are those of an operand or result group; gives them back.
bool cake_asm_take_types(CakeAsmParser *parser, CakeAsmRef ref, size_t base, CakeLoc loc);
bool cake_asm_take_functional(CakeAsmParser *parser, size_t base, size_t middle, CakeLoc loc);

// ---- Printing ------------------------------------------------------------------------------------------------------

struct CakeAsmPrinter {
  CakePrinter *out;
  CakeOp *op;
  const CakeAsmFormat *format;
};

bool cake_quick_print(CakePrinter *printer, const CakeOp *op, const CakeAsmFormat *format); // quick_print.c; false: nothing is printed
// What stood last: decides whether a space comes next (MLIR's rules for punctuation).
typedef enum CakeAsmLast { CAKE_LAST_NAME, CAKE_LAST_WORD, CAKE_LAST_OTHER, CAKE_LAST_PUNCTUATION, CAKE_LAST_GLUE } CakeAsmLast;
bool cake_asm_literal_is_tight(const CakeAsmNode *node, CakeAsmLast last); // no space comes in front of it
CakeAsmLast cake_asm_behind_literal(const CakeAsmNode *node);
bool cake_asm_is_present(const CakeOp *op, const CakeAsmFormat *format, const CakeAsmNode *node); // decides optional groups
CakeStr cake_asm_printed_name(const CakeOp *op); // the name of the op where it stands
void cake_asm_print_nodes(CakePrinter *printer, const CakeOp *op, const CakeAsmFormat *format, uint32_t begin, uint32_t end);
void cake_asm_print_prop(CakePrinter *printer, CakeAttr attr, CakeType fixed_type);
void cake_asm_print_op(CakePrinter *printer, CakeOp *op, const CakeAsmFormat *format);

#endif
