// What the protocol checker found, as a diagnostic: the ops at which the roles stand, and the schedule that led there,
// drawn with a column a role.
#include "verifier/protocol_model.h"

#include "cake/symbol.h"
#include "dialects/cake/cake.h"

#include <stdio.h>

enum { MAX_ROWS = 40, MAX_COLUMN = 40 };

static const CakeStep *step_of(const CakeModel *model, int32_t process, int32_t step) {
  return &model->processes.data[process].steps.data[step];
}

// ---- Words -----------------------------------------------------------------------------------------------------------------

static void write_object(const CakeModel *model, int32_t object, CakeBuf *out) {
  const CakeObject *it = object < 0 ? NULL : &model->objects.data[object];
  CakeId name = it && it->op ? cake_symbol_name(it->op) : NULL;
  if (name && it->kind == CAKE_OBJECT_PIPELINE)
    cake_buf_printf(out, "pipeline '@%s'", name->text);
  else if (name)
    cake_buf_printf(out, "%s '@%s'", it->kind == CAKE_OBJECT_ORDER ? "order" : "barrier", name->text);
  else if (it && it->address == CAKE_CLUSTER_BARRIER)
    cake_buf_text(out, "the barrier of the cluster");
  else if (it && it->address < 0)
    cake_buf_printf(out, "barrier %d", (int)((-1 - it->address) % CAKE_CTA_BARRIERS));
  else if (it)
    cake_buf_printf(out, "the mbarrier at byte %d", (int)(it->address % CAKE_CTA_WINDOW));
  else
    cake_buf_text(out, "an mbarrier");
  if (model->cluster > 1 && it && it->address != CAKE_CLUSTER_BARRIER)
    cake_buf_printf(out, " of CTA %d", (int)it->rank);
}

static void write_step(const CakeModel *model, const CakeStep *step, int32_t choice, CakeBuf *out) {
  CakeStr name = step->op ? cake_op_name(step->op) : CAKE_STR("?");
  size_t dot = 0;
  while (dot < name.len && name.ptr[dot] != '.')
    dot++;
  CakeStr word = dot < name.len ? (CakeStr){name.ptr + dot + 1, name.len - dot - 1} : name;
  if (step->kind == CAKE_STEP_TAPE) {
    bool is_loop = step->op->info->def->flow.kind == CAKE_FLOW_LOOP;
    cake_buf_printf(out, "%.*s %s", CAKE_STR_ARG(word),
                    choice ? (is_loop ? "goes on" : "holds") : (is_loop ? "ends" : "does not hold"));
    return;
  }
  CakeId symbol = step->object >= 0 && model->objects.data[step->object].op
                      ? cake_symbol_name(model->objects.data[step->object].op)
                      : NULL;
  cake_buf_printf(out, "%.*s", CAKE_STR_ARG(word));
  if (symbol) cake_buf_printf(out, " @%s", symbol->text);
  uint32_t line, column;
  CakeStr file;
  if (cake_loc_find_file(step->op->context, step->op->loc, &file, &line, &column)) cake_buf_printf(out, " :%u", line);
}

static const char *waits_for(CakeStepKind kind) {
  switch (kind) {
  case CAKE_STEP_ACQUIRE: return "an empty slot";
  case CAKE_STEP_WAIT: return "a full slot";
  case CAKE_STEP_TAKE: return "its turn";
  case CAKE_STEP_PARITY: return "a phase";
  case CAKE_STEP_MEET: return "the others";
  default: return "its loop to go on";
  }
}

// ---- The schedule ------------------------------------------------------------------------------------------------------------

static bool is_shown(const CakeModel *model, CakeMove move) {
  if (move.process < 0) return false;
  const CakeStep *step = step_of(model, move.process, move.step);
  if (step->kind == CAKE_STEP_TAPE) return move.choice >= 0;
  return step->kind != CAKE_STEP_GROUP && step->kind != CAKE_STEP_INIT;
}

static size_t column_width(const CakeModel *model, const CakeFault *fault, int32_t process, CakeBuf *text) {
  size_t width = cake_str(model->processes.data[process].name).len;
  for (size_t i = 0; i < fault->trace.len; i++) {
    CakeMove move = fault->trace.data[i];
    if (move.process != process || !is_shown(model, move)) continue;
    cake_buf_clear(text);
    write_step(model, step_of(model, move.process, move.step), move.choice, text);
    if (text->len > width) width = text->len;
  }
  const CakeStep *stands = step_of(model, process, fault->pcs[process]);
  cake_buf_clear(text);
  if (stands->kind == CAKE_STEP_TAPE)
    cake_buf_str(text, cake_op_name(stands->op));
  else if (stands->kind != CAKE_STEP_END)
    write_step(model, stands, 0, text);
  if (text->len + 3 > width) width = text->len + 3;
  return width > MAX_COLUMN ? MAX_COLUMN : width;
}

