// gpu: bulk copies of tensors. A recipe of the launch facts and the array's shape are a tensor map (CUDA driver API, cuTensorMapEncodeTiled).
//
// The box lies in shared memory row by row, innermost dimension first; a swizzle exchanges 16-byte chunks of a row by the number of the row:
// address bits 4… are xored with bits 7… (PTX ISA, "Swizzling modes"). What is outside of the array is zero.
#include "simulator/gpu_build.h"

#include "cake/text.h"

#include <string.h>

// ---- Recipes -------------------------------------------------------------------------------------------------------------

static bool map_error(CakeSimLaunch *launch, size_t number, const char *what) {
  return cake_error(launch->kernel, CAKE_CODE_TMA_STRIDE, "tensor map %zu %s", number, what);
}

static int64_t int_entry(CakeAttr dictionary, const char *name) {
  CakeAttr value = cake_attr_lookup_text(dictionary, name);
  return cake_attr_is(value, &cake_attr_def_integer) ? cake_attr_int_value(value) : 0;
}

static size_t find_argument(const CakeSimLaunch *launch, CakeAttr name) {
  for (size_t i = 0; cake_attr_is(name, &cake_attr_def_string) && i < launch->n_args; i++)
    if (cake_str_equal(cake_id_str(launch->globals[i].name), cake_attr_string_value(name)) &&
        launch->arrays[i]->rank > 0)
      return i;
  return SIZE_MAX;
}

static void add_dim(CakeGpuMap *map, int64_t extent, int64_t stride) {
  if (map->rank < CAKE_GPU_MAP_RANK) {
    map->dims[map->rank] = extent;
    map->strides[map->rank] = stride;
  }
  map->rank++;
}

// {last, second to last, …} of the array; with a panel {panel, second to last, last / panel, third to last, …}.
static void lay_out(const CakeSimArray *array, int64_t panel, CakeGpuMap *map) {
  int64_t stride = map->element_bytes, last = array->dims[array->rank - 1];
  add_dim(map, panel ? panel : last, stride);
  for (size_t i = 1; i < array->rank; i++) {
    stride *= array->dims[array->rank - i];
    add_dim(map, array->dims[array->rank - 1 - i], stride);
    if (i == 1 && panel) add_dim(map, last / panel, panel * map->element_bytes);
  }
  if (array->rank == 1 && panel) add_dim(map, last / panel, panel * map->element_bytes);
}

static bool check_map(CakeSimLaunch *launch, size_t number, const CakeGpuMap *map) {
  int64_t row = map->box[0] * map->element_bytes;
  for (size_t i = 0; i < map->rank; i++) {
    if (map->box[i] < 1 || map->box[i] > 256)
      return map_error(launch, number, "has a box of less than 1 or more than 256 elements along a dimension");
    if (i > 0 && map->strides[i] % 16 != 0)
      return map_error(launch, number, "has a stride that is no multiple of 16 bytes");
  }
  if (cake_gpu_array_address(launch, map->argument) % 16 != 0)
    return map_error(launch, number, "is of an array that is not declared to be aligned to 16 bytes");
  if (row % 16 != 0) return map_error(launch, number, "has a box whose rows are no multiple of 16 bytes");
  if (map->swizzle != 0 && map->swizzle != 32 && map->swizzle != 64 && map->swizzle != 128)
    return map_error(launch, number, "has a swizzle that is not 0, 32, 64 or 128 bytes");
  if (map->swizzle && row > map->swizzle)
    return map_error(launch, number, "has a box whose rows are longer than the swizzle");
  return true;
}

