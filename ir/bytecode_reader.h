// What the files that read bytecode share: the reader, and the numbers and references that everything is made of. Every number
// is checked before it is used; what fails has been reported.
#ifndef CAKE_IR_BYTECODE_READER_H
#define CAKE_IR_BYTECODE_READER_H

#include "bytecode.h"

typedef struct Entity {
  enum { TYPE, ATTR, LOC } kind;
  unsigned depth;  // of what it is made of
  uint64_t weight; // how many entities it is when it is written out
  union {
    CakeType type;
    CakeAttr attr;
    CakeLoc loc;
  };
} Entity;

// An op name, and where its inherent attributes go.
typedef struct Kind {
  CakeOpInfo *info;
  size_t first_prop, n_props; // their names, in `prop_names`
  bool was_registered;
} Kind;

// A block whose ops are being read.
typedef struct Frame {
  CakeBlock *block;
  uint64_t n_left;
  size_t first_block, n_blocks; // of its region, in `blocks`
  unsigned depth;
} Frame;

// An operand that was read before the value it uses.
typedef struct Patch {
  CakeUse *use;
  uint64_t value;
  size_t at;
} Patch;

typedef struct Reader {
  CakeContext *context;
  CakeId file;
  CakeStr bytes;
  size_t at;
  bool has_failed;
  CAKE_VEC(CakeId) strings;
  CAKE_VEC(bool) is_parsed; // strings: each is the text of one entity at most, so that no text is read again and again
  CAKE_VEC(Entity) entities;
  CAKE_VEC(Kind) kinds;
  CAKE_VEC(CakeId) prop_names;
  CAKE_VEC(CakeValue *) values;
  CAKE_VEC(CakeBlock *) blocks;
  CAKE_VEC(Frame) frames;
  unsigned depth;  // of the entities that were referred to since this was 0
  uint64_t weight; // likewise
  uint64_t total;  // of all references
  CAKE_VEC(Patch) patches;
  // Of the op that is being read.
  CAKE_VEC(CakeValue *) operands;
  CAKE_VEC(uint64_t) operand_numbers;
  CAKE_VEC(CakeType) types;
  CAKE_VEC(CakeId) names;
  CAKE_VEC(CakeAttr) props;
  CAKE_VEC(CakeNamedAttr) entries;
  CAKE_VEC(CakeLoc) locs;
  CAKE_VEC(CakeAttr) attrs;
  CAKE_VEC(CakeBlock *) successors;
} Reader;

// ---- Numbers (ir/bytecode_reader.c) ----------------------------------------------------------------------------------

// Always false. What comes behind a fault is no news.
bool cake_reader_fail_at(Reader *reader, size_t at, const char *what);
bool cake_reader_fail(Reader *reader, const char *what);
static inline size_t cake_reader_left(const Reader *reader) {
  return reader->bytes.len - reader->at;
}
bool cake_reader_get_long(Reader *reader, uint64_t *out);
// A number; most take one byte.
static inline bool cake_reader_get(Reader *reader, uint64_t *out) {
  if (reader->at >= reader->bytes.len || (uint8_t)reader->bytes.ptr[reader->at] & 0x80)
    return cake_reader_get_long(reader, out);
  *out = (uint8_t)reader->bytes.ptr[reader->at++];
  return true;
}
bool cake_reader_get_signed(Reader *reader, int64_t *out);
bool cake_reader_get_below(Reader *reader, uint64_t end, const char *what, uint64_t *out);
// How many things follow, each of which takes a byte at least.
bool cake_reader_get_count(Reader *reader, uint64_t *out);
bool cake_reader_get_bytes(Reader *reader, CakeStr *out);

// ---- References ------------------------------------------------------------------------------------------------------

// Optional ones: 0 is NULL.
bool cake_reader_get_string(Reader *reader, CakeId *out);
bool cake_reader_get_optional_string(Reader *reader, CakeId *out);
bool cake_reader_get_type(Reader *reader, CakeType *out);
// Appends to `reader->types`.
bool cake_reader_get_types(Reader *reader, uint64_t *out_count);
bool cake_reader_get_attr(Reader *reader, CakeAttr *out);
bool cake_reader_get_optional_attr(Reader *reader, CakeAttr *out);
bool cake_reader_get_loc(Reader *reader, CakeLoc *out);

// ---- Parts -----------------------------------------------------------------------------------------------------------

// The next entry of the table of types, attributes and locations (ir/bytecode_read_entities.c).
bool cake_reader_read_entity(Reader *reader);
// All ops (ir/bytecode_read_ops.c). *out_root: the first, also when what follows cannot be read.
bool cake_reader_read_ops(Reader *reader, CakeOp **out_root);

#endif
