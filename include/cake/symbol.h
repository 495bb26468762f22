// Symbols: names of operations in the region of a symbol table.
#ifndef CAKE_SYMBOL_H
#define CAKE_SYMBOL_H

#include "cake/op.h"

CAKE_BEGIN_C

// The op's `sym_name`; NULL when it has none.
CakeId cake_symbol_name(const CakeOp *op);
// The op with that `sym_name` directly in the region(s) of `table`.
CakeOp *cake_symbol_lookup_in(const CakeOp *table, CakeId name);
// From `from` (inclusive when it is a table itself) outwards through the symbol tables; follows nested references. NULL when absent.
CakeOp *cake_symbol_lookup(const CakeOp *from, CakeAttr reference);
CakeOp *cake_symbol_lookup_name(const CakeOp *from, CakeId name);
// Whether nobody outside of `root` can name the symbol: it is private; or nested, and there is nothing around the root, or a table around the symbol has
// no name or a private one.
bool cake_symbol_is_hidden(const CakeOp *symbol, const CakeOp *root);
// The nearest op around (or equal to) `op` with the symbol-table trait.
CakeOp *cake_symbol_table_of(const CakeOp *op);

CAKE_END_C
#endif
