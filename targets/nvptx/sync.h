// Whether PTX synchronises as the gpu IR that it was made from.
#ifndef CAKE_TARGETS_NVPTX_SYNC_H
#define CAKE_TARGETS_NVPTX_SYNC_H

#include "cake/op.h"

// A place in a program: at most one synchronising instruction, then one of the places behind. 0 is the start, 1 the end.
typedef struct CakeSyncNode {
  int32_t letter; // row of the table of instructions; -1: none
  CakeOp *op;     // of the IR
  CAKE_VEC(uint32_t) next;
} CakeSyncNode;

typedef struct CakeSyncGraph {
  CAKE_VEC(CakeSyncNode) nodes;
  bool is_known; // false: it has control flow that is not modelled
} CakeSyncGraph;

enum { CAKE_SYNC_START, CAKE_SYNC_END };

CakeSyncGraph cake_sync_create(void);
void cake_sync_fini(CakeSyncGraph *graph);
uint32_t cake_sync_add(CakeSyncGraph *graph, int32_t letter, CakeOp *op);
void cake_sync_edge(CakeSyncGraph *graph, uint32_t from, uint32_t to);
int32_t cake_sync_letter_of_op(const CakeOp *op, bool has_bulk); // -1: it does not synchronise
int32_t cake_sync_letter_of_text(CakeStr statement);
const char *cake_sync_letter_name(int32_t letter);

CakeSyncGraph cake_sync_of_func(CakeOp *func, bool has_bulk);
// Of the kernel of that name; the text may have others.
CakeSyncGraph cake_sync_of_ptx(CakeStr ptx, CakeStr kernel);

#endif
