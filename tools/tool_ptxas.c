// Runs NVIDIA's ptxas and says in diagnostics what it says about a kernel.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/tool_sass.h"

// The number behind which `word` stands in a line: "4 bytes spill stores".
static long number_before(const char *line, const char *word) {
  const char *at = strstr(line, word);
  if (!at) return 0;
  while (at > line && at[-1] == ' ')
    at--;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return strtol(at, NULL, 10);
}

// ---- What it says ----------------------------------------------------------------------------------------------------

// Adds a note at each place in the source from which an op of the kind that the message is about came, up to four.
static void note_ops(CakeTool *tool, CakeDiagnostic *diagnostic, CakeOp *func, const char *stem) {
  enum { SHOWN = 4 };
  CakeLoc shown[SHOWN];
  size_t count = 0;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false)) {
    bool is_new = cake_str_starts_with(cake_id_str(op->info->name), stem) && count < SHOWN;
    for (size_t i = 0; is_new && i < count; i++)
      is_new = !cake_loc_equal(shown[i], op->loc);
    if (!is_new) continue;
    shown[count++] = op->loc;
    cake_diag_note(tool->context, diagnostic, op->loc, "became '%s'", op->info->name->text);
  }
}

// C75xx: wgmma that do not run as they were written, or setmaxnreg that is not heeded (C7508). Such a kernel is not the
// schedule that was asked for.
static bool judge_schedule(CakeTool *tool, CakeOp *func, const char *line) {
  bool is_registers = strstr(line, "(C7508") != NULL;
  CakeDiagnostic *diagnostic =
      cake_diag_begin(tool->context, CAKE_ERROR, func->loc, CAKE_CODE_TARGET_TOOL, "ptxas: %s", line);
  note_ops(tool, diagnostic, func, is_registers ? "gpu.setmaxnreg" : "gpu.wgmma");
  return cake_diag_emit(tool->context, diagnostic);
}

static bool judge_line(CakeTool *tool, CakeOp *func, const char *target, const char *line) {
  long stores = number_before(line, "bytes spill stores"), loads = number_before(line, "bytes spill loads");
  if (strstr(line, "(C75")) return judge_schedule(tool, func, line);
  if (strstr(line, "warning")) {
    (void)cake_diag_emit(tool->context, cake_diag_begin(tool->context, CAKE_WARNING, func->loc, CAKE_CODE_TARGET_TOOL,
                                                        "ptxas: %s", line));
  } else if (stores > 0 || loads > 0) {
    CakeDiagnostic *diagnostic =
        cake_diag_begin(tool->context, CAKE_WARNING, func->loc, CAKE_CODE_TARGET_TOOL,
                        "ptxas spills registers: %ld bytes of stores, %ld bytes of loads a thread", stores, loads);
    cake_tool_note_spills(tool, diagnostic, func, target);
    (void)cake_diag_emit(tool->context, diagnostic);
  }
  return true;
}

// Looks at every line that ptxas printed. Cuts them into strings.
static bool judge(CakeTool *tool, CakeOp *func, const char *target, CakeBuf *printed) {
  bool is_fine = true;
  for (char *at = printed->data; at && *at;) {
    size_t len = strcspn(at, "\n");
    bool is_last = at[len] == '\0';
    at[len] = '\0';
    is_fine = judge_line(tool, func, target, at) && is_fine;
    at += len + (is_last ? 0 : 1);
  }
  return is_fine;
}

// ---- Running it ------------------------------------------------------------------------------------------------------

typedef struct Files {
  char folder[64], ptx[96], cubin[96];
} Files;

static bool make_files(CakeTool *tool, Files *files) {
  strcpy(files->folder, "/tmp/cake-XXXXXX");
  if (!mkdtemp(files->folder)) return cake_tool_fail(tool, "cannot make a folder in /tmp: %s", strerror(errno));
  strcat(strcpy(files->ptx, files->folder), "/kernel.ptx");
  strcat(strcpy(files->cubin, files->folder), "/kernel.cubin");
  return true;
}

static void remove_files(const Files *files) {
  unlink(files->ptx);
  unlink(files->cubin);
  rmdir(files->folder);
}

// One run.
typedef struct Assembly {
  CakeTool *tool;
  CakeOp *func;
  const char *target;
  bool has_lines; // the PTX has `.loc` lines, which the cubin is to keep
  bool is_quiet;
} Assembly;

static bool assemble(const Assembly *assembly, const char *ptxas, const Files *files, CakeBuf *out) {
  CakeTool *tool = assembly->tool;
  CakeBuf arch = {0}, printed = {0}, error = {0};
  cake_buf_printf(&arch, "-arch=%s", assembly->target);
  const char *lines = assembly->has_lines ? "-lineinfo" : NULL;
  const char *argv[] = {ptxas, "-v", arch.data, "-o", files->cubin, files->ptx, lines, NULL};
  int status = cake_tool_run_program(argv, &printed);
  bool is_fine = status == 0;
  if (!is_fine) {
    while (printed.len && printed.data[printed.len - 1] == '\n')
      printed.data[--printed.len] = '\0';
    (void)cake_error_at(tool->context, assembly->func->loc, CAKE_CODE_TARGET_TOOL, "'%s' failed (exit status %d): %s",
                        ptxas, status, printed.len ? printed.data : "it printed nothing");
  } else if (assembly->is_quiet || judge(tool, assembly->func, assembly->target, &printed)) {
    is_fine = cake_file_read(files->cubin, out, &error);
    if (!is_fine) (void)cake_tool_fail(tool, "%s", error.data);
  } else {
    is_fine = false;
  }
  cake_buf_fini(&arch);
  cake_buf_fini(&printed);
  cake_buf_fini(&error);
  return is_fine;
}

static bool has_line_info(CakeStr ptx) {
  for (size_t i = 0; i + 5 < ptx.len; i++)
    if (ptx.ptr[i] == '.' && memcmp(ptx.ptr + i, ".loc\t", 5) == 0) return true;
  return false;
}

static bool assemble_text(const Assembly *assembly, CakeStr ptx, CakeBuf *out_cubin) {
  CakeTool *tool = assembly->tool;
  CakeBuf ptxas = {0}, error = {0};
  Files files;
  bool is_fine = cake_tool_find_program("ptxas", &ptxas);
  if (!is_fine) {
    (void)cake_error_at(tool->context, assembly->func->loc, CAKE_CODE_TARGET_TOOL,
                        "there is no ptxas in $PATH, in $CUDA_PATH/bin or in /usr/local/cuda/bin, which a cubin needs");
  } else if ((is_fine = make_files(tool, &files))) {
    is_fine = cake_file_write(files.ptx, ptx, &error);
    if (!is_fine) (void)cake_tool_fail(tool, "%s", error.data);
    is_fine = is_fine && assemble(assembly, ptxas.data, &files, out_cubin);
    remove_files(&files);
  }
  cake_buf_fini(&ptxas);
  cake_buf_fini(&error);
  return is_fine;
}

bool cake_tool_assemble(CakeTool *tool, CakeOp *func, CakeStr ptx, const char *target, CakeBuf *out_cubin) {
  Assembly assembly = {.tool = tool, .func = func, .target = target, .has_lines = has_line_info(ptx)};
  return assemble_text(&assembly, ptx, out_cubin);
}

bool cake_tool_assemble_quietly(CakeTool *tool, CakeOp *func, CakeStr ptx, const char *target, CakeBuf *out_cubin) {
  Assembly assembly = {.tool = tool, .func = func, .target = target, .has_lines = has_line_info(ptx), .is_quiet = true};
  return assemble_text(&assembly, ptx, out_cubin);
}
