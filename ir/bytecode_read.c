// Reading bytecode. Every number is checked before it is used; what is made of types and attributes goes through the
// functions that the text parser uses. Regions are entered without recursion.
#include "bytecode.h"

enum { MOST_VALUES = 1 << 24 }; // operands and results of one op

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

size_t cake_bytecode_element_size(CakeType shaped) {
  CakeType element = cake_type_element(shaped);
  size_t parts = cake_type_is(element, &cake_type_def_complex) ? 2 : 1;
  if (parts == 2) element = cake_type_element(element);
  if (cake_type_is_index(element)) return 8 * parts;
  uint32_t width = cake_type_width(element);
  bool is_number =
      cake_type_is_any_float(element) ? cake_float_has_encoding(element) : cake_type_is_integer(element, 0);
  return is_number && width && width <= 64 ? (width + 7) / 8 * parts : 0;
}

bool cake_bytecode_is(CakeStr bytes) {
  return bytes.len >= BYTECODE_MAGIC && memcmp(bytes.ptr, bytecode_magic, BYTECODE_MAGIC) == 0;
}

// ---- Numbers, strings, references ----------------------------------------------------------------------------------

static bool fail_at(Reader *reader, size_t at, const char *what) {
  if (reader->has_failed) return false; // what comes behind a fault is no news
  reader->has_failed = true;
  return cake_error_at(reader->context, cake_loc_file(reader->context, reader->file, 0, 0), CAKE_CODE_PARSE_BYTECODE,
                       "bytecode: %s at byte %zu of %zu", what, at, reader->bytes.len);
}

static bool fail(Reader *reader, const char *what) {
  return fail_at(reader, reader->at, what);
}

static size_t left(const Reader *reader) {
  return reader->bytes.len - reader->at;
}

static bool get(Reader *reader, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (!left(reader)) return fail(reader, "the file is cut off");
    uint8_t byte = (uint8_t)reader->bytes.ptr[reader->at++];
    if (shift == 63 && byte > 1) break;
    *out |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return fail(reader, "a number is too large");
}

static bool get_signed(Reader *reader, int64_t *out) {
  uint64_t bits;
  if (!get(reader, &bits)) return false;
  *out = (int64_t)(bits >> 1 ^ (bits & 1 ? UINT64_MAX : 0));
  return true;
}

static bool get_below(Reader *reader, uint64_t end, const char *what, uint64_t *out) {
  size_t at = reader->at;
  return get(reader, out) && (*out < end || fail_at(reader, at, what));
}

// How many things follow, each of which takes a byte at least.
static bool get_count(Reader *reader, uint64_t *out) {
  size_t at = reader->at;
  return get(reader, out) &&
         (*out <= left(reader) || fail_at(reader, at, "there are fewer bytes than things announced"));
}

static bool get_bytes(Reader *reader, CakeStr *out) {
  uint64_t len;
  if (!get_count(reader, &len)) return false;
  *out = (CakeStr){reader->bytes.ptr + reader->at, (size_t)len};
  reader->at += (size_t)len;
  return true;
}

static bool get_string(Reader *reader, CakeId *out) {
  uint64_t index;
  if (!get_below(reader, reader->strings.len, "no such string", &index)) return false;
  *out = reader->strings.data[index];
  return true;
}

static bool get_optional_string(Reader *reader, CakeId *out) {
  uint64_t index;
  if (!get_below(reader, reader->strings.len + 1, "no such string", &index)) return false;
  *out = index ? reader->strings.data[index - 1] : NULL;
  return true;
}

// Checks what is referred to, and weighs it: small files can stand for what is exponentially large when it is printed.
static bool refer(Reader *reader, uint64_t index, int kind) {
  const Entity *entity = &reader->entities.data[index];
  if ((int)entity->kind != kind) return fail(reader, "an entity of another kind");
  if (entity->depth > reader->depth) reader->depth = entity->depth;
  reader->weight += entity->weight;
  reader->total += entity->weight;
  return reader->total <= CAKE_MAX_WEIGHT || fail(reader, "the entities stand for too many types and attributes");
}

static bool get_type(Reader *reader, CakeType *out) {
  uint64_t index;
  if (!get_below(reader, reader->entities.len, "no such entity", &index) || !refer(reader, index, TYPE)) return false;
  *out = reader->entities.data[index].type;
  return true;
}

