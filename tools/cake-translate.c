// cake-translate: lowers one kernel and writes it as gpu IR, LLVM IR, PTX, a cubin, or its launch manifest.
#include <stdio.h>
#include <string.h>

#include "cake/text.h"
#include "tools/tool.h"
#include "tools/tool_emit_c.h"
#include "tools/tool_facts.h"

typedef enum Emit {
  EMIT_PTX,
  EMIT_LLVM,
  EMIT_CUBIN,
  EMIT_MANIFEST,
  EMIT_GPU,
  EMIT_C,
  EMIT_ASM_MAP,
  EMIT_STORAGE_SVG,
  EMIT_COUNT
} Emit;

static const char *const emit_names[EMIT_COUNT] = {"ptx", "llvm", "cubin",   "manifest",
                                                   "gpu", "c",    "asm-map", "storage-svg"};

typedef struct Translation {
  CakeTool tool;
  const char *file, *output, *target, *kernel; // NULL when not given
  Emit emit;
  CakeToolPairs params;
  CAKE_VEC(CakeToolPairs) variants; // of --emit=c
  const char *embed;                // of --emit=c: "ptx", "cubin" or "both"
  CakeBuf param_text, out;
  double watchdog_s;
  bool line_info, help, version;
} Translation;

static const char help_text[] =
    "Usage: cake-translate FILE.cake|- [-o OUT] [OPTION…]\n"
    "Lowers a kernel and writes it for a GPU.\n"
    "\n"
    "  -o OUT            where to write (default: standard output)\n"
    "  --emit KIND       ptx (the default; the manifest stands in comments in front of "
    "it), llvm, cubin (needs ptxas),\n"
    "                    manifest (launch facts as XML), gpu (the thread level as text),\n"
    "                    c (OUT.c and OUT.h, which need nothing of Cake),\n"
    "                    asm-map (each source line beside its PTX and SASS; SASS needs ptxas and nvdisasm),\n"
    "                    storage-svg (a picture of each buffer in shared memory, with its bank conflicts)\n"
    "  --target sm_90a   one of the kernel's targets; needed when it has several\n"
    "  --param D=64      template parameters; the others take their defaults\n"
    "  --kernel @NAME    the kernel, or with --emit=c a family; needed when the file has several\n"
    "  --variant D=64,S=3  with --emit=c: one compiled variant; may be repeated, the first that fits is taken. Of\n"
    "                    a family, each kernel that has these parameters; kernels in the order of the file\n"
    "  --embed KIND      with --emit=c: ptx (the default), cubin or both; --target may name several, "
    "by commas\n"
    "  --watchdog SECONDS  bounds every wait; cake-run reports those that took longer\n"
    "  --line-info       PTX and LLVM IR name the lines of the source\n"
    "  --help, --version\n";

// ---- Options ---------------------------------------------------------------------------------------------------------

static bool parse_emit(Translation *t, const char *text) {
  for (t->emit = 0; t->emit < EMIT_COUNT; t->emit++)
    if (strcmp(text, emit_names[t->emit]) == 0) return true;
  return cake_tool_fail(&t->tool, "--emit is ptx, llvm, cubin, manifest, gpu, c, asm-map or storage-svg, found '%s'",
                        text);
}

static bool parse_variant(Translation *t, const char *text) {
  CAKE_PUSH(&t->variants, (CakeToolPairs){0});
  return cake_tool_pairs(&t->tool, "--variant", text, &t->variants.data[t->variants.len - 1]);
}

static bool parse_embed(Translation *t, const char *text) {
  t->embed = text;
  return strcmp(text, "ptx") == 0 || strcmp(text, "cubin") == 0 || strcmp(text, "both") == 0 ||
         cake_tool_fail(&t->tool, "--embed is ptx, cubin or both, found '%s'", text);
}

static bool parse_arg(Translation *t, int argc, char **argv, int *i) {
  bool failed = false;
  const char *value, *arg = argv[*i];
#define OPTION(name) (value = cake_tool_option(&t->tool, name, argc, argv, i, &failed))
  if (OPTION("-o")) return t->output = value, !failed;
  if (OPTION("--emit")) return !failed && parse_emit(t, value);
  if (OPTION("--target")) return t->target = value, !failed;
  if (OPTION("--kernel")) return t->kernel = value, !failed;
  if (OPTION("--param")) return !failed && cake_tool_pairs(&t->tool, "--param", value, &t->params);
  if (OPTION("--watchdog")) return !failed && cake_tool_seconds(&t->tool, "--watchdog", value, &t->watchdog_s);
  if (OPTION("--variant")) return !failed && parse_variant(t, value);
  if (OPTION("--embed")) return !failed && parse_embed(t, value);
#undef OPTION
  if (strcmp(arg, "--line-info") == 0) return t->line_info = true;
  if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) return t->help = true;
  if (strcmp(arg, "--version") == 0) return t->version = true;
  if (arg[0] == '-' && arg[1] != '\0') return cake_tool_fail(&t->tool, "unknown option '%s'; try --help", arg);
  if (t->file) return cake_tool_fail(&t->tool, "more than one file: '%s' and '%s'", t->file, arg);
  t->file = arg;
  return true;
}

static bool parse_args(Translation *t, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!parse_arg(t, argc, argv, &i)) return false;
  if (t->help || t->version) return true;
  if (!t->file) return cake_tool_fail(&t->tool, "no file was given; try --help");
  t->tool.watchdog_ns = (int64_t)(t->watchdog_s * 1e9);
  if (t->emit == EMIT_C && t->tool.watchdog_ns)
    return cake_tool_fail(&t->tool, "--watchdog is for cake-run, which reads its report; --emit=c has none");
  if (t->emit != EMIT_C && (t->variants.len || t->embed))
    return cake_tool_fail(&t->tool, "--variant and --embed are for --emit=c");
  if (t->emit == EMIT_C && t->variants.len && t->params.len)
    return cake_tool_fail(&t->tool, "--param is for one variant; give everything by --variant");
  return cake_tool_params(&t->tool, &t->params, &t->param_text);
}

