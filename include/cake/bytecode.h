// Bytecode: a module as bytes, for files that programs read. Smaller than text and faster to read; everything that text has
// is in it: locations, names of values, resources. Reading trusts nothing.
//
// The format, version 1. Numbers are LEB128; signed ones are zigzagged first. A reference to an entity or a string that may
// be missing is its number + 1, or 0.
//
//   file      = CA 4B 42 43 (the first byte is no UTF-8), version, producer: bytes, strings, entities, kinds, resources, op
//   bytes     = length, that many bytes
//   strings   = count, bytes each
//   entities  = count, entity each: types, attributes and locations, each behind those that it refers to
//   entity    = tag, then what the rows of ir/bytecode.h say. What has no tag of its own is text, as the parser reads it
//   kinds     = count, each: name: string, 1 if it was registered, count of inherent attributes, their names: strings
//   resources = count, each: key: string, bytes (the first four are the alignment)
//   op        = kind, location, flags, operands, results: types, [names], inherent attributes, [attributes], [successors],
//               [regions], and then the ops in them, in order
//   operands  = count, and of each how far behind the next value's number its own is (signed). Values are numbered in the
//               order in which the ops and blocks that define them stand
//   region    = count of blocks, each: count of arguments, each with type, location and name; count of ops
//
// Names of ops and of inherent attributes are text, so that a file survives changes of a dialect's rows; attributes that
// the reader's dialect does not have are an error. A reader refuses versions that it does not know.
#ifndef CAKE_BYTECODE_H
#define CAKE_BYTECODE_H

#include "cake/op.h"

CAKE_BEGIN_C

// Appends a module.
void cake_bytecode_write(const CakeOp *module, CakeBuf *out);
// Whether these bytes begin as bytecode does. `cake_parse_module` reads both.
bool cake_bytecode_is(CakeStr bytes);
// The module in the bytes of a file; NULL: reported, with the byte at which reading stopped. Not verified yet.
CakeOp *cake_bytecode_read(CakeContext *context, CakeStr file, CakeStr bytes);

CAKE_END_C
#endif
