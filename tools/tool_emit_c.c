// --emit=c: compiles each variant of a kernel in a context of its own, and writes them as one C file and its header.
#include "tools/tool_emit_c.h"

#include "dialects/cake/ops/kernel.h"

#include <string.h>

typedef struct Emission {
  const CakeEmitC *options;
  CakeFacts signature;
  CAKE_VEC(CakeCVariant) variants;
} Emission;

// ---- Names -----------------------------------------------------------------------------------------------------------

static const char *name_of(const char *output) {
  const char *slash = strrchr(output, '/');
  return slash ? slash + 1 : output;
}

static bool is_identifier(const char *text) {
  for (const char *at = text; *at; at++) {
    bool is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_';
    if (!is_letter && !(at > text && *at >= '0' && *at <= '9')) return false;
  }
  return *text != '\0';
}

// ---- Variants --------------------------------------------------------------------------------------------------------

// The value that a template parameter has in a variant: what is given, or its default.
static bool param_value(CakeOp *kernel, const CakeToolPairs *given, CakeStr name, int64_t *out) {
  CakeOp *param = cake_tool_param(kernel, name);
  if (!param) return false;
  *out = cake_attr_int_value(cake_op_attr_text(param, "value"));
  for (size_t i = 0; i < given->len; i++)
    if (cake_str_equal(given->data[i].name, name)) return cake_tool_int(given->data[i].value, out);
  return true;
}

// Sizes of the signature that are template parameters have a value in the variant.
static void add_needs(const Emission *e, CakeOp *kernel, const CakeToolPairs *given, CakeCVariant *variant) {
  for (uint32_t i = 0; i < e->signature.manifest.n_sizes; i++) {
    CakeVariantNeed need = {i, 0};
    if (param_value(kernel, given, cake_str(e->signature.manifest.sizes[i]), &need.value))
      CAKE_PUSH(&variant->needs, need);
  }
}

// Code without the comments in front, among them the manifest, which the C file has as a table.
static void take_code(CakeBuf *ptx) {
  size_t at = 0;
  while (at + 1 < ptx->len && ((ptx->data[at] == '/' && ptx->data[at + 1] == '/') || ptx->data[at] == '\n')) {
    const char *newline = strchr(ptx->data + at, '\n');
    at = newline ? (size_t)(newline - ptx->data) + 1 : ptx->len;
  }
  memmove(ptx->data, ptx->data + at, ptx->len - at + 1);
  ptx->len -= at;
}

static bool compile(const Emission *e, CakeTool *tool, CakeStr name, CakeStr params, const char *target,
                    CakeCVariant *out) {
  if (!cake_tool_load(tool, e->options->tool->file)) return false;
  CakeOp *kernel = cake_tool_kernel(tool, name.ptr);
  if (!kernel || !cake_kernel_check_target(kernel, target)) return false;
  CakeOp *module = cake_tool_lower(tool, params), *func = module ? cake_tool_func(tool, module) : NULL;
  if (!func || !cake_facts_of_func(func, target, &out->facts)) return false;
  cake_c_order_arguments(&e->signature.manifest, &out->facts);
  if (!cake_tool_emit_ptx(tool, module, target, false, &out->ptx)) return false;
  take_code(&out->ptx);
  if (e->options->with_cubin && !cake_tool_assemble(tool, func, cake_buf_view(&out->ptx), target, &out->cubin))
    return false;
  if (!e->options->with_ptx) cake_buf_fini(&out->ptx);
  return true;
}

// An instance must still have each size that it does not need.
static bool check_sizes(const Emission *e, const CakeCVariant *variant) {
  const CakeManifest *manifest = &variant->facts.manifest;
  for (uint32_t i = 0; i < manifest->n_sizes; i++)
    if (cake_facts_find_size(&e->signature, cake_str(manifest->sizes[i])) == SIZE_MAX)
      return cake_tool_fail(e->options->tool, "size '%s' is in no argument's shape, so that no caller can give it",
                            manifest->sizes[i]);
  return true;
}

static bool add_variant(Emission *e, CakeOp *kernel, const CakeToolPairs *given, const char *target) {
  CakeStr name = cake_attr_string_value(cake_op_attr_text(kernel, "sym_name"));
  CakeCVariant variant = {0};
  CakeBuf params = {0};
  CakeTool tool;
  cake_tool_open(&tool, e->options->tool->name);
  bool is_fine = cake_tool_params(e->options->tool, given, &params) &&
                 compile(e, &tool, name, cake_buf_view(&params), target, &variant) && check_sizes(e, &variant);
  add_needs(e, kernel, given, &variant);
  if (e->options->kernels->len > 1) cake_buf_printf(&variant.note, "@%.*s, ", CAKE_STR_ARG(name));
  cake_buf_printf(&variant.note, "%s%s%s", params.data ? params.data : "", params.len ? ", " : "", target);
  cake_buf_fini(&params);
  cake_tool_close(&tool);
  CAKE_PUSH(&e->variants, variant);
  return is_fine;
}