// ---- Translating -----------------------------------------------------------------------------------------------------

// The kernel's only target, unless one was given.
static bool choose_target(Translation *t, CakeOp *kernel) {
  CakeAttr targets = cake_op_attr_text(kernel, "target");
  if (!t->target && cake_attr_count(targets) == 1)
    t->target = cake_attr_string_value(cake_attr_element(targets, 0)).ptr;
  if (t->target) return cake_kernel_check_target(kernel, t->target);
  if (t->emit == EMIT_GPU) return true; // the same for each of them
  CakeBuf names = {0};
  for (size_t i = 0; i < cake_attr_count(targets); i++)
    cake_buf_printf(&names, "%s%.*s", i ? ", " : "",
                    CAKE_STR_ARG(cake_attr_string_value(cake_attr_element(targets, i))));
  (void)cake_tool_fail(&t->tool, "the kernel has several targets; choose one by --target: %s", names.data);
  cake_buf_fini(&names);
  return false;
}

static bool emit_manifest(Translation *t, CakeOp *module) {
  CakeFacts facts;
  CakeOp *func = cake_tool_func(&t->tool, module);
  if (!func || !cake_facts_of_func(func, t->target, &facts)) return false;
  cake_manifest_write(&facts.manifest, &t->out);
  cake_facts_fini(&facts);
  return true;
}

static bool emit_cubin(Translation *t, CakeOp *module) {
  CakeBuf ptx = {0};
  CakeOp *func = cake_tool_func(&t->tool, module);
  bool is_fine = func && cake_tool_emit_ptx(&t->tool, module, t->target, t->line_info, &ptx) &&
                 cake_tool_assemble(&t->tool, func, cake_buf_view(&ptx), t->target, &t->out);
  cake_buf_fini(&ptx);
  return is_fine;
}

static bool emit(Translation *t, CakeOp *module) {
  switch (t->emit) {
  case EMIT_PTX: return cake_tool_emit_ptx(&t->tool, module, t->target, t->line_info, &t->out);
  case EMIT_LLVM: return cake_tool_emit_llvm(&t->tool, module, t->target, t->line_info, &t->out);
  case EMIT_CUBIN: return emit_cubin(t, module);
  case EMIT_MANIFEST: return emit_manifest(t, module);
  case EMIT_GPU: cake_print_op(t->tool.module, NULL, &t->out); return true;
  case EMIT_ASM_MAP: return cake_tool_emit_asm_map(&t->tool, module, t->target, &t->out);
  case EMIT_STORAGE_SVG:
  case EMIT_C:
  case EMIT_COUNT: break;
  }
  return false;
}

static bool translate_c(Translation *t) {
  const char *embed = t->embed ? t->embed : "ptx";
  CakeToolKernels kernels;
  if (!cake_tool_kernels(&t->tool, t->kernel, &kernels)) return false;
  CakeEmitC options = {.tool = &t->tool,
                       .kernels = &kernels,
                       .output = t->output,
                       .variants = t->variants.len ? t->variants.data : &t->params,
                       .n_variants = t->variants.len ? t->variants.len : 1,
                       .targets = t->target,
                       .with_ptx = strcmp(embed, "cubin") != 0,
                       .with_cubin = strcmp(embed, "ptx") != 0};
  bool is_fine = cake_tool_emit_c(&options);
  CAKE_VEC_FINI(&kernels);
  return is_fine;
}

static bool write_output(Translation *t) {
  CakeBuf error = {0};
  bool is_fine = cake_file_write(t->output ? t->output : "-", cake_buf_view(&t->out), &error);
  if (!is_fine) (void)cake_tool_fail(&t->tool, "%s", error.data);
  cake_buf_fini(&error);
  return is_fine;
}

// The schedule level is drawn, where buffers have their types; the same for each target.
static bool translate_storage(Translation *t, CakeOp *kernel) {
  return cake_tool_instantiate(&t->tool, kernel, cake_buf_view(&t->param_text)) &&
         cake_tool_emit_storage_svg(&t->tool, kernel, &t->out) && write_output(t);
}

static bool translate(Translation *t) {
  if (!cake_tool_load(&t->tool, t->file)) return false;
  if (t->emit == EMIT_C) return translate_c(t);
  CakeOp *kernel = cake_tool_kernel(&t->tool, t->kernel);
  if (!kernel) return false;
  if (t->emit == EMIT_STORAGE_SVG) return translate_storage(t, kernel);
  if (!choose_target(t, kernel)) return false;
  CakeOp *module = cake_tool_lower(&t->tool, cake_buf_view(&t->param_text));
  return module && emit(t, module) && write_output(t);
}

int main(int argc, char **argv) {
  Translation t = {0};
  cake_tool_open(&t.tool, "cake-translate");
  bool is_fine = parse_args(&t, argc, argv);
  if (is_fine && t.help)
    fputs(help_text, stdout);
  else if (is_fine && t.version)
    puts("cake-translate " CAKE_VERSION);
  else
    is_fine = is_fine && translate(&t);
  CAKE_VEC_FINI(&t.params);
  for (size_t i = 0; i < t.variants.len; i++)
    CAKE_VEC_FINI(&t.variants.data[i]);
  CAKE_VEC_FINI(&t.variants);
  cake_buf_fini(&t.param_text);
  cake_buf_fini(&t.out);
  cake_tool_close(&t.tool);
  return is_fine ? 0 : 1;
}
