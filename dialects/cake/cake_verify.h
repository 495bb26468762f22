// What the verification of moves and of arithmetic share.
#ifndef CAKE_DIALECTS_CAKE_VERIFY_H
#define CAKE_DIALECTS_CAKE_VERIFY_H

#include "dialects/cake/cake_private.h"

// Size of a dimension of a fragment, as an expression (template parameters included).
CakeAttr cake_fragment_dim(CakeType type, size_t i);
// Both are known and differ. Sizes of templates are compared in the instance.
bool cake_sizes_differ(CakeAttr a, CakeAttr b);
bool cake_verify_element(CakeOp *op, CakeType a, CakeType b, const char *what);
// A view with an optional offset, of which `extents[i]` elements are used in each dimension.
bool cake_verify_view(CakeOp *op, const char *name, CakeType view, CakeAttr off, CakeOperandRange idx,
                      const CakeAttr *extents);
// A view (or the part of a slot) that the bulk-store engine writes to a tile of an array, or adds to it.
bool cake_verify_stored_view(CakeOp *op, const CakeValue *global, CakeAttr at, CakeOperandRange at_idx, CakeType view,
                             CakeAttr reduce);
// Tensor memory (cake_verify_tmem.c): a part of a slot, what reads it, the matrix instruction, and a commit that waits for one.
bool cake_verify_tmem(CakeOp *op, CakeType type, CakeStr name);
bool cake_verify_tmem_get(CakeOp *op);
bool cake_verify_tcgen05(CakeOp *op, CakeMmaForm form);
bool cake_verify_commit_after(CakeOp *op, const CakeOp *pipeline);
// Clusters (cake_cluster.c): the kernel's, and a copy's `multicast`.
bool cake_verify_cluster(CakeOp *kernel);
bool cake_verify_multicast(CakeOp *copy);
// That kernels of one family have the same arguments (cake_family.c).
bool cake_verify_family(CakeOp *kernel);
// A declaration's number: within the bounds where it is known already.
bool cake_verify_number(CakeOp *op, const char *name, CakeAttr expr, int64_t least, int64_t most, CakeCode code);
// Sizes that the storage form can hold.
bool cake_verify_shared(CakeOp *op, CakeType type, const char *what, CakeStr name);

#endif
