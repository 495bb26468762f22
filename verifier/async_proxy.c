// Rule async-proxy: what threads wrote to shared memory is ordered before the async proxy touches it, and what they read before it overwrites it.
//
// PTX ISA, "Async proxy" and fence.proxy: every thread that wrote or read executes its own fence behind the access; then a
// rendezvous that the issuing thread takes part in; then the copy or matrix instruction. A fence publishes the writes of
// the thread that executes it, and of nobody else: behind the barrier it comes too late for the other threads.
//
// All threads of the CTA walk the structured program together, split where a condition is known for each of them; where
// it is not, both ways may be taken. Loops run to a fixed point. What stands between two barriers of all threads is walked a
// second time, from its end to its beginning, for roles that stand in branches of their own and hand data over through mbarriers.
#include "cake/edit.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/lanes.h"
#include "verifier/proxy_accesses.h"
#include "verifier/rules.h"

enum { MAX_ROUNDS = 16, MAX_NESTING = 40 };

typedef struct Walk {
  CakeOp *func;
  CakeArena *arena;
  int32_t warps;
  unsigned depth, is_silent;
  CakeProxySites sites;
  CakeProxyAccesses accesses;
  CakeMap executed;   // of a site: the warps that may execute it
  CakeMap reported;   // op → 1
  CakeMap conditions; // of a branch → CakeThreadsCondition, which hold in every round
  bool is_second, gave_up, ok, is_quiet;
} Walk;

typedef CakeProxyState *State; // an entry a site

// ---- Reports ---------------------------------------------------------------------------------------------------------

// A fence and a rendezvous that stand one behind the other change places; else a fence goes in front of it.
static void propose(CakeDiagnostic *d, const CakeProxySite *site, const CakeProxyState *state, CakeProxyFault fault) {
  CakeContext *context = site->op->context;
  const char *fence = site->is_mbarrier ? "gpu.mbarrier_init_fence" : "gpu.fence_proxy_async";
  const char *who = site->is_read ? "reader" : "writer";
  if (fault == CAKE_PROXY_FENCE_LATE) {
    cake_diag_fix(context, d, "move '%s' above the '%.*s', so that every %s fences before they meet", fence,
                  CAKE_STR_ARG(cake_op_name(state->rendezvous)), who);
    cake_diag_move(d, CAKE_EDIT_MOVE_BEFORE, state->late_fence, state->rendezvous);
  } else if (fault == CAKE_PROXY_NO_FENCE && state->rendezvous) {
    cake_diag_fix(context, d, "put a '%s' above the '%.*s'", fence, CAKE_STR_ARG(cake_op_name(state->rendezvous)));
    cake_diag_insert(d, CAKE_EDIT_INSERT_BEFORE, state->rendezvous, "%s", fence);
  } else if (fault == CAKE_PROXY_NO_FENCE) {
    cake_diag_fix(context, d, "put a '%s' behind the %s, and let the %ss meet with the issuing thread", fence,
                  site->is_read ? "read" : "write", who);
  } else {
    cake_diag_fix(context, d, "let all %ss meet behind their fence with the issuing thread, at a 'gpu.barrier'", who);
  }
}

static const char *what_it_does(const CakeProxySite *site, const CakeProxyAccess *access) {
  if (site->is_mbarrier) return "counts at an mbarrier that was set up";
  if (site->is_read) return "overwrites shared memory that threads read";
  return access->is_write ? "overwrites shared memory that threads wrote" : "reads shared memory that threads wrote";
}

static const char *what_lacks(const CakeProxySite *site, CakeProxyFault fault) {
  switch (fault) {
  case CAKE_PROXY_NO_FENCE:
    return site->is_read ? "not every reader executed a proxy fence before"
                         : "not every writer executed a proxy fence before";
  case CAKE_PROXY_FENCE_LATE:
    return site->is_read
               ? "the readers' proxy fence stands behind the barrier, so that nothing orders it before this instruction"
               : "the writers' proxy fence stands behind the barrier, so that nothing orders it before this "
                 "instruction";
  default:
    return site->is_read ? "behind the readers' proxy fence they do not meet with the issuing thread"
                         : "behind the writers' proxy fence they do not meet with the issuing thread";
  }
}

