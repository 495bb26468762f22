// Runs one CTA of a gpu.func: the strands of its warps take turns, what is under way lands, and a CTA in which nothing can go on is reported.
#include "simulator/gpu.h"

#include <string.h>

enum { QUANTUM = 64, WINDOW = 1024 }; // instructions of a turn, at most; bytes of which shared memory takes whole ones
#define DEFAULT_MAX_STEPS UINT64_C(1000000000)

// ---- Words ---------------------------------------------------------------------------------------------------------------

static int64_t int_entry(CakeAttr dictionary, const char *name) {
  CakeAttr value = cake_attr_is(dictionary, &cake_attr_def_dictionary) ? cake_attr_lookup_text(dictionary, name) : NULL;
  return cake_attr_is(value, &cake_attr_def_integer) ? cake_attr_int_value(value) : 0;
}

void cake_gpu_name_warp(const CakeGpuWarp *warp, CakeBuf *out) {
  CakeAttr roles = cake_gpu_func_roles(warp->machine.cta->launch->kernel);
  cake_buf_printf(out, "warp %u", (unsigned)warp->machine.instance);
  for (size_t i = 0; roles && i < cake_attr_count(roles); i++) {
    CakeAttr role = cake_attr_element(roles, i);
    int64_t first = int_entry(role, "first_warp"), warps = int_entry(role, "warps"),
            replicas = int_entry(role, "replicas");
    CakeAttr name = cake_attr_is(role, &cake_attr_def_dictionary) ? cake_attr_lookup_text(role, "name") : NULL;
    int64_t at = warp->machine.instance - first;
    if (!cake_attr_is(name, &cake_attr_def_string) || warps < 1 || at < 0 || at >= warps * replicas) continue;
    cake_buf_printf(out, " (role '@%.*s'", CAKE_STR_ARG(cake_attr_string_value(name)));
    if (replicas > 1) cake_buf_printf(out, " instance %lld", (long long)(at / warps));
    cake_buf_char(out, ')');
  }
}

static void add_lanes(const CakeGpuWarp *warp, uint32_t mask, CakeBuf *out) {
  if (mask != warp->all) cake_buf_printf(out, ", lanes 0x%08x", (unsigned)mask);
}

CakeLoc cake_gpu_describe(const CakeSimMachine *machine, CakeBuf *out) {
  const CakeGpuWarp *warp = (const CakeGpuWarp *)machine;
  cake_gpu_name_warp(warp, out);
  cake_buf_printf(out, " of CTA %lld", (long long)cake_sim_cta_number(machine));
  add_lanes(warp, machine->active, out);
  return machine->cta->launch->kernel->loc;
}

void cake_gpu_name_in_cluster(const CakeGpuWarp *warp, CakeBuf *out) {
  cake_gpu_name_warp(warp, out);
  if (warp->machine.cta->launch->cluster > 1)
    cake_buf_printf(out, " of CTA %lld", (long long)cake_sim_cta_number(&warp->machine));
}

static bool report_hang(CakeGpuCta *cta) {
  CakeContext *context = cta->cta.launch->context;
  CakeBuf text = {0};
  int64_t cluster = cta->cta.launch->cluster;
  CakeDiagnostic *d =
      cake_error_begin(cta->cta.launch->kernel, CAKE_CODE_SIM_HANG, "hangs: no warp of %s %lld can go on",
                       cluster > 1 ? "cluster" : "CTA", (long long)(cta->cta.number / cluster));
  for (size_t w = 0; w < cta->n_warps; w++) {
    const CakeGpuWarp *warp = &cta->warps[w];
    for (size_t s = 0; s < CAKE_GPU_MAX_STRANDS; s++) {
      const CakeGpuStrand *strand = &warp->strands[s];
      if (strand->state != CAKE_GPU_BLOCKED) continue;
      cake_buf_clear(&text);
      cake_gpu_name_in_cluster(warp, &text);
      add_lanes(warp, strand->mask, &text);
      cake_gpu_blocked_note(cta, warp, strand, &text);
      cake_diag_note(context, d, warp->machine.program->code.data[strand->pc].op->loc, "%.*s", (int)text.len,
                     text.data);
    }
    if (!warp->machine.is_done) continue;
    cake_buf_clear(&text);
    cake_gpu_name_in_cluster(warp, &text);
    cake_diag_note(context, d, cta->cta.launch->kernel->loc, "%.*s has ended", (int)text.len, text.data);
  }
  cake_buf_fini(&text);
  return cake_diag_emit(context, d);
}

