// What the files of promote-buffers share: accesses of memory that nothing else knows of, and what flows through it.
#ifndef CAKE_PASSES_PROMOTE_BUFFERS_H
#define CAKE_PASSES_PROMOTE_BUFFERS_H

#include "analysis/effects.h"
#include "cake/pass.h"

// Memories that are looked at together: a state of the analyses has a word, or a bit, for each.
enum { CAKE_PROMOTED_MEMORIES = 64 };

// What an op does to one of the memories.
typedef struct CakeMemoryAccess {
  uint32_t memory; // its number
  uint32_t next;   // of the same op, from 1; 0: none
  bool reads, writes;
  CakeValue *stored; // all of it is written: the value; else NULL
} CakeMemoryAccess;

typedef struct CakeMemories {
  CakeOp *root; // isolated: all that is done with the memories is in it
  CakeValue *values[CAKE_PROMOTED_MEMORIES];
  uint32_t count;
  CAKE_VEC(CakeMemoryAccess) accesses;
  CakeMap of_op; // op → its first access, from 1
} CakeMemories;

// The accesses of an op, one after the other; NULL behind the last.
static inline const CakeMemoryAccess *cake_memory_first_access(const CakeMemories *memories, const CakeOp *op) {
  uintptr_t first;
  return cake_map_get(&memories->of_op, op, &first) ? &memories->accesses.data[first - 1] : NULL;
}
static inline const CakeMemoryAccess *cake_memory_next_access(const CakeMemories *memories,
                                                              const CakeMemoryAccess *access) {
  return access->next ? &memories->accesses.data[access->next - 1] : NULL;
}

// A read of all of a memory, and the value that was written last on all paths that lead to it.
typedef struct CakeKnownRead {
  CakeOp *op;
  CakeValue *written;
} CakeKnownRead;
typedef CAKE_VEC(CakeKnownRead) CakeKnownReads;
void cake_memories_find_known_reads(CakeMemories *memories, CakeKnownReads *out);

// Writes of all of a memory that nothing reads, on any path.
typedef CAKE_VEC(CakeOp *) CakeDeadWrites;
void cake_memories_find_dead_writes(CakeMemories *memories, CakeDeadWrites *out);

#endif
