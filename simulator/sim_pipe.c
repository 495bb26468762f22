// cake: pipelines. A slot is empty, open, committed (copies are under way), full, and empty again when every consumer released it.
#include "simulator/build.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/slots.h"

#include <string.h>

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/copies.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/slots.def"
#include "simulator/build_rows.h"

static void clear(const CakeSimPipe *pipe, CakeSimStage *stage) {
  for (uint32_t p = 0; p < pipe->n_parts; p++)
    memset(stage->filled[p], CAKE_SIM_UNWRITTEN, pipe->parts[p].count);
}

void cake_sim_pipe_reset(CakeSimPipe *pipe) {
  for (uint32_t s = 0; s < pipe->n_stages; s++) {
    CakeSimStage *stage = &pipe->stages[s];
    stage->state = CAKE_SIM_EMPTY;
    stage->fill = -1;
    stage->under_way = 0;
    clear(pipe, stage);
  }
}

static CakeSimPipe *find_pipe(CakeSimBuilder *builder, CakeOp *op) {
  const CakeOp *decl = cake_op_pipeline(op);
  for (size_t i = 0; i < builder->launch->n_pipes; i++) {
    if (builder->launch->pipes[i].decl == decl) return &builder->launch->pipes[i];
  }
  cake_sim_unsupported(op, "names a pipeline that the kernel does not declare");
  return NULL;
}

// ---- acquire, wait -------------------------------------------------------------------------------------------------------

// Acquires (waits) of the machine so far; one role may do both.
static int64_t *uses(const CakeSimMachine *machine, const CakeSimPipe *pipe, bool is_open) {
  return &machine->used[2 * pipe->index + (is_open ? 0 : 1)];
}

// The slot that the machine's next acquire (wait) is about.
static CakeSimStage *next_stage(const CakeSimMachine *machine, const CakeSimPipe *pipe, bool is_open) {
  return &pipe->stages[*uses(machine, pipe, is_open) % pipe->n_stages];
}

static void give_slot(CakeSimMachine *machine, const CakeSimInstr *instr, CakeSimPipe *pipe, CakeSimStage *stage,
                      bool is_open) {
  CakeSimToken *token = cake_sim_at(machine, instr->out[0]);
  *token = (CakeSimToken){pipe, stage, stage->fill};
  for (uint32_t p = 0; p < pipe->n_parts; p++) {
    CakeSimView *view = cake_sim_at(machine, instr->out[1 + p]);
    *view = (CakeSimView){pipe, stage, stage->fill, p, is_open};
  }
  ++*uses(machine, pipe, is_open);
}

// The ring that an instruction is about: with `each`, that of the machine's replica.
static CakeSimPipe *pipe_of(const CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeSimPipe *pipe = cake_sim_own_pipe(machine, (CakeSimPipe *)(uintptr_t)instr->info);
  return pipe->is_each ? pipe + machine->instance : pipe;
}

static CakeSimStep eval_acquire(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeSimPipe *pipe = pipe_of(machine, instr);
  CakeSimStage *stage = next_stage(machine, pipe, true);
  CakeSimReport *report = &machine->cta->launch->report;
  if (stage->state != CAKE_SIM_EMPTY) return CAKE_SIM_BLOCKED;
  if (pipe->is_multicast && !cake_sim_is_empty_for_all(machine->cta->launch, pipe, (uint32_t)(stage - pipe->stages),
                                                       *uses(machine, pipe, true)))
    return CAKE_SIM_BLOCKED;
  stage->state = CAKE_SIM_OPEN;
  stage->fill = *uses(machine, pipe, true);
  stage->n_released = 0;
  memset(stage->released, 0, pipe->n_consumers);
  if (!pipe->is_multicast) clear(pipe, stage); // else others may have begun to fill it
  int64_t *in_use = &machine->cta->bytes_in_use[machine->rank];
  *in_use += pipe->bytes;
  if (*in_use > report->peak_shared_bytes) report->peak_shared_bytes = *in_use;
  give_slot(machine, instr, pipe, stage, true);
  return CAKE_SIM_NEXT;
}

