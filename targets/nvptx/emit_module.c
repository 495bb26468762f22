// From gpu.func to LLVM functions, and from a module to LLVM IR text or PTX.
#include "targets/nvptx/emit.h"

#include "cake/nvptx.h"
#include "cake/text.h"
#include "dialects/gpu/gpu_accessors.h"
#include "targets/nvptx/target.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

// The kernel calling convention of LLVM's NVPTX backend (ptx_kernel).
enum { CALL_PTX_KERNEL = 71 };
// Line information as `.loc` directives alone; with real debug information ptxas optimises less.
enum { DEBUG_DIRECTIVES_ONLY = 3 };

// ---- Line information ------------------------------------------------------------------------------------------------------

static void set_location(CakeEmitter *e, CakeLoc loc) {
  CakeStr file;
  uint32_t line, column;
  if (!e->debug || !e->scope || !cake_loc_find_file(e->context, loc, &file, &line, &column)) return;
  LLVMSetCurrentDebugLocation2(e->builder, LLVMDIBuilderCreateDebugLocation(e->llvm, line, column, e->scope, NULL));
}

static void begin_line_info(CakeEmitter *e, CakeOp *func) {
  CakeStr file;
  uint32_t line, column;
  if (!cake_loc_find_file(e->context, func->loc, &file, &line, &column)) return;
  if (!e->debug) {
    e->debug = LLVMCreateDIBuilder(e->module);
    LLVMMetadataRef unit_file = LLVMDIBuilderCreateFile(e->debug, file.ptr, file.len, "", 0);
    LLVMDIBuilderCreateCompileUnit(e->debug, LLVMDWARFSourceLanguageC, unit_file, "cake", 4, 1, "", 0, 0, "", 0,
                                   (LLVMDWARFEmissionKind)DEBUG_DIRECTIVES_ONLY, 0, 0, 0, "", 0, "", 0);
    LLVMAddModuleFlag(e->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18,
                      LLVMValueAsMetadata(cake_emit_int(e->i32, LLVMDebugMetadataVersion())));
  }
  LLVMMetadataRef in = LLVMDIBuilderCreateFile(e->debug, file.ptr, file.len, "", 0);
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(e->debug, in, NULL, 0, LLVMDIFlagZero);
  CakeStr name = cake_attr_string_value(cake_gpu_func_sym_name(func));
  e->scope = LLVMDIBuilderCreateFunction(e->debug, in, name.ptr, name.len, name.ptr, name.len, in, line, type, 0, 1,
                                         line, LLVMDIFlagZero, 1);
  LLVMSetSubprogram(e->function, e->scope);
}

// ---- Ops -------------------------------------------------------------------------------------------------------------------

void cake_emit_op(CakeEmitter *e, CakeOp *op) {
  if (e->failed) return;
  set_location(e, op->loc);
  CakeEmitFn emit = cake_emit_arith(op);
  if (!emit) emit = cake_emit_flow(op);
  if (!emit) emit = cake_emit_gpu(op);
  if (!emit) {
    cake_emit_fail(e, op, "has no translation to NVPTX; lower it to gpu, arith, math and scf first");
    return;
  }
  emit(e, op);
}

void cake_emit_block(CakeEmitter *e, CakeBlock *block) {
  for (CakeOp *op = block->first; op && op != block->last && !e->failed; op = op->next)
    cake_emit_op(e, op);
}

// ---- Functions -------------------------------------------------------------------------------------------------------------