// ---- Strands -------------------------------------------------------------------------------------------------------------

void cake_gpu_set_state(CakeGpuWarp *warp, uint32_t strand, CakeGpuState state) {
  CakeGpuCta *cta = cake_gpu_cta(&warp->machine);
  uint64_t bit = UINT64_C(1) << strand, *can_go = &cta->can_go[warp->number], *waits = &cta->waits[warp->number];
  cta->n_ready += (state == CAKE_GPU_READY) - (size_t)(*can_go >> strand & 1);
  *can_go = (*can_go & ~bit) | (state == CAKE_GPU_READY ? bit : 0);
  *waits = (*waits & ~bit) | (state == CAKE_GPU_BLOCKED ? bit : 0);
  warp->strands[strand].state = state;
}

static bool add_strand(CakeGpuWarp *warp, uint32_t mask, uint32_t pc, uint32_t end) {
  for (uint32_t i = 0; i < CAKE_GPU_MAX_STRANDS; i++) {
    if (warp->strands[i].state != CAKE_GPU_FREE) continue;
    warp->strands[i] = (CakeGpuStrand){.pc = pc, .mask = mask, .end = end, .parent = warp->current};
    cake_gpu_set_state(warp, i, CAKE_GPU_READY);
    if (i >= warp->n_strands) warp->n_strands = i + 1;
    cake_gpu_strand(warp)->children++;
    return true;
  }
  return false;
}

CakeSimStep cake_gpu_split(CakeSimMachine *machine, uint32_t first, uint32_t second, uint32_t second_pc,
                           uint32_t join) {
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  bool ok = (first == 0 || add_strand(warp, first, machine->pc + 1, join)) &&
            (second == 0 || add_strand(warp, second, second_pc, join));
  if (!ok) {
    cake_sim_unsupported(machine->program->code.data[machine->pc].op, "splits a warp more often than is simulated");
    return CAKE_SIM_FAILED;
  }
  cake_gpu_set_state(warp, warp->current, CAKE_GPU_SPLIT);
  machine->pc = join;
  return CAKE_SIM_BLOCKED;
}

// A strand ends where it joins its parent, which goes on behind its last.
static void join(CakeGpuWarp *warp, uint32_t strand) {
  uint32_t parent = warp->strands[strand].parent;
  cake_gpu_set_state(warp, strand, CAKE_GPU_FREE);
  if (--warp->strands[parent].children == 0) cake_gpu_set_state(warp, parent, CAKE_GPU_READY);
}

static bool is_too_long(CakeGpuWarp *warp) {
  CakeSimCta *cta = warp->machine.cta;
  uint64_t limit = cta->launch->options->max_steps ? cta->launch->options->max_steps : DEFAULT_MAX_STEPS;
  if (cta->steps <= limit) return false;
  (void)cake_sim_error(&warp->machine, warp->machine.program->code.data[warp->machine.pc].op, CAKE_CODE_SIM_HANG,
                       "is still reached after %llu steps: the CTA does not end", (unsigned long long)limit);
  return true;
}

