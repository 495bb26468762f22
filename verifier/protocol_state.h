// A state of the product of the processes of a protocol, as words, and the moves from one to the next.
#ifndef CAKE_VERIFIER_PROTOCOL_STATE_H
#define CAKE_VERIFIER_PROTOCOL_STATE_H

#include "verifier/protocol_model.h"

// ---- Words of a state --------------------------------------------------------------------------------------------------
// process:  program counter, registers, deferred releases (count, then object and slot)
// pipeline: producer's slot, consumers' slots, then a stage: state, mask of waits, mask of releases
// order:    whose turn it is
// barrier:  count, arrivals, bytes that have not landed, parity of the phase, then two bits a process: phases since it
//           looked
// tape:     length, bits, whether its loop is ever empty (see is_uniform), then a process: how many entries it has read

enum { TAPE_LENGTH, TAPE_BITS, TAPE_EMPTY, TAPE_CURSORS };
enum { MAY_BE_EMPTY, NEVER_EMPTY, ALWAYS_EMPTY };
enum { SLOT_EMPTY, SLOT_OPEN, SLOT_FULL };
enum { BARRIER_COUNT, BARRIER_ARRIVED, BARRIER_BYTES, BARRIER_PARITY, BARRIER_GAPS, BARRIER_WORDS = BARRIER_GAPS + 2 };

typedef struct Node {
  const int32_t *words;
  uint32_t parent;
  CakeMove move; // that led here; process -1: the start, or a process was stopped
} Node;

enum { WINDOW = 30, PLACES = 1024, MAX_OBJECTS = PLACES / 2, SILENT = 20000, MAX_DEFERRED = 6, MAX_RUN = 1000000 };

typedef struct CakeState {
  CakeModel *model;
  CakeArena *arena;
  size_t n_processes, n_words;
  int32_t *process_at, *object_at, *tape_at; // where each begins in the words
  int32_t frozen_at;                         // 0, or the stopped process + 1
  CAKE_VEC(Node) nodes;
  uint32_t *table; // node + 1; open addressing
  size_t capacity;
  int32_t *words;          // the state that is worked on
  int32_t *saved;          // a copy of it
  bool traces;             // every state is kept
  bool stops;              // executions in which a process stops are explored
  bool *closed;            // of each object, see is_closed
  uint32_t *arrivers;      // of each object: the processes that were seen to arrive, a bit each
  uint16_t places[PLACES]; // mbarriers by address: object + 1
  CakeFaultKind fault;
  int32_t fault_process, fault_object;
  CakeMove last; // the one that is being made
  size_t moves;
} CakeState;

// Places everything; `words` is made by the search.
void cake_state_lay_out(CakeState *state);
// Program counter, then registers.
int32_t *cake_state_process(const CakeState *state, size_t process);
const CakeStep *cake_state_step(const CakeState *state, size_t process);
bool cake_state_is_stopped(const CakeState *state, size_t process);
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
bool cake_state_can_move(const CakeState *state, size_t process);
// Does the action at which a process stands. False: it has failed, or is not modelled.
bool cake_state_move(CakeState *state, size_t process);
// Stops a process for good.
void cake_state_stop(CakeState *state, size_t process);

#endif
