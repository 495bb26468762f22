// gpu ops: each becomes the intrinsic or the inline PTX that its row names.
#include "targets/nvptx/emit.h"

#include "dialects/gpu/gpu_accessors.h"

#include <string.h>

static LLVMValueRef call0(CakeEmitter *e, const char *name) {
  return cake_emit_intrinsic(e, name, NULL, 0, NULL, 0);
}
static LLVMValueRef call1(CakeEmitter *e, const char *name, LLVMValueRef a) {
  return cake_emit_intrinsic(e, name, NULL, 0, &a, 1);
}
static LLVMValueRef call2(CakeEmitter *e, const char *name, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef args[] = {a, b};
  return cake_emit_intrinsic(e, name, NULL, 0, args, 2);
}
static LLVMValueRef int32(CakeEmitter *e, int64_t value) {
  return cake_emit_int(e->i32, value);
}

enum { SHARED_CLUSTER = 7 }; // address space

// ---- Who am I --------------------------------------------------------------------------------------------------------------

static void special_register(CakeEmitter *e, CakeOp *op, const char *stem) {
  CakeStr dimension = cake_attr_string_value(cake_op_attr_text(op, "dimension"));
  CakeStr name = cake_arena_printf(e->arena, "llvm.nvvm.read.ptx.sreg.%s.%.*s", stem, CAKE_STR_ARG(dimension));
  cake_emit_set1(e, cake_op_result(op, 0), call0(e, name.ptr));
}
static void emit_thread_id(CakeEmitter *e, CakeOp *op) {
  special_register(e, op, "tid");
}
static void emit_block_id(CakeEmitter *e, CakeOp *op) {
  special_register(e, op, "ctaid");
}
static void emit_grid_dim(CakeEmitter *e, CakeOp *op) {
  special_register(e, op, "nctaid");
}
static void emit_cluster_id(CakeEmitter *e, CakeOp *op) {
  special_register(e, op, "clusterid");
}
static void emit_cluster_dim(CakeEmitter *e, CakeOp *op) {
  special_register(e, op, "nclusterid");
}
static void emit_cluster_block_id(CakeEmitter *e, CakeOp *op) {
  special_register(e, op, "cluster.ctaid");
}
static void emit_lane_id(CakeEmitter *e, CakeOp *op) {
  cake_emit_set1(e, cake_op_result(op, 0), call0(e, "llvm.nvvm.read.ptx.sreg.laneid"));
}

static void emit_warp_id(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef warp = LLVMBuildLShr(e->builder, call0(e, "llvm.nvvm.read.ptx.sreg.tid.x"), int32(e, 5), "");
  LLVMValueRef args[] = {int32(e, -1), warp, int32(e, 0), int32(e, 31)};
  cake_emit_set1(e, cake_op_result(op, 0), cake_emit_intrinsic(e, "llvm.nvvm.shfl.sync.idx.i32", NULL, 0, args, 4));
}

// ---- Registers -------------------------------------------------------------------------------------------------------------

// Registers of the result from the operands' one after the other; 16-bit scalars are paired up.
static void emit_pack(CakeEmitter *e, CakeOp *op) {
  LLVMTypeRef type;
  unsigned n = cake_emit_reg_type(e, cake_op_result(op, 0)->type, &type), filled = 0;
  if (!n) {
    cake_emit_fail(e, op, "makes a vector that the NVPTX target cannot hold");
    return;
  }
  CakeRegs regs = cake_emit_new_regs(e, n);
  bool pair_up =
      LLVMGetTypeKind(type) == LLVMVectorTypeKind && !cake_type_is(cake_op_operand(op, 0)->type, &cake_type_def_vector);
  for (uint32_t i = 0; i < op->n_operands; i += pair_up ? 2 : 1) {
    CakeRegs part = cake_emit_regs(e, cake_op_operand(op, i));
    if (pair_up && filled < n) {
      regs.v[filled++] = cake_emit_pair(e, part.v[0], cake_emit_operand(e, op, i + 1));
      continue;
    }
    for (unsigned j = 0; j < part.n && filled < n; ++j)
      regs.v[filled++] = part.v[j];
  }
  if (filled != n) cake_emit_fail(e, op, "cuts through a pair of 16-bit elements");
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

static void emit_unpack(CakeEmitter *e, CakeOp *op) {
  CakeRegs all = cake_emit_regs(e, cake_op_operand(op, 0));
  bool take_apart = LLVMGetTypeKind(LLVMTypeOf(all.v[0])) == LLVMVectorTypeKind &&
                    !cake_type_is(op->results[0].type, &cake_type_def_vector);
  unsigned used = 0;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (take_apart) {
      if (i / 2 < all.n) cake_emit_set1(e, cake_op_result(op, i), cake_emit_pair_element(e, all.v[i / 2], i % 2));
      continue;
    }
    LLVMTypeRef type;
    unsigned n = cake_emit_reg_type(e, op->results[i].type, &type);
    if (!n || used + n > all.n) {
      cake_emit_fail(e, op, "cuts through a pair of 16-bit elements");
      return;
    }
    CakeRegs part = cake_emit_new_regs(e, n);
    for (unsigned j = 0; j < n; ++j)
      part.v[j] = all.v[used++];
    cake_emit_set(e, cake_op_result(op, i), part);
  }
}

static void emit_splat(CakeEmitter *e, CakeOp *op) {
  LLVMTypeRef type;
  LLVMValueRef one = cake_emit_operand(e, op, 0);
  unsigned n = cake_emit_reg_type(e, cake_op_result(op, 0)->type, &type);
  if (!n) {
    cake_emit_fail(e, op, "makes a vector that the NVPTX target cannot hold");
    return;
  }
  CakeRegs regs = cake_emit_new_regs(e, n);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) one = cake_emit_pair(e, one, one);
  for (unsigned i = 0; i < n; ++i)
    regs.v[i] = one;
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

