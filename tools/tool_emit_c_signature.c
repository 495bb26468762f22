// The arguments that the kernels of a generated C file have in common.
#include "tools/tool_emit_c.h"

#include "dialects/cake/ops/kernel.h"

#include <string.h>

// ---- Kernels of a family ---------------------------------------------------------------------------------------------

static bool is_same_formula(const CakeFormula *a, const CakeFormula *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->steps[i].op != b->steps[i].op || a->steps[i].value != b->steps[i].value) return false;
  return true;
}

// That kinds and ranks are the same was verified with the module.
static bool is_same_shape(const CakeManifestArgument *a, const CakeManifestArgument *b) {
  for (uint32_t i = 0; i < a->rank; i++)
    if (!is_same_formula(&a->dims[i], &b->dims[i])) return false;
  return true;
}

static bool has_same_sizes(const CakeManifest *a, const CakeManifest *b) {
  if (a->n_sizes != b->n_sizes) return false;
  for (uint32_t i = 0; i < a->n_sizes; i++)
    if (strcmp(a->sizes[i], b->sizes[i]) != 0) return false;
  return true;
}

// Takes the weaker of two alignments and promises, and what one of the kernels adds to.
static bool join(const CakeEmitC *options, CakeFacts *into, const CakeFacts *other) {
  const CakeManifest *a = &into->manifest, *b = &other->manifest;
  CakeManifestArgument *args = CAKE_ARENA_ARRAY(into->arena, CakeManifestArgument, a->n_args + 1);
  if (!has_same_sizes(a, b))
    return cake_tool_fail(options->tool, "kernels '@%s' and '@%s' of one family have other sizes", a->kernel,
                          b->kernel);
  for (uint32_t i = 0; i < a->n_args; i++) {
    if (!is_same_shape(&a->args[i], &b->args[i]))
      return cake_tool_fail(options->tool, "argument '%s' has another shape in kernel '@%s' than in '@%s'",
                            a->args[i].name, b->kernel, a->kernel);
    args[i] = a->args[i];
    if (b->args[i].align < args[i].align) args[i].align = b->args[i].align;
    args[i].is_readonly &= b->args[i].is_readonly;
    args[i].is_added |= b->args[i].is_added;
  }
  into->manifest.args = args;
  return true;
}

bool cake_c_signature(const CakeEmitC *options, CakeFacts *out) {
  CakeOp *const *kernels = options->kernels->data;
  if (!cake_facts_of_signature(kernels[0], out)) return false;
  for (size_t i = 1; i < options->kernels->len; i++) {
    CakeFacts other;
    bool is_fine = cake_facts_of_signature(kernels[i], &other);
    if (is_fine) {
      is_fine = join(options, out, &other);
      cake_facts_fini(&other);
    }
    if (!is_fine) return cake_facts_fini(out), false;
  }
  if (options->kernels->len > 1) out->manifest.kernel = cake_kernel_family(kernels[0]).ptr;
  return true;
}

// ---- The order of arguments ------------------------------------------------------------------------------------------

void cake_c_order_arguments(const CakeManifest *signature, CakeFacts *facts) {
  CakeManifest *own = &facts->manifest;
  CakeManifestArgument *args = CAKE_ARENA_ARRAY(facts->arena, CakeManifestArgument, own->n_args + 1);
  CakeManifestMap *maps = CAKE_ARENA_ARRAY(facts->arena, CakeManifestMap, own->n_maps + 1);
  for (uint32_t i = 0; i < own->n_maps; i++)
    maps[i] = own->maps[i];
  for (uint32_t i = 0; i < own->n_args; i++) {
    size_t from = cake_facts_find(facts, cake_str(signature->args[i].name));
    args[i] = own->args[from];
    for (uint32_t j = 0; j < own->n_maps; j++)
      if (own->maps[j].argument == from) maps[j].argument = i;
  }
  own->args = args;
  own->maps = maps;
}
