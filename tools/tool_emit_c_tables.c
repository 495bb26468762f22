// The tables of a generated C file: the code, and the manifests as constants.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/tool_emit_c.h"

// ---- Tables ----------------------------------------------------------------------------------------------------------

static const char *const op_names[CAKE_FORMULA_OP_COUNT] = {
    [CAKE_FORMULA_CONST] = "CONST",     [CAKE_FORMULA_SIZE] = "SIZE", [CAKE_FORMULA_ADD] = "ADD",
    [CAKE_FORMULA_SUB] = "SUB",         [CAKE_FORMULA_MUL] = "MUL",   [CAKE_FORMULA_FLOORDIV] = "FLOORDIV",
    [CAKE_FORMULA_CEILDIV] = "CEILDIV", [CAKE_FORMULA_MOD] = "MOD",   [CAKE_FORMULA_MIN] = "MIN",
    [CAKE_FORMULA_MAX] = "MAX",         [CAKE_FORMULA_EQ] = "EQ",     [CAKE_FORMULA_NE] = "NE",
    [CAKE_FORMULA_LT] = "LT",           [CAKE_FORMULA_LE] = "LE",     [CAKE_FORMULA_GT] = "GT",
    [CAKE_FORMULA_GE] = "GE",           [CAKE_FORMULA_AND] = "AND",
};

static const char *const element_names[CAKE_ELEMENT_COUNT] = {
    [CAKE_ELEMENT_I1] = "I1",         [CAKE_ELEMENT_I8] = "I8",   [CAKE_ELEMENT_I16] = "I16",
    [CAKE_ELEMENT_I32] = "I32",       [CAKE_ELEMENT_I64] = "I64", [CAKE_ELEMENT_F8E4M3FN] = "F8E4M3FN",
    [CAKE_ELEMENT_F8E5M2] = "F8E5M2", [CAKE_ELEMENT_F16] = "F16", [CAKE_ELEMENT_BF16] = "BF16",
    [CAKE_ELEMENT_TF32] = "TF32",     [CAKE_ELEMENT_F32] = "F32", [CAKE_ELEMENT_F64] = "F64",
    [CAKE_ELEMENT_INDEX] = "INDEX",
};

static void write_number(int64_t value, CakeBuf *out) {
  if (value == INT64_MIN)
    cake_buf_text(out, "INT64_MIN");
  else
    cake_buf_printf(out, "INT64_C(%" PRId64 ")", value);
}

// `static const CakeFormulaStep PREFIX_NAME[] = {…};`
static void write_steps(const char *prefix, const char *name, const CakeFormula *formula, CakeBuf *out) {
  if (formula->count == 0) return;
  cake_buf_printf(out, "static const CakeFormulaStep %s_%s[] = {", prefix, name);
  for (uint32_t i = 0; i < formula->count; i++) {
    cake_buf_printf(out, "%s{CAKE_FORMULA_%s, ", i ? ", " : "", op_names[formula->steps[i].op]);
    write_number(formula->steps[i].value, out);
    cake_buf_char(out, '}');
  }
  cake_buf_text(out, "};\n");
}

static void write_formula(const char *prefix, const char *name, const CakeFormula *formula, CakeBuf *out) {
  if (formula->count)
    cake_buf_printf(out, "{%s_%s, %u}", prefix, name, (unsigned)formula->count);
  else
    cake_buf_text(out, "{NULL, 0}");
}

// A C string literal.
static void write_string(const char *text, CakeBuf *out) {
  cake_buf_char(out, '"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      cake_buf_printf(out, "\\%c", c);
    else if (c < ' ' || c == 0x7f)
      cake_buf_printf(out, "\\%03o", c);
    else
      cake_buf_char(out, *text);
  }
  cake_buf_char(out, '"');
}