static bool get_attr(Reader *reader, CakeAttr *out) {
  uint64_t index;
  if (!get_below(reader, reader->entities.len, "no such entity", &index) || !refer(reader, index, ATTR)) return false;
  *out = reader->entities.data[index].attr;
  return true;
}

static bool get_optional_attr(Reader *reader, CakeAttr *out) {
  uint64_t index;
  *out = NULL;
  if (!get_below(reader, reader->entities.len + 1, "no such entity", &index)) return false;
  if (!index) return true;
  *out = reader->entities.data[index - 1].attr;
  return refer(reader, index - 1, ATTR);
}

static bool get_loc(Reader *reader, CakeLoc *out) {
  uint64_t index;
  if (!get_below(reader, reader->entities.len, "no such entity", &index) || !refer(reader, index, LOC)) return false;
  *out = reader->entities.data[index].loc;
  return true;
}

// ---- Entities ------------------------------------------------------------------------------------------------------

static bool get_types(Reader *reader, uint64_t *out_count) {
  if (!get_count(reader, out_count)) return false;
  for (uint64_t i = 0; i < *out_count; i++) {
    CakeType type;
    if (!get_type(reader, &type)) return false;
    CAKE_PUSH(&reader->types, type);
  }
  return true;
}

// A text that nothing was parsed from yet.
static bool get_text(Reader *reader, CakeStr *out) {
  uint64_t index;
  if (!get_below(reader, reader->strings.len, "no such string", &index)) return false;
  if (reader->is_parsed.data[index]) return fail(reader, "the text of two entities");
  reader->is_parsed.data[index] = true;
  *out = cake_id_str(reader->strings.data[index]);
  return true;
}

static bool read_type(Reader *reader, uint64_t tag, CakeType *out) {
  uint64_t n_inputs, n_results;
  CakeStr text;
  reader->types.len = 0;
  switch (tag) {
  case TAG_TYPE_FUNCTION:
    if (!get_types(reader, &n_inputs) || !get_types(reader, &n_results)) return false;
    *out = cake_type_function(reader->context, reader->types.data, n_inputs, CAKE_VEC_FROM(&reader->types, n_inputs),
                              n_results);
    return true;
  case TAG_TYPE_TUPLE:
    if (!get_types(reader, &n_inputs)) return false;
    *out = cake_type_tuple(reader->context, reader->types.data, n_inputs);
    return true;
  default:
    if (!get_text(reader, &text)) return false;
    *out = cake_parse_type_text(reader->context, text);
    return *out || fail(reader, "the text of a type cannot be read");
  }
}

static bool read_integer(Reader *reader, CakeAttr *out) {
  CakeType type;
  int64_t value;
  if (!get_type(reader, &type) || !get_signed(reader, &value)) return false;
  bool is_integer = cake_type_is_integer(type, 0) && cake_type_width(type) && cake_type_width(type) <= 64;
  if (!is_integer && !cake_type_is_index(type)) return fail(reader, "an integer of a type that has none");
  *out = cake_attr_integer(type, value);
  return true;
}

static bool read_array(Reader *reader, CakeAttr *out) {
  uint64_t count;
  CakeAttr attr;
  reader->attrs.len = 0;
  if (!get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!get_attr(reader, &attr)) return false;
    CAKE_PUSH(&reader->attrs, attr);
  }
  *out = cake_attr_array(reader->context, reader->attrs.data, count);
  return true;
}

static bool read_dictionary(Reader *reader, CakeAttr *out) {
  uint64_t count;
  CakeNamedAttr entry;
  CakeMap seen = {0};
  bool is_fine = get_count(reader, &count);
  reader->entries.len = 0;
  for (uint64_t i = 0; is_fine && i < count; i++) {
    uintptr_t ignored;
    is_fine = get_string(reader, &entry.name) && get_attr(reader, &entry.value) &&
              (!cake_map_get(&seen, entry.name, &ignored) || fail(reader, "a key stands twice in a dictionary"));
    if (!is_fine) break;
    cake_map_set(&seen, entry.name, 1);
    CAKE_PUSH(&reader->entries, entry);
  }
  cake_map_fini(&seen);
  if (is_fine) *out = cake_attr_dictionary(reader->context, reader->entries.data, reader->entries.len);
  return is_fine;
}

