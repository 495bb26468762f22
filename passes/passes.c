// The table of passes, expanded from passes.def.
#include "passes/passes.h"

#define PASS_CAT_(a, b) a##b
#define PASS_CAT(a, b) PASS_CAT_(a, b)

// Positions in the flat table of options; a pass has [begin, end).
#define PASS(id, ...) option_begin_##id, option_bback_##id = option_begin_##id - 1,
#define OPTION(id, ...) PASS_CAT(option_at_, __LINE__),
#define END(id) option_end_##id, option_eback_##id = option_end_##id - 1,
enum {
#include "passes/passes.def"
  option_count
};
#undef PASS
#undef OPTION
#undef END

#define PASS(...)
#define OPTION(id, name, kind, text, doc) {name, CAKE_OPTION_##kind, text, doc},
#define END(id)
static const CakePassOption pass_options[] = {
#include "passes/passes.def"
    {0}};
#undef PASS
#undef OPTION

#define PASS(id, text, op, brief, words)                                                                               \
  {.name = text,                                                                                                       \
   .summary = brief,                                                                                                   \
   .description = words,                                                                                               \
   .anchor = op,                                                                                                       \
   .options = &pass_options[option_begin_##id],                                                                        \
   .n_options = option_end_##id - option_begin_##id,                                                                   \
   .run = cake_pass_##id},
#define OPTION(...)
const CakePassDef cake_passes_table[] = {
#include "passes/passes.def"
    {0}};

static const CakePassDef *const tables[] = {cake_passes_table};
const CakePassRegistry cake_passes_registry = {tables, CAKE_COUNT(tables)};