static void write_cell(CakeStr text, size_t width, CakeBuf *out) {
  size_t len = text.len > width ? width : text.len;
  cake_buf_append(out, text.ptr, len);
  cake_buf_fill(out, ' ', width - len + 2);
}

static void trim(CakeBuf *out) {
  while (out->len && out->data[out->len - 1] == ' ')
    out->data[--out->len] = 0;
}

// The last row: where each process stands.
static void write_stands(const CakeModel *model, const CakeFault *fault, const size_t *widths, CakeBuf *out) {
  CakeBuf text = {0};
  cake_buf_text(out, "\n    ");
  for (size_t i = 0; i < model->processes.len; i++) {
    const CakeStep *step = step_of(model, (int32_t)i, fault->pcs[i]);
    cake_buf_clear(&text);
    cake_buf_text(&text, step->kind == CAKE_STEP_END ? "ended" : "at ");
    if (step->kind == CAKE_STEP_TAPE)
      cake_buf_printf(&text, "%.*s", CAKE_STR_ARG(cake_op_name(step->op)));
    else if (step->kind != CAKE_STEP_END)
      write_step(model, step, 0, &text);
    write_cell(cake_buf_view(&text), widths[i], out);
  }
  trim(out);
  cake_buf_fini(&text);
}

static void write_schedule(const CakeModel *model, const CakeFault *fault, CakeBuf *out) {
  size_t widths[CAKE_MAX_PROCESSES], shown = 0, row = 0;
  CakeBuf text = {0};
  for (size_t i = 0; i < model->processes.len; i++)
    widths[i] = column_width(model, fault, (int32_t)i, &text);
  for (size_t i = 0; i < fault->trace.len; i++)
    shown += is_shown(model, fault->trace.data[i]);
  cake_buf_printf(out, "a schedule that leads there, %zu move(s):\n    ", shown);
  for (size_t i = 0; i < model->processes.len; i++)
    write_cell(cake_str(model->processes.data[i].name), widths[i], out);
  trim(out);
  if (shown > MAX_ROWS) cake_buf_printf(out, "\n    … %zu earlier", shown - MAX_ROWS);
  for (size_t i = 0; i < fault->trace.len; i++) {
    CakeMove move = fault->trace.data[i];
    if (!is_shown(model, move) || row++ + MAX_ROWS < shown) continue;
    cake_buf_text(out, "\n    ");
    cake_buf_clear(&text);
    write_step(model, step_of(model, move.process, move.step), move.choice, &text);
    for (size_t p = 0; p < model->processes.len; p++)
      write_cell((int32_t)p == move.process ? cake_buf_view(&text) : CAKE_STR(""), widths[p], out);
    trim(out);
  }
  write_stands(model, fault, widths, out);
  cake_buf_fini(&text);
}

// ---- The diagnostic ------------------------------------------------------------------------------------------------------------

static bool is_ended(const CakeModel *model, const CakeFault *fault, size_t process) {
  return step_of(model, (int32_t)process, fault->pcs[process])->kind == CAKE_STEP_END;
}

static void note_stands(const CakeModel *model, const CakeFault *fault, CakeDiagnostic *d, int32_t except) {
  CakeContext *context = model->root->context;
  CakeBuf name = {0};
  for (size_t i = 0; i < model->processes.len; i++) {
    const CakeStep *step = step_of(model, (int32_t)i, fault->pcs[i]);
    if ((int32_t)i == except) continue;
    if (step->kind == CAKE_STEP_END) {
      cake_diag_note(context, d, model->root->loc, "%s: ended", model->processes.data[i].name);
      continue;
    }
    cake_buf_clear(&name);
    if (step->kind != CAKE_STEP_TAPE) write_object(model, step->object, &name);
    cake_diag_note(context, d, step->op->loc, "%s waits here for %s%s%s", model->processes.data[i].name,
                   waits_for(step->kind), name.len ? " of " : "", name.len ? name.data : "");
  }
  cake_buf_fini(&name);
}