// The type in which an asm takes a register, and its constraint: 1- and 8-bit integers are widened, 16-bit floats and pairs pass as integers.
static LLVMTypeRef asm_type(CakeEmitter *e, LLVMTypeRef type, char *constraint) {
  unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  switch (LLVMGetTypeKind(type)) {
  case LLVMFloatTypeKind: return *constraint = 'f', type;
  case LLVMDoubleTypeKind: return *constraint = 'd', type;
  case LLVMPointerTypeKind: return *constraint = 'l', type;
  case LLVMVectorTypeKind: return *constraint = 'r', e->i32;
  case LLVMIntegerTypeKind:
    return *constraint = width == 64 ? 'l' : width == 32 ? 'r' : 'h', width < 16 ? e->i16 : type;
  default: return *constraint = 'h', e->i16;
  }
}

static LLVMValueRef to_type(CakeEmitter *e, LLVMValueRef value, LLVMTypeRef type) {
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == type) return value;
  if (LLVMGetTypeKind(from) != LLVMIntegerTypeKind || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return LLVMBuildBitCast(e->builder, value, type, "");
  return LLVMBuildIntCast2(e->builder, value, type, 0, "");
}

// An asm through which registers pass: all are outputs, tied to themselves as inputs, so that everything that reads them comes behind it.
static void tie(CakeEmitter *e, const char *text, bool memory, LLVMValueRef *regs, unsigned n) {
  CakeBuf constraints = {0};
  LLVMTypeRef *types = CAKE_ARENA_ARRAY(e->arena, LLVMTypeRef, n + 1);
  LLVMValueRef *args = CAKE_ARENA_ARRAY(e->arena, LLVMValueRef, n + 1);
  for (unsigned i = 0; i < n; ++i) {
    char constraint;
    types[i] = asm_type(e, LLVMTypeOf(regs[i]), &constraint);
    args[i] = to_type(e, regs[i], types[i]);
    cake_buf_printf(&constraints, "%s=%c", i ? "," : "", constraint);
  }
  for (unsigned i = 0; i < n; ++i)
    cake_buf_printf(&constraints, ",%u", i);
  if (memory) cake_buf_text(&constraints, n ? ",~{memory}" : "~{memory}");
  LLVMTypeRef result = n == 0   ? LLVMVoidTypeInContext(e->llvm)
                       : n == 1 ? types[0]
                                : LLVMStructTypeInContext(e->llvm, types, n, 0);
  LLVMValueRef call = cake_emit_asm(e, result, text, constraints.data ? constraints.data : "", args, n);
  for (unsigned i = 0; i < n; ++i)
    regs[i] = to_type(e, n == 1 ? call : LLVMBuildExtractValue(e->builder, call, i, ""), LLVMTypeOf(regs[i]));
  cake_buf_fini(&constraints);
}

static void emit_poison(CakeEmitter *e, CakeOp *op) {
  LLVMTypeRef type;
  unsigned n = cake_emit_reg_type(e, cake_op_result(op, 0)->type, &type);
  if (!n) {
    cake_emit_fail(e, op, "makes a vector that the NVPTX target cannot hold");
    return;
  }
  CakeRegs regs = cake_emit_new_regs(e, n);
  for (unsigned i = 0; i < n; ++i)
    regs.v[i] = LLVMGetPoison(type);
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

// A branch that only INT_MAX takes, for a moment's sleep: ptxas would make a predicate of anything else.
static const char *pin_branch(CakeEmitter *e, CakeOp *op, const CakeRegs *regs) {
  CakeBuf text = {0};
  cake_buf_text(&text, "{ .reg .pred p;");
  for (unsigned i = 0; i < regs->n; ++i) {
    if (LLVMTypeOf(regs->v[i]) != e->i32) cake_emit_fail(e, op, "branches on a value that is no i32");
    cake_buf_printf(&text, i ? " setp.eq.or.s32 p, $%u, 0x7fffffff, p;" : " setp.eq.s32 p, $%u, 0x7fffffff;", i);
  }
  cake_buf_text(&text, " @p nanosleep.u32 1; }");
  const char *copy = cake_arena_printf(e->arena, "%s", text.data).ptr;
  cake_buf_fini(&text);
  return copy;
}

static void emit_pin(CakeEmitter *e, CakeOp *op) {
  CakeRegs in = cake_emit_regs(e, cake_op_operand(op, 0)), regs = cake_emit_new_regs(e, in.n);
  for (unsigned i = 0; i < in.n; ++i)
    regs.v[i] = in.v[i];
  tie(e, cake_gpu_pin_branch(op) ? pin_branch(e, op, &regs) : "", false, regs.v, regs.n);
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

// A constant 1.0 that ptxas does not know, since whoever loads the module may change it: by a known one it would turn the multiplication into a
// selection again. It is an operand of the instruction and takes no register.
static void emit_replace_if(CakeEmitter *e, CakeOp *op) {
  if (!e->one) {
    e->one = LLVMAddGlobalInAddressSpace(e->module, e->f32, CAKE_EMIT_ONE, 4);
    LLVMSetInitializer(e->one, LLVMConstReal(e->f32, 1.0));
  }
  LLVMValueRef args[] = {cake_emit_operand(e, op, 0), cake_emit_operand(e, op, 1), cake_emit_operand(e, op, 2)};
  const char *text = "{ .reg .f32 one; ld.const.f32 one, [" CAKE_EMIT_ONE "]; @$1 mul.f32 $0, $2, one; }";
  cake_emit_set1(e, cake_op_result(op, 0), cake_emit_asm(e, e->f32, text, "=f,b,f,0", args, 3));
}

static void emit_shuffle(CakeEmitter *e, CakeOp *op) {
  CakeStr mode = cake_attr_string_value(cake_gpu_shuffle_mode(op));
  bool is_float = cake_type_is_float(cake_op_operand(op, 0)->type, CAKE_FLOAT_F32), up = cake_str_is(mode, "up");
  CakeStr name = cake_arena_printf(e->arena, "llvm.nvvm.shfl.sync.%s.%sp",
                                   cake_str_is(mode, "xor")    ? "bfly"
                                   : up                        ? "up"
                                   : cake_str_is(mode, "down") ? "down"
                                                               : "idx",
                                   is_float ? "f32" : "i32");
  LLVMValueRef width = cake_emit_operand(e, op, 2);
  LLVMValueRef clamp = LLVMBuildShl(e->builder, LLVMBuildSub(e->builder, int32(e, 32), width, ""), int32(e, 8), "");
  if (!up) clamp = LLVMBuildOr(e->builder, clamp, int32(e, 31), "");
  LLVMValueRef value = cake_emit_operand(e, op, 0);
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!is_float) value = LLVMBuildBitCast(e->builder, value, e->i32, "");
  LLVMValueRef args[] = {int32(e, -1), value, cake_emit_operand(e, op, 1), clamp};
  LLVMValueRef both = cake_emit_intrinsic(e, name.ptr, NULL, 0, args, 4);
  LLVMValueRef result = LLVMBuildExtractValue(e->builder, both, 0, "");
  cake_emit_set1(e, cake_op_result(op, 0), LLVMBuildBitCast(e->builder, result, type, ""));
  cake_emit_set1(e, cake_op_result(op, 1), LLVMBuildExtractValue(e->builder, both, 1, ""));
}

// ---- Memory ----------------------------------------------------------------------------------------------------------------

static void emit_shared_memory(CakeEmitter *e, CakeOp *op) {
  if (!e->shared) {
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(e->llvm), 0);
    e->shared = LLVMAddGlobalInAddressSpace(e->module, bytes, CAKE_EMIT_SHARED_MEMORY, 3);
    LLVMSetLinkage(e->shared, LLVMExternalLinkage);
    LLVMSetAlignment(e->shared, 1024);
  }
  cake_emit_set1(e, cake_op_result(op, 0), e->shared);
}