static void report(Walk *walk, const CakeProxyAccess *access, size_t site, const CakeProxyState *state,
                   CakeProxyFault fault) {
  uintptr_t ignored;
  CakeContext *context = walk->func->context;
  walk->ok = false;
  if (cake_map_get(&walk->reported, access->op, &ignored)) return;
  cake_map_set(&walk->reported, access->op, 1);
  if (walk->is_quiet) return;
  const CakeProxySite *write = &walk->sites.data[site];
  CakeDiagnostic *d =
      cake_error_begin(access->op, CAKE_CODE_PROXY_GENERIC_TO_ASYNC, "%s through the generic proxy, but %s",
                       what_it_does(write, access), what_lacks(write, fault));
  cake_diag_note(context, d, write->op->loc, write->is_read ? "the read" : "the write");
  if (fault != CAKE_PROXY_NO_RENDEZVOUS && state->rendezvous)
    cake_diag_note(context, d, state->rendezvous->loc, "here others are told of it, and there was no fence yet");
  if (fault == CAKE_PROXY_FENCE_LATE) cake_diag_note(context, d, state->late_fence->loc, "the fence");
  propose(d, write, state, fault);
  cake_diag_emit(context, d);
}

// In the second round only writers count that never execute what stands between: other roles.
static bool counts(const Walk *walk, size_t site, int32_t warp) {
  uintptr_t executed = 0;
  cake_map_get(&walk->executed, walk->sites.data[site].op, &executed);
  return !walk->is_second || !((uint32_t)executed >> warp & 1);
}

static void judge(Walk *walk, const CakeProxyAccess *access, const CakeThreads *active, State state) {
  for (size_t i = 0; i < walk->sites.len; i++)
    for (int32_t w = 0; w < walk->warps; w++)
      for (int32_t v = 0; state[i].written[w] && v < walk->warps; v++) {
        if (!active->lanes[v] || !cake_proxy_overlaps(&walk->sites.data[i], w, access, v) || !counts(walk, i, v))
          continue;
        CakeProxyFault fault = cake_proxy_judge(&state[i], w, v, active->lanes[v]);
        if (fault) {
          report(walk, access, i, &state[i], fault);
          return;
        }
      }
}

// ---- Ops -------------------------------------------------------------------------------------------------------------

static void meet(Walk *walk, State state, uint32_t warps, int32_t barrier, bool is_all, CakeOp *op) {
  for (size_t i = 0; i < walk->sites.len; i++)
    cake_proxy_meet(&state[i], warps, barrier, is_all, op);
}

// Warps one by one: what a warp does alone orders its threads.
static void meet_each(Walk *walk, State state, uint32_t warps, CakeOp *op) {
  for (int32_t w = 0; w < walk->warps; w++)
    if (warps >> w & 1) meet(walk, state, 1U << w, -1, true, op);
}

static uint32_t count_bits(uint32_t mask) {
  uint32_t count = 0;
  for (; mask; mask &= mask - 1)
    count++;
  return count;
}

// Those of `warps` that come to the same barrier as `first`.
static uint32_t with_same_id(const CakeValue *id, uint32_t warps, int32_t *out_id) {
  int32_t number, first = 0;
  uint32_t group = 0;
  for (int32_t w = 0; w < CAKE_MAX_WARPS; w++) {
    if (!(warps >> w & 1)) continue;
    if (!cake_lane_number(id, w, 0, &number)) number = -1;
    if (!group) first = number;
    if (number == first) group |= 1U << w;
  }
  *out_id = first >= 0 && first < CAKE_PROXY_BARRIERS ? first : -1;
  return group;
}

