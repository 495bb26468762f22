// Tensor memory of a CTA: its allocation, the addresses of slots, and its end.
//
// PTX ISA, "tcgen05.alloc": a warp allocates and writes the address to shared memory; what was allocated is given back before the kernel ends.
// "tcgen05.fence": accesses to tensor memory are ordered with a synchronisation of threads by a fence on either side.
#include "dialects/gpu/gpu.h"
#include "passes/cake_expand_pipelines.h"

void cake_pipelines_tensor_fence(ExpandPipelines *e, const char *side) {
  CakeContext *context = e->rewriter->context;
  CakeNamedAttr attr = {cake_id_text(context, "side"), cake_attr_string(context, cake_str(side))};
  cake_rewriter_build(e->rewriter, &(CakeBuild){.name = "gpu.tcgen05_fence", .attrs = &attr, .n_attrs = 1});
}

// A launch fact that cake-assign-shared has set; 0: the function has no tensor memory.
static int64_t tensor_fact(ExpandPipelines *e, const char *name) {
  CakeAttr facts = cake_op_attr_text(e->func, "tensor_memory");
  return facts ? cake_attr_int_value(cake_attr_lookup_text(facts, name)) : 0;
}

// Where in shared memory the address is kept.
static CakeValue *address_place(ExpandPipelines *e) {
  return cake_lower_ptr_add(e->rewriter, e->shared, cake_lower_i32(e->rewriter, tensor_fact(e, "address")));
}

// An op of the first warp alone. The warp's number is wanted before the branches on roles, for which it was made.
static void build_in_first_warp(ExpandPipelines *e, const char *name, CakeValue *operand) {
  CakeBlock *entry = cake_region_entry(cake_op_region(e->func, 0));
  CakeValue *warp = cake_pipelines_cta_warp(e);
  if (cake_value_def(warp) != entry->first) cake_rewriter_move_before(e->rewriter, cake_value_def(warp), entry->first);
  CakeValue *is_first = cake_lower_cmpi(e->rewriter, CAKE_CMPI_EQ, warp, cake_lower_index(e->rewriter, 0));
  CakeLowerPoint point = cake_lower_save(e->rewriter);
  cake_lower_enter(e->rewriter, cake_op_region(cake_lower_if(e->rewriter, is_first, false), 0));
  cake_pipelines_build_counted(e, name, operand, "columns", tensor_fact(e, "columns"));
  cake_lower_restore(e->rewriter, point);
}

void cake_pipelines_allocate_tensor(ExpandPipelines *e) {
  if (!tensor_fact(e, "columns")) return;
  build_in_first_warp(e, "gpu.tcgen05_alloc", address_place(e));
  cake_pipelines_tensor_fence(e, "before");
}

void cake_pipelines_find_tensor(ExpandPipelines *e) {
  if (!tensor_fact(e, "columns")) return;
  CakeType i32 = cake_type_i32(e->rewriter->context);
  cake_pipelines_tensor_fence(e, "after");
  e->tensor = cake_build_unary(e->rewriter, "gpu.tcgen05_address", i32, address_place(e));
  cake_lower_name(e->tensor, "tensor");
}

void cake_pipelines_free_tensor(ExpandPipelines *e) {
  if (!e->tensor) return;
  cake_pipelines_tensor_fence(e, "before");
  cake_pipelines_build(e, "gpu.barrier", NULL, 0);
  cake_pipelines_tensor_fence(e, "after");
  build_in_first_warp(e, "gpu.tcgen05_dealloc", e->tensor);
}

CakeValue *cake_pipelines_tensor_view(ExpandPipelines *e, CakeValue *stage, int64_t offset, int64_t stride,
                                      CakeType type) {
  CakeValue *column = cake_lower_add_const(e->rewriter, cake_lower_mul_const(e->rewriter, stage, stride), offset);
  return cake_lower_view(e->rewriter, cake_lower_add(e->rewriter, e->tensor, column), type);
}
