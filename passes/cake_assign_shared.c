// cake-assign-shared: gives every pipeline and buffer of a kernel its place in the CTA's shared memory, or in tensor memory.
//
// In tensor memory offsets and strides are columns; as many are allocated as the next power of two, at least 32.
//
// The parts of all slots and the buffers come first, those with the largest alignment in front, then the mbarriers (two a stage, 8
// bytes each; none of pipelines `to(store)`). A stage of a part is rounded up to the part's alignment, so that every
// slot is aligned. Rings of replicas (`each`) stand behind one another.
#include "cake/text.h"

#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/views.h"
#include "passes/passes.h"

#include <stdlib.h>

// More than any target has, and small enough that sums of a kernel's parts do not overflow.
static const int64_t most_bytes = INT64_C(1) << 31;

// One part of one pipeline, or a buffer, which has a "stage" a replica.
typedef struct Part {
  CakeOp *pipeline; // or the buffer
  size_t index;     // in the pipeline
  size_t order;     // in the kernel: ties in alignment keep it
  int64_t stages, stride, alignment, offset;
  bool is_tensor; // in tensor memory: columns
} Part;

typedef CAKE_VEC(Part) Parts;

static int64_t align_up(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static int compare_parts(const void *left, const void *right) {
  const Part *a = left, *b = right;
  if (a->alignment != b->alignment) return a->alignment > b->alignment ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static bool pipeline_stages(CakeOp *pipeline, int64_t *out) {
  if (!cake_expr_is_const(cake_cake_pipeline_stages(pipeline), out))
    return cake_error(pipeline, CAKE_CODE_PASS_FAILED, "has no constant number of stages; run cake-instantiate first");
  if (*out < 1 || *out > most_bytes)
    return cake_error(pipeline, CAKE_CODE_PASS_FAILED, "has %lld stages", (long long)*out);
  return true;
}

// Accumulators have elements of 32 bits: as many columns as the view.
static bool collect_columns(CakeOp *pipeline, size_t index, int64_t stages, Parts *parts) {
  CakeAttr list = cake_cake_pipeline_parts(pipeline);
  CakeType type = cake_parts_type(list, index);
  const char *name = cake_parts_name(list, index)->text;
  int64_t columns = cake_shared_size(type, 1);
  if (cake_tmem_use(type) != CAKE_TMEM_ACC)
    return cake_error(pipeline, CAKE_CODE_LOWER_UNSUPPORTED, "part '%s' is of type '%s'; only accumulators are lowered",
                      name, cake_type_text(type));
  if (columns < 0)
    return cake_error(pipeline, CAKE_CODE_PASS_FAILED, "part '%s' has no constant size; run cake-instantiate first",
                      name);
  CAKE_PUSH(parts, (Part){pipeline, index, parts->len, stages, align_up(columns, 32), 32, 0, true});
  return true;
}

static bool collect_parts(CakeOp *pipeline, Parts *parts) {
  CakeAttr list = cake_cake_pipeline_parts(pipeline);
  int64_t stages, rings = cake_pipeline_rings(pipeline);
  if (!pipeline_stages(pipeline, &stages)) return false;
  if (rings < 0) return cake_error(pipeline, CAKE_CODE_PASS_FAILED, "is filled by a role without a constant shape");
  for (size_t i = 0; i < cake_parts_count(list); i++) {
    CakeType type = cake_parts_type(list, i);
    const char *name = cake_parts_name(list, i)->text;
    if (cake_type_is(type, &cake_type_def_tmem)) {
      if (!collect_columns(pipeline, i, stages * rings, parts)) return false;
      continue;
    }
    int64_t bytes = cake_shared_bytes(type);
    if (bytes < 0)
      return cake_error(pipeline, CAKE_CODE_PASS_FAILED, "part '%s' has no constant size; run cake-instantiate first",
                        name);
    if (bytes > most_bytes || stages * rings * align_up(bytes, cake_shared_alignment(type)) > most_bytes)
      return cake_error(pipeline, CAKE_CODE_SHARED_CAPACITY, "part '%s' takes %lld stages of %lld bytes", name,
                        (long long)(stages * rings), (long long)bytes);
    int64_t alignment = cake_shared_alignment(type);
    CAKE_PUSH(parts, (Part){pipeline, i, parts->len, stages * rings, align_up(bytes, alignment), alignment, 0, false});
  }
  return true;
}

// The replicas of the role that works on a buffer; 1 where nobody does.
static bool buffer_replicas(CakeOp *buffer, int64_t *out) {
  *out = 1;
  if (!cake_cake_buffer_each(buffer)) return true;
  for (const CakeUse *use = buffer->results[0].first_use; use; use = use->next) {
    CakeOp *role = cake_op_role(use->owner);
    CakeRoleShape shape;
    if (!role) continue;
    if (!cake_role_shape(role, &shape))
      return cake_error(buffer, CAKE_CODE_PASS_FAILED,
                        "is of a role without constant shape; run cake-instantiate first");
    *out = shape.replicas;
  }
  return true;
}

static bool collect_buffer(CakeOp *buffer, Parts *parts) {
  CakeType type = buffer->results[0].type;
  int64_t bytes = cake_shared_bytes(type), alignment = cake_shared_alignment(type), replicas;
  if (cake_cake_buffer_alias(buffer)) return true;
  if (bytes < 0) return cake_error(buffer, CAKE_CODE_PASS_FAILED, "has no constant size; run cake-instantiate first");
  if (!buffer_replicas(buffer, &replicas)) return false;
  if (bytes > most_bytes || replicas * align_up(bytes, alignment) > most_bytes)
    return cake_error(buffer, CAKE_CODE_SHARED_CAPACITY, "takes %lld replicas of %lld bytes", (long long)replicas,
                      (long long)bytes);
  CAKE_PUSH(parts, (Part){buffer, 0, parts->len, replicas, align_up(bytes, alignment), alignment, 0, false});
  return true;
}

// Those of shared memory, or of tensor memory: where they end.
static int64_t place_parts(Parts *parts, bool in_tensor_memory) {
  int64_t end = 0;
  if (parts->len) qsort(parts->data, parts->len, sizeof *parts->data, compare_parts);
  for (size_t i = 0; i < parts->len; i++) {
    Part *part = &parts->data[i];
    if (part->is_tensor != in_tensor_memory) continue;
    part->offset = align_up(end, part->alignment);
    end = part->offset + part->stages * part->stride;
  }
  return end;
}

// Writes the places of one pipeline's parts; `barriers` is where its mbarriers begin.
static void set_places(CakePassContext *pass, CakeOp *pipeline, const Parts *parts, int64_t barriers) {
  CakeType i64 = cake_type_i64(pass->context);
  size_t count = cake_parts_count(cake_cake_pipeline_parts(pipeline));
  int64_t *offsets = CAKE_ARENA_ARRAY(pass->scratch, int64_t, count + 1);
  int64_t *strides = CAKE_ARENA_ARRAY(pass->scratch, int64_t, count + 1);
  for (size_t i = 0; i < parts->len; i++) {
    const Part *part = &parts->data[i];
    if (part->pipeline == pipeline) {
      offsets[part->index] = part->offset;
      strides[part->index] = part->stride;
    }
  }
  cake_rewriter_set_attr_text(&pass->rewriter, pipeline, "offsets", cake_attr_dense_array(i64, offsets, count));
  cake_rewriter_set_attr_text(&pass->rewriter, pipeline, "strides", cake_attr_dense_array(i64, strides, count));
  cake_rewriter_set_attr_text(&pass->rewriter, pipeline, "barriers", cake_attr_i64(pass->context, barriers));
}

// The place of a buffer: its own, or that of the one whose bytes it takes.
static void set_buffer(CakePassContext *pass, CakeOp *buffer, const Parts *parts) {
  const CakeValue *alias = cake_cake_buffer_alias(buffer);
  const CakeOp *owner = alias ? cake_value_def(alias) : buffer;
  for (size_t i = 0; i < parts->len; i++) {
    const Part *part = &parts->data[i];
    if (part->pipeline != owner) continue;
    cake_rewriter_set_attr_text(&pass->rewriter, buffer, "offset", cake_attr_i64(pass->context, part->offset));
    cake_rewriter_set_attr_text(&pass->rewriter, buffer, "stride", cake_attr_i64(pass->context, part->stride));
  }
}

static CakeOp *next_buffer(CakeOp *op) {
  while (op && !cake_is_cake_op(op, cake_op_cake_buffer))
    op = op->next;
  return op;
}

static CakeOp *next_pipeline(CakeOp *op) {
  while (op && !cake_is_cake_op(op, cake_op_cake_pipeline))
    op = op->next;
  return op;
}

// Columns of tensor memory are allocated in powers of two (PTX ISA, tcgen05.alloc), and their address is written to shared memory at `end`.
static bool allocate_columns(CakePassContext *pass, CakeOp *kernel, int64_t used, int64_t *end) {
  int64_t columns = 32;
  if (!used) return true;
  if (used > 512)
    return cake_error(kernel, CAKE_CODE_TMEM_CAPACITY, "needs %lld columns of tensor memory; there are 512",
                      (long long)used);
  while (columns < used)
    columns *= 2;
  CakeContext *context = pass->context;
  CakeNamedAttr entries[] = {
      {cake_id_text(context, "columns"), cake_attr_i64(context, columns)},
      {cake_id_text(context, "address"), cake_attr_i64(context, *end)   },
  };
  cake_rewriter_set_attr_text(&pass->rewriter, kernel, "tensor_memory", cake_attr_dictionary(context, entries, 2));
  *end += 8;
  return true;
}

static CakePassResult assign(CakePassContext *pass, CakeOp *kernel, Parts *parts) {
  CakeOp *first = cake_region_entry(cake_op_region(kernel, 0))->first;
  for (CakeOp *p = next_pipeline(first); p; p = next_pipeline(p->next))
    if (!collect_parts(p, parts)) return CAKE_PASS_FAILED;
  for (CakeOp *b = next_buffer(first); b; b = next_buffer(b->next))
    if (!collect_buffer(b, parts)) return CAKE_PASS_FAILED;
  int64_t end = align_up(place_parts(parts, false), 8), columns = place_parts(parts, true);
  for (CakeOp *b = next_buffer(first); b; b = next_buffer(b->next))
    set_buffer(pass, b, parts);
  for (CakeOp *p = next_pipeline(first); p; p = next_pipeline(p->next)) {
    int64_t stages = 0;
    (void)cake_expr_is_const(cake_cake_pipeline_stages(p), &stages);
    set_places(pass, p, parts, end);
    if (!cake_cake_pipeline_store(p)) end += 2 * 8 * stages; // the store engine signals by bulk groups
  }
  if (!allocate_columns(pass, kernel, columns, &end)) return CAKE_PASS_FAILED;
  cake_rewriter_set_attr_text(&pass->rewriter, kernel, "shared_bytes", cake_attr_i64(pass->context, end));
  return CAKE_PASS_CHANGED;
}

CakePassResult cake_pass_cake_assign_shared(CakePassContext *pass, CakeOp *module) {
  CakePassResult result = CAKE_PASS_UNCHANGED;
  for (CakeOp *op = cake_module_body(module)->first; op && result != CAKE_PASS_FAILED; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_kernel)) continue;
    Parts parts = {0};
    result = assign(pass, op, &parts);
    CAKE_VEC_FINI(&parts);
  }
  return result;
}
