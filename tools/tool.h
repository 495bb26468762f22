// What the programs that run or translate a kernel share: messages, reading a module, choosing a kernel, its parameters,
// and lowering it to the thread level.
//
// Diagnostics of the context go to standard error as people read them; a tool's own messages follow "NAME: error: ".
#ifndef CAKE_TOOLS_TOOL_H
#define CAKE_TOOLS_TOOL_H

#include "cake/op.h"

CAKE_BEGIN_C

// ---- Messages --------------------------------------------------------------------------------------------------------

typedef struct CakeTool {
  const char *name; // of the program
  CakeContext *context;
  CakeOp *module;   // after cake_tool_load
  const char *file; // its name in messages
  int64_t watchdog_ns; // bounds the waits of what is lowered; 0: no watchdog
  bool skip_rules;     // only the structure of what is read is verified
  CakeBuf text;     // of the file; lives as long as the context's diagnostics
} CakeTool;

// A context with all dialects, whose diagnostics are printed.
void cake_tool_open(CakeTool *tool, const char *name);
void cake_tool_close(CakeTool *tool);
// Prints "NAME: error: …" on standard error. Always false.
bool cake_tool_fail(const CakeTool *tool, const char *format, ...) CAKE_PRINTF(2, 3);
void cake_tool_note(const CakeTool *tool, const char *format, ...) CAKE_PRINTF(2, 3);

// ---- Modules and kernels ---------------------------------------------------------------------------------------------

// Reads a file ("-" is standard input), parses and verifies it. False: reported.
CAKE_NODISCARD bool cake_tool_load(CakeTool *tool, const char *path);
typedef CAKE_VEC(CakeOp *) CakeToolKernels;
// The kernel of that name ("k" or "@k"), or the kernels of the family of that name, in the order of the module; NULL: all kernels of the
// module, which must be one or of one family. Each is a `cake.kernel` or a `gpu.func`. False: reported. To be given back by CAKE_VEC_FINI.
CAKE_NODISCARD bool cake_tool_kernels(CakeTool *tool, const char *name, CakeToolKernels *out);
// Erases all other kernels, so that passes see this one alone.
void cake_tool_keep(CakeTool *tool, const CakeOp *kernel);
// Where there is one such kernel: keeps it. NULL: reported.
CakeOp *cake_tool_kernel(CakeTool *tool, const char *name);

// ---- NAME=VALUE lists ------------------------------------------------------------------------------------------------

typedef struct CakeToolPair {
  CakeStr name, value; // point into the argument
} CakeToolPair;
typedef CAKE_VEC(CakeToolPair) CakeToolPairs;

// "name=value": splits at the first '='. False: reported, `option` says where.
CAKE_NODISCARD bool cake_tool_pair(const CakeTool *tool, const char *option, const char *text, CakeToolPair *out);
// "B=1,N=1024": appends one pair a comma.
CAKE_NODISCARD bool cake_tool_pairs(const CakeTool *tool, const char *option, const char *text, CakeToolPairs *out);
// A whole decimal number with an optional sign.
CAKE_NODISCARD bool cake_tool_int(CakeStr text, int64_t *out);
// The pairs of --param with their numbers checked, as `params="D=64,S=3"` of cake-instantiate; empty without a pair.
CAKE_NODISCARD bool cake_tool_params(const CakeTool *tool, const CakeToolPairs *pairs, CakeBuf *out);
// Seconds of an option, above 0 and at most 10^6.
CAKE_NODISCARD bool cake_tool_seconds(const CakeTool *tool, const char *option, const char *text, double *out);
// A program's option `NAME=VALUE` or `NAME VALUE` at argv[*i]; NULL when argv[*i] is another argument. A missing value
// is reported and comes back as "" with *out_failed set.
const char *cake_tool_option(const CakeTool *tool, const char *name, int argc, char **argv, int *i, bool *out_failed);
// An argument that is one of the flags is set; false: it is none of them.
typedef struct CakeToolFlag {
  const char *name;
  bool *flag;
} CakeToolFlag;
bool cake_tool_flag(const CakeToolFlag *flags, size_t count, const char *arg);
// What is left is the one input file; an unknown option, or a second file, is reported.
CAKE_NODISCARD bool cake_tool_input(const CakeTool *tool, const char *arg, const char **input);