static void emit_ptr_add(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef bytes = cake_emit_operand(e, op, 1);
  cake_emit_set1(e, cake_op_result(op, 0),
                 LLVMBuildGEP2(e->builder, LLVMInt8TypeInContext(e->llvm), cake_emit_operand(e, op, 0), &bytes, 1, ""));
}

static void emit_shared_address(CakeEmitter *e, CakeOp *op) {
  cake_emit_set1(e, cake_op_result(op, 0), LLVMBuildPtrToInt(e->builder, cake_emit_operand(e, op, 0), e->i32, ""));
}

// The LLVM type that one access of `type` moves, and its bytes: the register itself, or a vector of 32-bit (or wider) registers. NULL: no such access.
static LLVMTypeRef access_type(CakeEmitter *e, CakeType type, LLVMTypeRef *reg, unsigned *n, unsigned *bytes) {
  *n = cake_emit_reg_type(e, type, reg);
  if (!*n) return NULL;
  CakeType element = cake_type_element(type);
  unsigned width = cake_type_is(type, &cake_type_def_gpu_ptr) ? 64
                   : cake_type_is_index(element)              ? 32
                                                              : cake_type_width(element);
  bool is_vector = cake_type_is(type, &cake_type_def_vector);
  *bytes = is_vector ? (unsigned)cake_type_count(type) * width / 8 : (width + 7) / 8;
  bool power = (*bytes & (*bytes - 1)) == 0;
  if (!power || *bytes == 0 || *bytes > 16) return NULL;
  if (*n == 1) return *reg;
  bool pairs = LLVMGetTypeKind(*reg) == LLVMVectorTypeKind;
  return LLVMVectorType(pairs ? e->i32 : *reg, *n);
}

static void emit_load(CakeEmitter *e, CakeOp *op) {
  LLVMTypeRef reg;
  unsigned n, bytes;
  LLVMTypeRef type = access_type(e, cake_op_result(op, 0)->type, &reg, &n, &bytes);
  if (!type) {
    cake_emit_fail(e, op, "loads a type that is not 1, 2, 4, 8 or 16 bytes");
    return;
  }
  LLVMValueRef load = LLVMBuildLoad2(e->builder, type, cake_emit_operand(e, op, 0), "");
  LLVMSetAlignment(load, bytes);
  if (cake_gpu_load_readonly(op)) {
    LLVMMetadataRef empty = LLVMMDNodeInContext2(e->llvm, NULL, 0);
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(e->llvm, "invariant.load", 14), LLVMMetadataAsValue(e->llvm, empty));
  }
  CakeRegs regs = cake_emit_new_regs(e, n);
  for (unsigned i = 0; i < n; ++i)
    regs.v[i] = n == 1
                    ? load
                    : LLVMBuildBitCast(e->builder, LLVMBuildExtractElement(e->builder, load, int32(e, i), ""), reg, "");
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

static void emit_store(CakeEmitter *e, CakeOp *op) {
  LLVMTypeRef reg;
  unsigned n, bytes;
  LLVMTypeRef type = access_type(e, cake_op_operand(op, 0)->type, &reg, &n, &bytes);
  if (!type) {
    cake_emit_fail(e, op, "stores a type that is not 1, 2, 4, 8 or 16 bytes");
    return;
  }
  CakeRegs regs = cake_emit_regs(e, cake_op_operand(op, 0));
  LLVMValueRef value = n == 1 ? regs.v[0] : LLVMGetPoison(type);
  for (unsigned i = 0; n > 1 && i < n; ++i)
    value = LLVMBuildInsertElement(
        e->builder, value, LLVMBuildBitCast(e->builder, regs.v[i], LLVMGetElementType(type), ""), int32(e, i), "");
  LLVMSetAlignment(LLVMBuildStore(e->builder, value, cake_emit_operand(e, op, 1)), bytes);
}

// The intrinsic of the global space is not selected by LLVM 22.
static void emit_prefetch(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef ptr = cake_emit_operand(e, op, 0);
  cake_emit_asm(e, LLVMVoidTypeInContext(e->llvm), "prefetch.global.L2 [$0];", "l", &ptr, 1);
}

static void emit_cp_async(CakeEmitter *e, CakeOp *op) {
  int64_t bytes = cake_attr_int_value(cake_gpu_cp_async_bytes(op));
  CakeValue *limit = cake_gpu_cp_async_src_bytes(op);
  CakeStr name = cake_arena_printf(e->arena, "llvm.nvvm.cp.async.%s.shared.global.%d%s", bytes == 16 ? "cg" : "ca",
                                   (int)bytes, limit ? ".s" : "");
  LLVMValueRef args[] = {cake_emit_operand(e, op, 0), cake_emit_operand(e, op, 1),
                         limit ? cake_emit_one(e, limit) : NULL};
  cake_emit_intrinsic(e, name.ptr, NULL, 0, args, limit ? 3 : 2);
}

static void emit_cp_async_mbarrier_arrive(CakeEmitter *e, CakeOp *op) {
  call1(e, "llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared", cake_emit_operand(e, op, 0));
}