static bool build_map(CakeSimLaunch *launch, size_t number, CakeAttr recipe, CakeGpuMap *map) {
  if (!cake_attr_is(recipe, &cake_attr_def_dictionary)) return map_error(launch, number, "has no recipe");
  size_t argument = find_argument(launch, cake_attr_lookup_text(recipe, "arg"));
  CakeAttr box = cake_attr_lookup_text(recipe, "box");
  if (argument == SIZE_MAX || !cake_attr_is(box, &cake_attr_def_array))
    return map_error(launch, number, "has a recipe without an array or a box");
  int64_t panel = int_entry(recipe, "panel");
  *map = (CakeGpuMap){.argument = (uint32_t)argument,
                      .element_bytes = (int64_t)cake_sim_stored_bytes(launch->globals[argument].element),
                      .swizzle = int_entry(recipe, "swizzle")};
  if (panel < 0 || (panel > 0 && launch->arrays[argument]->dims[launch->arrays[argument]->rank - 1] % panel != 0))
    return map_error(launch, number, "has a panel that does not divide its array");
  lay_out(launch->arrays[argument], panel, map);
  if (map->rank > CAKE_GPU_MAP_RANK || map->rank != cake_attr_count(box))
    return map_error(launch, number, "has a box of another number of dimensions than its array");
  for (size_t i = 0; i < map->rank; i++) {
    CakeAttr extent = cake_attr_element(box, i);
    map->box[i] = cake_attr_is(extent, &cake_attr_def_integer) ? cake_attr_int_value(extent) : 0;
  }
  return check_map(launch, number, map);
}

bool cake_gpu_build_maps(CakeSimLaunch *launch, CakeGpuMap **out_maps, size_t *out_count) {
  CakeAttr recipes = cake_gpu_func_tensor_maps(launch->kernel);
  *out_count = recipes ? cake_attr_count(recipes) : 0;
  *out_maps = CAKE_ARENA_ARRAY(launch->arena, CakeGpuMap, *out_count + 1);
  for (size_t i = 0; i < *out_count; i++)
    if (!build_map(launch, i, cake_attr_element(recipes, i), &(*out_maps)[i])) return false;
  return true;
}

// ---- Copies --------------------------------------------------------------------------------------------------------------

static int64_t box_bytes(const CakeGpuMap *map) {
  int64_t bytes = map->element_bytes;
  for (size_t i = 0; i < map->rank; i++)
    bytes *= map->box[i];
  return bytes;
}

int64_t cake_gpu_swizzled(int64_t address, int64_t swizzle) {
  int64_t chunks = swizzle / 16;
  return chunks > 1 ? address ^ (((address >> 7) & (chunks - 1)) << 4) : address;
}

static void add_element(CakeSimElement element, void *global, const void *shared) {
  union {
    float real;
    int64_t whole;
  } kept;
  cake_sim_read(element, shared, 0, 1, &kept);
  cake_sim_add(element, global, 0, 1, &kept);
}

// Whether a row of a box lies in the array along the outer dimensions, and where its array's row begins (bytes).
static bool is_row_inside(const CakeGpuMap *map, const int64_t *coords, int64_t *offset) {
  bool is_inside = true;
  *offset = 0;
  for (size_t d = 1; d < map->rank; d++) {
    is_inside = is_inside && coords[d] >= 0 && coords[d] < map->dims[d];
    *offset += coords[d] * map->strides[d];
  }
  return is_inside;
}

// The next row of a box; false: that was the last.
static bool next_row(const CakeGpuMap *map, const CakeGpuPending *pending, int64_t *coords) {
  for (size_t d = 1; d < map->rank; d++) {
    if (++coords[d] < pending->coords[d] + map->box[d]) return true;
    coords[d] = pending->coords[d];
  }
  return false;
}

// Copies the row of the box at `coords` (its first element), by what that does to the array: what of the row lies in it. To shared memory the rest is zero.
static void copy_row(const CakeGpuCta *cta, const CakeGpuMap *map, const int64_t *coords, int64_t at,
                     CakeGpuAccessKind kind) {
  const CakeSimArray *array = cta->cta.launch->arrays[map->argument];
  CakeSimElement element = cta->cta.launch->globals[map->argument].element;
  int64_t offset, bytes = map->element_bytes;
  bool is_inside = is_row_inside(map, coords, &offset);
  for (int64_t i = 0; i < map->box[0]; i++) {
    int64_t x = coords[0] + i;
    uint8_t *shared = cake_gpu_shared_bytes(cta, cake_gpu_swizzled(at + i * bytes, map->swizzle));
    char *global = is_inside && x >= 0 && x < map->dims[0] ? (char *)array->data + offset + x * bytes : NULL;
    if (kind == CAKE_GPU_WRITE && global) memcpy(global, shared, (size_t)bytes);
    if (kind == CAKE_GPU_REDUCE && global) add_element(element, global, shared);
    if (kind != CAKE_GPU_READ) continue;
    if (global)
      memcpy(shared, global, (size_t)bytes);
    else
      memset(shared, 0, (size_t)bytes);
  }
}