// Who arrives at a barrier, and how often: against the number that completes a phase.
static void note_arrivals(const CakeModel *model, const CakeFault *fault, CakeDiagnostic *d) {
  CakeContext *context = model->root->context;
  int64_t sum = 0;
  for (size_t i = 0; i < model->processes.len; i++) {
    const CakeProcess *process = &model->processes.data[i];
    for (size_t s = 0; s < process->steps.len; s++) {
      const CakeStep *step = &process->steps.data[s];
      if (step->kind != CAKE_STEP_ARRIVE || step->object != fault->object) continue;
      cake_diag_note(context, d, step->op->loc, "%s: %d arrival(s) here", process->name,
                     (int)(step->count * process->weight));
      sum += step->count * process->weight;
    }
  }
  if (sum == 0 || model->objects.data[fault->object].address >= 0) return;
  cake_diag_fix(context, d, "count %lld, if all of them meet in one phase", (long long)sum);
}

static CakeDiagnostic *begin_deadlock(const CakeModel *model, const CakeFault *fault, int32_t *out_first) {
  int32_t first = 0;
  while (is_ended(model, fault, (size_t)first))
    first++;
  const CakeStep *step = step_of(model, first, fault->pcs[first]);
  CakeBuf name = {0};
  write_object(model, step->kind == CAKE_STEP_TAPE ? -1 : step->object, &name);
  CakeDiagnostic *d = cake_error_begin(step->op, CAKE_CODE_SYNC_DEADLOCK,
                                       "can wait for ever: %s waits for %s of %s, and no role can go on",
                                       model->processes.data[first].name, waits_for(step->kind), name.data);
  cake_buf_fini(&name);
  *out_first = first;
  return d;
}

static CakeDiagnostic *begin_at(const CakeModel *model, const CakeFault *fault, CakeCode code, const char *format) {
  const CakeStep *step = step_of(model, fault->process, fault->pcs[fault->process]);
  CakeBuf name = {0};
  write_object(model, fault->object, &name);
  CakeDiagnostic *d = cake_error_begin(step->op, code, format, name.data, model->processes.data[fault->process].name);
  cake_buf_fini(&name);
  return d;
}

static CakeDiagnostic *begin_left(const CakeModel *model, const CakeFault *fault) {
  const CakeObject *object = &model->objects.data[fault->object];
  return cake_error_begin(object->op, CAKE_CODE_SYNC_UNDRAINED,
                          "can end with a full slot: every role has ended, and nobody empties it");
}

static CakeDiagnostic *begin_exit(const CakeModel *model, const CakeFault *fault) {
  const CakeStep *step = step_of(model, fault->process, fault->pcs[fault->process]);
  CakeDiagnostic *d = cake_error_begin(
      step->op, CAKE_CODE_SYNC_EXIT, "can come when CTA %d of the cluster has ended: %s reaches into its shared memory",
      (int)fault->object, model->processes.data[fault->process].name);
  cake_diag_fix(model->root->context, d,
                "let all threads of the cluster meet before they end, at a 'gpu.cluster_barrier'");
  return d;
}

void cake_fault_report(const CakeModel *model, const CakeFault *fault) {
  CakeContext *context = model->root->context;
  CakeDiagnostic *d = NULL;
  int32_t first = fault->process;
  switch (fault->kind) {
  case CAKE_FAULT_NONE: return;
  case CAKE_FAULT_DEADLOCK: d = begin_deadlock(model, fault, &first); break;
  case CAKE_FAULT_LAP:
    d = begin_at(model, fault, CAKE_CODE_SYNC_PHASE_LAP,
                 "can be lapped: another phase of %s completes before %s has seen the one that it waits for, and it "
                 "waits for ever");
    break;
  case CAKE_FAULT_ARRIVAL:
    d = begin_at(model, fault, CAKE_CODE_SYNC_ARRIVAL_COUNT,
                 "can come too late: a phase of %s completes without this arrival of %s");
    break;
  case CAKE_FAULT_EARLY:
    d = begin_at(model, fault, CAKE_CODE_SYNC_ARRIVAL_COUNT,
                 "can come too early: the phase of %s in which %s has arrived before may not be complete");
    break;
  case CAKE_FAULT_NOT_READY:
    d = begin_at(model, fault, CAKE_CODE_SYNC_NOT_READY, "can come before %s is set up: %s is not ordered behind that");
    break;
  case CAKE_FAULT_LEFT: d = begin_left(model, fault); break;
  case CAKE_FAULT_EXIT: d = begin_exit(model, fault); break;
  }
  if (fault->kind == CAKE_FAULT_ARRIVAL) note_arrivals(model, fault, d);
  if (fault->kind == CAKE_FAULT_DEADLOCK) note_stands(model, fault, d, first);
  CakeBuf schedule = {0};
  write_schedule(model, fault, &schedule);
  cake_diag_note(context, d, model->root->loc, "%s", schedule.data);
  cake_buf_fini(&schedule);
  (void)cake_diag_emit(context, d);
}
