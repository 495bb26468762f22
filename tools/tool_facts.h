// What a launch must know of a kernel: read from a cake.kernel (for the simulator), from a gpu.func, or from the manifest
// that stands in front of its PTX.
#ifndef CAKE_TOOLS_TOOL_FACTS_H
#define CAKE_TOOLS_TOOL_FACTS_H

#include "cake/op.h"

CAKE_BEGIN_C

#define CAKE_FACTS_MAX_RANK 8
#define CAKE_FACTS_MAP_RANK 5

typedef struct CakeFactsArgument {
  CakeStr name;
  CakeType type; // !cake.global<…>, or a scalar
} CakeFactsArgument;

// A tensor map. Its dimensions, innermost first: {last, second to last, …} of the array; with a panel {panel, second to
// last, last / panel, third to last, …}.
typedef struct CakeFactsMap {
  size_t argument;
  int64_t box[CAKE_FACTS_MAP_RANK];
  size_t rank;
  int64_t panel, swizzle; // elements (0: none), bytes (0: none)
} CakeFactsMap;

typedef struct CakeFactsRole {
  CakeStr name;
  int64_t first_warp, warps, replicas, regs; // warps of one instance; regs 0: no budget
} CakeFactsRole;

typedef struct CakeFacts {
  CakeContext *context;   // owns the strings
  CakeStr kernel, target; // target: what code was emitted for; empty before that
  CAKE_VEC(CakeFactsArgument) args;
  CAKE_VEC(CakeId) sizes;
  CakeAttr grid, guard; // #cake.expr, NULL for a cake.kernel; #cake.pred or NULL
  bool persistent;
  int64_t block, shared_bytes; // threads of a CTA; dynamic shared memory
  CAKE_VEC(CakeFactsMap) maps;
  CAKE_VEC(CakeFactsRole) roles;
} CakeFacts;

// Each gives facts that `cake_facts_fini` gives back after true only. False: reported through the context.
CAKE_NODISCARD bool cake_facts_of_kernel(CakeOp *kernel, CakeFacts *out); // instantiated
CAKE_NODISCARD bool cake_facts_of_func(CakeOp *func, const char *target, CakeFacts *out);
// From a manifest, or from text that begins with one in comments; `name` stands for it in messages.
CAKE_NODISCARD bool cake_facts_of_manifest(CakeContext *context, CakeStr text, const char *name, CakeFacts *out,
                                           CakeBuf *error);
void cake_facts_fini(CakeFacts *facts);

// The argument of that name; SIZE_MAX when there is none. The same for sizes.
size_t cake_facts_find(const CakeFacts *facts, CakeStr name);
size_t cake_facts_find_size(const CakeFacts *facts, CakeStr name);
// An expression or predicate over sizes, which stand in the order of `facts->sizes`; a negative one is not known.
CAKE_NODISCARD bool cake_facts_eval(const CakeFacts *facts, CakeAttr expr, const int64_t *sizes, int64_t *out);
CAKE_NODISCARD bool cake_facts_holds(const CakeFacts *facts, CakeAttr pred, const int64_t *sizes, bool *out);

// The manifest as XML text.
void cake_manifest_write(const CakeFacts *facts, CakeBuf *out);
// The same with "// " in front of each line, as it stands in a .ptx file.
void cake_manifest_comment(const CakeFacts *facts, CakeBuf *out);

CAKE_END_C
#endif
