// Which ops of a gpu function touch shared memory, through which proxy, and where.
#include "verifier/proxy_accesses.h"

#include "cake/text.h"
#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu_accessors.h"

// Of what a matrix descriptor points to, the first 8 rows of 128 bytes: the rest depends on its layout.
enum { DESCRIPTOR_BYTES = 1024, MBARRIER_BYTES = 8, MATRIX_ROW_BYTES = 16, MAX_DEPTH = 16 };

// ---- Sizes -----------------------------------------------------------------------------------------------------------

static int64_t element_bytes(CakeAttr arg_type) {
  CakeType type = cake_attr_is(arg_type, &cake_attr_def_type) ? cake_attr_value_type(arg_type) : NULL;
  return cake_type_is(type, &cake_type_def_global) ? (int64_t)cake_type_width(cake_global_element(type)) / 8 : -1;
}

int64_t cake_gpu_box_bytes(const CakeOp *func, const CakeValue *map) {
  CakeAttr maps = cake_gpu_func_tensor_maps(func), names = cake_gpu_func_arg_names(func);
  size_t first = cake_attr_count(names) + cake_attr_count(cake_gpu_func_sizes(func)) +
                 (cake_gpu_func_watchdog(func) != NULL); // its report
  if (!map->is_argument || !maps || map->index < first || map->index - first >= cake_attr_count(maps)) return -1;
  CakeAttr entry = cake_attr_element(maps, map->index - first);
  if (!cake_attr_is(entry, &cake_attr_def_dictionary)) return -1;
  CakeAttr box = cake_attr_lookup_text(entry, "box"), array = cake_attr_lookup_text(entry, "arg");
  if (!cake_attr_is(box, &cake_attr_def_array) || !cake_attr_is(array, &cake_attr_def_string)) return -1;
  int64_t bytes = -1;
  for (size_t i = 0; i < cake_attr_count(names); i++)
    if (cake_attr_element(names, i) == array)
      bytes = element_bytes(cake_attr_element(cake_gpu_func_arg_types(func), i));
  for (size_t i = 0; bytes > 0 && i < cake_attr_count(box); i++)
    bytes = cake_attr_is(cake_attr_element(box, i), &cake_attr_def_integer) && bytes < INT32_MAX
                ? bytes * cake_attr_int_value(cake_attr_element(box, i))
                : -1;
  return bytes > 0 && bytes <= INT32_MAX ? bytes : -1;
}

static int64_t value_bytes(const CakeValue *value) {
  int64_t count = 1;
  CakeType type = value->type;
  if (cake_type_is(type, &cake_type_def_vector)) {
    for (int64_t i = 0; i < cake_type_rank(type); i++)
      count *= cake_type_dim(type, (size_t)i);
    type = cake_type_element(type);
  }
  return count * (int64_t)cake_type_width(type) / 8;
}

// ---- Extents ---------------------------------------------------------------------------------------------------------

static CakeExtent extent_of(const CakeValue *pointer, int64_t bytes, int32_t warps) {
  CakeExtent extent;
  bool ignored;
  for (int32_t w = 0; w < warps; w++) {
    extent.bytes[w] = cake_lane_range(pointer, w, &ignored);
    extent.bytes[w].hi += bytes - 1;
  }
  return extent;
}

// The pointer that a matrix descriptor was made of.
static const CakeValue *descriptor_pointer(const CakeValue *value, unsigned depth) {
  const CakeOp *op = cake_value_def(value);
  if (!op || depth > MAX_DEPTH) return NULL;
  if (cake_is_gpu_op(op, cake_op_gpu_shared_address)) return cake_op_operand(op, 0);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *found = descriptor_pointer(cake_op_operand(op, i), depth + 1);
    if (found) return found;
  }
  return NULL;
}

static void add_access(CakeProxyAccesses *accesses, CakeOp *op, const CakeValue *pointer, int64_t bytes, int32_t warps,
                       bool is_write) {
  if (!pointer || bytes < 1) return;
  CAKE_PUSH(accesses, ((CakeProxyAccess){.op = op, .is_write = is_write, .extent = extent_of(pointer, bytes, warps)}));
}