static bool check_tensor_copy(CakeEmitter *e, CakeOp *op, const CakeValue *map, CakeOperandRange coords) {
  CakeOp *parent = cake_block_parent(cake_value_block(map));
  if (coords.count < 1 || coords.count > 5)
    cake_emit_fail(e, op, "needs 1 to 5 coordinates");
  else if (cake_value_def(map) || !parent || !cake_is_gpu_op(parent, cake_op_gpu_func))
    cake_emit_fail(
        e, op, "takes a tensor map that is not an argument of the kernel"); // the copy would go through local memory
  return !e->failed;
}

// The first `n_fixed` operands, the coordinates, and no cache hint. `name`: the intrinsic's without the rank.
static void emit_tensor_copy(CakeEmitter *e, CakeOp *op, const char *name, unsigned n_fixed, CakeOperandRange coords) {
  LLVMValueRef args[10];
  unsigned n = 0;
  for (unsigned i = 0; i < n_fixed; ++i)
    args[n++] = cake_emit_operand(e, op, i);
  for (unsigned i = 0; i < coords.count; ++i)
    args[n++] = cake_emit_one(e, coords.first[i].value);
  args[n++] = cake_emit_int(e->i64, 0);
  args[n++] = cake_emit_int(e->i1, 0);
  cake_emit_intrinsic(e, cake_arena_printf(e->arena, "%s.%ud", name, coords.count).ptr, NULL, 0, args, n);
}

static void emit_tma_load(CakeEmitter *e, CakeOp *op) {
  CakeOperandRange coords = cake_gpu_tma_load_coords(op);
  if (check_tensor_copy(e, op, cake_gpu_tma_load_map(op), coords))
    emit_tensor_copy(e, op, "llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile", 3, coords);
}

// To all CTAs of the mask: PTX ISA, "cp.async.bulk.tensor", .multicast::cluster.
static void emit_tma_load_multicast(CakeEmitter *e, CakeOp *op) {
  CakeOperandRange coords = cake_gpu_tma_load_multicast_coords(op);
  LLVMTypeRef i16 = LLVMInt16TypeInContext(e->llvm), cluster = LLVMPointerTypeInContext(e->llvm, SHARED_CLUSTER);
  LLVMValueRef args[14];
  unsigned n = 0;
  if (!check_tensor_copy(e, op, cake_gpu_tma_load_multicast_map(op), coords)) return;
  args[n++] = LLVMBuildAddrSpaceCast(e->builder, cake_emit_operand(e, op, 0), cluster, "");
  args[n++] = cake_emit_operand(e, op, 1);
  args[n++] = cake_emit_operand(e, op, 2);
  for (unsigned i = 0; i < coords.count; ++i)
    args[n++] = cake_emit_one(e, coords.first[i].value);
  args[n++] = LLVMBuildTrunc(e->builder, cake_emit_operand(e, op, 3), i16, "");
  args[n++] = cake_emit_int(e->i64, 0); // no cache hint
  args[n++] = cake_emit_int(e->i1, 1);  // the mask counts
  args[n++] = cake_emit_int(e->i1, 0);
  args[n++] = int32(e, 0); // no pair of CTAs
  CakeStr name = cake_arena_printf(e->arena, "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.%ud", coords.count);
  cake_emit_intrinsic(e, name.ptr, NULL, 0, args, n);
}

static void emit_tma_store(CakeEmitter *e, CakeOp *op) {
  CakeOperandRange coords = cake_gpu_tma_store_coords(op);
  const char *name = cake_gpu_tma_store_reduce(op) ? "llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile"
                                                   : "llvm.nvvm.cp.async.bulk.tensor.s2g.tile";
  if (check_tensor_copy(e, op, cake_gpu_tma_store_map(op), coords)) emit_tensor_copy(e, op, name, 2, coords);
}

static void emit_bulk_commit(CakeEmitter *e, CakeOp *op) {
  (void)op, call0(e, "llvm.nvvm.cp.async.bulk.commit.group");
}
static void emit_bulk_wait_read(CakeEmitter *e, CakeOp *op) {
  call1(e, "llvm.nvvm.cp.async.bulk.wait.group.read",
        int32(e, cake_attr_int_value(cake_gpu_bulk_wait_read_pending(op))));
}

static void emit_bulk_load(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef args[] = {cake_emit_operand(e, op, 0), cake_emit_operand(e, op, 1), cake_emit_operand(e, op, 2),
                         cake_emit_operand(e, op, 3), cake_emit_int(e->i64, 0),    cake_emit_int(e->i1, 0)};
  cake_emit_intrinsic(e, "llvm.nvvm.cp.async.bulk.global.to.shared.cta", NULL, 0, args, 6);
}

// Registers of type `reg` from the members of a struct of i32.
static CakeRegs members(CakeEmitter *e, LLVMValueRef from, LLVMTypeRef reg, unsigned n) {
  CakeRegs regs = cake_emit_new_regs(e, n);
  for (unsigned i = 0; i < n; ++i)
    regs.v[i] = LLVMBuildBitCast(e->builder, LLVMBuildExtractValue(e->builder, from, i, ""), reg, "");
  return regs;
}

static void emit_ldmatrix(CakeEmitter *e, CakeOp *op) {
  LLVMTypeRef reg;
  unsigned n = cake_emit_reg_type(e, cake_op_result(op, 0)->type, &reg);
  LLVMValueRef ptr = cake_emit_operand(e, op, 0);
  LLVMTypeRef overload = LLVMTypeOf(ptr);
  const char *name = cake_gpu_ldmatrix_trans(op) ? "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"
                                                 : "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16";
  LLVMValueRef all = cake_emit_intrinsic(e, name, &overload, 1, &ptr, 1);
  cake_emit_set(e, cake_op_result(op, 0), members(e, all, reg, n));
}

static void emit_stmatrix(CakeEmitter *e, CakeOp *op) {
  CakeRegs value = cake_emit_regs(e, cake_op_operand(op, 0));
  LLVMValueRef ptr = cake_emit_operand(e, op, 1), args[5] = {ptr};
  LLVMTypeRef overload = LLVMTypeOf(ptr);
  for (unsigned i = 0; i < 4 && i < value.n; ++i)
    args[1 + i] = LLVMBuildBitCast(e->builder, value.v[i], e->i32, "");
  cake_emit_intrinsic(e, "llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16", &overload, 1, args, 5);
}

