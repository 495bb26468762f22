// Sparse forward dataflow: the solver. What calls lead to is in dataflow_calls.c.
#include "analysis/dataflow_private.h"

#include "analysis/flow.h"

enum {
  FIRST_CAPACITY = 1024, // of the table of states: a power of two
  FEW_OPERANDS = 16,
};

// ---- States --------------------------------------------------------------------------------------------------------

// The value's entry, or the free one that it would have.
static uint64_t *entry_of(const CakeDataflow *dataflow, const CakeValue *value) {
  size_t mask = dataflow->capacity - 1;
  uint64_t hash = (uint64_t)(uintptr_t)value * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (size_t)((hash >> 32) * dataflow->capacity >> 32); // by its top bits
  for (;; i = (i + 1) & mask) {
    uint64_t *entry = dataflow->entries + i * dataflow->words;
    if (!entry[0] || entry[0] == (uintptr_t)value) return entry;
  }
}

const void *cake_dataflow_state(const CakeDataflow *dataflow, const CakeValue *value) {
  const uint64_t *entry = entry_of(dataflow, value);
  return entry[0] ? entry + 1 : NULL;
}

static void copy_words(uint64_t *to, const uint64_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = from[i];
}

static void make_table(CakeDataflow *dataflow, size_t capacity) {
  size_t room = capacity / 2; // doubled, or more
  dataflow->capacity = capacity;
  dataflow->entries = cake_vec_grow(NULL, &room, dataflow->words * sizeof *dataflow->entries);
  memset(dataflow->entries, 0, capacity * dataflow->words * sizeof *dataflow->entries);
}

static void grow(CakeDataflow *dataflow) {
  uint64_t *old = dataflow->entries;
  size_t capacity = dataflow->capacity, words = dataflow->words;
  make_table(dataflow, 2 * capacity);
  for (size_t i = 0; i < capacity; i++)
    if (old[i * words])
      copy_words(entry_of(dataflow, (const CakeValue *)(uintptr_t)old[i * words]), old + i * words, words);
  cake_mem_free(old);
}

CakeAttr cake_dataflow_constant(const CakeDataflow *dataflow, const CakeValue *value) {
  const void *state = dataflow->def->constant ? cake_dataflow_state(dataflow, value) : NULL;
  return state ? dataflow->def->constant(state, value->type) : NULL;
}

bool cake_dataflow_runs(const CakeDataflow *dataflow, const CakeBlock *block) {
  uintptr_t found;
  return block == dataflow->last_running || cake_map_get(&dataflow->running, block, &found);
}

// The value may also be what `state` says. Its users are looked at again when that is news.
static void join(CakeDataflow *dataflow, CakeValue *value, const uint64_t *state) {
  uint64_t *entry = entry_of(dataflow, value);
  if (entry[0]) {
    if (!dataflow->def->join(entry + 1, state)) return;
  } else {
    entry[0] = (uintptr_t)value;
    copy_words(entry + 1, state, dataflow->words - 1);
    if (4 * ++dataflow->n_values > 3 * dataflow->capacity) grow(dataflow);
  }
  if (value->first_use) CAKE_PUSH(&dataflow->changed, value);
}

void cake_dataflow_join(CakeDataflow *dataflow, CakeValue *value, const CakeValue *from) {
  uint64_t copy[CAKE_DATAFLOW_WORDS];
  const void *state = cake_dataflow_state(dataflow, from);
  if (!state) return;
  copy_words(copy, state, dataflow->words - 1); // the table may grow
  join(dataflow, value, copy);
}

static void join_anything(CakeDataflow *dataflow, CakeValue *value) {
  uint64_t state[CAKE_DATAFLOW_WORDS] = {0};
  dataflow->def->anything(value, state);
  join(dataflow, value, state);
}

void cake_dataflow_any_results(CakeDataflow *dataflow, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    join_anything(dataflow, &op->results[i]);
}

void cake_dataflow_run_block(CakeDataflow *dataflow, CakeBlock *block) {
  if (cake_dataflow_runs(dataflow, block)) return;
  cake_map_set(&dataflow->running, block, 1);
  CAKE_PUSH(&dataflow->blocks, block);
}