static void add_mbarrier(CakeProxyAccesses *accesses, CakeOp *op, const CakeValue *barrier, int32_t warps) {
  add_access(accesses, op, barrier, MBARRIER_BYTES, warps, true);
  accesses->data[accesses->len - 1].is_mbarrier = true;
}

static void add_accesses(CakeProxyAccesses *accesses, CakeOp *func, CakeOp *op, int32_t warps) {
  bool ignored;
  if (cake_is_gpu_op(op, cake_op_gpu_tma_store)) {
    add_access(accesses, op, cake_gpu_tma_store_src(op), cake_gpu_box_bytes(func, cake_gpu_tma_store_map(op)), warps,
               false);
  } else if (cake_is_gpu_op(op, cake_op_gpu_tma_load)) {
    add_access(accesses, op, cake_gpu_tma_load_dst(op), cake_gpu_box_bytes(func, cake_gpu_tma_load_map(op)), warps,
               true);
    add_mbarrier(accesses, op, cake_gpu_tma_load_barrier(op), warps);
  } else if (cake_is_gpu_op(op, cake_op_gpu_tma_load_multicast)) {
    add_access(accesses, op, cake_gpu_tma_load_multicast_dst(op),
               cake_gpu_box_bytes(func, cake_gpu_tma_load_multicast_map(op)), warps, true);
    add_mbarrier(accesses, op, cake_gpu_tma_load_multicast_barrier(op), warps);
  } else if (cake_is_gpu_op(op, cake_op_gpu_bulk_load)) {
    CakeLaneRange bytes = cake_lane_range(cake_gpu_bulk_load_bytes(op), 0, &ignored);
    add_access(accesses, op, cake_gpu_bulk_load_dst(op), bytes.hi, warps, true);
    add_mbarrier(accesses, op, cake_gpu_bulk_load_barrier(op), warps);
  } else if (cake_is_gpu_op(op, cake_op_gpu_wgmma)) {
    add_access(accesses, op, descriptor_pointer(cake_gpu_wgmma_a(op), 0), DESCRIPTOR_BYTES, warps, false);
    add_access(accesses, op, descriptor_pointer(cake_gpu_wgmma_b(op), 0), DESCRIPTOR_BYTES, warps, false);
  } else if (cake_is_gpu_op(op, cake_op_gpu_wgmma_rs)) {
    add_access(accesses, op, descriptor_pointer(cake_gpu_wgmma_rs_b(op), 0), DESCRIPTOR_BYTES, warps, false);
  }
}

// ---- Accesses of the generic proxy -----------------------------------------------------------------------------------

// The pointer through which an op writes shared memory by the generic proxy, and how many bytes a thread.
static const CakeValue *written_pointer(const CakeOp *op, int64_t *out_bytes) {
  if (cake_is_gpu_op(op, cake_op_gpu_store)) {
    *out_bytes = value_bytes(cake_gpu_store_value(op));
    return gpu_is_shared_ptr.test(cake_gpu_store_ptr(op)->type) ? cake_gpu_store_ptr(op) : NULL;
  }
  if (cake_is_gpu_op(op, cake_op_gpu_stmatrix)) {
    *out_bytes = MATRIX_ROW_BYTES;
    return cake_gpu_stmatrix_ptr(op);
  }
  *out_bytes = MBARRIER_BYTES;
  return cake_is_gpu_op(op, cake_op_gpu_mbarrier_init) ? cake_gpu_mbarrier_init_barrier(op) : NULL;
}

// The pointer through which an op reads it, and how many bytes a thread.
static const CakeValue *read_pointer(const CakeOp *op, int64_t *out_bytes) {
  if (cake_is_gpu_op(op, cake_op_gpu_load)) {
    *out_bytes = value_bytes(&op->results[0]);
    return gpu_is_shared_ptr.test(cake_gpu_load_ptr(op)->type) ? cake_gpu_load_ptr(op) : NULL;
  }
  *out_bytes = MATRIX_ROW_BYTES;
  return cake_is_gpu_op(op, cake_op_gpu_ldmatrix) ? cake_gpu_ldmatrix_ptr(op) : NULL;
}