static bool has_target(CakeOp *kernel, CakeStr target) {
  CakeAttr all = cake_op_attr_text(kernel, "target");
  for (size_t i = 0; i < cake_attr_count(all); i++)
    if (cake_str_equal(cake_attr_string_value(cake_attr_element(all, i)), target)) return true;
  return false;
}

// Of several kernels, one that lacks a parameter of a variant is left out of it; one that all variants leave out is compiled with its defaults.
static bool add_target(Emission *e, CakeOp *kernel, CakeStr target) {
  static const CakeToolPairs defaults = {0};
  bool is_one = e->options->kernels->len == 1, is_fine = true, is_any = false;
  CakeBuf name = {0};
  if (!is_one && !has_target(kernel, target)) return true;
  cake_buf_str(&name, target);
  for (size_t i = 0; is_fine && i < e->options->n_variants; i++) {
    if (!is_one && !cake_tool_has_params(kernel, &e->options->variants[i])) continue;
    is_fine = add_variant(e, kernel, &e->options->variants[i], name.data);
    is_any = true;
  }
  if (!is_any) is_fine = add_variant(e, kernel, &defaults, name.data);
  cake_buf_fini(&name);
  return is_fine;
}

static bool add_kernel(Emission *e, CakeOp *kernel) {
  CakeAttr all = cake_op_attr_text(kernel, "target");
  const char *at = e->options->targets;
  for (size_t i = 0; !at && i < cake_attr_count(all); i++)
    if (!add_target(e, kernel, cake_attr_string_value(cake_attr_element(all, i)))) return false;
  while (at && *at) {
    size_t len = strcspn(at, ",");
    if (!add_target(e, kernel, (CakeStr){at, len})) return false;
    at += len + (at[len] == ',');
  }
  return true;
}

static bool add_variants(Emission *e) {
  for (size_t i = 0; i < e->options->n_variants; i++) {
    bool is_any = e->options->kernels->len == 1;
    for (size_t j = 0; j < e->options->kernels->len; j++)
      is_any |= cake_tool_has_params(e->options->kernels->data[j], &e->options->variants[i]);
    if (!is_any)
      return cake_tool_fail(e->options->tool, "--variant: no kernel of the family has all of its parameters");
  }
  for (size_t i = 0; i < e->options->kernels->len; i++)
    if (!add_kernel(e, e->options->kernels->data[i])) return false;
  return e->variants.len ||
         cake_tool_fail(e->options->tool, "no kernel of the family is written for %s", e->options->targets);
}

// ---- Files -----------------------------------------------------------------------------------------------------------

static bool write_file(const Emission *e, const char *suffix, const CakeBuf *text) {
  CakeBuf path = {0}, error = {0};
  cake_buf_printf(&path, "%s%s", e->options->output, suffix);
  bool is_fine = cake_file_write(path.data, cake_buf_view(text), &error);
  if (!is_fine) (void)cake_tool_fail(e->options->tool, "%s", error.data);
  cake_buf_fini(&path);
  cake_buf_fini(&error);
  return is_fine;
}

static bool write_files(const Emission *e) {
  CakeBuf header = {0}, source = {0};
  CakeCFamily family = {.name = name_of(e->options->output),
                        .source = name_of(e->options->tool->file),
                        .signature = &e->signature.manifest,
                        .variants = e->variants.data,
                        .n_variants = e->variants.len,
                        .n_kernels = e->options->kernels->len};
  cake_c_write_header(&family, &header);
  cake_c_write_source(&family, &source);
  bool is_fine = write_file(e, ".h", &header) && write_file(e, ".c", &source);
  cake_buf_fini(&header);
  cake_buf_fini(&source);
  return is_fine;
}

static void fini(Emission *e) {
  for (size_t i = 0; i < e->variants.len; i++) {
    CakeCVariant *variant = &e->variants.data[i];
    if (variant->facts.arena) cake_facts_fini(&variant->facts);
    CAKE_VEC_FINI(&variant->needs);
    cake_buf_fini(&variant->ptx);
    cake_buf_fini(&variant->cubin);
    cake_buf_fini(&variant->note);
  }
  CAKE_VEC_FINI(&e->variants);
  cake_facts_fini(&e->signature);
}

bool cake_tool_emit_c(const CakeEmitC *options) {
  Emission e = {.options = options};
  if (!options->output) return cake_tool_fail(options->tool, "--emit=c writes two files; name them by -o DIR/name");
  if (!is_identifier(name_of(options->output)))
    return cake_tool_fail(options->tool, "-o: '%s' must be a name that C functions can have", name_of(options->output));
  if (strcmp(options->tool->file, "<stdin>") == 0)
    return cake_tool_fail(options->tool, "--emit=c reads its file once a variant, which standard input cannot be");
  if (!cake_c_signature(options, &e.signature)) return false;
  bool is_fine = add_variants(&e) && write_files(&e);
  fini(&e);
  return is_fine;
}
