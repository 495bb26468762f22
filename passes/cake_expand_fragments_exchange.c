// Runs of 8 elements of 16 bits out of accumulators.
//
// Lane t of the four that share a row holds the columns 2t and 2t + 1 of each tile of 8: a store of 4 bytes a tile, by which all sectors are written in
// halves. Of every four tiles, lane t takes the whole of tile t: a 4×4 matrix of pairs is transposed, its off-diagonal halves being
// exchanged between lanes that differ in one bit, then in the other.
#include "passes/fragments.h"

enum { RUN = CAKE_FRAGMENTS_RUN, TILE = 8, LANES = 4 };

bool cake_layout_can_exchange(const CakeLayout *layout) {
  const CakeFragment *f = &layout->fragment;
  return (f->kind == CAKE_FORM_MMA_ACC || f->kind == CAKE_FORM_WGMMA_ACC) && f->part == CAKE_FORM_WHOLE &&
         cake_type_width(f->element) == 16 && layout->cols % (LANES * TILE) == 0;
}

// Whether a bit of the lane's number among its four is set.
static CakeValue *has_bit(CakeRewriter *rewriter, CakeValue *quad_lane, int64_t bit) {
  CakeValue *masked = cake_build_binary(rewriter, "arith.andi", quad_lane, cake_lower_index(rewriter, bit));
  return cake_lower_cmpi(rewriter, CAKE_CMPI_NE, masked, cake_lower_index(rewriter, 0));
}

// Lanes with the bit give `low` for the other lane's `high`.
static void swap(CakeFragments *expand, CakeValue *has_bit, int64_t bit, CakeValue **low, CakeValue **high) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *given = cake_lower_select(rewriter, has_bit, *low, *high);
  CakeValue *got = cake_fragments_shuffle(expand, given, bit);
  *low = cake_lower_select(rewriter, has_bit, got, *low);
  *high = cake_lower_select(rewriter, has_bit, *high, got);
}

// Accumulators: elements [row / 16][tile][row / 8 % 2][2].
uint32_t cake_layout_run_start(const CakeLayout *layout, uint32_t run) {
  uint32_t tiles = (uint32_t)layout->cols / TILE, groups = tiles / LANES, line = run / groups; // line: 8 rows
  return 4 * (line / 2 * tiles + run % groups * LANES) + 2 * (line % 2);
}

CakeValue **cake_fragments_exchange(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout,
                                    CakeValue *value) {
  CakeType element = layout->fragment.element, run = cake_fragments_vector_type(element, RUN);
  CakeValue **pairs = cake_fragments_unpack(expand, value, cake_fragments_vector_type(element, 2), layout->count / 2);
  CakeValue *quad_lane = cake_fragments_quad_lane(expand, role);
  CakeValue *bits[] = {has_bit(expand->rewriter, quad_lane, 1), has_bit(expand->rewriter, quad_lane, 2)};
  uint32_t count = layout->count / RUN;
  CakeValue **runs = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++) {
    CakeValue *words[LANES], *const *first = pairs + cake_layout_run_start(layout, i) / 2;
    for (int64_t t = 0; t < LANES; t++)
      words[t] = first[2 * t];
    for (int64_t t = 0; t < LANES; t += 2)
      swap(expand, bits[0], 1, &words[t], &words[t + 1]);
    for (int64_t t = 0; t < 2; t++)
      swap(expand, bits[1], 2, &words[t], &words[t + 2]);
    runs[i] = cake_fragments_pack(expand, words, LANES, run);
  }
  return runs;
}