// Whether an op has a part in the order of accesses: fences, barriers, arrivals, waits, and all that holds regions.
static bool orders(const CakeOp *op) {
  switch (cake_is_gpu_op(op, (int)op->info->def->ordinal) ? op->info->def->ordinal : UINT32_MAX) {
  case cake_op_gpu_fence_proxy_async:
  case cake_op_gpu_mbarrier_init_fence:
  case cake_op_gpu_cluster_barrier:
  case cake_op_gpu_barrier:
  case cake_op_gpu_named_barrier:
  case cake_op_gpu_named_barrier_arrive:
  case cake_op_gpu_warp_sync:
  case cake_op_gpu_mbarrier_arrive:
  case cake_op_gpu_mbarrier_arrive_remote:
  case cake_op_gpu_mbarrier_arrive_expect_tx:
  case cake_op_gpu_mbarrier_wait: return true;
  default: return op->n_regions > 0;
  }
}

// Makes one range of two that overlap or touch.
static bool unite(CakeExtent *into, const CakeExtent *more, int32_t warps) {
  for (int32_t w = 0; w < warps; w++)
    if (into->bytes[w].lo > more->bytes[w].hi + 1 || more->bytes[w].lo > into->bytes[w].hi + 1) return false;
  for (int32_t w = 0; w < warps; w++) {
    if (more->bytes[w].lo < into->bytes[w].lo) into->bytes[w].lo = more->bytes[w].lo;
    if (more->bytes[w].hi > into->bytes[w].hi) into->bytes[w].hi = more->bytes[w].hi;
  }
  return true;
}

// Reads of a block with nothing in between that orders anything are one site, which stands for the last of them.
static void add_read(CakeProxySites *sites, size_t first, const CakeProxySite *site, int32_t warps) {
  for (size_t i = first; i < sites->len; i++)
    if (sites->data[i].is_read && sites->data[i].op->block == site->op->block &&
        unite(&sites->data[i].extent, &site->extent, warps)) {
      sites->data[i].op = site->op;
      return;
    }
  CAKE_PUSH(sites, *site);
}

bool cake_proxy_overlaps(const CakeProxySite *site, int32_t writer, const CakeProxyAccess *access, int32_t warp) {
  CakeLaneRange a = site->extent.bytes[writer], b = access->extent.bytes[warp];
  return site->is_mbarrier == access->is_mbarrier && (!site->is_read || access->is_write) && a.lo <= b.hi &&
         b.lo <= a.hi;
}

static bool meets_any(const CakeProxySite *site, const CakeProxyAccesses *accesses, int32_t warps) {
  for (size_t i = 0; i < accesses->len; i++)
    for (int32_t w = 0; w < warps; w++)
      for (int32_t v = 0; v < warps; v++)
        if (cake_proxy_overlaps(site, w, &accesses->data[i], v)) return true;
  return false;
}

bool cake_proxy_collect(CakeOp *func, int32_t warps, CakeProxySites *sites, CakeProxyAccesses *accesses) {
  int64_t bytes;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false))
    if (op->info->dialect == &cake_dialect_gpu) add_accesses(accesses, func, op, warps);
  size_t unordered = 0; // the first site behind the last op that orders
  for (CakeOp *op = func; op && accesses->len; op = cake_op_walk_next(func, op, false)) {
    if (op->info->def && orders(op)) unordered = sites->len;
    if (op->info->dialect != &cake_dialect_gpu) continue;
    const CakeValue *written = written_pointer(op, &bytes), *pointer = written ? written : read_pointer(op, &bytes);
    if (!pointer) continue;
    CakeProxySite site = {.op = op, .is_read = !written, .extent = extent_of(pointer, bytes, warps)};
    site.is_mbarrier = cake_is_gpu_op(op, cake_op_gpu_mbarrier_init);
    if (!meets_any(&site, accesses, warps)) continue;
    if (written)
      CAKE_PUSH(sites, site);
    else
      add_read(sites, unordered, &site, warps);
  }
  return sites->len > 0;
}