static CakeSimStep eval_wait(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeSimPipe *pipe = pipe_of(machine, instr);
  CakeSimStage *stage = next_stage(machine, pipe, false);
  if (stage->state != CAKE_SIM_FULL || stage->fill != *uses(machine, pipe, false)) return CAKE_SIM_BLOCKED;
  give_slot(machine, instr, pipe, stage, false);
  return CAKE_SIM_NEXT;
}

static bool build_slot_op(CakeSimBuilder *builder, CakeOp *op, CakeSimEval eval, bool by_producer) {
  CakeSimPipe *pipe = find_pipe(builder, op);
  if (!pipe) return false;
  const CakeOp *owner = by_producer ? pipe->from : pipe->to;
  if (builder->program->role != owner)
    return cake_sim_unsupported(op, "is not in the role that owns this end of '@%s'", pipe->name->text);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval);
  if (!instr) return false;
  instr->info = pipe;
  return true;
}

bool cake_sim_build_cake_acquire(CakeSimBuilder *builder, CakeOp *op) {
  return build_slot_op(builder, op, eval_acquire, true);
}

bool cake_sim_build_cake_wait(CakeSimBuilder *builder, CakeOp *op) {
  return build_slot_op(builder, op, eval_wait, false);
}

void cake_sim_blocked_note(const CakeSimMachine *machine, CakeBuf *out) {
  if (cake_sim_barrier_note(machine, out)) return;
  const CakeSimInstr *instr = &machine->program->code.data[machine->pc];
  if (cake_sim_waits_for_turn(instr)) {
    cake_sim_turn_note(machine, instr, out);
    return;
  }
  const CakeSimPipe *pipe = pipe_of(machine, instr);
  const CakeSimStage *stage = next_stage(machine, pipe, instr->eval == eval_acquire);
  cake_buf_printf(out, " waits here for %s slot of '@%s': slot %u is ",
                  instr->eval == eval_acquire ? "an empty" : "a full", pipe->name->text,
                  (unsigned)(stage - pipe->stages));
  switch (stage->state) {
  case CAKE_SIM_EMPTY:
    cake_buf_text(out, "empty");
    if (pipe->is_multicast) cake_buf_text(out, " here, and not yet in every CTA that gets it");
    break;
  case CAKE_SIM_OPEN: cake_buf_text(out, "open: acquired and not committed"); break;
  case CAKE_SIM_COMMITTED:
    if (pipe->is_multicast && !stage->under_way)
      cake_buf_text(out, "committed, and lacks what another CTA of the cluster sends");
    else if (pipe->to)
      cake_buf_printf(out, "committed, with %u copies under way", (unsigned)stage->under_way);
    else
      cake_buf_text(out, "still read by the store engine");
    break;
  case CAKE_SIM_FULL:
    cake_buf_printf(out, "full, and released by %u of %u instances of '@%s'", (unsigned)stage->n_released,
                    (unsigned)pipe->n_consumers, cake_symbol_name(pipe->to)->text);
    break;
  }
}

// ---- commit, release -----------------------------------------------------------------------------------------------------

static CakeSimStep eval_commit(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimToken *token = cake_sim_at(machine, instr->in[0]);
  CakeSimStage *stage = token->stage;
  if (stage->state != CAKE_SIM_OPEN || stage->fill != token->fill)
    return cake_sim_error(machine, instr->op, CAKE_CODE_TOKEN_USED_TWICE,
                          "commits a slot of '@%s' that is not open any more", token->pipe->name->text);
  bool is_full = !stage->under_way && (!token->pipe->is_multicast || cake_sim_has_arrived(token->pipe, stage));
  stage->state = is_full ? CAKE_SIM_FULL : CAKE_SIM_COMMITTED;
  cake_sim_wake(machine->cta);
  return CAKE_SIM_NEXT;
}