// ---- Barriers --------------------------------------------------------------------------------------------------------------

static void emit_barrier(CakeEmitter *e, CakeOp *op) {
  (void)op, call1(e, "llvm.nvvm.barrier.cta.sync.aligned.all", int32(e, 0));
}
// Arrival with release, wait with acquire order.
static void emit_cluster_barrier(CakeEmitter *e, CakeOp *op) {
  (void)op, call0(e, "llvm.nvvm.barrier.cluster.arrive.aligned"), call0(e, "llvm.nvvm.barrier.cluster.wait.aligned");
}
static void emit_named_barrier(CakeEmitter *e, CakeOp *op) {
  call2(e, "llvm.nvvm.barrier.cta.sync.aligned.count", cake_emit_operand(e, op, 0),
        int32(e, cake_attr_int_value(cake_gpu_named_barrier_threads(op))));
}
static void emit_named_barrier_arrive(CakeEmitter *e, CakeOp *op) {
  call2(e, "llvm.nvvm.barrier.cta.arrive.aligned.count", cake_emit_operand(e, op, 0),
        int32(e, cake_attr_int_value(cake_gpu_named_barrier_arrive_threads(op))));
}
static void emit_warp_sync(CakeEmitter *e, CakeOp *op) {
  (void)op, call1(e, "llvm.nvvm.bar.warp.sync", int32(e, -1));
}

static void emit_elect(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef elected =
      cake_target_has(e->target, CAKE_FEATURE_BULK)
          ? LLVMBuildExtractValue(e->builder, call1(e, "llvm.nvvm.elect.sync", int32(e, -1)), 1, "")
          : LLVMBuildICmp(e->builder, LLVMIntEQ, call0(e, "llvm.nvvm.read.ptx.sreg.laneid"), int32(e, 0), "");
  cake_emit_set1(e, cake_op_result(op, 0), elected);
}

static void emit_mbarrier_init(CakeEmitter *e, CakeOp *op) {
  call2(e, "llvm.nvvm.mbarrier.init.shared", cake_emit_operand(e, op, 0),
        int32(e, cake_attr_int_value(cake_gpu_mbarrier_init_count(op))));
}
static void emit_mbarrier_init_fence(CakeEmitter *e, CakeOp *op) {
  (void)op;
  if (cake_target_has(e->target, CAKE_FEATURE_BULK)) call0(e, "llvm.nvvm.fence.mbarrier_init.release.cluster");
}
static void emit_mbarrier_arrive(CakeEmitter *e, CakeOp *op) {
  call1(e, "llvm.nvvm.mbarrier.arrive.shared", cake_emit_operand(e, op, 0));
}
static void emit_mbarrier_arrive_remote(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef there =
      call2(e, "llvm.nvvm.mapa.shared.cluster", cake_emit_operand(e, op, 0), cake_emit_operand(e, op, 1));
  call2(e,
        cake_gpu_mbarrier_arrive_remote_relaxed(op) ? "llvm.nvvm.mbarrier.arrive.relaxed.scope.cluster.space.cluster"
                                                    : "llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster",
        there, int32(e, 1));
}
static void emit_mbarrier_arrive_expect_tx(CakeEmitter *e, CakeOp *op) {
  call2(e, "llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta", cake_emit_operand(e, op, 0),
        int32(e, cake_attr_int_value(cake_gpu_mbarrier_arrive_expect_tx_bytes(op))));
}

// What a wait does that has taken too long: one thread of the warp writes an entry of the report (targets/nvptx/runtime/watchdog.h) where
// there is room, all go on for 100 ms, so that other waits get to report as well, and the kernel ends in a trap.
// $0 the report, $1 the mbarrier, $2 the parity, $3 the start of dynamic shared memory, $4 when to trap.
static const char watchdog_text[] = "{\n"
                                    ".reg .pred %p; .reg .b32 %m, %n, %c, %w; .reg .b64 %a, %t;\n"
                                    "activemask.b32 %m;\n"
                                    "mov.u32 %n, %lanemask_lt;\n"
                                    "and.b32 %n, %n, %m;\n"
                                    "setp.ne.u32 %p, %n, 0;\n"
                                    "@%p bra TRAP;\n"
                                    "atom.global.add.u32 %n, [$0], 1;\n"
                                    "setp.ge.u32 %p, %n, 255;\n"
                                    "@%p bra TRAP;\n"
                                    "mul.wide.u32 %a, %n, 16;\n"
                                    "add.u64 %a, %a, $0;\n"
                                    "sub.u32 %n, $1, $3;\n"
                                    "mov.u32 %c, %ctaid.x;\n"
                                    "mov.u32 %w, %tid.x;\n"
                                    "shr.u32 %w, %w, 5;\n"
                                    "st.volatile.global.v4.u32 [%a + 16], {%n, $2, %c, %w};\n"
                                    "membar.sys;\n"
                                    "TRAP:\n"
                                    "mov.u64 %t, %globaltimer;\n"
                                    "setp.lt.u64 %p, %t, $4;\n"
                                    "@%p bra TRAP;\n"
                                    "trap;\n"
                                    "}";
enum { WATCHDOG_GRACE_NS = 100000000 };

static LLVMValueRef global_timer(CakeEmitter *e) {
  return call0(e, "llvm.nvvm.read.ptx.sreg.globaltimer");
}