// Whether bytes are elements of one type: of i1, each is 0 or 1.
static bool are_elements(CakeType type, CakeStr bytes, bool is_splat) {
  size_t size = cake_type_is_shaped(type) && cake_type_rank(type) >= 0 ? cake_bytecode_element_size(type) : 0;
  int64_t count = size ? cake_type_count(type) : CAKE_DYNAMIC;
  if (count == CAKE_DYNAMIC || bytes.len % size) return false;
  if (bytes.len / size != (is_splat ? 1 : (uint64_t)count)) return false;
  for (size_t i = 0; cake_type_is_integer(cake_type_element(type), 1) && i < bytes.len; i++)
    if ((uint8_t)bytes.ptr[i] > 1) return false;
  return true;
}

static bool read_dense(Reader *reader, CakeAttr *out) {
  CakeType type;
  uint64_t is_splat;
  CakeStr bytes;
  if (!get_type(reader, &type) || !get_below(reader, 2, "neither a splat nor none", &is_splat) ||
      !get_bytes(reader, &bytes))
    return false;
  if (!are_elements(type, bytes, is_splat)) return fail(reader, "elements that do not fit their type");
  *out = cake_attr_dense_elements(type, bytes, is_splat);
  return true;
}

static bool read_attr(Reader *reader, uint64_t tag, CakeAttr *out) {
  CakeId string;
  CakeStr text;
  CakeType type;
  CakeLoc loc;
  switch (tag) {
  case TAG_ATTR_INTEGER: return read_integer(reader, out);
  case TAG_ATTR_ARRAY: return read_array(reader, out);
  case TAG_ATTR_DICTIONARY: return read_dictionary(reader, out);
  case TAG_ATTR_DENSE: return read_dense(reader, out);
  case TAG_ATTR_TYPE:
    if (!get_type(reader, &type)) return false;
    *out = cake_attr_type(type);
    return true;
  case TAG_ATTR_LOCATION:
    if (!get_loc(reader, &loc)) return false;
    *out = cake_loc_to_attr(reader->context, loc);
    return true;
  case TAG_ATTR_STRING:
    if (!get_string(reader, &string)) return false;
    *out = cake_attr_string(reader->context, cake_id_str(string));
    return true;
  default:
    if (!get_text(reader, &text)) return false;
    *out = cake_parse_attr_text(reader->context, text);
    return *out || fail(reader, "the text of an attribute cannot be read");
  }
}

static bool get_locs(Reader *reader, uint64_t count) {
  reader->locs.len = 0;
  for (uint64_t i = 0; i < count; i++) {
    CakeLoc loc;
    if (!get_loc(reader, &loc)) return false;
    CAKE_PUSH(&reader->locs, loc);
  }
  return true;
}

static bool read_fused(Reader *reader, CakeLoc *out) {
  CakeAttr metadata;
  uint64_t count;
  if (!get_optional_attr(reader, &metadata) || !get_count(reader, &count) || !get_locs(reader, count)) return false;
  *out = cake_loc_fused(reader->context, reader->locs.data, count, metadata);
  return true;
}

static bool read_loc(Reader *reader, uint64_t tag, CakeLoc *out) {
  CakeId name;
  uint64_t line, column;
  const char *range = "a line or column out of range";
  switch (tag) {
  case TAG_LOC_FILE:
    if (!get_string(reader, &name) || !get_below(reader, (uint64_t)UINT32_MAX + 1, range, &line) ||
        !get_below(reader, (uint64_t)UINT32_MAX + 1, range, &column))
      return false;
    *out = cake_loc_file(reader->context, name, (uint32_t)line, (uint32_t)column);
    return true;
  case TAG_LOC_NAME:
    if (!get_string(reader, &name) || !get_locs(reader, 1)) return false;
    *out = cake_loc_name(reader->context, name, reader->locs.data[0]);
    return true;
  case TAG_LOC_CALLSITE:
    if (!get_locs(reader, 2)) return false;
    *out = cake_loc_callsite(reader->context, reader->locs.data[0], reader->locs.data[1]);
    return true;
  case TAG_LOC_FUSED: return read_fused(reader, out);
  default: *out = cake_loc_unknown(); return true;
  }
}

