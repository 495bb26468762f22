// Locations: file positions packed into one word; everything else is a location attribute.
//
// Packed: bit 0 is set; file number (15 bits), line (24), column (24) above it. So is a call site of two places in one file
// when they are small: of the low bits 1 alone is set; file number (6 bits), callee's line (21) and column (7), caller's
// line and column above them. A location that can be packed always is, so that equality is equality of the word. A
// location attribute's first parameter is its kind; child locations are numbers (their words).
#include "core.h"

enum {
  FILE_BITS = CAKE_LOC_FILE_BITS,
  LINE_BITS = CAKE_LOC_LINE_BITS,
  COLUMN_BITS = CAKE_LOC_COLUMN_BITS,
  SITE_BIT = 2,
  SITE_FILE_BITS = 6,
  SITE_LINE_BITS = 21,
  SITE_COLUMN_BITS = 7,
  SITE_PLACE_BITS = SITE_LINE_BITS + SITE_COLUMN_BITS,
  SEARCH_LIMIT = 256,
};

typedef struct Place {
  uint32_t file, line, column;
} Place;

static bool is_packed(CakeLoc loc) {
  return (loc.bits & 1) != 0;
}

static bool is_packed_site(CakeLoc loc) {
  return (loc.bits & 3) == SITE_BIT;
}

// The low bits of a word.
static uint32_t low(uint64_t bits, int count) {
  return (uint32_t)(bits & ((UINT64_C(1) << count) - 1));
}

static Place place_of(CakeLoc packed) {
  uint64_t bits = packed.bits >> 1;
  return (Place){(uint32_t)(bits >> (LINE_BITS + COLUMN_BITS)), low(bits >> COLUMN_BITS, LINE_BITS),
                 low(bits, COLUMN_BITS)};
}

static bool pack_site(CakeLoc callee, CakeLoc caller, CakeLoc *out) {
  if (!is_packed(callee) || !is_packed(caller)) return false;
  Place a = place_of(callee), b = place_of(caller);
  if (a.file != b.file || a.file >> SITE_FILE_BITS || (a.line | b.line) >> SITE_LINE_BITS ||
      (a.column | b.column) >> SITE_COLUMN_BITS)
    return false;
  uint64_t first = (uint64_t)a.line << SITE_COLUMN_BITS | a.column,
           second = (uint64_t)b.line << SITE_COLUMN_BITS | b.column;
  out->bits = (((uint64_t)a.file << SITE_PLACE_BITS | first) << SITE_PLACE_BITS | second) << 2 | SITE_BIT;
  return true;
}

// The callee's place (0), or the caller's.
static CakeLoc site_child(CakeLoc site, size_t index) {
  uint64_t bits = site.bits >> 2;
  uint32_t file = (uint32_t)(bits >> 2 * SITE_PLACE_BITS),
           place = low(index ? bits : bits >> SITE_PLACE_BITS, SITE_PLACE_BITS);
  return cake_loc_pack(file, place >> SITE_COLUMN_BITS, low(place, SITE_COLUMN_BITS));
}

static CakeAttr attr_of(CakeLoc loc) {
  return (CakeAttr)(uintptr_t)loc.bits;
}

static CakeLoc from_pointer(CakeAttr attr) {
  return (CakeLoc){(uint64_t)(uintptr_t)attr};
}

static CakeLoc child(CakeAttr attr, size_t index) {
  return (CakeLoc){(uint64_t)attr->params[index].i};
}

static CakeParam loc_param(CakeLoc loc) {
  return cake_param_int((int64_t)loc.bits);
}

uint32_t cake_loc_file_number(CakeContext *context, CakeId file) {
  if (context->last_file == file) return context->last_file_index;
  size_t index = 0;
  while (index < context->files.len && context->files.data[index] != file)
    index++;
  if (index == context->files.len && index < (1u << FILE_BITS)) CAKE_PUSH(&context->files, file);
  if (index < context->files.len) {
    context->last_file = file;
    context->last_file_index = (uint32_t)index;
  }
  return (uint32_t)index;
}

static CakeAttr file_attr(CakeContext *context, CakeId file, uint32_t line, uint32_t column) {
  CakeParam params[] = {cake_param_int(CAKE_LOC_FILE), cake_param_id(file), cake_param_int(line),
                        cake_param_int(column)};
  return cake_attr_get(context, &cake_attr_def_location, params, CAKE_COUNT(params));
}

CakeLoc cake_loc_file(CakeContext *context, CakeId file, uint32_t line, uint32_t column) {
  uint32_t number = cake_loc_file_number(context, file);
  if (cake_loc_can_pack(number, line, column)) return cake_loc_pack(number, line, column);
  return from_pointer(file_attr(context, file, line, column));
}

CakeLoc cake_loc_name(CakeContext *context, CakeId name, CakeLoc inner) {
  CakeParam params[] = {cake_param_int(CAKE_LOC_NAME), cake_param_id(name), loc_param(inner)};
  return from_pointer(cake_attr_get(context, &cake_attr_def_location, params, CAKE_COUNT(params)));
}

static CakeAttr site_attr(CakeContext *context, CakeLoc callee, CakeLoc caller) {
  CakeParam params[] = {cake_param_int(CAKE_LOC_CALLSITE), loc_param(callee), loc_param(caller)};
  return cake_attr_get(context, &cake_attr_def_location, params, CAKE_COUNT(params));
}