// A barrier that counts fewer threads than come is over before all of them have come; one that counts more waits for
// others, somewhere else.
static void barrier(Walk *walk, State state, uint32_t warps, int32_t id, int64_t threads, CakeOp *op) {
  int64_t come = (int64_t)count_bits(warps) * 32;
  if (come > threads)
    meet_each(walk, state, warps, op);
  else
    meet(walk, state, warps, id, come == threads, op);
}

static void named_barrier(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  int64_t threads = cake_attr_int_value(cake_gpu_named_barrier_threads(op));
  for (uint32_t left = cake_threads_warps(active), group; left; left &= ~group) {
    int32_t id;
    group = with_same_id(cake_gpu_named_barrier_id(op), left, &id);
    barrier(walk, state, group, id, threads, op);
  }
}

static void named_arrive(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  for (uint32_t left = cake_threads_warps(active), group; left; left &= ~group) {
    int32_t id;
    CakeThreads who = {0};
    group = with_same_id(cake_gpu_named_barrier_arrive_id(op), left, &id);
    for (int32_t w = 0; w < walk->warps; w++)
      if (group >> w & 1) who.lanes[w] = active->lanes[w];
    for (size_t i = 0; i < walk->sites.len && id >= 0; i++)
      cake_proxy_arrive(&state[i], &who, id, op);
  }
}

static void write_site(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  uintptr_t executed = 0;
  for (size_t i = 0; i < walk->sites.len; i++) {
    if (walk->sites.data[i].op != op) continue;
    cake_proxy_write(&state[i], active);
    cake_map_get(&walk->executed, op, &executed);
    cake_map_set(&walk->executed, op, executed | cake_threads_warps(active));
  }
}

static void fence(Walk *walk, CakeOp *op, const CakeThreads *active, State state, bool is_init) {
  for (size_t i = 0; i < walk->sites.len; i++)
    if (walk->sites.data[i].is_mbarrier || !is_init) cake_proxy_fence(&state[i], active, op);
}

static void arrive(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  for (size_t i = 0; i < walk->sites.len; i++)
    cake_proxy_arrive(&state[i], active, -1, op);
}

static void wait(Walk *walk, const CakeThreads *active, State state) {
  for (size_t i = 0; i < walk->sites.len; i++)
    cake_proxy_wait(&state[i], cake_threads_warps(active));
}

static void step(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  for (size_t i = 0; i < walk->accesses.len && !walk->is_silent; i++)
    if (walk->accesses.data[i].op == op) judge(walk, &walk->accesses.data[i], active, state);
  switch (cake_is_gpu_op(op, (int)op->info->def->ordinal) ? op->info->def->ordinal : UINT32_MAX) {
  case cake_op_gpu_load:
  case cake_op_gpu_ldmatrix:
  case cake_op_gpu_store:
  case cake_op_gpu_stmatrix:
  case cake_op_gpu_mbarrier_init: write_site(walk, op, active, state); break;
  case cake_op_gpu_fence_proxy_async: fence(walk, op, active, state, false); break;
  case cake_op_gpu_mbarrier_init_fence: fence(walk, op, active, state, true); break;
  case cake_op_gpu_cluster_barrier: // of the CTA's threads, and more
  case cake_op_gpu_barrier: barrier(walk, state, cake_threads_warps(active), 0, (int64_t)walk->warps * 32, op); break;
  case cake_op_gpu_named_barrier: named_barrier(walk, op, active, state); break;
  case cake_op_gpu_named_barrier_arrive: named_arrive(walk, op, active, state); break;
  case cake_op_gpu_warp_sync: meet_each(walk, state, cake_threads_warps(active), op); break;
  case cake_op_gpu_mbarrier_arrive:
  case cake_op_gpu_mbarrier_arrive_remote:
  case cake_op_gpu_mbarrier_arrive_expect_tx: arrive(walk, op, active, state); break;
  case cake_op_gpu_mbarrier_wait: wait(walk, active, state); break;
  default: break;
  }
}

// ---- Control flow ----------------------------------------------------------------------------------------------------

static void walk_region(Walk *walk, CakeRegion *region, const CakeThreads *active, State state);

