// Whether one factor of a product is certainly 0 where the other is padded: then it does not matter by which number.
#ifndef CAKE_VERIFIER_PADDING_ZERO_H
#define CAKE_VERIFIER_PADDING_ZERO_H

#include "analysis/affine.h"
#include "verifier/tiles.h"

// Along which dimension of a fragment or view.
typedef enum CakePadAxis { CAKE_PAD_ROW, CAKE_PAD_COL } CakePadAxis;

// A tile that fills a fragment of that rank (or the part it was read from): which of its array's dimensions runs along the axis.
size_t cake_pad_dim(const CakeTile *tile, CakePadAxis axis, size_t rank);
// Adds where along the axis a view or fragment begins. NULL `off`: at 0. False: not known.
bool cake_pad_shift(CakeSum *offset, CakeAttr off, CakeOperandRange idx, CakePadAxis axis);
// Elements i of a tile with i + *out >= 0 lie behind the end of its array; element i is element offset + i along the axis. False: not known.
bool cake_pad_beyond(const CakeTile *tile, size_t dim, const CakeSum *offset, CakeSum *out);
// Whether elements k of the operand with k + *beyond >= 0 are certainly 0.
bool cake_pad_is_zero(const CakeValue *operand, CakePadAxis axis, const CakeSum *beyond);

#endif