typedef struct StoreInfo {
  const CakeSimGlobal *global;
  CakeSimExprs at;
} StoreInfo;

// The engine reads the slot some time later; until then it is not empty.
static CakeSimStep eval_store_slot(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const StoreInfo *info = instr->info;
  const CakeSimToken *token = cake_sim_at(machine, instr->in[0]);
  CakeSimStage *stage = token->stage;
  if (stage->state != CAKE_SIM_OPEN || stage->fill != token->fill)
    return cake_sim_error(machine, instr->op, CAKE_CODE_TOKEN_USED_TWICE,
                          "commits a slot of '@%s' that is not open any more", token->pipe->name->text);
  CakeSimPart *part = &token->pipe->parts[0];
  if (memchr(stage->filled[0], CAKE_SIM_UNWRITTEN, part->count))
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNINITIALISED,
                          "stores a slot of '@%s' that is not wholly written", token->pipe->name->text);
  CakeSimCopy copy = {.is_store = true,
                      .is_added = cake_cake_commit_reduce(instr->op) != NULL,
                      .op = instr->op,
                      .global = info->global,
                      .row_dim = cake_sim_row_dim(info->global, NULL, part->rank),
                      .rows = part->rows,
                      .cols = part->cols,
                      .pipe = token->pipe,
                      .stage = stage,
                      .part = part};
  if (!cake_sim_eval(machine, instr, &info->at, copy.base)) return CAKE_SIM_FAILED;
  stage->state = CAKE_SIM_COMMITTED;
  CAKE_PUSH(&machine->cta->copies, copy);
  machine->cta->launch->report.copies++;
  machine->cta->launch->report.copied_bytes += (uint64_t)part->count * cake_sim_stored_bytes(part->element);
  cake_sim_wake(machine->cta);
  return CAKE_SIM_NEXT;
}

static bool build_store(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimPipe *pipe = find_pipe(builder, op);
  StoreInfo *info = CAKE_SIM_NEW(builder, StoreInfo);
  if (!pipe) return false;
  info->global = cake_sim_global_of(builder, op, cake_cake_commit_global(op));
  if (!info->global || !cake_sim_exprs(builder, op, cake_cake_commit_at(op), cake_cake_commit_at_idx(op), &info->at))
    return false;
  if (info->at.count != info->global->array->rank || info->at.count < (size_t)pipe->parts[0].rank ||
      cake_shared_element(pipe->parts[0].type) != info->global->array->element)
    return cake_sim_unsupported(op, "stores a part that does not fit the array");
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_store_slot);
  if (!instr) return false;
  instr->info = info;
  return true;
}

// The accumulator is what the slot's tensor memory holds once its matrix instructions have completed.
static CakeSimStep eval_commit_after(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimToken *token = cake_sim_at(machine, instr->in[0]);
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->in[1]);
  for (uint32_t p = 0; p < token->pipe->n_parts; p++) {
    const CakeSimPart *part = &token->pipe->parts[p];
    if (!cake_type_is(part->type, &cake_type_def_tmem) || part->count != slot->count) continue;
    memcpy(token->stage->data[p], cake_sim_at(machine, instr->in[1]), slot->count * cake_sim_kept_bytes(slot->element));
    memset(token->stage->filled[p], CAKE_SIM_ARRIVED, part->count);
  }
  cake_sim_complete_groups(machine, *cake_sim_group_of(machine, instr->in[1]));
  return eval_commit(machine, instr);
}

bool cake_sim_build_cake_commit(CakeSimBuilder *builder, CakeOp *op) {
  if (cake_cake_commit_after(op)) return build_slot_op(builder, op, eval_commit_after, true);
  return cake_cake_commit_global(op) ? build_store(builder, op) : build_slot_op(builder, op, eval_commit, true);
}

