// Writing bytecode: strings, and types, attributes and locations, which are numbered when something refers to them, children first.
#include "bytecode_writer.h"

// ---- Strings ---------------------------------------------------------------------------------------------------------

uint64_t cake_writer_string(Writer *writer, CakeId id) {
  uintptr_t number;
  if (cake_map_get(&writer->string_numbers, id, &number)) return number - 1;
  cake_writer_put_bytes(&writer->strings, cake_id_str(id));
  cake_map_set(&writer->string_numbers, id, ++writer->n_strings);
  return writer->n_strings - 1;
}

// The text of a type or attribute: a string of its own, also where another one prints the same (`distinct[0]<…>`).
static uint64_t string_of_text(Writer *writer, const CakeBuf *text) {
  cake_writer_put_bytes(&writer->strings, cake_buf_view(text));
  return writer->n_strings++;
}

// ---- Entities --------------------------------------------------------------------------------------------------------

static CakeMap *map_of(const Writer *writer, Entity entity) {
  const CakeMap *map = &writer->numbers;
  if (entity.kind == LOC)
    map = cake_loc_kind((CakeLoc){entity.bits}) == CAKE_LOC_FILE ? &writer->place_numbers : &writer->loc_numbers;
  return (CakeMap *)(uintptr_t)map;
}

// Number + 1; 0: it has none yet.
static uint64_t number_of(const Writer *writer, Entity entity) {
  uintptr_t number = 0;
  if (entity.kind == LOC && !entity.bits) return writer->unknown_loc;
  return cake_map_get(map_of(writer, entity), (const void *)(uintptr_t)entity.bits, &number) ? number : 0;
}

static void add_params(Writer *writer, const CakeParam *params, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (params[i].kind == CAKE_PARAM_TYPE && params[i].type) CAKE_PUSH(&writer->children, of_type(params[i].type));
    if (params[i].kind == CAKE_PARAM_ATTR && params[i].attr) CAKE_PUSH(&writer->children, of_attr(params[i].attr));
  }
}

static BytecodeTag tag_of_type(CakeType type) {
  if (cake_type_is(type, &cake_type_def_function)) return TAG_TYPE_FUNCTION;
  return cake_type_is(type, &cake_type_def_tuple) ? TAG_TYPE_TUPLE : TAG_TYPE_TEXT;
}

static BytecodeTag tag_of_attr(CakeAttr attr) {
  static const struct {
    const CakeAttrDef *def;
    BytecodeTag tag;
  } tags[] = {
      {&cake_attr_def_string,     TAG_ATTR_STRING    },
      {&cake_attr_def_integer,    TAG_ATTR_INTEGER   },
      {&cake_attr_def_type,       TAG_ATTR_TYPE      },
      {&cake_attr_def_array,      TAG_ATTR_ARRAY     },
      {&cake_attr_def_dictionary, TAG_ATTR_DICTIONARY},
      {&cake_attr_def_location,   TAG_ATTR_LOCATION  },
  };
  for (size_t i = 0; i < CAKE_COUNT(tags); i++)
    if (attr->def == tags[i].def) return tags[i].tag;
  bool is_dense =
      cake_attr_is(attr, &cake_attr_def_dense_elements) && cake_bytecode_element_size(cake_attr_value_type(attr));
  return is_dense ? TAG_ATTR_DENSE : TAG_ATTR_TEXT;
}

// What an entity is made of, into `children`; what is written as text is made of nothing.
static void find_children(Writer *writer, Entity entity) {
  CakeLoc loc = {entity.bits};
  writer->children.len = 0;
  if (entity.kind == TYPE) {
    CakeType type = (CakeType)(uintptr_t)entity.bits;
    if (tag_of_type(type) != TAG_TYPE_TEXT) add_params(writer, type->params, type->count);
  } else if (entity.kind == ATTR) {
    CakeAttr attr = (CakeAttr)(uintptr_t)entity.bits;
    if (tag_of_attr(attr) == TAG_ATTR_LOCATION)
      CAKE_PUSH(&writer->children, of_loc(cake_loc_from_attr(attr)));
    else if (tag_of_attr(attr) != TAG_ATTR_TEXT)
      add_params(writer, attr->params, attr->count);
  } else {
    if (cake_loc_metadata(loc)) CAKE_PUSH(&writer->children, of_attr(cake_loc_metadata(loc)));
    for (size_t i = 0; i < cake_loc_count(loc); i++)
      CAKE_PUSH(&writer->children, of_loc(cake_loc_child(loc, i)));
  }
}

static void put_ref(Writer *writer, Entity entity) {
  cake_writer_put(&writer->entities, number_of(writer, entity) - 1);
}

static void put_types(Writer *writer, CakeType type, size_t count, CakeType (*at)(CakeType type, size_t index)) {
  cake_writer_put(&writer->entities, count);
  for (size_t i = 0; i < count; i++)
    put_ref(writer, of_type(at(type, i)));
}

static void put_type(Writer *writer, CakeType type) {
  CakeBuf text = {0};
  cake_writer_put(&writer->entities, tag_of_type(type));
  switch (tag_of_type(type)) {
  case TAG_TYPE_FUNCTION:
    put_types(writer, type, cake_type_function_inputs(type), cake_type_function_input);
    put_types(writer, type, cake_type_function_results(type), cake_type_function_result);
    break;
  case TAG_TYPE_TUPLE: put_types(writer, type, cake_type_tuple_count(type), cake_type_tuple_element); break;
  default:
    cake_print_type(type, &text);
    cake_writer_put(&writer->entities, string_of_text(writer, &text));
    break;
  }
  cake_buf_fini(&text);
}

