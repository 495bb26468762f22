// Reading bytecode: numbers, and references to strings, types, attributes and locations.
#include "bytecode_reader.h"

bool cake_reader_fail_at(Reader *reader, size_t at, const char *what) {
  if (reader->has_failed) return false; // what comes behind a fault is no news
  reader->has_failed = true;
  return cake_error_at(reader->context, cake_loc_file(reader->context, reader->file, 0, 0), CAKE_CODE_PARSE_BYTECODE,
                       "bytecode: %s at byte %zu of %zu", what, at, reader->bytes.len);
}

bool cake_reader_fail(Reader *reader, const char *what) {
  return cake_reader_fail_at(reader, reader->at, what);
}

bool cake_reader_get_long(Reader *reader, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (!cake_reader_left(reader)) return cake_reader_fail(reader, "the file is cut off");
    uint8_t byte = (uint8_t)reader->bytes.ptr[reader->at++];
    if (shift == 63 && byte > 1) break;
    *out |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return cake_reader_fail(reader, "a number is too large");
}

bool cake_reader_get_signed(Reader *reader, int64_t *out) {
  uint64_t bits;
  if (!cake_reader_get(reader, &bits)) return false;
  *out = (int64_t)(bits >> 1 ^ (bits & 1 ? UINT64_MAX : 0));
  return true;
}

bool cake_reader_get_below(Reader *reader, uint64_t end, const char *what, uint64_t *out) {
  size_t at = reader->at;
  return cake_reader_get(reader, out) && (*out < end || cake_reader_fail_at(reader, at, what));
}

// How many things follow, each of which takes a byte at least.
bool cake_reader_get_count(Reader *reader, uint64_t *out) {
  size_t at = reader->at;
  return cake_reader_get(reader, out) &&
         (*out <= cake_reader_left(reader) ||
          cake_reader_fail_at(reader, at, "there are fewer bytes than things announced"));
}

bool cake_reader_get_bytes(Reader *reader, CakeStr *out) {
  uint64_t len;
  if (!cake_reader_get_count(reader, &len)) return false;
  *out = (CakeStr){reader->bytes.ptr + reader->at, (size_t)len};
  reader->at += (size_t)len;
  return true;
}

bool cake_reader_get_string(Reader *reader, CakeId *out) {
  uint64_t index;
  if (!cake_reader_get_below(reader, reader->strings.len, "no such string", &index)) return false;
  *out = reader->strings.data[index];
  return true;
}

bool cake_reader_get_optional_string(Reader *reader, CakeId *out) {
  uint64_t index;
  if (!cake_reader_get_below(reader, reader->strings.len + 1, "no such string", &index)) return false;
  *out = index ? reader->strings.data[index - 1] : NULL;
  return true;
}

// Checks what is referred to, and weighs it: small files can stand for what is exponentially large when it is printed.
static bool refer(Reader *reader, uint64_t index, int kind) {
  const Entity *entity = &reader->entities.data[index];
  if ((int)entity->kind != kind) return cake_reader_fail(reader, "an entity of another kind");
  if (entity->depth > reader->depth) reader->depth = entity->depth;
  reader->weight += entity->weight;
  reader->total += entity->weight;
  return reader->total <= CAKE_MAX_WEIGHT ||
         cake_reader_fail(reader, "the entities stand for too many types and attributes");
}

bool cake_reader_get_type(Reader *reader, CakeType *out) {
  uint64_t index;
  if (!cake_reader_get_below(reader, reader->entities.len, "no such entity", &index) || !refer(reader, index, TYPE))
    return false;
  *out = reader->entities.data[index].type;
  return true;
}

bool cake_reader_get_attr(Reader *reader, CakeAttr *out) {
  uint64_t index;
  if (!cake_reader_get_below(reader, reader->entities.len, "no such entity", &index) || !refer(reader, index, ATTR))
    return false;
  *out = reader->entities.data[index].attr;
  return true;
}

bool cake_reader_get_optional_attr(Reader *reader, CakeAttr *out) {
  uint64_t index;
  *out = NULL;
  if (!cake_reader_get_below(reader, reader->entities.len + 1, "no such entity", &index)) return false;
  if (!index) return true;
  *out = reader->entities.data[index - 1].attr;
  return refer(reader, index - 1, ATTR);
}

bool cake_reader_get_loc(Reader *reader, CakeLoc *out) {
  uint64_t index;
  if (!cake_reader_get_below(reader, reader->entities.len, "no such entity", &index) || !refer(reader, index, LOC))
    return false;
  *out = reader->entities.data[index].loc;
  return true;
}

bool cake_reader_get_types(Reader *reader, uint64_t *out_count) {
  if (!cake_reader_get_count(reader, out_count)) return false;
  for (uint64_t i = 0; i < *out_count; i++) {
    CakeType type;
    if (!cake_reader_get_type(reader, &type)) return false;
    CAKE_PUSH(&reader->types, type);
  }
  return true;
}