static void add_text_attribute(CakeEmitter *e, unsigned index, const char *name, const char *value) {
  LLVMAddAttributeAtIndex(
      e->function, index,
      LLVMCreateStringAttribute(e->llvm, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

// A tensor map is passed by value and never copied.
static void mark_tensor_map(CakeEmitter *e, unsigned index) {
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(e->llvm), 128);
  LLVMAddAttributeAtIndex(e->function, index,
                          LLVMCreateTypeAttribute(e->llvm, LLVMGetEnumAttributeKindForName("byval", 5), bytes));
  LLVMAddAttributeAtIndex(e->function, index,
                          LLVMCreateEnumAttribute(e->llvm, LLVMGetEnumAttributeKindForName("align", 5), 64));
  add_text_attribute(e, index, "nvvm.grid_constant", "");
}

static bool is_follow(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// PTX ISA, "Identifiers". LLVM reads a dot as the name of an intrinsic and changes the names that it cannot print or has already.
static bool is_free_name(CakeEmitter *e, CakeStr name) {
  bool digit_first = name.len && name.ptr[0] >= '0' && name.ptr[0] <= '9',
       needs_more = name.len && (name.ptr[0] == '_' || name.ptr[0] == '$');
  if (name.len < (needs_more ? 2U : 1U) || digit_first || cake_str_is(name, "WARP_SZ") ||
      cake_str_is(name, CAKE_EMIT_SHARED_MEMORY) || cake_str_is(name, CAKE_EMIT_ONE))
    return false;
  for (size_t i = 0; i < name.len; ++i)
    if (!is_follow(name.ptr[i])) return false;
  return !LLVMGetNamedFunction(e->module, name.ptr);
}

static bool is_passable(CakeType type) {
  return !cake_type_is(type, &cake_type_def_gpu_ptr) || cake_gpu_ptr_space(type) == CAKE_GPU_GLOBAL;
}

static void declare_function(CakeEmitter *e, CakeOp *func, CakeBlock *entry) {
  LLVMTypeRef *types = CAKE_ARENA_ARRAY(e->arena, LLVMTypeRef, entry->n_args + 1);
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    types[i] = cake_emit_scalar_type(e, entry->args[i]->type);
    if (!types[i] || !is_passable(entry->args[i]->type)) {
      cake_emit_fail(e, func, "has an argument that the NVPTX target cannot pass");
      types[i] = e->i32;
    }
  }
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->llvm), types, entry->n_args, 0);
  CakeStr name = cake_arena_str(e->arena, cake_attr_string_value(cake_gpu_func_sym_name(func)));
  if (!is_free_name(e, name)) {
    cake_emit_fail(e, func, "has a name that is no PTX identifier, is reserved, or belongs to another kernel");
    name = cake_str("kernel");
  }
  e->function = LLVMAddFunction(e->module, name.ptr, type);
  LLVMSetFunctionCallConv(e->function, CALL_PTX_KERNEL);
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    cake_emit_set1(e, entry->args[i], LLVMGetParam(e->function, i));
    if (cake_type_is(entry->args[i]->type, &cake_type_def_gpu_tensor_map)) mark_tensor_map(e, i + 1);
  }
  CakeStr block = cake_arena_printf(e->arena, "%d", (int)cake_attr_int_value(cake_gpu_func_block(func)));
  add_text_attribute(e, (unsigned)LLVMAttributeFunctionIndex, "nvvm.reqntid", block.ptr);
  add_text_attribute(e, (unsigned)LLVMAttributeFunctionIndex, "nvvm.minctasm", "1");
  CakeAttr cluster = cake_gpu_func_cluster(func);
  if (!cluster) return;
  CakeStr ctas = cake_arena_printf(e->arena, "%d", (int)cake_attr_int_value(cake_attr_element(cluster, 0)));
  add_text_attribute(e, (unsigned)LLVMAttributeFunctionIndex, "nvvm.cluster_dim", ctas.ptr);
}

static void emit_function(CakeEmitter *e, CakeOp *func, bool line_info) {
  CakeBlock *entry = cake_region_entry(cake_op_region(func, 0));
  if (!entry || entry->next) {
    cake_emit_fail(e, func, "must have one block; the NVPTX target translates structured control flow");
    return;
  }
  declare_function(e, func, entry);
  e->scope = NULL;
  LLVMSetCurrentDebugLocation2(e->builder, NULL);
  if (line_info) begin_line_info(e, func);
  LLVMPositionBuilderAtEnd(e->builder, LLVMAppendBasicBlockInContext(e->llvm, e->function, "entry"));
  cake_emit_block(e, entry);
  LLVMBuildRetVoid(e->builder);
  if (e->debug && e->scope) LLVMDIBuilderFinalizeSubprogram(e->debug, e->scope);
}

// ---- Modules ---------------------------------------------------------------------------------------------------------------

typedef struct Translation {
  CakeEmitter emitter;
  LLVMTargetMachineRef machine;
  CakeBuf error; // LLVM's first
} Translation;

static void begin(Translation *t, CakeOp *module) {
  CakeEmitter *e = &t->emitter;
  *e = (CakeEmitter){.context = module->context, .arena = cake_arena_create(), .llvm = LLVMContextCreate()};
  LLVMContextSetDiscardValueNames(e->llvm, 1);
  e->module = LLVMModuleCreateWithNameInContext("cake", e->llvm);
  e->builder = LLVMCreateBuilderInContext(e->llvm);
  e->i1 = LLVMInt1TypeInContext(e->llvm);
  e->i16 = LLVMInt16TypeInContext(e->llvm);
  e->i32 = LLVMInt32TypeInContext(e->llvm);
  e->i64 = LLVMInt64TypeInContext(e->llvm);
  e->f32 = LLVMFloatTypeInContext(e->llvm);
  e->global_ptr = LLVMPointerTypeInContext(e->llvm, 1);
  e->shared_ptr = LLVMPointerTypeInContext(e->llvm, 3);
}

static void end(Translation *t) {
  CakeEmitter *e = &t->emitter;
  cake_map_fini(&e->values);
  if (e->debug) LLVMDisposeDIBuilder(e->debug);
  LLVMDisposeBuilder(e->builder);
  LLVMDisposeModule(e->module);
  if (t->machine) LLVMDisposeTargetMachine(t->machine);
  cake_buf_fini(&t->error);
  LLVMContextDispose(e->llvm);
  cake_arena_destroy(e->arena);
}