// Runs a strand for a while. False: reported.
static bool run_strand(CakeGpuWarp *warp, uint32_t number, uint64_t quantum) {
  CakeSimMachine *machine = &warp->machine;
  CakeGpuStrand *strand = &warp->strands[number];
  const CakeSimInstr *code = machine->program->code.data;
  warp->current = number;
  machine->pc = strand->pc;
  machine->active = strand->mask;
  uint64_t steps = 0;
  for (; steps < quantum; steps++) {
    if (machine->pc == strand->end) {
      join(warp, number);
      return true;
    }
    const CakeSimInstr *instr = &code[machine->pc];
    CakeSimStep step = instr->eval(machine, instr);
    if (step == CAKE_SIM_FAILED) return false;
    machine->cta->launch->report.ops += instr->counts && step != CAKE_SIM_BLOCKED;
    if (step == CAKE_SIM_DONE) {
      cake_gpu_set_state(warp, number, CAKE_GPU_FREE);
      machine->is_done = true;
      ((CakeGpuCta *)machine->cta)->n_done++;
      cake_gpu_wake((CakeGpuCta *)machine->cta);
      return true;
    }
    if (step == CAKE_SIM_BLOCKED) {
      if (strand->state == CAKE_GPU_READY) cake_gpu_set_state(warp, number, CAKE_GPU_BLOCKED);
      break;
    }
    machine->pc = step == CAKE_SIM_JUMP ? instr->target : machine->pc + 1;
  }
  strand->pc = machine->pc;
  machine->cta->steps += steps;
  return !is_too_long(warp);
}

bool cake_gpu_step_strand(CakeGpuWarp *warp, uint32_t strand) {
  return run_strand(warp, strand, 1);
}

void cake_gpu_wake(CakeGpuCta *cta) {
  for (size_t w = 0; w < cta->n_warps; w++)
    for (uint64_t left = cta->waits[w], s = 0; left; left >>= 1, s++)
      if (left & 1) cake_gpu_set_state(&cta->warps[w], (uint32_t)s, CAKE_GPU_READY);
}

// ---- The schedule --------------------------------------------------------------------------------------------------------

// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled".
uint64_t cake_gpu_random(CakeGpuCta *cta, uint64_t bound) {
  uint64_t *state = &cta->cta.random;
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (*state * UINT64_C(2685821657736338717) >> 33) % bound;
}

static size_t list_ready(CakeGpuCta *cta, CakeGpuReady *out) {
  size_t count = 0;
  for (size_t w = 0; w < cta->n_warps; w++)
    for (uint64_t left = cta->can_go[w]; left; left &= left - 1)
      out[count++] = (CakeGpuReady){&cta->warps[w], (uint32_t)__builtin_ctzll(left)};
  return count;
}

// Runs the strand of that number of those that are ready.
static bool run_ready(CakeGpuCta *cta, uint64_t number, uint64_t quantum) {
  size_t w = 0;
  for (uint64_t here; (here = (uint64_t)__builtin_popcountll(cta->can_go[w])) <= number; w++)
    number -= here;
  uint64_t left = cta->can_go[w];
  for (; number > 0; number--)
    left &= left - 1;
  return run_strand(&cta->warps[w], (uint32_t)__builtin_ctzll(left), quantum);
}

static bool turn_round_robin(CakeGpuCta *cta) {
  size_t n_ready = list_ready(cta, cta->ready);
  for (size_t i = 0; i < n_ready; i++)
    if (!run_strand(cta->ready[i].warp, cta->ready[i].strand, QUANTUM)) return false;
  return true;
}

// Lands one that may, from `index` on backwards; the oldest always may.
static bool land_near(CakeGpuCta *cta, size_t index) {
  while (!cake_gpu_may_land(cta, index))
    index--;
  return cake_gpu_land(cta, index);
}

static bool turn(CakeGpuCta *cta) {
  size_t n_ready = cta->n_ready, n_pending = cta->pending.len;
  switch (cta->cta.launch->options->schedule) {
  case CAKE_SIM_ROUND_ROBIN:
    if (!turn_round_robin(cta)) return false;
    return cta->pending.len == 0 || land_near(cta, 0);
  case CAKE_SIM_LATE: return n_ready ? run_ready(cta, 0, QUANTUM) : land_near(cta, n_pending - 1);
  default: {
    uint64_t choice = cake_gpu_random(cta, n_ready + n_pending);
    if (choice >= n_ready) return land_near(cta, (size_t)choice - n_ready);
    return run_ready(cta, choice, 1 + cake_gpu_random(cta, QUANTUM));
  }
  }
}

