// Mutants of a kernel: its text with one fault in it. What the verifier's score is measured with.
//
// A mutant is an edit of the kernel's printed text, in which every op stands on a line of its own. Operators are rows
// (mutations.def); the class of a row is fixed before anything is scored.
#ifndef CAKE_BENCH_VERIFIER_MUTATE_H
#define CAKE_BENCH_VERIFIER_MUTATE_H

#include "cake/base.h"

CAKE_BEGIN_C

typedef enum MutationClass {
  MUTATION_PROTOCOL, // protocol, resource or form: hands data over wrongly or breaks a limit of the machine
  MUTATION_MEANING,  // computes something else
} MutationClass;

typedef enum MutationId {
#define MUTATION(name, class, doc) MUTATION_##name,
#include "bench/verifier/mutations.def"
#undef MUTATION
  MUTATION_COUNT
} MutationId;

typedef struct MutationDef {
  const char *name, *doc;
  MutationClass class;
} MutationDef;
extern const MutationDef mutation_defs[MUTATION_COUNT];

typedef struct MutantSource {
  CAKE_VEC(CakeStr) lines;
  CakeArena *arena; // edited lines live here
} MutantSource;

// One edit: line `line` becomes `text` (nothing when it is empty), and stands before line `to` of the source.
typedef struct Mutant {
  MutationId id;
  size_t line, to;
  CakeStr text;
  bool is_copy; // the line stays where it is as well
} Mutant;

typedef struct Mutants {
  const MutantSource *source;
  CAKE_VEC(Mutant) list;
} Mutants;

// `text` must outlive the source.
void mutant_source_init(MutantSource *source, CakeStr text);
void mutant_source_fini(MutantSource *source);
// All single faults of all operators, in the order of the lines; equal texts once.
void mutants_of(const MutantSource *source, Mutants *out);
void mutants_fini(Mutants *mutants);
// The whole text of a mutant.
void mutant_text(const MutantSource *source, const Mutant *mutant, CakeBuf *out);
// "without `cake.release %t`", without a line end.
void mutant_describe(const MutantSource *source, const Mutant *mutant, CakeBuf *out);

CAKE_END_C
#endif