static bool choose_target(Translation *t, CakeOp *module, const CakeNvptxOptions *options) {
  const CakeTarget *target = options->target ? cake_target_find(cake_str(options->target)) : NULL;
  const char *version = target ? cake_nvptx_ptx_version(target) : NULL;
  t->emitter.target = target;
  if (!version)
    return cake_error_at(module->context, module->loc, CAKE_CODE_FORM_TARGET, "the NVPTX target does not know '%s'",
                         options->target ? options->target : "");
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef llvm_target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &llvm_target, &message)) {
    cake_error_at(module->context, module->loc, CAKE_CODE_TARGET_TOOL, "LLVM has no NVPTX backend: %s", message);
    LLVMDisposeMessage(message);
    return false;
  }
  LLVMTargetMachineOptionsRef machine = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(machine, target->name);
  LLVMTargetMachineOptionsSetFeatures(machine, version);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(machine, LLVMCodeGenLevelAggressive);
  t->machine = LLVMCreateTargetMachineWithOptions(llvm_target, "nvptx64-nvidia-cuda", machine);
  LLVMDisposeTargetMachineOptions(machine);
  LLVMSetTarget(t->emitter.module, "nvptx64-nvidia-cuda");
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(t->machine);
  LLVMSetModuleDataLayout(t->emitter.module, layout);
  LLVMDisposeTargetData(layout);
  return true;
}

static bool translate(Translation *t, CakeOp *module, const CakeNvptxOptions *options) {
  CakeEmitter *e = &t->emitter;
  if (!choose_target(t, module, options) || !cake_nvptx_check(module, t->emitter.target)) return false;
  for (CakeOp *op = module; op && !e->failed; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) emit_function(e, op, options->line_info);
  if (e->debug) LLVMDIBuilderFinalize(e->debug);
  if (e->failed) return false;
  char *message = NULL;
  bool broken = LLVMVerifyModule(e->module, LLVMReturnStatusAction, &message) != 0;
  if (broken)
    cake_error_at(e->context, module->loc, CAKE_CODE_LOWER_UNSUPPORTED, "LLVM refuses the translated module: %s",
                  message);
  LLVMDisposeMessage(message);
  return !broken;
}

// The smallest set of passes that is as good as any larger one on the corpus (registers, spills, size of the machine code): addresses fold, and no loop
// is rotated or unrolled. Without any, ptxas makes longer code; `early-cse` and `sroa` change nothing. By itself instcombine ends the process when
// a second round would find more.
static bool optimise(Translation *t, CakeOp *module) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error =
      LLVMRunPasses(t->emitter.module, "function(instcombine<no-verify-fixpoint>,simplifycfg)", t->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  cake_error_at(module->context, module->loc, CAKE_CODE_TARGET_TOOL, "LLVM's passes failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static bool emit_text(Translation *t, CakeBuf *out) {
  char *text = LLVMPrintModuleToString(t->emitter.module);
  cake_buf_text(out, text);
  LLVMDisposeMessage(text);
  return true;
}

static bool emit_ptx(Translation *t, CakeOp *module, CakeBuf *out) {
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(t->machine, t->emitter.module, LLVMAssemblyFile, &message, &buffer)) {
    cake_error_at(module->context, module->loc, CAKE_CODE_TARGET_TOOL, "LLVM could not generate PTX: %s", message);
    LLVMDisposeMessage(message);
    return false;
  }
  // LLVM goes on behind its own errors, with code that means something else.
  if (t->error.len)
    cake_error_at(module->context, module->loc, CAKE_CODE_LOWER_UNSUPPORTED, "LLVM refuses the module: %s",
                  t->error.data);
  else
    cake_buf_append(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return t->error.len == 0;
}

static void note_error(LLVMDiagnosticInfoRef info, void *user) {
  Translation *t = user;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || t->error.len) return;
  char *text = LLVMGetDiagInfoDescription(info);
  cake_buf_text(&t->error, text);
  LLVMDisposeMessage(text);
}

// `out` is cut back when the code is not what was asked for.
static bool check_sync(CakeOp *module, const CakeTarget *target, CakeBuf *out, size_t start) {
  CakeStr ptx = {out->data + start, out->len - start};
  bool ok = true;
  for (CakeOp *op = module; op && ok; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok = cake_nvptx_check_sync(op, cake_str(target->name), ptx);
  if (!ok) out->data[out->len = start] = 0;
  return ok;
}

static bool run(CakeOp *module, const CakeNvptxOptions *options, bool ptx, CakeBuf *out) {
  Translation t = {0};
  begin(&t, module);
  LLVMContextSetDiagnosticHandler(t.emitter.llvm, note_error, &t);
  size_t start = out->len;
  bool ok =
      translate(&t, module, options) && optimise(&t, module) && (ptx ? emit_ptx(&t, module, out) : emit_text(&t, out));
  if (ok && ptx) ok = check_sync(module, t.emitter.target, out, start);
  end(&t);
  return ok;
}

bool cake_nvptx_emit_llvm(CakeOp *module, const CakeNvptxOptions *options, CakeBuf *out) {
  return run(module, options, false, out);
}
bool cake_nvptx_emit_ptx(CakeOp *module, const CakeNvptxOptions *options, CakeBuf *out) {
  return run(module, options, true, out);
}
