// A state of the product of the processes of a protocol, as words, and the moves from one to the next.
#ifndef CAKE_VERIFIER_PROTOCOL_STATE_H
#define CAKE_VERIFIER_PROTOCOL_STATE_H

#include "verifier/protocol_order.h"

// ---- Words of a state --------------------------------------------------------------------------------------------------
// process:  program counter, registers, deferred releases (count, then object and slot)
// pipeline: producer's slot, consumers' slots, then a stage: state, mask of waits, mask of releases, mask of CTAs that have filled it
// order:    whose turn it is
// barrier:  count, arrivals, bytes that have not landed, parity of the phase, then two bits a process: phases since it
//           looked; masks of processes: who gave to this phase, who to the last; whether some of what was
//           given comes later; who waited for the last phase
// reach:    in a cluster, a process: mask of the CTAs at whose barriers it has arrived, and of those that it has copied to
// tape:     length, bits, whether its loop is ever empty (see is_uniform), then a process: how many entries it has read
// known:    what is known where: protocol_order.h

enum { TAPE_LENGTH, TAPE_BITS, TAPE_EMPTY, TAPE_CURSORS };
enum { MAY_BE_EMPTY, NEVER_EMPTY, ALWAYS_EMPTY };
enum { SLOT_EMPTY, SLOT_OPEN, SLOT_FULL };
enum { SLOT_STATE, SLOT_WAITS, SLOT_RELEASES, SLOT_COMMITS, SLOT_WORDS };
enum {
  BARRIER_COUNT,
  BARRIER_ARRIVED,
  BARRIER_BYTES,
  BARRIER_PARITY,
  BARRIER_GAPS,
  BARRIER_GIVERS = BARRIER_GAPS + 2,
  BARRIER_GAVE,
  BARRIER_LATE,
  BARRIER_LOOKED,
  BARRIER_WORDS,
};

typedef struct Node {
  int32_t *words;
  uint32_t parent;
  bool is_queued;
  CakeMove move; // that led here; process -1: none, or others without choices
} Node;

enum { WINDOW = 30, PLACES = 1024, MAX_OBJECTS = PLACES / 2, SILENT = 20000, MAX_DEFERRED = 6, MAX_RUN = 1000000 };

typedef struct CakeState {
  CakeModel *model;
  CakeArena *arena;
  size_t n_processes, n_words;
  int32_t *process_at, *object_at, *tape_at; // where each begins in the words
  size_t reach_at;
  CakeOrder order;
  CAKE_VEC(Node) nodes;
  CAKE_VEC(uint32_t) queue; // nodes that are to be expanded
  struct CakeRings *rings; // by which states are shifted; NULL: none
  bool is_exact;   // states that differ in what is known alone are two; otherwise one, that knows what both know
  uint32_t *table; // node + 1; open addressing
  size_t capacity;
  int32_t *words;          // the state that is worked on
  uint16_t places[PLACES]; // mbarriers by address: object + 1
  CakeFaultKind fault;
  int32_t fault_process, fault_object;
  CakeMove last; // the one that is being made
  size_t moves;
} CakeState;

// Places everything. Notes in the model what is more than it takes.
void cake_state_init(CakeState *state, CakeModel *model);
void cake_state_fini(CakeState *state);
// Program counter, then registers.
int32_t *cake_state_process(const CakeState *state, size_t process);
const CakeStep *cake_state_step(const CakeState *state, size_t process);
// Notes the first fault.
void cake_state_fail(CakeState *state, CakeFaultKind kind, int32_t process, int32_t object);
// Runs a process to its next action, or to an entry that has not been chosen. False: it does not get there.
bool cake_state_settle(CakeState *state, size_t process);
// Whether a process waits for a phase that is over, though the parity says that it is not.
void cake_state_check_laps(CakeState *state);
// The object that a step means; -1: an mbarrier that was never set up.
int32_t cake_state_object(const CakeState *state, size_t process, const CakeStep *step);
// Where an object is in the words.
int32_t *cake_state_words(const CakeState *state, int32_t object);
// State, waits and releases of a slot.
int32_t *cake_state_slot(const CakeState *state, int32_t object, int32_t slot);
int32_t cake_state_arg(const CakeState *state, size_t process, CakeArg arg);
bool cake_state_can_move(const CakeState *state, size_t process);
// Does the action at which a process stands. False: it has failed, or is not modelled.
bool cake_state_move(CakeState *state, size_t process);
// Chooses the next entry of the tape at which a process stands, for all. False: it does not get to its next action.
bool cake_state_choose(CakeState *state, size_t process, int32_t entry);
// The words at the start, and every process at its first action. False: not modelled.
bool cake_state_start(CakeState *state);
// The first process that can act; n_processes: none.
size_t cake_state_next(const CakeState *state);

// ---- Barriers (protocol_barriers.c) ---------------------------------------------------------------------------------------

// Named barriers are set up from the start.
void cake_state_start_barriers(CakeState *state);
void cake_state_init_barrier(CakeState *state, size_t process, const CakeStep *step);
// Who never waits at the barrier need not be told what has passed since.
void cake_state_forget_gaps(const CakeState *state, int32_t object, uint32_t lookers);
// Arrivals, or bytes that land.
void cake_state_arrive(CakeState *state, size_t process, const CakeStep *step);
// Whether the phase that the process waits for is over.
bool cake_state_is_over(const CakeState *state, size_t process, const CakeStep *step);
// Whether nobody can reach into a CTA that has ended. Notes the fault.
bool cake_state_check_exits(CakeState *state);
// A wait for a parity that passes.
void cake_state_look(CakeState *state, size_t process, const CakeStep *step);

#endif