static State copy_state(Walk *walk, State state) {
  State copy = CAKE_ARENA_ARRAY(walk->arena, CakeProxyState, walk->sites.len);
  memcpy(copy, state, sizeof *copy * walk->sites.len);
  return copy;
}

static void free_state(Walk *walk, State state) {
  cake_arena_free(walk->arena, state, sizeof *state * walk->sites.len);
}

static bool join(Walk *walk, State into, State other) {
  bool changed = false;
  for (size_t i = 0; i < walk->sites.len; i++)
    changed |= cake_proxy_join(&into[i], &other[i]);
  return changed;
}

static bool is_empty(const CakeThreads *threads) {
  return cake_threads_warps(threads) == 0;
}

// What other threads will have arrived at while those that are walked first wait for them.
static void expect(Walk *walk, CakeRegion *region, const CakeThreads *active, State state) {
  State other = copy_state(walk, state);
  walk->is_silent++;
  walk_region(walk, region, active, other);
  walk->is_silent--;
  for (size_t i = 0; i < walk->sites.len; i++)
    cake_proxy_expect(&state[i], &other[i]);
  free_state(walk, other);
}

static const CakeThreadsCondition *condition_of(Walk *walk, const CakeOp *op) {
  uintptr_t known;
  if (cake_map_get(&walk->conditions, op, &known)) return (const CakeThreadsCondition *)known;
  CakeThreadsCondition *condition = CAKE_ARENA_NEW(walk->arena, CakeThreadsCondition);
  *condition = cake_threads_condition(cake_op_operand(op, 0), walk->warps);
  cake_map_set(&walk->conditions, op, (uintptr_t)condition);
  return condition;
}

static void walk_branch(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  const CakeThreadsCondition *condition = condition_of(walk, op);
  CakeThreads yes = cake_threads_and(&condition->may, active), no = cake_threads_without(active, &condition->must);
  CakeThreads both = cake_threads_and(&yes, &no);
  CakeRegion *otherwise = op->n_regions > 1 ? cake_op_region(op, 1) : NULL;
  if (is_empty(&both)) { // each thread's way is known: they do not meet in between
    if (otherwise && !is_empty(&yes) && !is_empty(&no)) expect(walk, otherwise, &no, state);
    if (!is_empty(&yes)) walk_region(walk, cake_op_region(op, 0), &yes, state);
    if (otherwise && !is_empty(&no)) walk_region(walk, otherwise, &no, state);
    return;
  }
  State other = copy_state(walk, state);
  walk_region(walk, cake_op_region(op, 0), &yes, state);
  if (otherwise) walk_region(walk, otherwise, &no, other);
  join(walk, state, other);
  free_state(walk, other);
}

static void walk_any(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  State before = copy_state(walk, state);
  for (uint32_t r = 0; r < op->n_regions; r++) {
    State one = copy_state(walk, before);
    walk_region(walk, cake_op_region(op, r), active, one);
    join(walk, state, one);
    free_state(walk, one);
  }
  free_state(walk, before);
}

static bool runs_once_at_least(const CakeOp *loop) {
  int32_t begin, end;
  return cake_op_is(loop, "scf.for") && cake_lane_number(cake_op_operand(loop, 0), 0, 0, &begin) &&
         cake_lane_number(cake_op_operand(loop, 1), 0, 0, &end) && begin < end;
}

static void walk_loop(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  bool is_while = op->info->def->flow.kind == CAKE_FLOW_WHILE, changed = true;
  State round = copy_state(walk, state), out = copy_state(walk, state);
  for (int i = 0; i < MAX_ROUNDS && changed; i++) {
    memcpy(round, state, sizeof *round * walk->sites.len);
    walk_region(walk, cake_op_region(op, 0), active, round);
    memcpy(out, round, sizeof *out * walk->sites.len);
    if (is_while) walk_region(walk, cake_op_region(op, 1), active, round);
    changed = join(walk, state, round);
  }
  if (is_while || runs_once_at_least(op)) memcpy(state, out, sizeof *out * walk->sites.len);
  free_state(walk, round);
  free_state(walk, out);
}