static bool read_entity(Reader *reader) {
  uint64_t tag;
  Entity entity = {.kind = TYPE};
  if (!get_below(reader, TAG_COUNT, "no such kind of entity", &tag)) return false;
  bool is_fine;
  reader->depth = 0;
  reader->weight = 0;
  if (tag <= TAG_TYPE_TUPLE) {
    is_fine = read_type(reader, tag, &entity.type);
  } else if (tag <= TAG_ATTR_LOCATION) {
    entity.kind = ATTR;
    is_fine = read_attr(reader, tag, &entity.attr);
  } else {
    entity.kind = LOC;
    is_fine = read_loc(reader, tag, &entity.loc);
  }
  entity.depth = reader->depth + 1;
  entity.weight = reader->weight + 1;
  if (is_fine && entity.depth > CAKE_MAX_ATTR_DEPTH) return fail(reader, "entities are nested too deep");
  if (is_fine && entity.weight > CAKE_MAX_WEIGHT) return fail(reader, "an entity stands for too many");
  if (is_fine) CAKE_PUSH(&reader->entities, entity);
  return is_fine;
}

// ---- Tables --------------------------------------------------------------------------------------------------------

static bool read_string(Reader *reader) {
  CakeStr bytes;
  if (!get_bytes(reader, &bytes)) return false;
  CAKE_PUSH(&reader->strings, cake_id(reader->context, bytes));
  CAKE_PUSH(&reader->is_parsed, false);
  return true;
}

static bool is_accepted(Reader *reader, const CakeOpInfo *info) {
  if (!info->name->len) return fail(reader, "an op without a name");
  if (info->dialect || cake_context_allows_unregistered(reader->context)) return true;
  reader->has_failed = true;
  return cake_error_at(reader->context, cake_loc_file(reader->context, reader->file, 0, 0), CAKE_CODE_UNREGISTERED,
                       "operation '%s' is of a dialect that is not registered; --allow-unregistered-dialect accepts it",
                       info->name->text);
}

static bool read_kind(Reader *reader) {
  CakeId name;
  uint64_t was_registered, count;
  if (!get_string(reader, &name) || !get_below(reader, 2, "neither registered nor not", &was_registered) ||
      !get_count(reader, &count))
    return false;
  if (!was_registered && count) return fail(reader, "inherent attributes of an op that was not registered");
  Kind kind = {cake_op_info(reader->context, name), reader->prop_names.len, (size_t)count, was_registered};
  for (uint64_t i = 0; i < count; i++) {
    if (!get_string(reader, &name)) return false;
    CAKE_PUSH(&reader->prop_names, name);
  }
  CAKE_PUSH(&reader->kinds, kind);
  return is_accepted(reader, kind.info);
}

static bool read_resource(Reader *reader) {
  CakeId key;
  CakeStr bytes;
  if (!get_string(reader, &key) || !get_bytes(reader, &bytes)) return false;
  if (bytes.len < 4) return fail(reader, "a resource without its alignment");
  uint32_t alignment = 0;
  for (unsigned i = 0; i < 4; i++)
    alignment |= (uint32_t)(uint8_t)bytes.ptr[i] << (8 * i);
  if (alignment & (alignment - 1)) return fail(reader, "an alignment that is no power of two");
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
  bool is_fine = get_count(reader, &count);
  for (uint64_t i = 0; is_fine && i < count; i++)
    is_fine = read(reader);
  return is_fine;
}

static bool read_header(Reader *reader) {
  uint64_t version;
  CakeStr producer;
  reader->at = BYTECODE_MAGIC;
  return get(reader, &version) &&
         (version == BYTECODE_VERSION || fail(reader, "a version that is not known (this reader knows version 1)")) &&
         get_bytes(reader, &producer);
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static bool read_operands(Reader *reader) {
  uint64_t count;
  int64_t back;
  reader->operands.len = reader->operand_numbers.len = 0;
  if (!get_count(reader, &count) || (count > MOST_VALUES && !fail(reader, "too many operands"))) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!get_signed(reader, &back)) return false;
    uint64_t number = reader->values.len - (uint64_t)back;
    CAKE_PUSH(&reader->operand_numbers, number);
    CAKE_PUSH(&reader->operands, number < reader->values.len ? reader->values.data[number] : NULL);
  }
  return true;
}