// A multiplication behind the first `group` that still reads the slot.
static const CakeSimLoan *find_loan(const CakeSimMachine *machine, const CakeSimToken *token, uint64_t group) {
  for (size_t i = 0; i < machine->loans.len; i++) {
    const CakeSimLoan *loan = &machine->loans.data[i];
    if (loan->stage == token->stage && loan->fill == token->fill && loan->group > group) return loan;
  }
  return NULL;
}

static void count_release(CakeSimCta *cta, const CakeSimToken *token) {
  CakeSimStage *stage = token->stage;
  if (++stage->n_released < token->pipe->n_consumers) return;
  stage->state = CAKE_SIM_EMPTY;
  if (token->pipe->is_multicast) clear(token->pipe, stage);
  cta->bytes_in_use[token->pipe->rank] -= token->pipe->bytes;
  cake_sim_wake(cta);
}

void cake_sim_complete_groups(CakeSimMachine *machine, uint64_t group) {
  CakeSimCta *cta = machine->cta;
  size_t kept = 0;
  if (group > machine->completed) machine->completed = group;
  for (size_t i = 0; i < machine->loans.len; i++) {
    if (machine->loans.data[i].group > group) machine->loans.data[kept++] = machine->loans.data[i];
  }
  machine->loans.len = kept;
  kept = 0;
  for (size_t i = 0; i < cta->deferred.len; i++) {
    CakeSimDeferred *deferred = &cta->deferred.data[i];
    if (deferred->machine == machine && deferred->group <= group)
      count_release(cta, &deferred->token);
    else
      cta->deferred.data[kept++] = *deferred;
  }
  cta->deferred.len = kept;
}

// `after` (a pending accumulator): the slot is given back when its group completes, which may be at any time from now on.
static CakeSimStep eval_release(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimToken *token = cake_sim_at(machine, instr->in[0]);
  CakeSimStage *stage = token->stage;
  bool has_group = cake_cake_release_after(instr->op) != NULL;
  uint64_t group = has_group ? *cake_sim_group_of(machine, instr->in[1]) : 0;
  if (stage->state != CAKE_SIM_FULL || stage->fill != token->fill || stage->released[machine->instance])
    return cake_sim_error(machine, instr->op, CAKE_CODE_TOKEN_USED_TWICE,
                          "releases a slot of '@%s' that it does not hold any more", token->pipe->name->text);
  const CakeSimLoan *loan = find_loan(machine, token, group);
  if (loan) {
    CakeDiagnostic *d = cake_sim_error_begin(machine, instr->op, CAKE_CODE_PIPE_LOAN,
                                             "releases a slot of '@%s' that is still read", token->pipe->name->text);
    cake_diag_note(machine->cta->launch->context, d, loan->op->loc, "by this multiplication, which was not awaited");
    return cake_sim_fail(machine, d);
  }
  stage->released[machine->instance] = true;
  if (group > machine->completed)
    CAKE_PUSH(&machine->cta->deferred, ((CakeSimDeferred){machine, *token, group}));
  else
    count_release(machine->cta, token);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_release(CakeSimBuilder *builder, CakeOp *op) {
  return build_slot_op(builder, op, eval_release, false);
}

// ---- Views ---------------------------------------------------------------------------------------------------------------

static bool is_alive(const CakeSimMachine *machine, const CakeSimView *view) {
  if (view->pipe->is_buffer) return true;
  if (view->stage->fill != view->fill) return false;
  if (view->is_open) return view->stage->state == CAKE_SIM_OPEN;
  return view->stage->state == CAKE_SIM_FULL && !view->stage->released[machine->instance];
}

// Row and column of the first element of a tile that is not in that state; false when all are.
static bool find_other(const CakeSimView *view, CakeSimFilled filled, const int64_t *tile, int64_t *out_row,
                       int64_t *out_col) {
  const CakeSimPart *part = cake_sim_view_part(view);
  for (int64_t r = tile[0]; r < tile[0] + tile[2]; r++) {
    const uint8_t *line = view->stage->filled[view->part] + r * part->cols;
    for (int64_t c = tile[1]; c < tile[1] + tile[3]; c++) {
      if (line[c] == filled) continue;
      *out_row = r;
      *out_col = c;
      return true;
    }
  }
  return false;
}

static CakeSimStep check_inside(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                                const int64_t *tile) {
  const CakeSimPart *part = cake_sim_view_part(view);
  bool is_inside = tile[0] >= 0 && tile[1] >= 0 && tile[2] <= part->rows && tile[3] <= part->cols &&
                   tile[0] <= part->rows - tile[2] && tile[1] <= part->cols - tile[3];
  if (is_inside) return CAKE_SIM_NEXT;
  return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_OUT_OF_BOUNDS,
                        "accesses %lld x %lld elements from (%lld, %lld) on of a view of %lld x %lld",
                        (long long)tile[2], (long long)tile[3], (long long)tile[0], (long long)tile[1],
                        (long long)part->rows, (long long)part->cols);
}