// Behind a poll that failed: back to it, unless the time is over. `start` was taken before the first poll.
static void emit_watchdog(CakeEmitter *e, CakeOp *op, CakeAttr watchdog, LLVMValueRef start, LLVMBasicBlockRef poll) {
  CakeOp *func = op;
  while (func->block && !cake_is_gpu_op(func, cake_op_gpu_func))
    func = cake_op_parent(func);
  CakeBlock *entry = cake_region_entry(cake_op_region(func, 0));
  CakeAttr maps = cake_op_attr_text(func, "tensor_maps");
  CakeValue *report = entry->args[entry->n_args - 1 - (maps ? cake_attr_count(maps) : 0)];
  LLVMTypeRef i64 = LLVMInt64TypeInContext(e->llvm);
  int64_t ns = cake_attr_int_value(cake_attr_lookup_text(watchdog, "ns"));
  LLVMBasicBlockRef late = LLVMAppendBasicBlockInContext(e->llvm, e->function, "late");
  LLVMValueRef waited = LLVMBuildSub(e->builder, global_timer(e), start, "");
  LLVMBuildCondBr(e->builder, LLVMBuildICmp(e->builder, LLVMIntUGT, waited, cake_emit_int(i64, ns), ""), late, poll);
  LLVMPositionBuilderAtEnd(e->builder, late);
  LLVMValueRef args[] = {LLVMBuildPtrToInt(e->builder, cake_emit_one(e, report), i64, ""),
                         LLVMBuildPtrToInt(e->builder, cake_emit_operand(e, op, 0), e->i32, ""),
                         cake_emit_operand(e, op, 1),
                         e->shared ? LLVMBuildPtrToInt(e->builder, e->shared, e->i32, "") : int32(e, 0),
                         LLVMBuildAdd(e->builder, start, cake_emit_int(i64, ns + WATCHDOG_GRACE_NS), "")};
  cake_emit_asm(e, LLVMVoidTypeInContext(e->llvm), watchdog_text, "l,r,r,r,l", args, 5);
  LLVMBuildUnreachable(e->builder);
}

static CakeAttr watchdog_of(const CakeOp *op) {
  while (op->block && !cake_is_gpu_op(op, cake_op_gpu_func))
    op = cake_op_parent(op);
  return cake_op_attr_text(op, "watchdog");
}

static void emit_mbarrier_wait(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef barrier = cake_emit_operand(e, op, 0), parity = cake_emit_operand(e, op, 1);
  CakeAttr watchdog = watchdog_of(op);
  LLVMValueRef start = watchdog ? global_timer(e) : NULL;
  LLVMBasicBlockRef poll = LLVMAppendBasicBlockInContext(e->llvm, e->function, "wait"),
                    done = LLVMAppendBasicBlockInContext(e->llvm, e->function, "waited");
  LLVMBuildBr(e->builder, poll);
  LLVMPositionBuilderAtEnd(e->builder, poll);
  const char *name = cake_gpu_mbarrier_wait_cluster(op) ? "llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta"
                     : cake_target_has(e->target, CAKE_FEATURE_BULK)
                         ? "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"
                         : "llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta";
  LLVMBasicBlockRef failed = watchdog ? LLVMAppendBasicBlockInContext(e->llvm, e->function, "still") : poll;
  LLVMBuildCondBr(e->builder, call2(e, name, barrier, parity), done, failed);
  if (watchdog) {
    LLVMPositionBuilderAtEnd(e->builder, failed);
    emit_watchdog(e, op, watchdog, start, poll);
  }
  LLVMPositionBuilderAtEnd(e->builder, done);
}

static void emit_fence_proxy_async(CakeEmitter *e, CakeOp *op) {
  (void)op, call0(e, "llvm.nvvm.fence.proxy.async.shared_cta");
}

// ---- Matrix units ------------------------------------------------------------------------------------------------------------

static void emit_mma(CakeEmitter *e, CakeOp *op) {
  CakeRegs a = cake_emit_regs(e, cake_op_operand(op, 0)), b = cake_emit_regs(e, cake_op_operand(op, 1)),
           c = cake_emit_regs(e, cake_op_operand(op, 2));
  bool is_bf16 = cake_type_is_float(cake_type_element(cake_op_operand(op, 0)->type), CAKE_FLOAT_BF16);
  if (a.n != 4 || b.n != 2 || c.n != 4) {
    cake_emit_fail(e, op, "has operands of other sizes than m16n8k16 takes");
    return;
  }
  LLVMValueRef args[10];
  unsigned n = 0;
  for (unsigned i = 0; i < 4; ++i)
    args[n++] = is_bf16 ? LLVMBuildBitCast(e->builder, a.v[i], e->i32, "") : a.v[i];
  for (unsigned i = 0; i < 2; ++i)
    args[n++] = is_bf16 ? LLVMBuildBitCast(e->builder, b.v[i], e->i32, "") : b.v[i];
  for (unsigned i = 0; i < 4; ++i)
    args[n++] = c.v[i];
  LLVMValueRef all = cake_emit_intrinsic(
      e, is_bf16 ? "llvm.nvvm.mma.m16n8k16.row.col.bf16" : "llvm.nvvm.mma.m16n8k16.row.col.f32.f32", NULL, 0, args, n);
  cake_emit_set(e, cake_op_result(op, 0), members(e, all, e->f32, 4));
}

static void emit_wgmma_fence(CakeEmitter *e, CakeOp *op) {
  (void)op, call0(e, "llvm.nvvm.wgmma.fence.sync.aligned");
}
static void emit_wgmma_commit(CakeEmitter *e, CakeOp *op) {
  (void)op, call0(e, "llvm.nvvm.wgmma.commit_group.sync.aligned");
}

// The operands' registers pass through an asm and are the results'.
static void tie_operands(CakeEmitter *e, CakeOp *op, const char *text) {
  unsigned total = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    total += cake_emit_regs(e, cake_op_operand(op, i)).n;
  CakeRegs all = cake_emit_new_regs(e, total);
  unsigned n = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    CakeRegs part = cake_emit_regs(e, cake_op_operand(op, i));
    for (unsigned j = 0; j < part.n; ++j)
      all.v[n++] = part.v[j];
  }
  tie(e, text, true, all.v, total);
  n = 0;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    CakeRegs part = cake_emit_new_regs(e, cake_emit_regs(e, cake_op_operand(op, i)).n);
    for (unsigned j = 0; j < part.n; ++j)
      part.v[j] = all.v[n++];
    cake_emit_set(e, cake_op_result(op, i), part);
  }
}

static void emit_wgmma_wait(CakeEmitter *e, CakeOp *op) {
  int64_t pending = cake_attr_int_value(cake_gpu_wgmma_wait_pending(op));
  if (pending < 0 || pending > 7) {
    cake_emit_fail(e, op, "leaves a number of groups that is not 0 to 7");
    return;
  }
  tie_operands(e, op, cake_arena_printf(e->arena, "wgmma.wait_group.sync.aligned %d;", (int)pending).ptr);
}