// A block that is entered with values which nothing is known of, from `first_arg` on.
static void enter_anyhow(CakeDataflow *dataflow, CakeBlock *block, uint32_t first_arg) {
  for (uint32_t i = first_arg; i < block->n_args; i++)
    join_anything(dataflow, block->args[i]);
  cake_dataflow_run_block(dataflow, block);
}

void cake_dataflow_enter_region(CakeDataflow *dataflow, CakeRegion *region) {
  if (region->first) enter_anyhow(dataflow, region->first, 0);
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

// Room for so many states.
static uint64_t *reserve(CakeStates *states, size_t words) {
  while (states->capacity < words)
    states->data = cake_vec_grow(states->data, &states->capacity, sizeof *states->data);
  return states->data;
}

// The states of the operands; false: nothing leads to some of them yet, so that nothing can be said.
static bool gather(CakeDataflow *dataflow, const CakeOp *op) {
  size_t words = dataflow->words - 1;
  uint64_t *out = reserve(&dataflow->operands, op->n_operands * words);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const void *state = cake_dataflow_state(dataflow, cake_op_operand(op, i));
    if (!state) return false;
    copy_words(out + i * words, state, words);
  }
  return true;
}

static bool is_zero(const uint64_t *state, size_t words) {
  while (words && !state[words - 1])
    words--;
  return words == 0;
}

static void visit_plain(CakeDataflow *dataflow, CakeOp *op) {
  size_t words = dataflow->words - 1;
  if (op->n_results == 0 || !gather(dataflow, op)) return;
  uint64_t *results = reserve(&dataflow->results, op->n_results * words);
  for (size_t i = 0; i < op->n_results * words; i++)
    results[i] = 0;
  if (op->info->def) dataflow->def->transfer(op, dataflow->operands.data, results);
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (is_zero(results + i * words, words))
      join_anything(dataflow, &op->results[i]);
    else
      join(dataflow, &op->results[i], results + i * words);
  }
}

static void hand_over(CakeDataflow *dataflow, const CakeOp *op, uint32_t index) {
  CakeBlock *block = cake_op_successor(op, index);
  if (!op->info->def || !op->info->def->successor_operands) {
    enter_anyhow(dataflow, block, 0);
    return;
  }
  CakeOperandRange operands = op->info->def->successor_operands(op, index);
  for (uint32_t i = 0; i < operands.count && i < block->n_args; i++)
    cake_dataflow_join(dataflow, block->args[i], operands.first[i].value);
  enter_anyhow(dataflow, block, operands.count);
}

// Which way a branch goes; -1: any; -2: that is not known yet.
static int chosen(CakeDataflow *dataflow, const CakeOp *op) {
  if (!op->info->def || !op->info->def->chosen) return -1;
  if (!cake_dataflow_state(dataflow, cake_op_operand(op, 0))) return -2;
  dataflow->constants.len = 0;
  for (uint32_t i = 0; i < op->n_operands; i++)
    CAKE_PUSH(&dataflow->constants, cake_dataflow_constant(dataflow, cake_op_operand(op, i)));
  return op->info->def->chosen(op, dataflow->constants.data);
}

static void visit_branch(CakeDataflow *dataflow, CakeOp *op) {
  int way = chosen(dataflow, op);
  for (uint32_t i = 0; i < op->n_successors; i++)
    if (cake_op_successor(op, i) && (way == -1 || way == (int)i)) hand_over(dataflow, op, i);
}

// ---- Structured control flow ---------------------------------------------------------------------------------------

// A block may run before its ops were looked at: then what a loop counts with is not known yet.
static bool is_countable(const CakeDataflow *dataflow, const CakeOp *loop) {
  for (uint32_t i = 0; dataflow->def->argument && i < loop->n_operands; i++)
    if (!cake_dataflow_state(dataflow, cake_op_operand(loop, i))) return false;
  return true;
}