static void walk_op(Walk *walk, CakeOp *op, const CakeThreads *active, State state) {
  CakeFlowKind flow = op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
  if (!op->info->def) return;
  if (!op->n_regions) {
    if (op->info->dialect == &cake_dialect_gpu) step(walk, op, active, state);
    return;
  }
  switch (flow) {
  case CAKE_FLOW_BRANCH:
    if (cake_op_is(op, "scf.if"))
      walk_branch(walk, op, active, state);
    else
      walk_any(walk, op, active, state);
    break;
  case CAKE_FLOW_LOOP:
  case CAKE_FLOW_WHILE: walk_loop(walk, op, active, state); break;
  case CAKE_FLOW_ONCE:
    for (uint32_t r = 0; r < op->n_regions; r++)
      walk_region(walk, cake_op_region(op, r), active, state);
    break;
  default: walk->gave_up = true;
  }
}

static void walk_region(Walk *walk, CakeRegion *region, const CakeThreads *active, State state) {
  if (!region->first) return;
  if (region->first != region->last || walk->depth >= MAX_NESTING) walk->gave_up = true;
  if (walk->gave_up) return;
  walk->depth++;
  for (CakeOp *op = region->first->first; op && !walk->gave_up; op = op->next)
    walk_op(walk, op, active, state);
  walk->depth--;
}

static bool is_meeting(const CakeOp *op) {
  return cake_is_gpu_op(op, cake_op_gpu_barrier) || cake_is_gpu_op(op, cake_op_gpu_cluster_barrier);
}

// Ops from `op` to `end` once more, behind what they did in the first round.
static void walk_again(Walk *walk, CakeOp *op, const CakeOp *end, const CakeThreads *all, State state) {
  State again = copy_state(walk, state);
  walk->is_second = true;
  for (; op != end && walk->ok && !walk->gave_up; op = op->next)
    walk_op(walk, op, all, again);
  walk->is_second = false;
  free_state(walk, again);
}

static void walk_func(Walk *walk, const CakeRegion *region, State state) {
  CakeThreads all = cake_threads_all(walk->warps);
  if (!region->first || region->first != region->last) return;
  CakeOp *first = region->first->first;
  for (CakeOp *op = first; op && !walk->gave_up; op = op->next) {
    if (is_meeting(op)) walk_again(walk, first, op, &all, state);
    walk_op(walk, op, &all, state);
    if (is_meeting(op)) first = op->next;
  }
  walk_again(walk, first, NULL, &all, state);
}

// `asked`: only whether that op would be reported.
static bool check_func(CakeOp *func, const CakeOp *asked) {
  int64_t threads = cake_attr_int_value(cake_gpu_func_block(func));
  Walk walk = {.func = func, .warps = (int32_t)(threads / 32), .ok = true, .is_quiet = asked != NULL};
  bool is_modelled = threads > 0 && threads % 32 == 0 && threads / 32 <= CAKE_MAX_WARPS;
  if (is_modelled && cake_proxy_collect(func, walk.warps, &walk.sites, &walk.accesses)) {
    for (size_t i = 0; i < walk.accesses.len && !asked; i++)
      cake_context_site(func->context);
    walk.arena = cake_arena_create();
    walk_func(&walk, cake_op_region(func, 0), CAKE_ARENA_ARRAY(walk.arena, CakeProxyState, walk.sites.len));
    cake_arena_destroy(walk.arena);
  }
  uintptr_t ignored;
  if (asked) walk.ok = !cake_map_get(&walk.reported, asked, &ignored);
  cake_map_fini(&walk.executed);
  cake_map_fini(&walk.reported);
  cake_map_fini(&walk.conditions);
  CAKE_VEC_FINI(&walk.sites);
  CAKE_VEC_FINI(&walk.accesses);
  return walk.ok;
}

bool cake_proxy_finds(CakeOp *func, const CakeOp *op) {
  return !check_func(func, op);
}

bool cake_rule_async_proxy(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok &= check_func(op, NULL);
  return ok;
}