static const CakeSimCopy *find_copy(const CakeSimCta *cta, const CakeSimView *view, int64_t row, int64_t col) {
  for (size_t i = 0; i < cta->copies.len; i++) {
    const CakeSimCopy *copy = &cta->copies.data[i];
    if (copy->stage == view->stage && copy->part_index == view->part && row >= copy->row &&
        row < copy->row + copy->rows && col >= copy->col && col < copy->col + copy->cols)
      return copy;
  }
  return NULL;
}

static CakeSimStep unarrived(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view, int64_t row,
                             int64_t col) {
  const CakeSimCopy *copy = find_copy(machine->cta, view, row, col);
  CakeDiagnostic *d = cake_sim_error_begin(machine, instr->op, CAKE_CODE_SIM_UNARRIVED_READ,
                                           "reads element (%lld, %lld) of a slot of '@%s' before it has arrived",
                                           (long long)row, (long long)col, view->pipe->name->text);
  if (copy)
    cake_diag_note(machine->cta->launch->context, d, copy->op->loc, "this copy, which brings it, is still under way");
  return cake_sim_fail(machine, d);
}

CakeSimStep cake_sim_view_check_read(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                                     int64_t row, int64_t col, int64_t rows, int64_t cols) {
  const int64_t tile[4] = {row, col, rows, cols};
  int64_t r = 0, c = 0;
  CakeSimStep step = check_inside(machine, instr, view, tile);
  if (step != CAKE_SIM_NEXT) return step;
  bool is_missing = find_other(view, CAKE_SIM_ARRIVED, tile, &r, &c);
  bool is_under_way =
      is_missing && view->stage->filled[view->part][r * cake_sim_view_part(view)->cols + c] == CAKE_SIM_UNDER_WAY;
  const char *pipe = view->pipe->name->text;
  if (is_under_way) return unarrived(machine, instr, view, r, c);
  if (!is_alive(machine, view))
    return cake_sim_error(machine, instr->op, CAKE_CODE_PIPE_VIEW_DEAD, "reads a view of '@%s' whose slot was given up",
                          pipe);
  if (is_missing)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNINITIALISED,
                          "reads element (%lld, %lld) of a slot of '@%s' that nobody wrote", (long long)r, (long long)c,
                          pipe);
  if (view->is_open)
    return cake_sim_error(machine, instr->op, CAKE_CODE_PIPE_VIEW_ACCESS, "reads a view of an open slot of '@%s'",
                          pipe);
  return CAKE_SIM_NEXT;
}

// ---- put -----------------------------------------------------------------------------------------------------------------

static CakeSimStep check_write(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                               const int64_t *tile);

CakeSimStep cake_sim_view_check_write(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                                      const int64_t *tile) {
  return check_write(machine, instr, view, tile);
}

void cake_sim_view_written(const CakeSimView *view) {
  memset(view->stage->filled[view->part], CAKE_SIM_ARRIVED, cake_sim_view_part(view)->count);
}

// ---- copy ----------------------------------------------------------------------------------------------------------------

