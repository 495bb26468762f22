// Pages of the reference manual, as Markdown.
#ifndef CAKE_TOOLS_DOCS_H
#define CAKE_TOOLS_DOCS_H

#include "cake/pass.h"

void docs_dialect(const CakeDialectDef *dialect, CakeBuf *out);
void docs_passes(const CakePassRegistry *registry, const char *source, CakeBuf *out);
void docs_diagnostics(CakeBuf *out);
void docs_rules(CakeBuf *out);
// What the `where` of rewrites can ask and compute.
void docs_rewrites(CakeBuf *out);
// The matchers of cake-query.
void docs_queries(CakeBuf *out);

#endif
