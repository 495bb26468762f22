// Locations: where an operation, a token or a block argument came from.
#ifndef CAKE_LOCATION_H
#define CAKE_LOCATION_H

#include "cake/context.h"

CAKE_BEGIN_C

typedef const struct CakeAttrStorage *CakeAttr;

// One word. 0 = unknown; odd = a packed file position; even, but no multiple of 4 = a packed call site; else a location attribute (name, fused, or what does
// not fit).
typedef struct CakeLoc {
  uint64_t bits;
} CakeLoc;

typedef enum CakeLocKind {
  CAKE_LOC_UNKNOWN,
  CAKE_LOC_FILE,     // file:line:column
  CAKE_LOC_NAME,     // "name"(child)
  CAKE_LOC_CALLSITE, // callsite(callee at caller)
  CAKE_LOC_FUSED,    // fused<metadata>[…]
} CakeLocKind;

static inline CakeLoc cake_loc_unknown(void) { return (CakeLoc){0}; }
static inline bool cake_loc_equal(CakeLoc a, CakeLoc b) { return a.bits == b.bits; }
// Line and column count from 1 (0 = not known).
CakeLoc cake_loc_file(CakeContext *context, CakeId file, uint32_t line, uint32_t column);
CakeLoc cake_loc_name(CakeContext *context, CakeId name, CakeLoc child);
CakeLoc cake_loc_callsite(CakeContext *context, CakeLoc callee, CakeLoc caller);
// `metadata` may be NULL.
CakeLoc cake_loc_fused(CakeContext *context, const CakeLoc *locs, size_t count, CakeAttr metadata);
CakeLocKind cake_loc_kind(CakeLoc loc);
// The first file position in the location, searching children in order; false when there is none.
bool cake_loc_find_file(const CakeContext *context, CakeLoc loc, CakeStr *out_file, uint32_t *out_line, uint32_t *out_column);
// What a location is made of: the name of a name location (else NULL); its child, callee and caller, or fused locations; and the metadata of
// a fused one (may be NULL).
CakeId cake_loc_name_of(CakeLoc loc);
size_t cake_loc_count(CakeLoc loc);
CakeLoc cake_loc_child(CakeLoc loc, size_t index);
CakeAttr cake_loc_metadata(CakeLoc loc);
// As an attribute (`cake_attr_is_location`), and back. A location attribute prints as `loc(…)`.
CakeAttr cake_loc_to_attr(CakeContext *context, CakeLoc loc);
CakeLoc cake_loc_from_attr(CakeAttr attr);

CAKE_END_C
#endif