static void copy_box(CakeGpuCta *cta, const CakeGpuPending *pending, CakeGpuAccessKind kind) {
  if (cta->cta.launch->options->protocol) return;
  const CakeGpuMap *map = &cta->maps[pending->map];
  int64_t coords[CAKE_GPU_MAP_RANK], to = pending->to[0];
  memcpy(coords, pending->coords, sizeof coords);
  do {
    copy_row(cta, map, coords, to, kind);
    to += map->box[0] * map->element_bytes;
  } while (next_row(map, pending, coords));
}

static CakeGpuAccessKind kind_of_store(const CakeOp *op) {
  return cake_gpu_tma_store_reduce(op) ? CAKE_GPU_REDUCE : CAKE_GPU_WRITE;
}

// Watches what of a box lies in its array: of a load with the mbarrier at which it counts, otherwise NULL.
static bool watch_box(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, const CakeGpuPending *pending,
                      CakeGpuAccessKind kind, const CakeGpuMbarrier *barrier) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  const CakeGpuMap *map = &cta->maps[pending->map];
  int64_t coords[CAKE_GPU_MAP_RANK], array = cake_gpu_array_address(cta->cta.launch, map->argument), offset;
  memcpy(coords, pending->coords, sizeof coords);
  do {
    int64_t first = coords[0] > 0 ? coords[0] : 0, last = coords[0] + map->box[0];
    if (last > map->dims[0]) last = map->dims[0];
    CakeGpuAccess access = {.bytes = (last - first) * map->element_bytes, .kind = kind, .memory = CAKE_GPU_IN_ARRAY};
    if (access.bytes <= 0 || !is_row_inside(map, coords, &offset)) continue;
    access.address = array + offset + first * map->element_bytes;
    if (!(barrier ? cake_gpu_race_bulk(machine, instr, lane, access, barrier)
                  : cake_gpu_race_store(machine, instr, lane, access)))
      return false;
  } while (cta->races && next_row(map, pending, coords));
  return true;
}

// A copy to another CTA must not come when that one has ended.
static bool is_there(const CakeGpuCta *cta, const CakeGpuPending *pending) {
  CakeSimMachine *machine = &pending->warp->machine;
  int64_t rank = (pending->to[0] - CAKE_GPU_SHARED_BASE) / cta->window, ignored;
  return rank == machine->rank || cake_gpu_remote(machine, pending->instr->op, pending->to[0], rank, &ignored);
}

bool cake_gpu_land_tensor(CakeGpuCta *cta, const CakeGpuPending *pending) {
  if (!is_there(cta, pending)) return false;
  copy_box(cta, pending, CAKE_GPU_READ);
  cake_gpu_mark(cta, pending->to[0], pending->filled[0], CAKE_GPU_WRITTEN);
  pending->warp->machine.active = pending->mask;
  return cake_gpu_mbarrier_complete(&pending->warp->machine, pending->instr->op,
                                    cake_gpu_mbarrier_find(cta, pending->barrier[0]), pending->filled[0]);
}

