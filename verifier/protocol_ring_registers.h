// What the files about rings share: types of registers, and classes of those that shift together.
//
//   protocol_rings.c           which rings there are, and how a state is shifted
//   protocol_ring_registers.c  which registers are indices, parities and addresses of rings
#ifndef CAKE_VERIFIER_PROTOCOL_RING_REGISTERS_H
#define CAKE_VERIFIER_PROTOCOL_RING_REGISTERS_H

#include "verifier/protocol_rings.h"

enum { CAKE_MAX_RINGS = 16, CAKE_MAX_RING_REGISTERS = 256, CAKE_MBARRIER_BYTES = 8 };

typedef enum CakeRingRegisterKind {
  CAKE_REGISTER_PLAIN,
  CAKE_REGISTER_INDEX, // of a stage
  CAKE_REGISTER_NEXT,  // one more
  CAKE_REGISTER_WRAP,  // whether that is the number of stages
  CAKE_REGISTER_PRIOR, // one less
  CAKE_REGISTER_FIRST, // whether the stage is the first
  CAKE_REGISTER_PARITY,
  CAKE_REGISTER_ADDRESS
} CakeRingRegisterKind;

typedef struct CakeRingRegister {
  CakeRingRegisterKind kind;
  int32_t stages, factor, base; // of an address: the last two
  int32_t index;                // of what is computed from an index, or goes with it: that one's register
  int32_t next;                 // of a wrap: the register of the index behind it
  int32_t class;                // of registers that shift together: a union-find over all of them
  int32_t ring;                 // that it is of; -1: none
} CakeRingRegister;

typedef struct CakeRingArray {
  int32_t base, class;
  uint32_t lookers; // processes that wait there, a bit each
} CakeRingArray;

typedef struct CakeRing {
  int32_t class, stages;
  size_t n_arrays;
  int32_t *objects;  // of each array, its stages
  uint32_t *lookers; // of each array
} CakeRing;

struct CakeRings {
  const CakeModel *model;
  CakeArena *arena;
  CakeRingRegister **registers; // of each process; NULL: it has too many
  uint32_t **blocked;   // of each process and step: rings that are not to be shifted yet
  int32_t *parents;     // union-find of classes
  bool *broken;         // by class
  size_t n_classes;
  CakeRingArray *arrays;
  size_t n_arrays;
  CakeRing rings[CAKE_MAX_RINGS];
  size_t n_rings;
  int32_t *words; // of a state before it is shifted
  int32_t *moved; // of each barrier: the one that it becomes
};

int32_t cake_rings_root(const CakeRings *rings, int32_t class);
bool cake_rings_unite(CakeRings *rings, int32_t a, int32_t b); // whether they were two
// Registers of the class are used in another way than rings are.
void cake_rings_break(CakeRings *rings, int32_t class);
static inline CakeRingRegister *cake_rings_register(const CakeRings *rings, size_t process, CakeArg arg) {
  return arg.is_register ? &rings->registers[process][arg.value] : NULL;
}

// Types the registers of a process; and breaks the classes of those that are used in another way, when all arrays are known.
void cake_rings_type_process(CakeRings *rings, size_t process);
void cake_rings_check_process(CakeRings *rings, size_t process);

#endif