static void write_args(const char *prefix, const CakeManifest *manifest, CakeBuf *out) {
  char name[48];
  for (uint32_t i = 0; i < manifest->n_args; i++) {
    const CakeManifestArgument *arg = &manifest->args[i];
    if (arg->rank == 0) continue;
    for (uint32_t d = 0; d < arg->rank; d++) {
      (void)snprintf(name, sizeof name, "arg%u_dim%u", (unsigned)i, (unsigned)d);
      write_steps(prefix, name, &arg->dims[d], out);
    }
    cake_buf_printf(out, "static const CakeFormula %s_arg%u_dims[] = {", prefix, (unsigned)i);
    for (uint32_t d = 0; d < arg->rank; d++) {
      (void)snprintf(name, sizeof name, "arg%u_dim%u", (unsigned)i, (unsigned)d);
      if (d) cake_buf_text(out, ", ");
      write_formula(prefix, name, &arg->dims[d], out);
    }
    cake_buf_text(out, "};\n");
  }
  cake_buf_printf(out, "static const CakeManifestArgument %s_args[] = {\n", prefix);
  for (uint32_t i = 0; i < manifest->n_args; i++) {
    const CakeManifestArgument *arg = &manifest->args[i];
    cake_buf_text(out, "    {");
    write_string(arg->name, out);
    cake_buf_printf(out, ", CAKE_ELEMENT_%s, %s, %s, %s, %u, %u, ", element_names[arg->element],
                    arg->is_array ? "true" : "false", arg->is_readonly ? "true" : "false",
                    arg->is_added ? "true" : "false", (unsigned)arg->align, (unsigned)arg->rank);
    if (arg->rank)
      cake_buf_printf(out, "%s_arg%u_dims},\n", prefix, (unsigned)i);
    else
      cake_buf_text(out, "NULL},\n");
  }
  cake_buf_text(out, "};\n");
}

static void write_sizes(const char *prefix, const CakeManifest *manifest, CakeBuf *out) {
  if (manifest->n_sizes == 0) return;
  cake_buf_printf(out, "static const char *const %s_sizes[] = {", prefix);
  for (uint32_t i = 0; i < manifest->n_sizes; i++) {
    if (i) cake_buf_text(out, ", ");
    write_string(manifest->sizes[i], out);
  }
  cake_buf_text(out, "};\n");
}

static void write_maps(const char *prefix, const CakeManifest *manifest, CakeBuf *out) {
  if (manifest->n_maps == 0) return;
  cake_buf_printf(out, "static const CakeManifestMap %s_maps[] = {\n", prefix);
  for (uint32_t i = 0; i < manifest->n_maps; i++) {
    const CakeManifestMap *map = &manifest->maps[i];
    cake_buf_printf(out, "    {%u, %u, {", (unsigned)map->argument, (unsigned)map->rank);
    for (uint32_t d = 0; d < CAKE_MANIFEST_MAP_RANK; d++)
      cake_buf_printf(out, "%s%u", d ? ", " : "", (unsigned)map->box[d]);
    cake_buf_printf(out, "}, %u, %u},\n", (unsigned)map->panel, (unsigned)map->swizzle);
  }
  cake_buf_text(out, "};\n");
}

// The whole manifest but its roles, which are for people.
static void write_manifest(const char *prefix, const CakeManifest *manifest, CakeBuf *out) {
  write_args(prefix, manifest, out);
  write_sizes(prefix, manifest, out);
  write_maps(prefix, manifest, out);
  write_steps(prefix, "items", &manifest->items, out);
  write_steps(prefix, "guard", &manifest->guard, out);
  cake_buf_printf(out, "static const CakeManifest %s_manifest = {\n    .version = %d,\n    .kernel = ", prefix,
                  CAKE_MANIFEST_VERSION);
  write_string(manifest->kernel, out);
  cake_buf_text(out, ",\n    .target = ");
  write_string(manifest->target, out);
  cake_buf_printf(out, ",\n    .args = %s_args,\n    .n_args = %u,\n", prefix, (unsigned)manifest->n_args);
  if (manifest->n_sizes)
    cake_buf_printf(out, "    .sizes = %s_sizes,\n    .n_sizes = %u,\n", prefix, (unsigned)manifest->n_sizes);
  if (manifest->n_maps)
    cake_buf_printf(out, "    .maps = %s_maps,\n    .n_maps = %u,\n", prefix, (unsigned)manifest->n_maps);
  cake_buf_text(out, "    .items = ");
  write_formula(prefix, "items", &manifest->items, out);
  cake_buf_text(out, ",\n    .guard = ");
  write_formula(prefix, "guard", &manifest->guard, out);
  if (manifest->guard_text) {
    cake_buf_text(out, ",\n    .guard_text = ");
    write_string(manifest->guard_text, out);
  }
  cake_buf_printf(out,
                  ",\n    .persistent = %s,\n    .programmatic = %s,\n    .threads = %u,\n    .shared_bytes = %u,\n",
                  manifest->persistent ? "true" : "false", manifest->programmatic ? "true" : "false",
                  (unsigned)manifest->threads, (unsigned)manifest->shared_bytes);
  cake_buf_printf(out, "    .cluster = {%u, %u, %u},\n};\n", (unsigned)manifest->cluster[0],
                  (unsigned)manifest->cluster[1], (unsigned)manifest->cluster[2]);
}

// ---- Images ----------------------------------------------------------------------------------------------------------