// A copy to shared memory that lands behind the end writes into the CTA that comes next.
static bool check_end(CakeGpuCta *cta) {
  for (size_t i = 0; i < cta->pending.len; i++) {
    const CakeGpuPending *pending = cta->pending.data[i];
    if (pending->kind == CAKE_GPU_ARRIVAL || pending->kind == CAKE_GPU_STORE || pending->kind == CAKE_GPU_COMMIT)
      continue;
    return cake_error(pending->instr->op, CAKE_CODE_SIM_UNARRIVED_READ, "is still under way when CTA %lld ends",
                      (long long)cake_sim_cta_number(&pending->warp->machine));
  }
  return cake_gpu_check_multiplied(cta) && cake_gpu_check_tensor_freed(cta);
}

// ---- CTAs ----------------------------------------------------------------------------------------------------------------

// Arguments stand in the first slots: arrays and scalars, sizes, tensor maps.
static void preset(CakeGpuWarp *warp) {
  const CakeSimLaunch *launch = warp->machine.cta->launch;
  for (size_t i = 0; i < launch->programs[0].presets.len; i++) {
    CakeSimPreset preset = launch->programs[0].presets.data[i];
    const CakeSimSlot *slot = cake_sim_slot_info(&warp->machine, preset.slot);
    unsigned char *at = cake_sim_at(&warp->machine, preset.slot);
    size_t size = cake_sim_kept_bytes(slot->element);
    if (preset.argument >= launch->n_args)
      ((int64_t *)(void *)at)[0] = launch->sizes_in_order[preset.argument - launch->n_args];
    else if (launch->arrays[preset.argument]->rank > 0)
      ((int64_t *)(void *)at)[0] = cake_gpu_array_address(launch, preset.argument);
    else
      cake_sim_read(launch->globals[preset.argument].element, launch->arrays[preset.argument]->data, 0, 1, at);
    for (size_t lane = 1; lane < CAKE_GPU_LANES; lane++)
      memcpy(at + lane * size, at, size);
  }
}

void cake_gpu_cta_init(CakeGpuCta *cta, CakeSimLaunch *launch) {
  CakeAttr shared = cake_gpu_func_shared_bytes(launch->kernel);
  *cta = (CakeGpuCta){.cta.launch = launch,
                      .threads = cake_attr_int_value(cake_gpu_func_block(launch->kernel)),
                      .shared_bytes = shared ? cake_attr_int_value(shared) : 0};
  cta->warps_each = (size_t)(cta->threads + CAKE_GPU_LANES - 1) / CAKE_GPU_LANES;
  cta->n_warps = cta->warps_each * (size_t)launch->cluster;
  cta->window = (cta->shared_bytes + WINDOW) / WINDOW * WINDOW;
  cta->warps = CAKE_ARENA_ARRAY(launch->arena, CakeGpuWarp, cta->n_warps);
  cta->shared = cake_arena_alloc(launch->arena, (size_t)(cta->window * launch->cluster));
  cta->bytes = cake_arena_alloc(launch->arena, (size_t)(cta->window * launch->cluster));
  cta->ready = CAKE_ARENA_ARRAY(launch->arena, CakeGpuReady, cta->n_warps * CAKE_GPU_MAX_STRANDS);
  cta->can_go = CAKE_ARENA_ARRAY(launch->arena, uint64_t, cta->n_warps);
  cta->waits = CAKE_ARENA_ARRAY(launch->arena, uint64_t, cta->n_warps);
  const CakeSimProgram *program = &launch->programs[0];
  for (size_t w = 0; w < cta->n_warps; w++) {
    CakeGpuWarp *warp = &cta->warps[w];
    int64_t rank = (int64_t)(w / cta->warps_each), number = (int64_t)(w % cta->warps_each);
    int64_t lanes = cta->threads - number * CAKE_GPU_LANES;
    warp->machine = (CakeSimMachine){.cta = &cta->cta, .program = program, .instance = number, .rank = rank};
    warp->machine.memory = cake_arena_alloc(launch->arena, program->memory + 16);
    warp->groups = CAKE_ARENA_ARRAY(launch->arena, uint64_t, program->slots.len + 1);
    warp->number = (uint32_t)w;
    warp->all = lanes >= CAKE_GPU_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    cake_sim_place_constants(&warp->machine);
    preset(warp);
  }
  if (launch->options->races) cake_gpu_races_init(cta);
}

