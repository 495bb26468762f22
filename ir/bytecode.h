// What the writer and the reader of bytecode share.
#ifndef CAKE_IR_BYTECODE_H
#define CAKE_IR_BYTECODE_H

#include "cake/text.h"
#include "core.h"

#include "cake/bytecode.h"

enum { BYTECODE_VERSION = 1, BYTECODE_MAGIC = 4 };
static const char bytecode_magic[BYTECODE_MAGIC] = {'\xca', 'K', 'B', 'C'};

// Tags of entities, and what follows each. A list is its count and its elements.
typedef enum BytecodeTag {
  TAG_TYPE_TEXT,     // string
  TAG_TYPE_FUNCTION, // list of inputs, list of results
  TAG_TYPE_TUPLE,    // list of types
  TAG_ATTR_TEXT,     // string
  TAG_ATTR_STRING,   // string
  TAG_ATTR_INTEGER,  // type, signed number
  TAG_ATTR_TYPE,     // type
  TAG_ATTR_ARRAY,    // list of attributes
  TAG_ATTR_DICTIONARY, // list of string, attribute
  TAG_ATTR_DENSE,    // type, 1 for a splat, bytes
  TAG_ATTR_LOCATION, // location
  TAG_LOC_UNKNOWN,
  TAG_LOC_FILE,      // string, line, column
  TAG_LOC_NAME,      // string, location
  TAG_LOC_CALLSITE,  // callee, caller: locations
  TAG_LOC_FUSED,     // metadata: attribute that may be missing; list of locations
  TAG_COUNT
} BytecodeTag;

// Flags of an op: which optional parts follow.
enum { OP_HAS_NAMES = 1, OP_HAS_ATTRS = 2, OP_HAS_SUCCESSORS = 4, OP_HAS_REGIONS = 8, OP_FLAGS = 15 };

// Bytes of one element of dense elements of this type; 0: they are kept otherwise.
size_t cake_bytecode_element_size(CakeType shaped);

#endif
