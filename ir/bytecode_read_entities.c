// Reading bytecode: types, attributes and locations. They are made by the functions that the text parser uses.
#include "bytecode_reader.h"

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

// A text that nothing was parsed from yet.
static bool get_text(Reader *reader, CakeStr *out) {
  uint64_t index;
  if (!cake_reader_get_below(reader, reader->strings.len, "no such string", &index)) return false;
  if (reader->is_parsed.data[index]) return cake_reader_fail(reader, "the text of two entities");
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
    if (!cake_reader_get_types(reader, &n_inputs) || !cake_reader_get_types(reader, &n_results)) return false;
    *out = cake_type_function(reader->context, reader->types.data, n_inputs, CAKE_VEC_FROM(&reader->types, n_inputs),
                              n_results);
    return true;
  case TAG_TYPE_TUPLE:
    if (!cake_reader_get_types(reader, &n_inputs)) return false;
    *out = cake_type_tuple(reader->context, reader->types.data, n_inputs);
    return true;
  default:
    if (!get_text(reader, &text)) return false;
    *out = cake_parse_type_text(reader->context, text);
    return *out || cake_reader_fail(reader, "the text of a type cannot be read");
  }
}

static bool read_integer(Reader *reader, CakeAttr *out) {
  CakeType type;
  int64_t value;
  if (!cake_reader_get_type(reader, &type) || !cake_reader_get_signed(reader, &value)) return false;
  bool is_integer = cake_type_is_integer(type, 0) && cake_type_width(type) <= 64;
  if (!is_integer && !cake_type_is_index(type)) return cake_reader_fail(reader, "an integer of a type that has none");
  *out = cake_attr_integer(type, value);
  return true;
}

static bool read_array(Reader *reader, CakeAttr *out) {
  uint64_t count;
  CakeAttr attr;
  reader->attrs.len = 0;
  if (!cake_reader_get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!cake_reader_get_attr(reader, &attr)) return false;
    CAKE_PUSH(&reader->attrs, attr);
  }
  *out = cake_attr_array(reader->context, reader->attrs.data, count);
  return true;
}

static bool read_dictionary(Reader *reader, CakeAttr *out) {
  uint64_t count;
  CakeNamedAttr entry;
  CakeMap seen = {0};
  bool is_fine = cake_reader_get_count(reader, &count);
  reader->entries.len = 0;
  for (uint64_t i = 0; is_fine && i < count; i++) {
    uintptr_t ignored;
    is_fine =
        cake_reader_get_string(reader, &entry.name) && cake_reader_get_attr(reader, &entry.value) &&
        (!cake_map_get(&seen, entry.name, &ignored) || cake_reader_fail(reader, "a key stands twice in a dictionary"));
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
  if (!cake_reader_get_type(reader, &type) ||
      !cake_reader_get_below(reader, 2, "neither a splat nor none", &is_splat) ||
      !cake_reader_get_bytes(reader, &bytes))
    return false;
  if (!are_elements(type, bytes, is_splat)) return cake_reader_fail(reader, "elements that do not fit their type");
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
    if (!cake_reader_get_type(reader, &type)) return false;
    *out = cake_attr_type(type);
    return true;
  case TAG_ATTR_LOCATION:
    if (!cake_reader_get_loc(reader, &loc)) return false;
    *out = cake_loc_to_attr(reader->context, loc);
    return true;
  case TAG_ATTR_STRING:
    if (!cake_reader_get_string(reader, &string)) return false;
    *out = cake_attr_string_id(reader->context, string);
    return true;
  default:
    if (!get_text(reader, &text)) return false;
    *out = cake_parse_attr_text(reader->context, text);
    return *out || cake_reader_fail(reader, "the text of an attribute cannot be read");
  }
}

static bool get_locs(Reader *reader, uint64_t count) {
  reader->locs.len = 0;
  for (uint64_t i = 0; i < count; i++) {
    CakeLoc loc;
    if (!cake_reader_get_loc(reader, &loc)) return false;
    CAKE_PUSH(&reader->locs, loc);
  }
  return true;
}

static bool read_fused(Reader *reader, CakeLoc *out) {
  CakeAttr metadata;
  uint64_t count;
  if (!cake_reader_get_optional_attr(reader, &metadata) || !cake_reader_get_count(reader, &count) ||
      !get_locs(reader, count))
    return false;
  *out = cake_loc_fused(reader->context, reader->locs.data, count, metadata);
  return true;
}

static bool read_loc(Reader *reader, uint64_t tag, CakeLoc *out) {
  CakeId name;
  uint64_t line, column;
  const char *range = "a line or column out of range";
  switch (tag) {
  case TAG_LOC_FILE:
    if (!cake_reader_get_string(reader, &name) ||
        !cake_reader_get_below(reader, (uint64_t)UINT32_MAX + 1, range, &line) ||
        !cake_reader_get_below(reader, (uint64_t)UINT32_MAX + 1, range, &column))
      return false;
    *out = cake_loc_file(reader->context, name, (uint32_t)line, (uint32_t)column);
    return true;
  case TAG_LOC_NAME:
    if (!cake_reader_get_string(reader, &name) || !get_locs(reader, 1)) return false;
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

bool cake_reader_read_entity(Reader *reader) {
  uint64_t tag;
  Entity entity = {.kind = TYPE};
  if (!cake_reader_get_below(reader, TAG_COUNT, "no such kind of entity", &tag)) return false;
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
  if (is_fine && entity.depth > CAKE_MAX_ATTR_DEPTH) return cake_reader_fail(reader, "entities are nested too deep");
  if (is_fine && entity.weight > CAKE_MAX_WEIGHT) return cake_reader_fail(reader, "an entity stands for too many");
  if (is_fine) CAKE_PUSH(&reader->entities, entity);
  return is_fine;
}