// A copy of a lane between shared memory (operand 0) and a box of operand `map_at`, whose coordinates come `behind` operands later. A swizzle
// repeats after 8 rows of its span. NULL: reported.
static CakeGpuPending *issue(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, uint32_t map_at,
                             uint32_t behind, CakeGpuPendingKind kind) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  int64_t number = cake_sim_ints(machine, instr->in[map_at])[lane];
  if (number < 0 || number >= (int64_t)cta->n_maps) {
    cake_sim_unsupported(instr->op, "uses a tensor map that is no argument");
    return NULL;
  }
  const CakeGpuMap *map = &cta->maps[number];
  uint32_t n_coords = instr->op->n_operands - map_at - behind;
  if (n_coords != map->rank) {
    cake_sim_unsupported(instr->op, "has %u coordinates, but its tensor map %zu dimensions", n_coords, map->rank);
    return NULL;
  }
  CakeGpuPending *pending = cake_gpu_pend(machine, instr, kind);
  pending->mask = UINT32_C(1) << lane;
  pending->map = (uint32_t)number;
  pending->to[0] = cake_sim_ints(machine, instr->in[0])[lane];
  pending->filled[0] = box_bytes(map);
  for (size_t i = 0; i < map->rank; i++)
    pending->coords[i] = cake_sim_ints(machine, instr->in[map_at + behind + i])[lane];
  machine->cta->launch->report.copies++;
  machine->cta->launch->report.copied_bytes += (uint64_t)pending->filled[0];
  int64_t align = map->swizzle ? 8 * map->swizzle : 128;
  return cake_gpu_shared_at(machine, instr->op, pending->to[0], pending->filled[0], align) ? pending : NULL;
}

// What a copy writes in one CTA, where it counts at an mbarrier.
static bool begin(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, const CakeGpuPending *pending) {
  CakeGpuAccess write = {pending->to[0], pending->filled[0], CAKE_GPU_WRITE, CAKE_GPU_IN_SHARED};
  const CakeGpuMbarrier *barrier = cake_gpu_mbarrier_at(machine, instr->op, pending->barrier[0]);
  if (!barrier || !cake_gpu_race_mbarrier_use(machine, instr, lane, barrier, CAKE_GPU_ASYNC) ||
      !cake_gpu_check_write(machine, instr->op, write.address, write.bytes) ||
      !cake_gpu_race_bulk(machine, instr, lane, write, barrier) ||
      !watch_box(machine, instr, lane, pending, CAKE_GPU_READ, barrier))
    return false;
  cake_gpu_mark(cake_gpu_cta(machine), write.address, write.bytes, CAKE_GPU_UNDER_WAY);
  return true;
}

static bool load(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane) {
  CakeGpuPending *pending = issue(machine, instr, lane, 2, 1, CAKE_GPU_TENSOR);
  if (!pending) return false;
  pending->barrier[0] = cake_sim_ints(machine, instr->in[1])[lane];
  return begin(machine, instr, lane, pending);
}

// A copy of its own to each CTA of the mask.
static bool load_multicast(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  int64_t mask = cake_sim_ints(machine, instr->in[3])[lane], barrier = cake_sim_ints(machine, instr->in[1])[lane];
  CakeGpuPending *first = issue(machine, instr, lane, 2, 2, CAKE_GPU_TENSOR);
  if (!first) return false;
  CakeGpuPending whole = *first;
  CAKE_PUSH(&cta->spare, cta->pending.data[--cta->pending.len]);
  if (mask < 1 || mask >= INT64_C(1) << machine->cta->launch->cluster) {
    (void)cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                         "goes to the CTAs of mask %lld; the cluster has %lld", (long long)mask,
                         (long long)machine->cta->launch->cluster);
    return false;
  }
  for (int64_t rank = 0; rank < machine->cta->launch->cluster; rank++) {
    if (!(mask >> rank & 1)) continue;
    CakeGpuPending copy = whole;
    if (!cake_gpu_remote(machine, instr->op, whole.to[0], rank, &copy.to[0]) ||
        !cake_gpu_remote(machine, instr->op, barrier, rank, &copy.barrier[0]) || !begin(machine, instr, lane, &copy))
      return false;
    *cake_gpu_pend(machine, instr, CAKE_GPU_TENSOR) = copy;
  }
  return true;
}

static CakeSimStep eval_tma_load_multicast(CakeSimMachine *machine, const CakeSimInstr *instr) {
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    if (cake_gpu_is_active(machine, lane) && !load_multicast(machine, instr, lane)) return CAKE_SIM_FAILED;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tma_load_multicast(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_tma_load_multicast) != NULL;
}

static CakeSimStep eval_tma_load(CakeSimMachine *machine, const CakeSimInstr *instr) {
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    if (cake_gpu_is_active(machine, lane) && !load(machine, instr, lane)) return CAKE_SIM_FAILED;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tma_load(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_tma_load) != NULL;
}

// ---- Stores --------------------------------------------------------------------------------------------------------------