static void put_text_attr(Writer *writer, CakeAttr attr) {
  CakeBuf text = {0};
  cake_print_attr(attr, &text);
  cake_writer_put(&writer->entities, string_of_text(writer, &text));
  cake_buf_fini(&text);
}

static void put_attr(Writer *writer, CakeAttr attr) {
  CakeBuf *out = &writer->entities;
  BytecodeTag tag = tag_of_attr(attr);
  cake_writer_put(out, tag);
  switch (tag) {
  case TAG_ATTR_STRING:
    cake_writer_put(out, cake_writer_string(writer, cake_id(writer->context, cake_attr_string_value(attr))));
    break;
  case TAG_ATTR_INTEGER:
    put_ref(writer, of_type(cake_attr_value_type(attr)));
    cake_writer_put_signed(out, cake_attr_int_value(attr));
    break;
  case TAG_ATTR_TYPE: put_ref(writer, of_type(cake_attr_value_type(attr))); break;
  case TAG_ATTR_LOCATION: put_ref(writer, of_loc(cake_loc_from_attr(attr))); break;
  case TAG_ATTR_ARRAY:
    cake_writer_put(out, cake_attr_count(attr));
    for (size_t i = 0; i < cake_attr_count(attr); i++)
      put_ref(writer, of_attr(cake_attr_element(attr, i)));
    break;
  case TAG_ATTR_DICTIONARY:
    cake_writer_put(out, cake_attr_count(attr));
    for (size_t i = 0; i < cake_attr_count(attr); i++) {
      CakeNamedAttr entry = cake_attr_entry(attr, i);
      cake_writer_put(out, cake_writer_string(writer, entry.name));
      put_ref(writer, of_attr(entry.value));
    }
    break;
  case TAG_ATTR_DENSE:
    put_ref(writer, of_type(cake_attr_value_type(attr)));
    cake_writer_put(out, cake_attr_is_splat(attr));
    cake_writer_put_bytes(out, cake_attr_string_value(attr));
    break;
  default: put_text_attr(writer, attr); break;
  }
}

static uint64_t file_of(Writer *writer, CakeStr file) {
  if (file.ptr != writer->last_file.ptr || file.len != writer->last_file.len) {
    writer->last_file = file;
    writer->last_file_number = cake_writer_string(writer, cake_id(writer->context, file));
  }
  return writer->last_file_number;
}

static void put_loc(Writer *writer, CakeLoc loc) {
  static const BytecodeTag tags[] = {[CAKE_LOC_UNKNOWN] = TAG_LOC_UNKNOWN,
                                     [CAKE_LOC_FILE] = TAG_LOC_FILE,
                                     [CAKE_LOC_NAME] = TAG_LOC_NAME,
                                     [CAKE_LOC_CALLSITE] = TAG_LOC_CALLSITE,
                                     [CAKE_LOC_FUSED] = TAG_LOC_FUSED};
  CakeBuf *out = &writer->entities;
  CakeStr file = {0};
  uint32_t line = 0, column = 0;
  cake_writer_put(out, tags[cake_loc_kind(loc)]);
  if (cake_loc_kind(loc) == CAKE_LOC_FILE) {
    cake_loc_find_file(writer->context, loc, &file, &line, &column);
    cake_writer_put(out, file_of(writer, file));
    cake_writer_put(out, line);
    cake_writer_put(out, column);
  }
  if (cake_loc_kind(loc) == CAKE_LOC_NAME) cake_writer_put(out, cake_writer_string(writer, cake_loc_name_of(loc)));
  if (cake_loc_kind(loc) == CAKE_LOC_FUSED) {
    CakeAttr metadata = cake_loc_metadata(loc);
    cake_writer_put(out, metadata ? number_of(writer, of_attr(metadata)) : 0);
    cake_writer_put(out, cake_loc_count(loc));
  }
  for (size_t i = 0; i < cake_loc_count(loc); i++)
    put_ref(writer, of_loc(cake_loc_child(loc, i)));
}

static void put_entity(Writer *writer, Entity entity) {
  CakeLoc loc = {entity.bits};
  CakeAttr attr = (CakeAttr)(uintptr_t)entity.bits;
  if (entity.kind == TYPE)
    put_type(writer, (CakeType)(uintptr_t)entity.bits);
  else if (entity.kind == ATTR)
    put_attr(writer, attr);
  else
    put_loc(writer, loc);
  writer->n_entities++;
  if (entity.kind == LOC && !entity.bits)
    writer->unknown_loc = writer->n_entities;
  else
    cake_map_set(map_of(writer, entity), (const void *)(uintptr_t)entity.bits, writer->n_entities);
  if (entity.kind == ATTR && cake_attr_is(attr, &cake_attr_def_dense_resource))
    CAKE_PUSH(&writer->resources, attr->params[1].id);
}

uint64_t cake_writer_entity(Writer *writer, Entity entity) {
  uint64_t number = number_of(writer, entity);
  if (number) return number - 1;
  find_children(writer, entity);
  if (!writer->children.len) { // most
    put_entity(writer, entity);
    return writer->n_entities - 1;
  }
  CAKE_PUSH(&writer->todo, entity);
  while (writer->todo.len) {
    Entity next = writer->todo.data[writer->todo.len - 1];
    size_t before = writer->todo.len;
    if (!number_of(writer, next)) {
      find_children(writer, next);
      for (size_t i = writer->children.len; i-- > 0;)
        if (!number_of(writer, writer->children.data[i])) CAKE_PUSH(&writer->todo, writer->children.data[i]);
      if (writer->todo.len > before) continue;
      put_entity(writer, next);
    }
    writer->todo.len--;
  }
  return number_of(writer, entity) - 1;
}
