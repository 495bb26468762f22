// Which values of a kernel grow together when its tiles do.
//
// A **class** is the closure of one dimension of one value: all fragments, views and running bests whose size along a dimension must equal it,
// with the places (`load`, `store`, `copy`, `commit … to`) where it runs along an array. At each such place the coordinate must be
// `axis * size + …` of one axis of the kernel's iterator: `size` is what the class covers of the array per value of the axis.
//
// Dimensions are logical: 0 for rows, 1 for columns, of fragments also where only a row or column of them is held.
#ifndef CAKE_PASSES_SCHEDULE_TILE_H
#define CAKE_PASSES_SCHEDULE_TILE_H

#include "passes/schedule.h"

typedef struct CakeTileVisit {
  CakeValue *value;
  unsigned dim;
} CakeTileVisit;

// An op that uses the class's axis in an attribute.
typedef struct CakeTilePlace {
  CakeOp *op;
  CakeAttr at;          // an #cake.at, #cake.pred or #cake.expr
  const char *name;     // of the attribute; its operands are those of `<name>_idx`
  CakeOperandRange idx;
  unsigned dim;         // of an #cake.at: the coordinate
} CakeTilePlace;

typedef struct CakeTileClass {
  CakeSchedule *schedule;
  CakeMap seen[2]; // by dimension
  CAKE_VEC(CakeTileVisit) values;
  CAKE_VEC(CakeTilePlace) places;
  CakeOp *tiles;
  uint32_t axis; // among the axes of the items, or of the steps
  bool is_step;
  int64_t size;
} CakeTileClass;

// The class of a dimension, with its axis. False: it cannot be scaled, remarked at the op that is in the way.
bool cake_tile_class_find(CakeSchedule *schedule, CakeValue *seed, unsigned dim, CakeTileClass *out);
// Its second half: the axis of the places.
bool cake_tile_axis_find(CakeTileClass *class);
// Whether a value is the class's axis, in whichever role; the axes among which it is one.
bool cake_tile_is_axis(const CakeTileClass *class, const CakeValue *value);
CakeAttr cake_tile_axes(const CakeTileClass *class);
void cake_tile_class_fini(CakeTileClass *class);
bool cake_tile_class_has(const CakeTileClass *class, const CakeValue *value, unsigned dim);

// The type with another size along a dimension.
CakeType cake_tile_resize(CakeType type, unsigned dim, int64_t size);
int64_t cake_tile_size(CakeType type, unsigned dim); // -1: it has none

// How the coordinates of a class's places change: `axis * size` to `axis * new_size`, and where the op is in `role`, `instance * s` to
// `instance * (s * instance_factor)`, plus `instance * instance_size` unless that is 0.
typedef struct CakeTileScale {
  int64_t new_size;
  const CakeOp *role;
  int64_t instance_factor, instance_size;
} CakeTileScale;
void cake_tile_scale_places(CakeTileClass *class, const CakeTileScale *scale);
// The axis' extent `ceildiv(E, size)` becomes `ceildiv(E, new_size)`.
void cake_tile_scale_axis(CakeTileClass *class, int64_t new_size);
// Resizes the parts of pipelines that are in the class, and their views, by to / from. `role` not NULL: not those which it fills for the
// store engine.
void cake_tile_resize_views(CakeTileClass *class, int64_t from, int64_t to, const CakeOp *role);
// Tiles of `size` elements along a dimension: the class grows (or shrinks) as a whole. False: remarked.
bool cake_tile_set_size(CakeSchedule *schedule, CakeValue *seed, unsigned dim, int64_t size);
// The use of a view starts further on along a dimension, by an expression without operands. False: it takes whole views; remarked.
bool cake_tile_offset_read(CakeSchedule *schedule, CakeUse *use, unsigned dim, CakeAttr extra);
// `instance * s` in the role's reads of the class's views becomes `instance * (s * instance_factor)`.
void cake_tile_scale_reads(CakeTileClass *class, const CakeTileScale *scale);

#endif