void cake_gpu_cta_fini(CakeGpuCta *cta) {
  cake_gpu_races_fini(cta);
  CAKE_VEC_FINI(&cta->mbarriers);
  CAKE_VEC_FINI(&cta->pending);
  CAKE_VEC_FINI(&cta->spare);
  cake_map_fini(&cta->actions);
}

static void start_warp(CakeGpuCta *cta, CakeGpuWarp *warp) {
  memset(warp->strands, 0, sizeof warp->strands);
  cta->can_go[warp->number] = cta->waits[warp->number] = 0;
  warp->n_strands = 1;
  memset(warp->groups, 0, warp->machine.program->slots.len * sizeof *warp->groups);
  warp->machine.is_done = false;
  warp->strands[0] = (CakeGpuStrand){.mask = warp->all, .end = UINT32_MAX};
  cake_gpu_set_state(warp, 0, CAKE_GPU_READY);
  warp->group = 1;
  warp->waited = warp->multiplied = warp->storing = 0;
  for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++)
    warp->stores[lane] = 1, warp->stored[lane] = 0;
  warp->registers = 65536 / (int64_t)(cta->warps_each * CAKE_GPU_LANES) / 8 * 8;
  if (warp->registers > 255) warp->registers = 255;
}

static void start(CakeGpuCta *cta, int64_t number) {
  uint64_t seed = cta->cta.launch->seed;
  cta->cta.number = number;
  cta->cta.steps = 0;
  cta->cta.random = (seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)number) ^ UINT64_C(0x2545F4914F6CDD1D);
  if (cta->cta.random == 0) cta->cta.random = 1;
  memset(cta->bytes, CAKE_GPU_UNWRITTEN, (size_t)(cta->window * cta->cta.launch->cluster));
  memset(cta->barriers, 0, sizeof cta->barriers);
  for (size_t i = 0; i < cta->mbarriers.len; i++)
    cake_arena_free(cta->cta.launch->arena, cta->mbarriers.data[i].seen,
                    cta->n_warps * CAKE_GPU_LANES * sizeof(uint64_t));
  for (size_t i = 0; i < cta->pending.len; i++)
    CAKE_PUSH(&cta->spare, cta->pending.data[i]);
  cta->mbarriers.len = cta->pending.len = 0;
  memset(cta->agreements, 0, sizeof cta->agreements);
  cta->tensor = (CakeGpuTensorMemory){.data = cta->tensor.data};
  memset(cta->free_registers, 0, sizeof cta->free_registers);
  cta->n_ready = cta->n_done = 0;
  for (size_t w = 0; w < cta->n_warps; w++)
    start_warp(cta, &cta->warps[w]);
  cake_gpu_races_start(cta);
}

bool cake_gpu_run_cta(CakeGpuCta *cta, int64_t number) {
  start(cta, number);
  bool ok = !cta->cta.launch->options->n_moves || cake_gpu_follow(cta);
  while (ok && cta->n_done < cta->n_warps)
    ok = cta->n_ready == 0 && cta->pending.len == 0 ? report_hang(cta) : turn(cta);
  return ok && check_end(cta);
}