typedef struct CopyInfo {
  const CakeSimGlobal *global;
  CakeSimExprs at, off;
  uint32_t view; // operand number
  int row_dim;   // of the array
  const void *pad;
  bool is_multicast;
  CakeMulticast multicast;
} CopyInfo;

// A matrix instruction under way may still read what is written.
static CakeSimStep check_buffer_loans(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view) {
  for (size_t i = 0; i < machine->loans.len; i++) {
    const CakeSimLoan *loan = &machine->loans.data[i];
    if (loan->stage != view->stage) continue;
    CakeDiagnostic *d = cake_sim_error_begin(machine, instr->op, CAKE_CODE_PIPE_LOAN,
                                             "writes buffer '%s', which is still read", view->pipe->name->text);
    cake_diag_note(machine->cta->launch->context, d, loan->op->loc, "by this multiplication, which was not awaited");
    return cake_sim_fail(machine, d);
  }
  return CAKE_SIM_NEXT;
}

static CakeSimStep check_write(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                               const int64_t *tile) {
  int64_t r = 0, c = 0;
  const char *pipe = view->pipe->name->text;
  CakeSimStep step = check_inside(machine, instr, view, tile);
  if (step != CAKE_SIM_NEXT) return step;
  if (view->pipe->is_buffer) return check_buffer_loans(machine, instr, view);
  if (!is_alive(machine, view))
    return cake_sim_error(machine, instr->op, CAKE_CODE_PIPE_VIEW_DEAD,
                          "writes a view of '@%s' whose slot was given up", pipe);
  if (!view->is_open)
    return cake_sim_error(machine, instr->op, CAKE_CODE_PIPE_VIEW_ACCESS, "writes a view of a full slot of '@%s'",
                          pipe);
  if (find_other(view, CAKE_SIM_UNWRITTEN, tile, &r, &c))
    return cake_sim_error(machine, instr->op, CAKE_CODE_PIPE_NOT_FILLED,
                          "fills element (%lld, %lld) of a slot of '@%s' a second time", (long long)r, (long long)c,
                          pipe);
  return CAKE_SIM_NEXT;
}

void cake_sim_mark_copy(const CakeSimCopy *copy, CakeSimFilled filled) {
  for (int64_t r = copy->row; r < copy->row + copy->rows; r++)
    memset(copy->stage->filled[copy->part_index] + r * copy->part->cols + copy->col, (int)filled, (size_t)copy->cols);
}

