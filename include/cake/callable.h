// Callables: functions, calls and returns of any dialect.
//
// A function is an op with the traits SYMBOL, ISOLATED and CALLABLE, a region, and the attributes `sym_name` and `function_type`; it may have
// `sym_visibility`, `arg_attrs` and `res_attrs`. A return has the traits TERMINATOR and RETURN; a call says in `.callee` which attribute names
// whom it calls. What follows are hooks for their rows.
#ifndef CAKE_CALLABLE_H
#define CAKE_CALLABLE_H

#include "cake/asm.h"

CAKE_BEGIN_C

// The custom form of a function, as func.func has it: `private @f(%a: i32) -> i32 attributes {…} { … }`. The directive `function` of an assembly format
// is the same.
bool cake_asm_parse_function(CakeAsmParser *parser);
bool cake_asm_quick_function(CakeQuick *quick); // its header from characters, where nothing about it is unusual
void cake_asm_print_function(CakeAsmPrinter *printer, CakeOp *op);
// Whether ops of that kind have what the form needs.
bool cake_op_def_is_function(const CakeOpDef *def);

// The type that the op's `function_type` says; NULL: it has none, or that is no function type.
CakeType cake_callable_type(const CakeOp *callable);

// Of a function: the arguments of its entry block are those of its type; without a body it is not public; dictionaries are as many as types.
bool cake_verify_function(CakeOp *op);
// Of a return: its operands are the results of the callable around it.
bool cake_verify_return(CakeOp *op);
// Of a call: there is such a callable, and operands and results are those of its type.
bool cake_verify_call(CakeOp *op);
bool cake_verify_call_of(CakeOp *op, const CakeOp *callable); // the latter alone

CAKE_END_C
#endif