// They read shared memory some time behind their issue; who waited for their group may write there again.
bool cake_gpu_land_store(CakeGpuCta *cta, const CakeGpuPending *pending) {
  pending->warp->machine.active = pending->mask;
  if (!cake_gpu_check_read(&pending->warp->machine, pending->instr->op, pending->to[0], pending->filled[0]))
    return false;
  copy_box(cta, pending, kind_of_store(pending->instr->op));
  cake_gpu_wake(cta);
  return true;
}

static bool store(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane) {
  CakeGpuPending *pending = issue(machine, instr, lane, 1, 1, CAKE_GPU_STORE);
  if (!pending) return false;
  CakeType element = machine->cta->launch->arrays[cake_gpu_cta(machine)->maps[pending->map].argument]->element;
  if (cake_gpu_tma_store_reduce(instr->op) && !cake_type_adds_in_memory(element))
    return cake_sim_unsupported(instr->op, "adds elements of type '%s' to an array", cake_type_text(element));
  CakeGpuAccess read = {pending->to[0], pending->filled[0], CAKE_GPU_READ, CAKE_GPU_IN_SHARED};
  pending->group = cake_gpu_warp(machine)->stores[lane];
  cake_gpu_warp(machine)->storing |= UINT32_C(1) << lane;
  return cake_gpu_check_read(machine, instr->op, read.address, read.bytes) &&
         cake_gpu_race_store(machine, instr, lane, read) &&
         watch_box(machine, instr, lane, pending, kind_of_store(instr->op), NULL);
}

static CakeSimStep eval_tma_store(CakeSimMachine *machine, const CakeSimInstr *instr) {
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    if (cake_gpu_is_active(machine, lane) && !store(machine, instr, lane)) return CAKE_SIM_FAILED;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tma_store(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_tma_store) != NULL;
}

static CakeSimStep eval_bulk_commit(CakeSimMachine *machine, const CakeSimInstr *instr) {
  (void)instr;
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    warp->stores[lane] += cake_gpu_is_active(machine, lane);
  warp->storing &= ~machine->active;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_bulk_commit(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_bulk_commit) != NULL;
}

static bool is_stored(const CakeGpuCta *cta, const CakeGpuWarp *warp, unsigned lane, uint64_t group) {
  for (size_t i = 0; i < cta->pending.len; i++) {
    const CakeGpuPending *pending = cta->pending.data[i];
    if (pending->kind == CAKE_GPU_STORE && pending->warp == warp && pending->mask >> lane & 1 &&
        pending->group <= group)
      return false;
  }
  return true;
}

static CakeSimStep eval_bulk_wait_read(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  uint64_t left = (uint64_t)cake_attr_int_value(cake_gpu_bulk_wait_read_pending(instr->op)), groups[CAKE_GPU_LANES];
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    uint64_t closed = warp->stores[lane] - 1;
    groups[lane] = closed > left ? closed - left : 0;
    if (cake_gpu_is_active(machine, lane) && !is_stored(cake_gpu_cta(machine), warp, lane, groups[lane]))
      return CAKE_SIM_BLOCKED;
  }
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane) || groups[lane] <= warp->stored[lane]) continue;
    warp->stored[lane] = groups[lane];
    cake_gpu_race_store_wait(machine, lane);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_bulk_wait_read(CakeSimBuilder *builder, CakeOp *op) {
  int64_t pending = cake_attr_int_value(cake_gpu_bulk_wait_read_pending(op));
  if (pending < 0) return cake_sim_unsupported(op, "leaves %lld groups", (long long)pending);
  return cake_sim_emit(builder, op, eval_bulk_wait_read) != NULL;
}

bool cake_gpu_check_stored(CakeSimMachine *machine, CakeOp *op) {
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    bool is_read = warp->stores[lane] - 1 == warp->stored[lane] && !(warp->storing >> lane & 1);
    if (is_read || !cake_gpu_is_active(machine, lane)) continue;
    (void)cake_sim_error(machine, op, CAKE_CODE_SIM_UNDEFINED,
                         "ends lane %u, whose bulk stores may still read shared memory", lane);
    return false;
  }
  return true;
}