static bool read_results(Reader *reader, uint64_t flags) {
  uint64_t count;
  CakeId name;
  reader->types.len = reader->names.len = 0;
  if (!get_types(reader, &count) || (count > MOST_VALUES && !fail(reader, "too many results"))) return false;
  for (uint64_t i = 0; (flags & OP_HAS_NAMES) && i < count; i++) {
    if (!get_optional_string(reader, &name)) return false;
    CAKE_PUSH(&reader->names, name);
  }
  return true;
}

// Inherent attributes by their names: into the rows of a registered op, or into a dictionary.
static bool place_prop(Reader *reader, const CakeOpInfo *info, CakeId name, CakeAttr value) {
  if (!value) return true;
  if (!info->def) {
    CAKE_PUSH(&reader->entries, (CakeNamedAttr){name, value});
    return true;
  }
  int row = cake_op_info_row(info, name);
  if (row < 0) return fail(reader, "an inherent attribute that the op does not have");
  reader->props.data[row] = value;
  return true;
}

static bool read_props(Reader *reader, const Kind *kind) {
  CakeAttr value;
  const CakeOpInfo *info = kind->info;
  reader->props.len = reader->entries.len = 0;
  for (uint32_t i = 0; i < info->n_props; i++)
    CAKE_PUSH(&reader->props, NULL);
  for (size_t i = 0; kind->was_registered && i < kind->n_props; i++)
    if (!get_optional_attr(reader, &value) ||
        !place_prop(reader, info, reader->prop_names.data[kind->first_prop + i], value))
      return false;
  if (!kind->was_registered) {
    if (!get_optional_attr(reader, &value)) return false;
    if (value && !cake_attr_is(value, &cake_attr_def_dictionary)) return fail(reader, "properties are no dictionary");
    for (size_t i = 0; value && i < cake_attr_count(value); i++)
      if (!place_prop(reader, info, cake_attr_entry(value, i).name, cake_attr_entry(value, i).value)) return false;
  }
  if (!info->def && reader->entries.len)
    reader->props.data[0] = cake_attr_dictionary(reader->context, reader->entries.data, reader->entries.len);
  return true;
}

static bool read_attrs(Reader *reader, uint64_t flags, CakeAttr *out) {
  *out = NULL;
  if (!(flags & OP_HAS_ATTRS)) return true;
  if (!get_optional_attr(reader, out)) return false;
  return !*out || cake_attr_is(*out, &cake_attr_def_dictionary) || fail(reader, "attributes are no dictionary");
}

static bool read_successors(Reader *reader, uint64_t flags, const Frame *frame) {
  uint64_t count, block;
  reader->successors.len = 0;
  if (!(flags & OP_HAS_SUCCESSORS)) return true;
  if (!get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!get_below(reader, frame ? frame->n_blocks : 0, "no such block", &block)) return false;
    CAKE_PUSH(&reader->successors, reader->blocks.data[frame->first_block + block]);
  }
  return true;
}

static void define(Reader *reader, CakeValue *value, CakeId name) {
  if (name) cake_value_set_name(value, cake_id_str(name));
  CAKE_PUSH(&reader->values, value);
}

static bool read_arguments(Reader *reader, CakeBlock *block) {
  uint64_t count;
  if (!get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    CakeType type;
    CakeLoc loc;
    CakeId name;
    if (!get_type(reader, &type) || !get_loc(reader, &loc) || !get_optional_string(reader, &name)) return false;
    define(reader, cake_block_add_arg(block, type, loc), name);
  }
  return true;
}

// The blocks of a region with their arguments, and a frame for the ops of each.
static bool read_region(Reader *reader, CakeRegion *region, unsigned depth) {
  uint64_t count;
  size_t first = reader->blocks.len;
  if (!get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    CakeBlock *block = cake_block_create(reader->context);
    Frame frame = {block, 0, first, (size_t)count, depth};
    block->loc = region->parent->loc;
    cake_region_append(region, block);
    CAKE_PUSH(&reader->blocks, block);
    if (!read_arguments(reader, block) || !get_count(reader, &frame.n_left)) return false;
    CAKE_PUSH(&reader->frames, frame);
  }
  return true;
}

