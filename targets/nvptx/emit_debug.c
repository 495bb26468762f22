// gpu.printf and gpu.fail: calls of vprintf and __assertfail, which the driver has (CUDA C++ Programming Guide, "Formatted output", "Assertion").
#include "targets/nvptx/emit.h"

#include "cake/location.h"
#include "dialects/gpu/gpu_accessors.h"

static LLVMTypeRef generic_ptr(CakeEmitter *e) {
  return LLVMPointerTypeInContext(e->llvm, 0);
}

// A constant text as a generic pointer.
static LLVMValueRef text_of(CakeEmitter *e, CakeStr text) {
  LLVMValueRef bytes = LLVMConstStringInContext2(e->llvm, text.ptr, text.len, 0);
  LLVMValueRef global = LLVMAddGlobalInAddressSpace(e->module, LLVMTypeOf(bytes), "text", 1);
  LLVMSetInitializer(global, bytes);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return LLVMConstAddrSpaceCast(global, generic_ptr(e));
}

static LLVMValueRef function_of(CakeEmitter *e, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
  return function ? function : LLVMAddFunction(e->module, name, type);
}

// `%d` of an i64 is `%lld`, `%g` shows all digits of an f32; a line ends.
static CakeStr c_format(CakeEmitter *e, const CakeOp *op) {
  CakeStr format = cake_attr_string_value(cake_gpu_printf_format(op));
  CakeOperandRange args = cake_gpu_printf_args(op);
  CakeBuf out = {0};
  uint32_t next = 0;
  for (size_t i = 0; i < format.len; i++) {
    bool is_conversion = format.ptr[i] == '%' && i + 1 < format.len;
    cake_buf_char(&out, format.ptr[i]);
    if (!is_conversion) continue;
    char conversion = format.ptr[++i];
    if (conversion == 'g') cake_buf_text(&out, ".9");
    if (conversion == 'd' && cake_type_is_integer(args.first[next].value->type, 64)) cake_buf_text(&out, "ll");
    next += conversion != '%';
    cake_buf_char(&out, conversion);
  }
  cake_buf_char(&out, '\n');
  CakeStr text = cake_arena_str(e->arena, cake_buf_view(&out));
  cake_buf_fini(&out);
  return text;
}

// Memory of the thread, once for the whole function: an op in a loop takes no more in each round.
static LLVMValueRef memory_of(CakeEmitter *e, LLVMTypeRef type) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder), entry = LLVMGetEntryBasicBlock(e->function);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(e->builder, first);
  else
    LLVMPositionBuilderAtEnd(e->builder, entry);
  LLVMValueRef memory = LLVMBuildAlloca(e->builder, type, "");
  LLVMPositionBuilderAtEnd(e->builder, here);
  return memory;
}

// The arguments lie one behind the other in memory of the thread, floats as doubles.
void cake_emit_printf(CakeEmitter *e, CakeOp *op) {
  CakeOperandRange range = cake_gpu_printf_args(op);
  LLVMValueRef *values = CAKE_ARENA_ARRAY(e->arena, LLVMValueRef, range.count + 1);
  LLVMTypeRef *types = CAKE_ARENA_ARRAY(e->arena, LLVMTypeRef, range.count + 1);
  for (uint32_t i = 0; i < range.count; i++) {
    values[i] = cake_emit_one(e, range.first[i].value);
    if (LLVMTypeOf(values[i]) == e->f32)
      values[i] = LLVMBuildFPExt(e->builder, values[i], LLVMDoubleTypeInContext(e->llvm), "");
    types[i] = LLVMTypeOf(values[i]);
  }
  LLVMTypeRef all = LLVMStructTypeInContext(e->llvm, types, range.count, 0);
  LLVMValueRef memory = memory_of(e, all);
  for (uint32_t i = 0; i < range.count; i++)
    LLVMBuildStore(e->builder, values[i], LLVMBuildStructGEP2(e->builder, all, memory, i, ""));
  LLVMTypeRef params[] = {generic_ptr(e), generic_ptr(e)}, type = LLVMFunctionType(e->i32, params, 2, 0);
  LLVMValueRef args[] = {text_of(e, c_format(e, op)), memory};
  LLVMBuildCall2(e->builder, type, function_of(e, "vprintf", type), args, 2, "");
}

// The driver prints "file:line: kernel: block: …, thread: … Assertion `text` failed." and the launch ends with CUDA_ERROR_ASSERT.
void cake_emit_fail_op(CakeEmitter *e, CakeOp *op) {
  CakeStr file = CAKE_STR("?");
  uint32_t line = 0, column = 0;
  (void)cake_loc_find_file(op->context, op->loc, &file, &line, &column);
  LLVMTypeRef ptr = generic_ptr(e), i64 = e->i64, params[] = {ptr, ptr, e->i32, ptr, i64};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(e->llvm), params, 5, 0);
  CakeOp *func = cake_op_parent_named(op, "gpu.func");
  LLVMValueRef args[] = {
      text_of(e, cake_attr_string_value(cake_gpu_fail_text(op))), text_of(e, file), cake_emit_int(e->i32, line),
      text_of(e, func ? cake_attr_string_value(cake_gpu_func_sym_name(func)) : CAKE_STR("?")), cake_emit_int(i64, 1)};
  LLVMBuildCall2(e->builder, type, function_of(e, "__assertfail", type), args, 5, "");
}