// The tile is what is left of the view from `off` on.
static CakeSimStep eval_copy(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CopyInfo *info = instr->info;
  const CakeSimView *view = cake_sim_at(machine, instr->in[info->view]);
  const CakeSimPart *part = cake_sim_view_part(view);
  CakeSimCopy copy = {.op = instr->op,
                      .global = info->global,
                      .row_dim = info->row_dim,
                      .pad = info->pad,
                      .pipe = view->pipe,
                      .stage = view->stage,
                      .part = &view->pipe->parts[view->part],
                      .part_index = view->part};
  int64_t off[CAKE_SIM_MAX_RANK] = {0};
  if (!cake_sim_eval(machine, instr, &info->at, copy.base) || !cake_sim_eval(machine, instr, &info->off, off))
    return CAKE_SIM_FAILED;
  if (info->off.count) {
    copy.row = part->rank == 2 ? off[0] : 0;
    copy.col = off[part->rank - 1];
  }
  copy.rows = part->rows - copy.row;
  copy.cols = part->cols - copy.col;
  uint32_t mask = info->is_multicast ? info->multicast.masks[machine->rank] : 0;
  int64_t share = copy.rows / (mask ? cake_multicast_count(mask) : 1); // others fill the rest
  int64_t first = mask ? cake_multicast_index(mask, machine->rank) * share : copy.row;
  CakeSimStep step = check_write(machine, instr, view, (int64_t[4]){first, copy.col, share, copy.cols});
  if (step != CAKE_SIM_NEXT) return step;
  if (!copy.pad && !cake_sim_tile_check(machine, instr->op, copy.global, copy.base, copy.row_dim, copy.rows, copy.cols))
    return CAKE_SIM_FAILED;
  if (mask) {
    cake_sim_send(machine, &copy, mask);
  } else {
    cake_sim_mark_copy(&copy, CAKE_SIM_UNDER_WAY);
    view->stage->under_way++;
    CAKE_PUSH(&machine->cta->copies, copy);
  }
  machine->cta->launch->report.copies++;
  machine->cta->launch->report.copied_bytes += (uint64_t)(share * copy.cols) * cake_sim_stored_bytes(part->element);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_copy(CakeSimBuilder *builder, CakeOp *op) {
  CopyInfo *info = CAKE_SIM_NEW(builder, CopyInfo);
  CakeType view = cake_cake_copy_view(op)->type;
  info->view = cake_op_operand_group(op, CAKE_GROUP(cake, copy, view)).start;
  info->global = cake_sim_global_of(builder, op, cake_cake_copy_global(op));
  if (!info->global) return false;
  CakeSimElement element = info->global->element;
  if (cake_shared_element(view) != info->global->array->element)
    return cake_sim_unsupported(op, "copies elements of one type to those of another");
  if (!cake_sim_exprs(builder, op, cake_cake_copy_at(op), cake_cake_copy_at_idx(op), &info->at) ||
      !cake_sim_exprs(builder, op, cake_cake_copy_off(op), cake_cake_copy_off_idx(op), &info->off))
    return false;
  if (info->at.count != info->global->array->rank || info->at.count < cake_shared_rank(view) ||
      (info->off.count && info->off.count != cake_shared_rank(view)))
    return cake_sim_unsupported(op, "has a number of indices that does not fit");
  info->pad = cake_sim_pad(builder, element, cake_cake_copy_pad(op));
  info->is_multicast = cake_copy_multicast(op, &info->multicast) && info->multicast.cluster > 1;
  info->row_dim = cake_sim_row_dim(info->global, cake_cake_copy_dims(op), (int)cake_shared_rank(view));
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_copy);
  if (!instr) return false;
  instr->info = info;
  return true;
}

void cake_sim_count_arrival(CakeSimCta *cta, const CakeSimPipe *pipe, CakeSimStage *stage) {
  if (--stage->under_way == 0 && stage->state == CAKE_SIM_COMMITTED &&
      (!pipe->is_multicast || cake_sim_has_arrived(pipe, stage)))
    stage->state = CAKE_SIM_FULL;
  cake_sim_wake(cta);
}

void cake_sim_count_stored(CakeSimCta *cta, const CakeSimPipe *pipe, CakeSimStage *stage) {
  stage->state = CAKE_SIM_EMPTY;
  cta->bytes_in_use[pipe->rank] -= pipe->bytes;
  cake_sim_wake(cta);
}

void cake_sim_land_copy(CakeSimCta *cta, size_t index) {
  CakeSimCopy copy = cta->copies.data[index];
  memmove(&cta->copies.data[index], &cta->copies.data[index + 1], (cta->copies.len - index - 1) * sizeof copy);
  cta->copies.len--;
  if (copy.is_store) {
    cake_sim_tile_write(copy.global, copy.base, copy.row_dim, copy.rows, copy.cols, copy.stage->data[copy.part_index],
                        copy.is_added ? cake_sim_add : cake_sim_write);
    cake_sim_count_stored(cta, copy.pipe, copy.stage);
    return;
  }
  char *data = copy.stage->data[copy.part_index];
  data += (size_t)(copy.row * copy.part->cols + copy.col) * cake_sim_kept_bytes(copy.part->element);
  cake_sim_tile_read(copy.global, copy.base, copy.row_dim, copy.rows, copy.cols, copy.pad, data, copy.part->cols);
  cake_sim_mark_copy(&copy, CAKE_SIM_ARRIVED);
  cake_sim_count_arrival(cta, copy.pipe, copy.stage);
}
