// What the files that write bytecode share.
#ifndef CAKE_IR_BYTECODE_WRITER_H
#define CAKE_IR_BYTECODE_WRITER_H

#include "bytecode.h"

// A type, an attribute or a location.
typedef struct Entity {
  enum { TYPE, ATTR, LOC } kind;
  uint64_t bits; // the pointer, or the word of a location
} Entity;
typedef CAKE_VEC(Entity) Entities;

typedef struct Writer {
  CakeContext *context;
  CakeBuf strings, entities, kinds, ops;
  CakeMap string_numbers; // CakeId → number + 1
  CakeMap name_numbers;   // bytes of a value's short name → number of its string + 1
  CakeMap numbers;        // types and attributes → number + 1
  CakeMap loc_numbers;    // words of locations that are made of others → number + 1
  CakeMap place_numbers;  // words of places in files → number + 1; of one function
  uint64_t unknown_loc;   // number + 1 of the one whose word is 0
  CakeMap kind_numbers;   // CakeOpInfo → number + 1
  CakeMap value_numbers;
  size_t n_strings, n_entities, n_kinds, n_values;
  CakeStr last_file; // of a location, and the number of its name: those that follow are of the same
  uint64_t last_file_number;
  CAKE_VEC(CakeId) resources; // keys
  Entities todo, children;
} Writer;

// ---- Numbers -----------------------------------------------------------------------------------------------------------

static inline void cake_writer_put(CakeBuf *out, uint64_t value) {
  char bytes[10];
  size_t count = 0;
  if (value < 0x80) {
    cake_buf_char(out, (char)value);
    return;
  }
  for (; value >= 0x80; value >>= 7)
    bytes[count++] = (char)(value | 0x80);
  bytes[count++] = (char)value;
  cake_buf_append(out, bytes, count);
}

static inline void cake_writer_put_signed(CakeBuf *out, int64_t value) {
  cake_writer_put(out, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static inline void cake_writer_put_bytes(CakeBuf *out, CakeStr bytes) {
  cake_writer_put(out, bytes.len);
  cake_buf_str(out, bytes);
}

// ---- Strings and entities (ir/bytecode_write_entities.c) ----------------------------------------------------------------

static inline Entity of_type(CakeType type) {
  return (Entity){TYPE, (uintptr_t)type};
}

static inline Entity of_attr(CakeAttr attr) {
  return (Entity){ATTR, (uintptr_t)attr};
}

static inline Entity of_loc(CakeLoc loc) {
  return (Entity){LOC, loc.bits};
}

// The number of a string.
uint64_t cake_writer_string(Writer *writer, CakeId id);
// The number of an entity, which is written first when it is new, with what it is made of.
uint64_t cake_writer_entity(Writer *writer, Entity entity);

#endif
