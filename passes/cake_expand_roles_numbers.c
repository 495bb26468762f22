// From the number of an item, or of a persistent CTA's round, to the item's coordinates.
//
// Bands of `group` values of an axis: the axes before it are slowest, then the band, then the axes behind it; inside of a band the axis is
// fastest. The last band may be narrower. The axis that runs down from its last value is the slowest of its band.
//
// Where the longest items come first, persistent CTAs take those of a band in rounds there and back: CTA i has number i of the first, and
// counts from the end of the second, so that none has the longest of every round. What a band's last round lacks is left out.
#include "passes/cake_expand_roles.h"

// Of the extents of axes first … end - 1.
static CakeValue *product(ExpandKernel *k, size_t first, size_t end) {
  CakeValue *product = cake_lower_index(k->rewriter, 1);
  for (size_t i = first; i < end; i++)
    product = cake_lower_mul(k->rewriter, product, k->extents.data[i]);
  return product;
}

CakeValue *cake_expand_items_count(ExpandKernel *k) {
  return product(k, 0, k->extents.len);
}

// Items of a whole band, and of all bands together. A band may be wider than its axis: the product stays below the number of items.
static CakeValue *band_items(ExpandKernel *k) {
  CakeRewriter *rewriter = k->rewriter;
  CakeValue *extent = k->extents.data[k->group_axis], *group = cake_lower_index(rewriter, k->group);
  CakeValue *width = cake_build_binary(rewriter, "arith.minui", extent, group);
  return cake_lower_mul(rewriter, product(k, k->group_axis + 1, k->extents.len), width);
}
static CakeValue *bands_items(ExpandKernel *k) {
  return product(k, k->group_axis, k->extents.len);
}

// Coordinates of axes first … end - 1, the last one fastest, from a number below the product of their extents; but the one that runs down is
// slowest. The slowest needs no remainder.
static void split_number(ExpandKernel *k, CakeValue *number, size_t first, size_t end, CakeValue **out) {
  bool runs_down = k->slowest_axis >= (int)first && k->slowest_axis < (int)end;
  size_t slowest = runs_down ? (size_t)k->slowest_axis : first;
  for (size_t i = end; i-- > first;) {
    if (i == slowest) continue;
    out[i] = cake_lower_remui(k->rewriter, number, k->extents.data[i]);
    number = cake_lower_divui(k->rewriter, number, k->extents.data[i]);
  }
  if (runs_down)
    number = cake_lower_sub(k->rewriter, cake_lower_add_const(k->rewriter, k->extents.data[slowest], -1), number);
  out[slowest] = number;
}

ExpandPlace cake_expand_place(ExpandKernel *k, CakeValue *item) {
  CakeRewriter *rewriter = k->rewriter;
  ExpandPlace place = {.number = item};
  if (!k->group) return place;
  if (k->group_axis > 0) {
    CakeValue *all = bands_items(k);
    place.outer = cake_lower_divui(rewriter, item, all);
    item = cake_lower_remui(rewriter, item, all);
  }
  CakeValue *items = band_items(k);
  place.band = cake_lower_divui(rewriter, item, items);
  place.number = cake_lower_remui(rewriter, item, items);
  return place;
}

void cake_expand_coordinates(ExpandKernel *k, const ExpandPlace *place, CakeValue **out) {
  CakeRewriter *rewriter = k->rewriter;
  if (!place->band) {
    split_number(k, place->number, 0, k->extents.len, out);
    return;
  }
  size_t axis = k->group_axis;
  if (place->outer) split_number(k, place->outer, 0, axis, out);
  CakeValue *first = cake_lower_mul_const(rewriter, place->band, k->group);
  CakeValue *left = cake_lower_sub(rewriter, k->extents.data[axis], first);
  CakeValue *width = cake_build_binary(rewriter, "arith.minui", left, cake_lower_index(rewriter, k->group));
  out[axis] = cake_lower_add(rewriter, first, cake_lower_remui(rewriter, place->number, width));
  if (axis + 1 < k->extents.len)
    split_number(k, cake_lower_divui(rewriter, place->number, width), axis + 1, k->extents.len, out);
}

// ---- Rounds --------------------------------------------------------------------------------------------------------------

static CakeValue *ceil_div(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  return cake_lower_divui(rewriter, cake_lower_add_const(rewriter, cake_lower_add(rewriter, a, b), -1), b);
}

ExpandRounds cake_expand_rounds(ExpandKernel *k, CakeValue *first, CakeValue *ctas) {
  CakeRewriter *rewriter = k->rewriter;
  ExpandRounds rounds = {.first = first, .ctas = ctas, .items = k->items};
  if (k->group) {
    rounds.items = band_items(k);
    rounds.of_all_bands = bands_items(k);
  }
  rounds.of_band = rounds.total = ceil_div(rewriter, rounds.items, ctas);
  if (!k->group) return rounds;
  rounds.bands = ceil_div(rewriter, k->extents.data[k->group_axis], cake_lower_index(rewriter, k->group));
  rounds.total =
      cake_lower_mul(rewriter, cake_lower_mul(rewriter, rounds.total, rounds.bands), product(k, 0, k->group_axis));
  return rounds;
}

ExpandPlace cake_expand_round_place(ExpandKernel *k, const ExpandRounds *rounds, CakeValue *round) {
  CakeRewriter *rewriter = k->rewriter;
  ExpandPlace place = {0};
  CakeValue *size = rounds->items;
  if (rounds->bands) {
    place.band = cake_lower_divui(rewriter, round, rounds->of_band);
    round = cake_lower_remui(rewriter, round, rounds->of_band);
    if (k->group_axis > 0) {
      place.outer = cake_lower_divui(rewriter, place.band, rounds->bands);
      place.band = cake_lower_remui(rewriter, place.band, rounds->bands);
    }
    CakeValue *left =
        cake_lower_sub(rewriter, rounds->of_all_bands, cake_lower_mul(rewriter, place.band, rounds->items));
    size = cake_build_binary(rewriter, "arith.minui", left, rounds->items);
  }
  CakeValue *two = cake_lower_index(rewriter, 2), *zero = cake_lower_index(rewriter, 0);
  CakeValue *is_there = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, cake_lower_remui(rewriter, round, two), zero);
  CakeValue *last = cake_lower_add_const(rewriter, rounds->ctas, -1);
  CakeValue *in_round =
      cake_lower_select(rewriter, is_there, rounds->first, cake_lower_sub(rewriter, last, rounds->first));
  place.number = cake_lower_add(rewriter, cake_lower_mul(rewriter, round, rounds->ctas), in_round);
  place.inside = cake_lower_cmpi(rewriter, CAKE_CMPI_ULT, place.number, size);
  place.number = cake_lower_select(rewriter, place.inside, place.number, zero); // what is read for it is there
  return place;
}