CakeLoc cake_loc_callsite(CakeContext *context, CakeLoc callee, CakeLoc caller) {
  CakeLoc packed;
  return pack_site(callee, caller, &packed) ? packed : from_pointer(site_attr(context, callee, caller));
}

CakeLoc cake_loc_fused(CakeContext *context, const CakeLoc *locs, size_t count, CakeAttr metadata) {
  CAKE_VEC(CakeParam) params = {0};
  CAKE_PUSH(&params, cake_param_int(CAKE_LOC_FUSED));
  CAKE_PUSH(&params, cake_param_attr(metadata));
  for (size_t i = 0; i < count; i++)
    CAKE_PUSH(&params, loc_param(locs[i]));
  CakeAttr attr = cake_attr_get(context, &cake_attr_def_location, params.data, params.len);
  CAKE_VEC_FINI(&params);
  return from_pointer(attr);
}

CakeLocKind cake_loc_kind(CakeLoc loc) {
  if (loc.bits == 0) return CAKE_LOC_UNKNOWN;
  if (is_packed(loc)) return CAKE_LOC_FILE;
  if (is_packed_site(loc)) return CAKE_LOC_CALLSITE;
  return (CakeLocKind)attr_of(loc)->params[0].i;
}

CakeId cake_loc_name_of(CakeLoc loc) {
  return cake_loc_kind(loc) == CAKE_LOC_NAME ? attr_of(loc)->params[1].id : NULL;
}

size_t cake_loc_count(CakeLoc loc) {
  switch (cake_loc_kind(loc)) {
  case CAKE_LOC_UNKNOWN:
  case CAKE_LOC_FILE: return 0;
  case CAKE_LOC_NAME: return 1;
  case CAKE_LOC_CALLSITE: return 2;
  case CAKE_LOC_FUSED: return attr_of(loc)->count - 2;
  }
  return 0;
}

CakeLoc cake_loc_child(CakeLoc loc, size_t index) {
  if (index >= cake_loc_count(loc)) return cake_loc_unknown();
  if (is_packed_site(loc)) return site_child(loc, index);
  size_t first = cake_loc_kind(loc) == CAKE_LOC_CALLSITE ? 1 : 2;
  return child(attr_of(loc), first + index);
}

CakeAttr cake_loc_metadata(CakeLoc loc) {
  return cake_loc_kind(loc) == CAKE_LOC_FUSED ? attr_of(loc)->params[1].attr : NULL;
}

// Depth first, without recursion; a location nested beyond the limit has no position.
static bool find_file_loc(CakeLoc loc, CakeLoc *out) {
  CAKE_VEC(CakeLoc) todo = {0};
  CAKE_PUSH(&todo, loc);
  bool found = false;
  for (size_t steps = 0; todo.len && !found && steps < SEARCH_LIMIT; steps++) {
    CakeLoc at = todo.data[--todo.len];
    if (cake_loc_kind(at) == CAKE_LOC_FILE) {
      *out = at;
      found = true;
    }
    for (size_t i = cake_loc_count(at); i-- > 0;)
      CAKE_PUSH(&todo, cake_loc_child(at, i));
  }
  CAKE_VEC_FINI(&todo);
  return found;
}

bool cake_loc_find_file(const CakeContext *context, CakeLoc loc, CakeStr *out_file, uint32_t *out_line,
                        uint32_t *out_column) {
  if (cake_loc_kind(loc) != CAKE_LOC_FILE && !find_file_loc(loc, &loc)) return false;
  if (!is_packed(loc)) {
    const CakeParam *params = attr_of(loc)->params;
    *out_file = cake_id_str(params[1].id);
    *out_line = (uint32_t)params[2].i;
    *out_column = (uint32_t)params[3].i;
    return true;
  }
  Place place = place_of(loc);
  *out_file = cake_id_str(context->files.data[place.file]);
  *out_line = place.line;
  *out_column = place.column;
  return true;
}

CakeAttr cake_loc_to_attr(CakeContext *context, CakeLoc loc) {
  context->may_alias = true;
  if (loc.bits == 0) {
    CakeParam kind = cake_param_int(CAKE_LOC_UNKNOWN);
    return cake_attr_get(context, &cake_attr_def_location, &kind, 1);
  }
  if (is_packed_site(loc)) return site_attr(context, site_child(loc, 0), site_child(loc, 1));
  if (!is_packed(loc)) return attr_of(loc);
  CakeStr file;
  uint32_t line, column;
  cake_loc_find_file(context, loc, &file, &line, &column);
  return file_attr(context, cake_id(context, file), line, column);
}

CakeLoc cake_loc_from_attr(CakeAttr attr) {
  switch ((CakeLocKind)attr->params[0].i) {
  case CAKE_LOC_UNKNOWN: return cake_loc_unknown();
  case CAKE_LOC_FILE:
    return cake_loc_file(attr->context, attr->params[1].id, (uint32_t)attr->params[2].i, (uint32_t)attr->params[3].i);
  case CAKE_LOC_CALLSITE: return cake_loc_callsite(attr->context, child(attr, 1), child(attr, 2));
  case CAKE_LOC_NAME:
  case CAKE_LOC_FUSED: break;
  }
  return from_pointer(attr);
}
