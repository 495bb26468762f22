// Reading bytecode: the header, the tables, and a module made of them.
#include "bytecode_reader.h"

bool cake_bytecode_is(CakeStr bytes) {
  return bytes.len >= BYTECODE_MAGIC && memcmp(bytes.ptr, bytecode_magic, BYTECODE_MAGIC) == 0;
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

static bool read_string(Reader *reader) {
  CakeStr bytes;
  if (!cake_reader_get_bytes(reader, &bytes)) return false;
  CAKE_PUSH(&reader->strings, cake_id(reader->context, bytes));
  CAKE_PUSH(&reader->is_parsed, false);
  return true;
}

static bool is_accepted(Reader *reader, const CakeOpInfo *info) {
  if (!info->name->len) return cake_reader_fail(reader, "an op without a name");
  if (info->dialect || cake_context_allows_unregistered(reader->context)) return true;
  reader->has_failed = true;
  return cake_error_at(reader->context, cake_loc_file(reader->context, reader->file, 0, 0), CAKE_CODE_UNREGISTERED,
                       "operation '%s' is of a dialect that is not registered; --allow-unregistered-dialect accepts it",
                       info->name->text);
}

static bool read_kind(Reader *reader) {
  CakeId name;
  uint64_t was_registered, count;
  if (!cake_reader_get_string(reader, &name) ||
      !cake_reader_get_below(reader, 2, "neither registered nor not", &was_registered) ||
      !cake_reader_get_count(reader, &count))
    return false;
  if (!was_registered && count) return cake_reader_fail(reader, "inherent attributes of an op that was not registered");
  Kind kind = {cake_op_info(reader->context, name), reader->prop_names.len, (size_t)count, was_registered};
  for (uint64_t i = 0; i < count; i++) {
    if (!cake_reader_get_string(reader, &name)) return false;
    CAKE_PUSH(&reader->prop_names, name);
  }
  CAKE_PUSH(&reader->kinds, kind);
  return is_accepted(reader, kind.info);
}

static bool read_resource(Reader *reader) {
  CakeId key;
  CakeStr bytes;
  if (!cake_reader_get_string(reader, &key) || !cake_reader_get_bytes(reader, &bytes)) return false;
  if (bytes.len < 4) return cake_reader_fail(reader, "a resource without its alignment");
  uint32_t alignment = 0;
  for (unsigned i = 0; i < 4; i++)
    alignment |= (uint32_t)(uint8_t)bytes.ptr[i] << (8 * i);
  if (alignment & (alignment - 1)) return cake_reader_fail(reader, "an alignment that is no power of two");
  CakeBuf hex = {0};
  cake_buf_text(&hex, "0x");
  for (size_t i = 0; i < bytes.len; i++) {
    cake_buf_char(&hex, "0123456789ABCDEF"[(uint8_t)bytes.ptr[i] >> 4]);
    cake_buf_char(&hex, "0123456789ABCDEF"[(uint8_t)bytes.ptr[i] & 15]);
  }
  cake_map_set(&reader->context->resources, key, (uintptr_t)cake_id(reader->context, cake_buf_view(&hex)));
  cake_buf_fini(&hex);
  return true;
}

static bool read_table(Reader *reader, bool (*read)(Reader *reader)) {
  uint64_t count;
  bool is_fine = cake_reader_get_count(reader, &count);
  for (uint64_t i = 0; is_fine && i < count; i++)
    is_fine = read(reader);
  return is_fine;
}

static bool read_header(Reader *reader) {
  uint64_t version;
  CakeStr producer;
  reader->at = BYTECODE_MAGIC;
  return cake_reader_get(reader, &version) &&
         (version == BYTECODE_VERSION ||
          cake_reader_fail(reader, "a version that is not known (this reader knows version 1)")) &&
         cake_reader_get_bytes(reader, &producer);
}

// ---- The module -----------------------------------------------------------------------------------------------------

static bool is_module(const CakeOp *root) {
  const CakeRegion *body = root->n_regions == 1 ? cake_op_region(root, 0) : NULL;
  return cake_op_is(root, "builtin.module") && body && body->first && body->first == body->last;
}

static void fini(Reader *reader) {
  CAKE_VEC_FINI(&reader->strings);
  CAKE_VEC_FINI(&reader->is_parsed);
  CAKE_VEC_FINI(&reader->entities);
  CAKE_VEC_FINI(&reader->kinds);
  CAKE_VEC_FINI(&reader->prop_names);
  CAKE_VEC_FINI(&reader->values);
  CAKE_VEC_FINI(&reader->blocks);
  CAKE_VEC_FINI(&reader->frames);
  CAKE_VEC_FINI(&reader->patches);
  CAKE_VEC_FINI(&reader->operands);
  CAKE_VEC_FINI(&reader->operand_numbers);
  CAKE_VEC_FINI(&reader->types);
  CAKE_VEC_FINI(&reader->names);
  CAKE_VEC_FINI(&reader->props);
  CAKE_VEC_FINI(&reader->entries);
  CAKE_VEC_FINI(&reader->locs);
  CAKE_VEC_FINI(&reader->attrs);
  CAKE_VEC_FINI(&reader->successors);
}

CakeOp *cake_bytecode_read(CakeContext *context, CakeStr file, CakeStr bytes) {
  Reader reader = {.context = context, .file = cake_id(context, file), .bytes = bytes};
  CakeOp *root = NULL;
  bool is_fine = (cake_bytecode_is(bytes) || cake_reader_fail(&reader, "no bytecode")) && read_header(&reader) &&
                 read_table(&reader, read_string) && read_table(&reader, cake_reader_read_entity) &&
                 read_table(&reader, read_kind) && read_table(&reader, read_resource) &&
                 cake_reader_read_ops(&reader, &root) &&
                 (is_module(root) || cake_reader_fail_at(&reader, bytes.len, "what it holds is no module"));
  if (!is_fine && root) cake_op_destroy(root);
  fini(&reader);
  return is_fine ? root : NULL;
}