// One wgmma.mma_async: the accumulators are outputs, tied to inputs when they are read. The first slice of a sum reads none: outputs only, and a
// predicate that is false. Where only the run tells, the predicate is an input.
typedef struct Wgmma {
  CakeType element;
  CakeValue *acc, *accumulate, *a, *b; // a: a descriptor, or registers
  bool trans_a, trans_b, negate;
} Wgmma;

static const char *wgmma_element(CakeType element) {
  switch (cake_type_float_kind(element)) {
  case CAKE_FLOAT_BF16: return "bf16";
  case CAKE_FLOAT_F8E4M3FN: return "e4m3";
  case CAKE_FLOAT_F8E5M2: return "e5m2";
  case CAKE_FLOAT_F32: return "tf32";
  default: return "f16";
  }
}

// "wgmma.mma_async… {$0, …}, A, $b, p, ±1, 1, ta, tb": A is a descriptor, or registers in braces and without ta.
static void wgmma_text(const Wgmma *w, unsigned n, unsigned first_input, unsigned a_regs, CakeBuf *text) {
  const char *name = wgmma_element(w->element);
  unsigned width = cake_type_width(w->element);
  if (w->accumulate)
    cake_buf_printf(text, "{ .reg .pred p; setp.ne.b32 p, $%u, 0; ", first_input + a_regs + 1);
  else
    cake_buf_printf(text, "{ .reg .pred p; setp.ne.b32 p, %d, 0; ", w->acc != NULL);
  cake_buf_printf(text, "wgmma.mma_async.sync.aligned.m64n%uk%u.f32.%s.%s {", 2 * n, 256 / width, name, name);
  for (unsigned i = 0; i < n; ++i)
    cake_buf_printf(text, "%s$%u", i ? ", " : "", i);
  cake_buf_text(text, a_regs > 1 ? "}, {" : "}, ");
  for (unsigned i = 0; i < a_regs; ++i)
    cake_buf_printf(text, "%s$%u", i ? ", " : "", first_input + i);
  cake_buf_printf(text, "%s, $%u, p, %d, 1", a_regs > 1 ? "}" : "", first_input + a_regs, w->negate ? -1 : 1);
  if (width == 16 && a_regs == 1) cake_buf_printf(text, ", %d", w->trans_a);
  if (width == 16) cake_buf_printf(text, ", %d", w->trans_b);
  cake_buf_text(text, "; }");
}

static void build_wgmma(CakeEmitter *e, CakeOp *op, const Wgmma *w) {
  LLVMTypeRef reg;
  CakeRegs a = cake_emit_regs(e, w->a);
  unsigned n = cake_emit_reg_type(e, cake_op_result(op, 0)->type, &reg), inputs = 0;
  LLVMValueRef *args = CAKE_ARENA_ARRAY(e->arena, LLVMValueRef, n + a.n + 2);
  LLVMTypeRef *types = CAKE_ARENA_ARRAY(e->arena, LLVMTypeRef, n);
  CakeBuf text = {0}, constraints = {0};
  for (unsigned i = 0; i < n; ++i)
    cake_buf_printf(&constraints, "%s=f", i ? "," : ""), types[i] = reg;
  for (unsigned i = 0; w->acc && i < n; ++i) {
    cake_buf_printf(&constraints, ",%u", i);
    args[inputs++] = cake_emit_regs(e, w->acc).v[i];
  }
  wgmma_text(w, n, n + inputs, a.n, &text);
  for (unsigned i = 0; i < a.n; ++i) {
    char constraint;
    args[inputs++] = to_type(e, a.v[i], asm_type(e, LLVMTypeOf(a.v[i]), &constraint));
    cake_buf_printf(&constraints, ",%c", constraint);
  }
  cake_buf_text(&constraints, w->accumulate ? ",l,r" : ",l");
  args[inputs++] = cake_emit_one(e, w->b);
  if (w->accumulate) args[inputs++] = to_type(e, cake_emit_one(e, w->accumulate), e->i32);
  LLVMValueRef all =
      cake_emit_asm(e, LLVMStructTypeInContext(e->llvm, types, n, 0), text.data, constraints.data, args, inputs);
  CakeRegs regs = cake_emit_new_regs(e, n);
  for (unsigned i = 0; i < n; ++i)
    regs.v[i] = LLVMBuildExtractValue(e->builder, all, i, "");
  cake_emit_set(e, cake_op_result(op, 0), regs);
  cake_buf_fini(&text);
  cake_buf_fini(&constraints);
}

static void emit_wgmma(CakeEmitter *e, CakeOp *op) {
  build_wgmma(e, op,
              &(Wgmma){.element = cake_attr_value_type(cake_gpu_wgmma_element(op)),
                       .acc = cake_gpu_wgmma_acc(op),
                       .accumulate = cake_gpu_wgmma_accumulate(op),
                       .a = cake_gpu_wgmma_a(op),
                       .b = cake_gpu_wgmma_b(op),
                       .trans_a = cake_gpu_wgmma_trans_a(op) != NULL,
                       .trans_b = cake_gpu_wgmma_trans_b(op) != NULL,
                       .negate = cake_gpu_wgmma_negate(op) != NULL});
}

static void emit_wgmma_rs(CakeEmitter *e, CakeOp *op) {
  build_wgmma(e, op,
              &(Wgmma){.element = cake_attr_value_type(cake_gpu_wgmma_rs_element(op)),
                       .acc = cake_gpu_wgmma_rs_acc(op),
                       .accumulate = cake_gpu_wgmma_rs_accumulate(op),
                       .a = cake_gpu_wgmma_rs_a(op),
                       .b = cake_gpu_wgmma_rs_b(op),
                       .trans_b = cake_gpu_wgmma_rs_trans_b(op) != NULL,
                       .negate = cake_gpu_wgmma_rs_negate(op) != NULL});
}

// ---- Tensor memory ------------------------------------------------------------------------------------------------------------

static LLVMValueRef tensor_ptr(CakeEmitter *e, LLVMValueRef address) {
  return LLVMBuildIntToPtr(e->builder, address, LLVMPointerTypeInContext(e->llvm, 6), "");
}