// The ops of what was entered first come first: frames are a stack.
static void reverse_frames(Reader *reader, size_t from) {
  for (size_t end = reader->frames.len; from + 1 < end; from++) {
    Frame swap = reader->frames.data[from];
    reader->frames.data[from] = reader->frames.data[--end];
    reader->frames.data[end] = swap;
  }
}

static bool read_regions(Reader *reader, CakeOp *op, unsigned depth) {
  size_t before = reader->frames.len;
  for (uint32_t i = 0; i < op->n_regions; i++)
    if (!read_region(reader, cake_op_region(op, i), depth)) return false;
  reverse_frames(reader, before);
  return true;
}

static CakeOp *make_op(Reader *reader, CakeOpState *state, CakeBlock *block) {
  state->operands = reader->operands.data;
  state->n_operands = reader->operands.len;
  state->result_types = reader->types.data;
  state->n_results = reader->types.len;
  state->props = reader->props.data;
  state->successors = reader->successors.data;
  state->n_successors = reader->successors.len;
  CakeOp *op = cake_op_create(reader->context, state);
  if (block) cake_block_append(block, op);
  for (uint32_t i = 0; i < op->n_results; i++)
    define(reader, &op->results[i], reader->names.len ? reader->names.data[i] : NULL);
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!reader->operands.data[i])
      CAKE_PUSH(&reader->patches, (Patch){&op->operands[i], reader->operand_numbers.data[i], reader->at});
  return op;
}

// An op with its blocks; the ops in them follow. NULL: reported.
static CakeOp *read_op(Reader *reader, const Frame *frame, CakeOp **out_root) {
  uint64_t kind, flags, n_regions = 0;
  CakeOpState state = {0};
  unsigned depth = frame ? frame->depth + 1 : 1;
  if (depth > CAKE_MAX_REGION_DEPTH) return fail(reader, "regions are nested too deep"), NULL;
  bool is_fine = get_below(reader, reader->kinds.len, "no such kind of op", &kind) && get_loc(reader, &state.loc) &&
                 get_below(reader, OP_FLAGS + 1, "no such flags", &flags) && read_operands(reader) &&
                 read_results(reader, flags) && read_props(reader, &reader->kinds.data[kind]) &&
                 read_attrs(reader, flags, &state.attrs) && read_successors(reader, flags, frame) &&
                 (!(flags & OP_HAS_REGIONS) || get_count(reader, &n_regions));
  if (!is_fine) return NULL;
  state.info = reader->kinds.data[kind].info;
  state.n_regions = (size_t)n_regions;
  CakeOp *op = make_op(reader, &state, frame ? frame->block : NULL);
  if (!frame) *out_root = op;
  return read_regions(reader, op, depth) ? op : NULL;
}

static bool resolve(Reader *reader) {
  for (size_t i = 0; i < reader->patches.len; i++) {
    const Patch *patch = &reader->patches.data[i];
    if (patch->value >= reader->values.len) return fail_at(reader, patch->at, "an operand is no value");
    cake_use_set(patch->use, reader->values.data[patch->value]);
  }
  return true;
}

static bool read_ops(Reader *reader, CakeOp **out_root) {
  if (!read_op(reader, NULL, out_root)) return false;
  while (reader->frames.len) {
    Frame *top = &reader->frames.data[reader->frames.len - 1];
    if (!top->n_left) {
      reader->frames.len--;
      continue;
    }
    top->n_left--;
    Frame frame = *top; // the vector may grow
    if (!read_op(reader, &frame, out_root)) return false;
  }
  return resolve(reader) && (!left(reader) || fail(reader, "there is more behind the module"));
}

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
  bool is_fine = (cake_bytecode_is(bytes) || fail(&reader, "no bytecode")) && read_header(&reader) &&
                 read_table(&reader, read_string) && read_table(&reader, read_entity) &&
                 read_table(&reader, read_kind) && read_table(&reader, read_resource) && read_ops(&reader, &root) &&
                 (is_module(root) || fail_at(&reader, bytes.len, "what it holds is no module"));
  if (!is_fine && root) cake_op_destroy(root);
  fini(&reader);
  return is_fine ? root : NULL;
}
