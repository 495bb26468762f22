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

// The op may be gone.
static bool is_dropped(const Entry *entry, const CakeOp *only) {
  return only && !cake_op_is_ancestor(entry->op, only);
}

const CakeAnalysisDef *cake_analyses_find_wrong(const CakeAnalyses *analyses, const CakeOp *only) {
  for (size_t i = 0; i < analyses->entries.len; i++) {
    const Entry *entry = &analyses->entries.data[i];
    if (!entry->is_preserved || !entry->def->is_same || is_dropped(entry, only)) continue;
    void *fresh = entry->def->create(entry->op);
    bool is_same = entry->def->is_same(entry->op, entry->analysis, fresh);
    entry->def->destroy(fresh);
    if (!is_same) return entry->def;
  }
  return NULL;
}

void cake_analyses_after(CakeAnalyses *analyses, bool is_changed, const CakeOp *only) {
  size_t kept = 0;
  for (size_t i = 0; i < analyses->entries.len; i++) {
    Entry entry = analyses->entries.data[i];
    if (is_changed && (!entry.is_preserved || is_dropped(&entry, only))) {
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
