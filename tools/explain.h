// What a diagnostic code is about: its clause, and the smallest bad and good program.
#ifndef CAKE_TOOLS_EXPLAIN_H
#define CAKE_TOOLS_EXPLAIN_H

#include "cake/finding.h"

// For people, in plain text. False: there is no such code.
bool cake_explain(CakeStr code, CakeBuf *out);
// Appends a program of the catalogue, the wrong or the right one of a code, without the marks of the test. False: there is none.
bool cake_catalogue_put(CakeCode code, bool is_right, const char *indent, CakeBuf *out);

#endif
