// Analyses that passes share: made when first asked for, dropped when a pass has changed what they say.
#include "pass.h"

typedef struct Entry {
  const CakeAnalysisDef *def;
  CakeOp *op;
  void *analysis;
  bool is_preserved; // by the pass that runs
} Entry;

struct CakeAnalyses {
  CAKE_VEC(Entry) entries;
};

CakeAnalyses *cake_analyses_create(CakeArena *arena) {
  return CAKE_ARENA_NEW(arena, CakeAnalyses);
}

void *cake_pass_analysis(CakePassContext *pass, const CakeAnalysisDef *def, CakeOp *op) {
  CakeAnalyses *analyses = pass->analyses;
  for (size_t i = 0; i < analyses->entries.len; i++)
    if (analyses->entries.data[i].def == def && analyses->entries.data[i].op == op)
      return analyses->entries.data[i].analysis;
  CAKE_PUSH(&analyses->entries, (Entry){.def = def, .op = op, .analysis = def->create(op)});
  return analyses->entries.data[analyses->entries.len - 1].analysis;
}

void cake_pass_preserve(CakePassContext *pass, const CakeAnalysisDef *def) {
  for (size_t i = 0; i < pass->analyses->entries.len; i++)
    if (pass->analyses->entries.data[i].def == def) pass->analyses->entries.data[i].is_preserved = true;
}

void cake_analyses_after(CakeAnalyses *analyses, bool is_changed) {
  size_t kept = 0;
  for (size_t i = 0; i < analyses->entries.len; i++) {
    Entry entry = analyses->entries.data[i];
    if (is_changed && !entry.is_preserved) {
      entry.def->destroy(entry.analysis);
      continue;
    }
    entry.is_preserved = false;
    analyses->entries.data[kept++] = entry;
  }
  analyses->entries.len = kept;
}

void cake_analyses_fini(CakeAnalyses *analyses) {
  for (size_t i = 0; i < analyses->entries.len; i++)
    analyses->entries.data[i].def->destroy(analyses->entries.data[i].analysis);
  CAKE_VEC_FINI(&analyses->entries);
}
