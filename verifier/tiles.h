// Tiles of global memory: where a copy, load or store touches its array, and whether that is inside.
#ifndef CAKE_VERIFIER_TILES_H
#define CAKE_VERIFIER_TILES_H

#include "analysis/affine.h"
#include "dialects/cake/cake.h"

typedef struct CakeTile {
  CakeOp *op;
  CakeType global;
  CakeValue *array;
  CakeAttr at;
  CakeOperandRange at_idx;
  CakeAttr dims;   // along which dimensions of the array it runs; NULL: the last ones
  CakeType tile;   // the view or fragment
  CakeAttr pad;    // NULL: none
  bool is_guarded; // pad, keep or clip says what happens outside
} CakeTile;

// False: the op touches no global memory.
bool cake_tile_of(CakeOp *op, CakeTile *out);
size_t cake_tile_rank(const CakeTile *tile);
// The dimension of the array along which one of the tile's runs.
size_t cake_tile_dim(const CakeTile *tile, size_t own);
// Elements along a dimension of the array: 1 for those that are none of the tile's; NULL when the tile's size is not known.
CakeAttr cake_tile_extent(const CakeTile *tile, size_t dim);
// Whether the tile provably lies inside of the array along a dimension, for every item, step and replica.
bool cake_tile_fits(const CakeTile *tile, size_t dim);
// Of a dimension in front of the tile's: the same, and also of an index that loops carry, when all that goes in is inside; 0 is.
bool cake_tile_index_fits(const CakeTile *tile, size_t dim);
// Whether a sum is at most -slack: as it is, or by one of the promises of an iterator (NULL: none).
bool cake_tiles_promise_most(const CakeOp *tiles, const CakeSum *sum, int64_t slack);
// What rule copy-alignment says of one cake.copy. False: reported.
CAKE_NODISCARD bool cake_copy_is_aligned(CakeOp *copy);

#endif
