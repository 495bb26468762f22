// scf.for and scf.if as basic blocks with phis, one a register.
#include "targets/nvptx/emit.h"

#include "dialects/scf/scf_ops.h"

static LLVMBasicBlockRef new_block(CakeEmitter *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->llvm, e->function, name);
}

// One phi a register of `types`; the registers come back.
static CakeRegs phis(CakeEmitter *e, CakeOp *op, CakeType type) {
  LLVMTypeRef llvm;
  unsigned n = cake_emit_reg_type(e, type, &llvm);
  if (!n) cake_emit_fail(e, op, "carries a value that the NVPTX target cannot hold");
  CakeRegs regs = cake_emit_new_regs(e, n);
  for (unsigned i = 0; i < n; ++i)
    regs.v[i] = LLVMBuildPhi(e->builder, llvm, "");
  return regs;
}

static void add_incoming(CakeRegs phi, CakeRegs from, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < phi.n && i < from.n; ++i)
    LLVMAddIncoming(phi.v[i], &from.v[i], &block, 1);
}

static void emit_for(CakeEmitter *e, CakeOp *op) {
  LLVMValueRef lower = cake_emit_operand(e, op, 0), upper = cake_emit_operand(e, op, 1),
               step = cake_emit_operand(e, op, 2);
  CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder);
  LLVMBasicBlockRef head = new_block(e, "for"), inside = new_block(e, "do"), after = new_block(e, "done");
  LLVMBuildBr(e->builder, head);
  LLVMPositionBuilderAtEnd(e->builder, head);
  LLVMValueRef counter = LLVMBuildPhi(e->builder, LLVMTypeOf(lower), "");
  LLVMAddIncoming(counter, &lower, &before, 1);
  cake_emit_set1(e, body->args[0], counter);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    CakeRegs carried = phis(e, op, op->results[i].type);
    add_incoming(carried, cake_emit_regs(e, cake_op_operand(op, 3 + i)), before);
    cake_emit_set(e, body->args[1 + i], carried);
    cake_emit_set(e, cake_op_result(op, i), carried);
  }
  LLVMIntPredicate less = cake_op_attr_text(op, "unsignedCmp") ? LLVMIntULT : LLVMIntSLT;
  LLVMBuildCondBr(e->builder, LLVMBuildICmp(e->builder, less, counter, upper, ""), inside, after);
  LLVMPositionBuilderAtEnd(e->builder, inside);
  cake_emit_block(e, body);
  LLVMValueRef next = LLVMBuildAdd(e->builder, counter, step, "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(e->builder);
  LLVMBuildBr(e->builder, head);
  LLVMAddIncoming(counter, &next, &latch, 1);
  for (uint32_t i = 0; i < op->n_results; ++i)
    add_incoming(cake_emit_regs(e, cake_op_result(op, i)), cake_emit_regs(e, cake_op_operand(body->last, i)), latch);
  LLVMMoveBasicBlockAfter(after, latch);
  LLVMPositionBuilderAtEnd(e->builder, after);
}

static void emit_if(CakeEmitter *e, CakeOp *op) {
  LLVMBasicBlockRef targets[2] = {new_block(e, "then"), NULL}, ends[2] = {NULL, NULL}, after = new_block(e, "endif");
  CakeBlock *blocks[2] = {cake_region_entry(cake_op_region(op, 0)), cake_region_entry(cake_op_region(op, 1))};
  targets[1] = blocks[1] ? new_block(e, "else") : after;
  LLVMBuildCondBr(e->builder, cake_emit_operand(e, op, 0), targets[0], targets[1]);
  for (int side = 0; side < 2; ++side) {
    if (!blocks[side]) continue;
    LLVMPositionBuilderAtEnd(e->builder, targets[side]);
    cake_emit_block(e, blocks[side]);
    ends[side] = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, after);
  }
  LLVMMoveBasicBlockAfter(after, ends[1] ? ends[1] : ends[0]);
  LLVMPositionBuilderAtEnd(e->builder, after);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    CakeRegs merged = phis(e, op, op->results[i].type);
    for (int side = 0; side < 2 && blocks[side]; ++side)
      add_incoming(merged, cake_emit_regs(e, cake_op_operand(blocks[side]->last, i)), ends[side]);
    cake_emit_set(e, cake_op_result(op, i), merged);
  }
}

CakeEmitFn cake_emit_flow(const CakeOp *op) {
  if (!op->info->def || op->info->dialect != &cake_dialect_scf) return NULL;
  switch (op->info->def->ordinal) {
  case cake_op_scf_for: return emit_for;
  case cake_op_scf_if: return emit_if;
  default: return NULL;
  }
}
