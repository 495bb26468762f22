// What the descriptors say about ops, types and attributes, as Markdown without a heading: for the reference, for editors
// and for agents.
#ifndef CAKE_DIALECTS_DESCRIBE_H
#define CAKE_DIALECTS_DESCRIBE_H

#include "cake/dialect.h"

CAKE_BEGIN_C

void cake_describe_op(const CakeOpDef *op, CakeBuf *out);
void cake_describe_type(const CakeTypeDef *type, CakeBuf *out);
void cake_describe_attr(const CakeAttrDef *attr, CakeBuf *out);
// A cell of a table: `|` would end it.
void cake_describe_cell(CakeBuf *out, const char *text);

CAKE_END_C
#endif