static void emit_tcgen05_alloc(CakeEmitter *e, CakeOp *op) {
  call2(e, "llvm.nvvm.tcgen05.alloc.shared.cg1", cake_emit_operand(e, op, 0),
        int32(e, cake_attr_int_value(cake_gpu_tcgen05_alloc_columns(op))));
  call0(e, "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1");
}

static void emit_tcgen05_address(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef load = LLVMBuildLoad2(e->builder, e->i32, cake_emit_operand(e, op, 0), "");
  LLVMSetAlignment(load, 4);
  cake_emit_set1(e, cake_op_result(op, 0), load);
}

static void emit_tcgen05_dealloc(CakeEmitter *e, CakeOp *op) {
  call2(e, "llvm.nvvm.tcgen05.dealloc.cg1", tensor_ptr(e, cake_emit_operand(e, op, 0)),
        int32(e, cake_attr_int_value(cake_gpu_tcgen05_dealloc_columns(op))));
}

static void emit_tcgen05_fence(CakeEmitter *e, CakeOp *op) {
  bool is_before = cake_str_is(cake_attr_string_value(cake_gpu_tcgen05_fence_side(op)), "before");
  call0(e, is_before ? "llvm.nvvm.tcgen05.fence.before.thread.sync" : "llvm.nvvm.tcgen05.fence.after.thread.sync");
}

// The kind of a tcgen05.mma, as LLVM numbers it, and the format of both operands (PTX ISA, "tcgen05: instruction descriptor").
typedef struct MatrixKind {
  int kind, format;
} MatrixKind;

static MatrixKind matrix_kind(CakeType element) {
  enum { F16, TF32, F8F6F4 };
  switch (cake_type_float_kind(element)) {
  case CAKE_FLOAT_BF16: return (MatrixKind){F16, 1};
  case CAKE_FLOAT_F32: return (MatrixKind){TF32, 2};
  case CAKE_FLOAT_F8E4M3FN: return (MatrixKind){F8F6F4, 0};
  case CAKE_FLOAT_F8E5M2: return (MatrixKind){F8F6F4, 1};
  default: return (MatrixKind){F16, 0};
  }
}

// Accumulation in f32 in bits 4 and 5, formats of A and B from bits 7 and 10 on, N / 8 from bit 17 on, M / 16 from bit 24 on; both K-major.
static void emit_tcgen05_mma(CakeEmitter *e, CakeOp *op) {
  MatrixKind kind = matrix_kind(cake_attr_value_type(cake_gpu_tcgen05_mma_element(op)));
  int64_t m = cake_attr_int_value(cake_gpu_tcgen05_mma_m(op)), n = cake_attr_int_value(cake_gpu_tcgen05_mma_n(op));
  int64_t descriptor = 1 << 4 | kind.format << 7 | kind.format << 10 | n / 8 << 17 | m / 16 << 24;
  LLVMValueRef args[] = {tensor_ptr(e, cake_emit_operand(e, op, 0)),
                         cake_emit_operand(e, op, 1),
                         cake_emit_operand(e, op, 2),
                         int32(e, descriptor),
                         cake_emit_operand(e, op, 3),
                         int32(e, kind.kind),
                         int32(e, 1),  // of one CTA
                         int32(e, 0)}; // A is not kept for the next
  cake_emit_intrinsic(e, "llvm.nvvm.tcgen05.mma.shared", NULL, 0, args, CAKE_COUNT(args));
}

static void emit_tcgen05_commit(CakeEmitter *e, CakeOp *op) {
  call1(e, "llvm.nvvm.tcgen05.commit.shared.cg1", cake_emit_operand(e, op, 0));
}

static void emit_tcgen05_ld(CakeEmitter *e, CakeOp *op) {
  unsigned n = (unsigned)cake_type_count(cake_op_result(op, 0)->type);
  CakeStr name = cake_arena_printf(e->arena, "llvm.nvvm.tcgen05.ld.32x32b.x%u", n);
  LLVMValueRef args[] = {tensor_ptr(e, cake_emit_operand(e, op, 0)), LLVMConstInt(e->i1, 0, 0)}; // not packed
  LLVMValueRef all = cake_emit_intrinsic(e, name.ptr, NULL, 0, args, 2);
  CakeRegs regs = cake_emit_new_regs(e, n);
  for (unsigned i = 0; i < n; ++i) {
    LLVMValueRef bits = n == 1 ? all : LLVMBuildExtractElement(e->builder, all, int32(e, i), "");
    regs.v[i] = LLVMBuildBitCast(e->builder, bits, e->f32, "");
  }
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

static void emit_tcgen05_wait_ld(CakeEmitter *e, CakeOp *op) {
  tie_operands(e, op, "tcgen05.wait::ld.sync.aligned;");
}

static void emit_setmaxnreg(CakeEmitter *e, CakeOp *op) {
  bool up = cake_str_is(cake_attr_string_value(cake_gpu_setmaxnreg_action(op)), "increase");
  call1(e, up ? "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32" : "llvm.nvvm.setmaxnreg.dec.sync.aligned.u32",
        int32(e, cake_attr_int_value(cake_gpu_setmaxnreg_count(op))));
}

static void emit_griddepcontrol(CakeEmitter *e, CakeOp *op) {
  call0(e, cake_str_is(cake_attr_string_value(cake_gpu_griddepcontrol_action(op)), "wait")
               ? "llvm.nvvm.griddepcontrol.wait"
               : "llvm.nvvm.griddepcontrol.launch.dependents");
}

static void emit_nothing(CakeEmitter *e, CakeOp *op) {
  (void)e, (void)op;
} // module, func, return: emit_module.c

// One entry a row: a row without its function does not compile.
#define emit_printf cake_emit_printf
#define emit_fail cake_emit_fail_op
#define emit_module emit_nothing
#define emit_func emit_nothing
#define emit_return emit_nothing
static CakeEmitFn const table[] = {
#include "cake/dialect_rows_clear.h"
#undef OP
#define OP(op, ...) [cake_op_gpu_##op] = emit_##op,
#include "dialects/gpu/gpu.def"
};
#include "cake/dialect_rows_clear.h"

CakeEmitFn cake_emit_gpu(const CakeOp *op) {
  return op->info->def && op->info->dialect == &cake_dialect_gpu ? table[op->info->def->ordinal] : NULL;
}