// The `cake.param` of that name; NULL: the kernel has none. Whether it has all that a list names.
CakeOp *cake_tool_param(CakeOp *kernel, CakeStr name);
bool cake_tool_has_params(CakeOp *kernel, const CakeToolPairs *pairs);

// ---- Targets ---------------------------------------------------------------------------------------------------------

// Whether `name` is "sm_80", "sm_90a", "sm_100f", …; *out_sm = 80, 90, 100; *out_suffix = 0, 'a' or 'f'.
bool cake_target_parse(CakeStr name, int *out_sm, char *out_suffix);
// Whether code for the target runs on a device of that compute capability (10 · major + minor).
bool cake_target_runs_on(CakeStr target, int sm);
// The kernel's target that suits a device best; {NULL, 0} when none runs there.
CakeStr cake_kernel_target_for(const CakeOp *kernel, int sm);
// Whether the kernel is written for `target`; otherwise reported with those that it is written for.
CAKE_NODISCARD bool cake_kernel_check_target(CakeOp *kernel, const char *target);

// ---- Lowering --------------------------------------------------------------------------------------------------------

// Instantiates the module's kernel in place. `params` as from cake_tool_params. False: reported.
CAKE_NODISCARD bool cake_tool_instantiate(CakeTool *tool, CakeOp *kernel, CakeStr params);
// The module of the thread level that a file holds or that was made of its kernel; NULL: none.
CakeOp *cake_tool_gpu_module(CakeTool *tool);
// Runs the lowering pipeline on the module; the `gpu.module` that came out. NULL: reported.
CakeOp *cake_tool_lower(CakeTool *tool, CakeStr params);
// The only gpu.func of a gpu.module; NULL: reported.
CakeOp *cake_tool_func(CakeTool *tool, CakeOp *gpu_module);
// Texts for a target. False: reported; also where this program was built without LLVM.
CAKE_NODISCARD bool cake_tool_emit_llvm(CakeTool *tool, CakeOp *gpu_module, const char *target, bool line_info,
                                        CakeBuf *out);
// With the manifest in comments in front, so that the text alone can be launched.
CAKE_NODISCARD bool cake_tool_emit_ptx(CakeTool *tool, CakeOp *gpu_module, const char *target, bool line_info,
                                       CakeBuf *out);

// A picture of every buffer of an instantiated cake.kernel: where its elements lie, and the bank conflicts of usual accesses.
CAKE_NODISCARD bool cake_tool_emit_storage_svg(CakeTool *tool, CakeOp *kernel, CakeBuf *out);

// ---- NVIDIA's programs -----------------------------------------------------------------------------------------------

// The path of a program in $PATH, $CUDA_PATH/bin or /usr/local/cuda/bin. False when it is in none.
CAKE_NODISCARD bool cake_tool_find_program(const char *name, CakeBuf *out);
// Runs a program (argv[0] is its path, NULL ends the list) and appends what it prints on both outputs. Its exit status, or
// -1 when it could not be run or was killed.
int cake_tool_run_program(const char *const *argv, CakeBuf *printed);

// Assembles the PTX of a gpu.func with ptxas. Reported at it: warnings and spills as warnings; as errors that ptxas fails or
// is not there, and that it does not keep to the schedule (C75xx), with the ops that this is about.
CAKE_NODISCARD bool cake_tool_assemble(CakeTool *tool, CakeOp *func, CakeStr ptx, const char *target,
                                       CakeBuf *out_cubin);
// The same without a word about what ptxas says of code that it takes.
CAKE_NODISCARD bool cake_tool_assemble_quietly(CakeTool *tool, CakeOp *func, CakeStr ptx, const char *target,
                                               CakeBuf *out_cubin);
// The source's lines with the PTX and, where nvdisasm is there, the SASS that they became, side by side.
CAKE_NODISCARD bool cake_tool_emit_asm_map(CakeTool *tool, CakeOp *gpu_module, const char *target, CakeBuf *out);

CAKE_END_C
#endif