// Text, one literal a line.
static void write_text_image(const char *prefix, const CakeBuf *text, CakeBuf *out) {
  cake_buf_printf(out, "static const char %s_ptx[] =", prefix);
  for (size_t at = 0; at < text->len;) {
    size_t len = strcspn(text->data + at, "\n");
    CakeBuf line = {0};
    cake_buf_append(&line, text->data + at, len);
    cake_buf_char(&line, '\n');
    cake_buf_text(out, "\n    ");
    write_string(line.data, out);
    cake_buf_fini(&line);
    at += len + 1;
  }
  cake_buf_text(out, ";\n");
}

static void write_binary_image(const char *prefix, const CakeBuf *bytes, CakeBuf *out) {
  cake_buf_printf(out, "static const unsigned char %s_cubin[] = {", prefix);
  for (size_t i = 0; i < bytes->len; i++)
    cake_buf_printf(out, "%s%u",
                    i == 0        ? "\n    "
                    : i % 24 == 0 ? ",\n    "
                                  : ",",
                    (unsigned)(unsigned char)bytes->data[i]);
  cake_buf_text(out, "};\n");
}

static void write_images(const char *prefix, const CakeCVariant *variant, CakeBuf *out) {
  if (variant->cubin.len) write_binary_image(prefix, &variant->cubin, out);
  if (variant->ptx.len) write_text_image(prefix, &variant->ptx, out);
  cake_buf_printf(out, "static const CakeImage %s_images[] = {", prefix);
  if (variant->cubin.len)
    cake_buf_printf(out, "{%s_cubin, sizeof %s_cubin}%s", prefix, prefix, variant->ptx.len ? ", " : "");
  if (variant->ptx.len) cake_buf_printf(out, "{%s_ptx, sizeof %s_ptx}", prefix, prefix);
  cake_buf_text(out, "};\n");
}

// ---- Variants --------------------------------------------------------------------------------------------------------

static uint32_t find_size(const CakeManifest *signature, const char *name) {
  uint32_t i = 0;
  while (i < signature->n_sizes && strcmp(signature->sizes[i], name) != 0)
    i++;
  return i;
}

void cake_c_write_variant(const CakeCFamily *family, size_t index, CakeBuf *out) {
  const CakeCVariant *variant = &family->variants[index];
  const CakeManifest *manifest = &variant->facts.manifest;
  char prefix[32];
  (void)snprintf(prefix, sizeof prefix, "variant%zu", index);
  cake_buf_printf(out, "\n// %s\n", variant->note.data);
  write_images(prefix, variant, out);
  write_manifest(prefix, manifest, out);
  if (manifest->n_sizes) {
    cake_buf_printf(out, "static const uint32_t %s_of_family[] = {", prefix);
    for (uint32_t i = 0; i < manifest->n_sizes; i++)
      cake_buf_printf(out, "%s%u", i ? ", " : "", (unsigned)find_size(family->signature, manifest->sizes[i]));
    cake_buf_text(out, "};\n");
  }
  if (variant->needs.len == 0) return;
  cake_buf_printf(out, "static const CakeVariantNeed %s_needs[] = {", prefix);
  for (size_t i = 0; i < variant->needs.len; i++) {
    cake_buf_printf(out, "%s{%u, ", i ? ", " : "", (unsigned)variant->needs.data[i].size);
    write_number(variant->needs.data[i].value, out);
    cake_buf_char(out, '}');
  }
  cake_buf_text(out, "};\n");
}

void cake_c_write_family(const CakeCFamily *family, CakeBuf *out) {
  cake_buf_text(out, "\n// The arguments of every variant.\n");
  write_manifest("family", family->signature, out);
  cake_buf_text(out, "static const CakeVariant variants[] = {\n");
  for (size_t i = 0; i < family->n_variants; i++) {
    const CakeCVariant *variant = &family->variants[i];
    cake_buf_printf(out, "    {&variant%zu_manifest, variant%zu_images, sizeof variant%zu_images / sizeof(CakeImage), ",
                    i, i, i);
    if (variant->facts.manifest.n_sizes)
      cake_buf_printf(out, "variant%zu_of_family, ", i);
    else
      cake_buf_text(out, "NULL, ");
    if (variant->needs.len)
      cake_buf_printf(out, "variant%zu_needs, %zu},\n", i, variant->needs.len);
    else
      cake_buf_text(out, "NULL, 0},\n");
  }
  cake_buf_printf(out,
                  "};\nstatic CakeKernel *kernels[%zu];\n"
                  "static const CakeFamily family = {&family_manifest, variants, %zu, kernels};\n",
                  family->n_variants, family->n_variants);
}