// What a loop counts with.
static void count(CakeDataflow *dataflow, CakeOp *loop, CakeValue *argument) {
  uint64_t state[CAKE_DATAFLOW_WORDS] = {0};
  if (dataflow->def->argument) dataflow->def->argument(dataflow, loop, argument, state);
  if (is_zero(state, dataflow->words - 1)) dataflow->def->anything(argument, state);
  join(dataflow, argument, state);
}

// The loop-carried values that come from outside go to the last arguments of the first region, and to `results`.
static void carry_in(CakeDataflow *dataflow, CakeOp *op, bool to_results) {
  CakeOperandRange inits = cake_flow_inits(op);
  CakeBlock *body = cake_op_region(op, 0)->first;
  uint32_t before = body && body->n_args >= inits.count ? body->n_args - inits.count : 0;
  for (uint32_t i = 0; i < inits.count; i++) {
    if (body && before + i < body->n_args) cake_dataflow_join(dataflow, body->args[before + i], inits.first[i].value);
    if (to_results && i < op->n_results) cake_dataflow_join(dataflow, &op->results[i], inits.first[i].value);
  }
  if (!body) return;
  for (uint32_t i = 0; i < before; i++)
    count(dataflow, op, body->args[i]);
  cake_dataflow_run_block(dataflow, body);
}

static void visit_regions(CakeDataflow *dataflow, CakeOp *op) {
  CakeFlowKind flow = op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
  int way = flow == CAKE_FLOW_BRANCH ? chosen(dataflow, op) : -1;
  if (flow == CAKE_FLOW_LOOP || flow == CAKE_FLOW_WHILE) {
    if (is_countable(dataflow, op)) carry_in(dataflow, op, flow == CAKE_FLOW_LOOP);
    return;
  }
  for (uint32_t i = 0; i < op->n_regions; i++)
    if (way == -1 || way == (int)i) cake_dataflow_enter_region(dataflow, cake_op_region(op, i));
  if (flow != CAKE_FLOW_BRANCH) cake_dataflow_any_results(dataflow, op);
}

// The operands of a region's end, from `first` on, become the last values of a list.
static void yield_to(CakeDataflow *dataflow, const CakeOp *end, uint32_t first, CakeOp *op, const CakeBlock *block) {
  uint32_t count = end->n_operands - first;
  uint32_t skipped = block && block->n_args > count ? block->n_args - count : 0;
  for (uint32_t i = 0; i < count; i++) {
    const CakeValue *from = cake_op_operand(end, first + i);
    if (op && i < op->n_results) cake_dataflow_join(dataflow, &op->results[i], from);
    if (block && skipped + i < block->n_args) cake_dataflow_join(dataflow, block->args[skipped + i], from);
  }
}

static void visit_end(CakeDataflow *dataflow, CakeOp *end) {
  CakeOp *around = cake_op_parent(end);
  CakeFlowKind flow = around && around->info->def ? around->info->def->flow.kind : CAKE_FLOW_NONE;
  if (flow == CAKE_FLOW_BRANCH) {
    yield_to(dataflow, end, 0, around, NULL);
  } else if (flow == CAKE_FLOW_LOOP) {
    yield_to(dataflow, end, 0, around, cake_op_region(around, 0)->first);
  } else if (flow == CAKE_FLOW_WHILE && end->block->region == cake_op_region(around, 0) && end->n_operands) {
    CakeBlock *body = cake_op_region(around, 1)->first;
    bool is_known = cake_dataflow_state(dataflow, cake_op_operand(end, 0)) != NULL;
    CakeAttr constant = cake_dataflow_constant(dataflow, cake_op_operand(end, 0));
    yield_to(dataflow, end, 1, around, NULL);
    if (!is_known || (constant && !cake_attr_int_value(constant))) return;
    yield_to(dataflow, end, 1, NULL, body);
    if (body) cake_dataflow_run_block(dataflow, body);
  } else if (flow == CAKE_FLOW_WHILE) {
    yield_to(dataflow, end, 0, NULL, cake_op_region(around, 0)->first);
  } else if (cake_op_has_trait(end, CAKE_TRAIT_RETURN)) {
    cake_dataflow_visit_return(dataflow, end);
  }
}

