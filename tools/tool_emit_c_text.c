// The text of a generated C file: the launcher's own source, the tables, and the functions.
#include <string.h>

#include "tools/tool_emit_c.h"

// The public headers and sources of the launcher one behind the other, made by the build; ends with NUL.
extern const unsigned char cake_launcher_text[];

// ---- Functions -------------------------------------------------------------------------------------------------------

static const char *const c_types[CAKE_ELEMENT_COUNT] = {
    [CAKE_ELEMENT_I1] = "uint8_t",     [CAKE_ELEMENT_I8] = "int8_t",    [CAKE_ELEMENT_I16] = "int16_t",
    [CAKE_ELEMENT_I32] = "int32_t",    [CAKE_ELEMENT_I64] = "int64_t",  [CAKE_ELEMENT_F8E4M3FN] = "uint8_t",
    [CAKE_ELEMENT_F8E5M2] = "uint8_t", [CAKE_ELEMENT_F16] = "uint16_t", [CAKE_ELEMENT_BF16] = "uint16_t",
    [CAKE_ELEMENT_TF32] = "float",     [CAKE_ELEMENT_F32] = "float",    [CAKE_ELEMENT_F64] = "double",
    [CAKE_ELEMENT_INDEX] = "int64_t",
};

// Whether a name would clash with a word of C or C++ or with a parameter of ours.
static bool is_taken(const char *name) {
  static const char *const words[] = {
      "auto",     "bool",    "break",     "case",   "catch",    "char",    "class",       "const",    "continue",
      "default",  "delete",  "do",        "double", "else",     "enum",    "error",       "explicit", "export",
      "extern",   "false",   "float",     "for",    "friend",   "goto",    "if",          "inline",   "int",
      "long",     "mutable", "namespace", "new",    "operator", "private", "protected",   "public",   "register",
      "restrict", "return",  "short",     "signed", "sizeof",   "static",  "stream",      "struct",   "switch",
      "template", "this",    "throw",     "true",   "try",      "typedef", "typeid",      "typename", "union",
      "unsigned", "using",   "virtual",   "void",   "volatile", "while",   "error_bytes",
  };
  for (size_t i = 0; i < CAKE_COUNT(words); i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

static void write_name(const char *name, CakeBuf *out) {
  cake_buf_printf(out, "%s%s", name, is_taken(name) ? "_" : "");
}

// A size whose name an argument has, too.
static void write_size_name(const CakeManifest *signature, const char *name, CakeBuf *out) {
  write_name(name, out);
  for (uint32_t i = 0; i < signature->n_args; i++)
    if (strcmp(signature->args[i].name, name) == 0) cake_buf_text(out, "_size");
}

// Whether an array's shape says what the size is; so does cake_launch_bind.
static bool is_in_shape(const CakeManifest *signature, uint32_t size) {
  for (uint32_t i = 0; i < signature->n_args; i++) {
    const CakeManifestArgument *arg = &signature->args[i];
    for (uint32_t j = 0; j < arg->rank; j++)
      if (arg->dims[j].count == 1 && arg->dims[j].steps[0].op == CAKE_FORMULA_SIZE &&
          arg->dims[j].steps[0].value == (int64_t)size)
        return true;
  }
  return false;
}

// "int NAME(const void *x, …, int64_t B, …, void *stream, char *error, size_t error_bytes)"
static void write_prototype(const CakeCFamily *family, bool is_dlpack, CakeBuf *out) {
  const CakeManifest *signature = family->signature;
  cake_buf_printf(out, "int %s%s(", family->name, is_dlpack ? "_dlpack" : "");
  for (uint32_t i = 0; i < signature->n_args; i++) {
    const CakeManifestArgument *arg = &signature->args[i];
    if (!arg->is_array)
      cake_buf_printf(out, "%s ", c_types[arg->element]);
    else
      cake_buf_text(out, is_dlpack || arg->is_readonly ? "const void *" : "void *");
    write_name(arg->name, out);
    cake_buf_text(out, ", ");
  }
  for (uint32_t i = 0; i < signature->n_sizes; i++) {
    if (is_dlpack && is_in_shape(signature, i)) continue;
    cake_buf_text(out, "int64_t ");
    write_size_name(signature, signature->sizes[i], out);
    cake_buf_text(out, ", ");
  }
  cake_buf_text(out, "void *stream, char *error, size_t error_bytes)");
}

static void write_function(const CakeCFamily *family, bool is_dlpack, CakeBuf *out) {
  const CakeManifest *signature = family->signature;
  cake_buf_char(out, '\n');
  write_prototype(family, is_dlpack, out);
  cake_buf_text(out, " {\n  const CakeArgument values[] = {\n");
  for (uint32_t i = 0; i < signature->n_args; i++) {
    const CakeManifestArgument *arg = &signature->args[i];
    cake_buf_printf(out, "      {%s", !arg->is_array ? ".scalar = &" : is_dlpack ? ".tensor = " : ".address = ");
    write_name(arg->name, out);
    cake_buf_text(out, "},\n");
  }
  cake_buf_text(out, "  };\n");
  if (signature->n_sizes) {
    cake_buf_text(out, "  const int64_t sizes[] = {");
    for (uint32_t i = 0; i < signature->n_sizes; i++) {
      if (i) cake_buf_text(out, ", ");
      if (is_dlpack && is_in_shape(signature, i))
        cake_buf_text(out, "-1"); // bound from the shapes
      else
        write_size_name(signature, signature->sizes[i], out);
    }
    cake_buf_text(out, "};\n");
  }
  cake_buf_printf(out,
                  "  const CakeCall call = {values, %s, stream};\n"
                  "  CakeRuntimeError reason;\n"
                  "  return finish(cake_family_launch(&family, &call, &reason), &reason, error, error_bytes);\n}\n",
                  signature->n_sizes ? "sizes" : "NULL");
}

static const char finish_text[] =
    "\nstatic int finish(bool is_fine, const CakeRuntimeError *reason, char *error, size_t error_bytes) {\n"
    "  if (!is_fine && error && error_bytes) (void)snprintf(error, error_bytes, \"%s\", reason->text);\n"
    "  return is_fine ? 0 : 1;\n}\n";

static void write_functions(const CakeCFamily *family, CakeBuf *out) {
  cake_buf_text(out, finish_text);
  write_function(family, false, out);
  write_function(family, true, out);
  cake_buf_printf(out,
                  "\nint %s_load(char *error, size_t error_bytes) {\n"
                  "  CakeRuntimeError reason;\n"
                  "  return finish(cake_family_load(&family, &reason), &reason, error, error_bytes);\n}\n"
                  "\nvoid %s_unload(void) {\n  cake_family_unload(&family);\n}\n"
                  "\nint %s_driver(const char *path, char *error, size_t error_bytes) {\n"
                  "  CakeRuntimeError reason;\n"
                  "  return finish(cake_driver_open(path, &reason), &reason, error, error_bytes);\n}\n",
                  family->name, family->name, family->name);
}

// ---- The two files ---------------------------------------------------------------------------------------------------

// The launcher without its includes of Cake's files; functions of it are static here.
static void write_launcher(CakeBuf *out) {
  const char *text = (const char *)cake_launcher_text;
  for (const char *at = text; *at;) {
    size_t len = strcspn(at, "\n");
    if (strncmp(at, "#include \"", 10) != 0) {
      cake_buf_append(out, at, len);
      cake_buf_char(out, '\n');
    }
    at += len + (at[len] == '\n');
  }
}

void cake_c_write_source(const CakeCFamily *family, CakeBuf *out) {
  cake_buf_printf(out,
                  "// Generated by cake-translate --emit=c from %s. Needs the C library and, when a kernel is first\n"
                  "// launched, the CUDA driver; nothing else. Do not edit.\n"
                  "#if !defined(_POSIX_C_SOURCE) && !defined(_XOPEN_SOURCE)\n#define _POSIX_C_SOURCE 200809L\n#endif\n"
                  "#include \"%s.h\"\n\n#include <stdbool.h>\n#include <stdio.h>\n\n"
                  "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ignored "
                  "\"-Woverlength-strings\"\n#endif\n\n"
                  "#define CAKE_RUNTIME_API static\n#define CAKE_LAUNCH_API static\n\n",
                  family->source, family->name);
  write_launcher(out);
  cake_buf_text(out, "// ==== The kernels ====\n");
  for (size_t i = 0; i < family->n_variants; i++)
    cake_c_write_variant(family, i, out);
  cake_c_write_family(family, out);
  write_functions(family, out);
}

static void write_argument_comment(const CakeManifest *signature, const CakeManifestArgument *arg, CakeBuf *out) {
  cake_buf_printf(out, "//   %s: ", arg->name);
  if (!arg->is_array) {
    cake_buf_printf(out, "one %s\n", cake_element_name(arg->element));
    return;
  }
  cake_buf_text(out, cake_element_name(arg->element));
  for (uint32_t i = 0; i < arg->rank; i++) {
    cake_buf_char(out, '[');
    cake_formula_write(signature, &arg->dims[i], out);
    cake_buf_char(out, ']');
  }
  cake_buf_text(out, arg->is_readonly ? ", read only" : arg->is_added ? ", added to: give it first values" : "");
  if (arg->align) cake_buf_printf(out, ", aligned to %u bytes", (unsigned)arg->align);
  cake_buf_char(out, '\n');
}

void cake_c_write_header(const CakeCFamily *family, CakeBuf *out) {
  const CakeManifest *signature = family->signature;
  bool is_family = family->n_kernels > 1;
  cake_buf_printf(
      out,
      "// %s @%s, generated by cake-translate --emit=c from %s. Do not edit.\n//\n// Arguments, dense and on "
      "the device:\n",
      is_family ? "Family" : "Kernel", signature->kernel, family->source);
  for (uint32_t i = 0; i < signature->n_args; i++)
    write_argument_comment(signature, &signature->args[i], out);
  cake_buf_text(out, "// Compiled for:");
  for (size_t i = 0; i < family->n_variants; i++)
    cake_buf_printf(out, "%s %s", i ? ";" : "", family->variants[i].note.data);
  cake_buf_printf(
      out,
      "\n#ifndef CAKE_GENERATED_%s_H\n#define CAKE_GENERATED_%s_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      "// Enqueues one launch on `stream` (a CUstream or cudaStream_t; NULL: the default stream) of the current CUDA "
      "context.\n// 0: enqueued, or there was nothing to do. Otherwise nothing was started, and `error` (may be NULL) "
      "says why in one sentence.\n",
      family->name, family->name);
  write_prototype(family, false, out);
  cake_buf_text(
      out, ";\n// The same with a DLTensor (dlpack.h) for each array, whose shapes give the sizes that are in them.\n");
  write_prototype(family, true, out);
  cake_buf_printf(
      out,
      ";\n// Loads the code into the current context, so that the first launch need not (it must not inside of a graph "
      "capture).\nint %s_load(char *error, size_t error_bytes);\n"
      "// Unloads it from the current context, where all launches must have ended.\nvoid %s_unload(void);\n"
      "// Loads the CUDA driver from another file than libcuda.so.1 (NULL: the program itself); before the first "
      "launch "
      "only.\nint %s_driver(const char *path, char *error, size_t error_bytes);\n\n"
      "#ifdef __cplusplus\n}\n#endif\n#endif\n",
      family->name, family->name, family->name);
}