static void visit(CakeDataflow *dataflow, CakeOp *op) {
  if (op->n_successors) {
    visit_branch(dataflow, op);
    cake_dataflow_any_results(dataflow, op);
  } else if (cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR)) {
    visit_end(dataflow, op);
  } else if (cake_call_graph_is_call(op)) {
    cake_dataflow_visit_call(dataflow, op);
  } else if (cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) {
    cake_dataflow_visit_callable(dataflow, op);
  } else if (op->n_regions) {
    visit_regions(dataflow, op);
  } else {
    visit_plain(dataflow, op);
  }
}

// ---- Solving -------------------------------------------------------------------------------------------------------

// An op with many operands waits until nothing else changes: it would be looked at as often as it has operands.
static void visit_soon(CakeDataflow *dataflow, CakeOp *op) {
  uintptr_t is_waiting;
  if (op->n_operands <= FEW_OPERANDS) {
    visit(dataflow, op);
  } else if (!cake_map_get(&dataflow->is_wide, op, &is_waiting)) {
    cake_map_set(&dataflow->is_wide, op, 1);
    CAKE_PUSH(&dataflow->wide, op);
  }
}

static void visit_users(CakeDataflow *dataflow, const CakeValue *value) {
  for (CakeUse *use = value->first_use; use; use = use->next)
    if (use->owner->block && cake_dataflow_runs(dataflow, use->owner->block)) visit_soon(dataflow, use->owner);
}

static void visit_wide(CakeDataflow *dataflow) {
  CakeOp *op = dataflow->wide.data[--dataflow->wide.len];
  cake_map_remove(&dataflow->is_wide, op);
  visit(dataflow, op);
}

static void solve(CakeDataflow *dataflow) {
  for (;;) {
    if (dataflow->changed.len) {
      visit_users(dataflow, dataflow->changed.data[--dataflow->changed.len]);
    } else if (dataflow->wide.len) {
      visit_wide(dataflow);
    } else if (dataflow->blocks.len) {
      CakeBlock *block = dataflow->blocks.data[--dataflow->blocks.len];
      dataflow->last_running = block;
      for (CakeOp *op = block->first; op; op = op->next)
        visit(dataflow, op);
    } else {
      return;
    }
  }
}

// What comes from outside of a root that is not isolated may be anything.
static void outside_varies(CakeDataflow *dataflow, CakeOp *root) {
  if (cake_op_has_trait(root, CAKE_TRAIT_ISOLATED)) return;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    for (uint32_t i = 0; i < op->n_operands; i++) {
      CakeValue *value = cake_op_operand(op, i);
      CakeOp *around = value ? cake_block_parent(cake_value_block(value)) : NULL;
      if (value && (!around || !cake_op_is_ancestor(root, around))) join_anything(dataflow, value);
    }
}

CakeDataflow *cake_dataflow_create(const CakeDataflowDef *def, CakeOp *root) {
  CakeArena *arena = cake_arena_create();
  CakeDataflow *dataflow = CAKE_ARENA_NEW(arena, CakeDataflow);
  dataflow->def = def;
  dataflow->arena = arena;
  dataflow->words = 1 + (def->size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
  make_table(dataflow, FIRST_CAPACITY);
  cake_known_calls_init(&dataflow->calls, root);
  outside_varies(dataflow, root);
  for (uint32_t i = 0; i < root->n_regions; i++)
    cake_dataflow_enter_region(dataflow, cake_op_region(root, i));
  solve(dataflow);
  return dataflow;
}

void cake_dataflow_destroy(CakeDataflow *dataflow) {
  if (!dataflow) return;
  cake_mem_free(dataflow->entries);
  CAKE_VEC_FINI(&dataflow->changed);
  CAKE_VEC_FINI(&dataflow->blocks);
  CAKE_VEC_FINI(&dataflow->wide);
  cake_map_fini(&dataflow->is_wide);
  CAKE_VEC_FINI(&dataflow->constants);
  CAKE_VEC_FINI(&dataflow->operands);
  CAKE_VEC_FINI(&dataflow->results);
  cake_map_fini(&dataflow->running);
  cake_known_calls_fini(&dataflow->calls);
  cake_arena_destroy(dataflow->arena);
}
