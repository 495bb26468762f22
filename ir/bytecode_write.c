// Writing bytecode: types, attributes and locations are numbered when something refers to them, children first; ops are
// written in the order of the walk.
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
  CakeMap numbers;        // types and attributes → number + 1
  CakeMap loc_numbers;    // words of locations → number + 1
  uint64_t unknown_loc;   // number + 1 of the one whose word is 0
  CakeMap kind_numbers;   // CakeOpInfo → number + 1
  CakeMap value_numbers;
  size_t n_strings, n_entities, n_kinds, n_values;
  CakeStr last_file; // of a location, and the number of its name: those that follow are of the same
  uint64_t last_file_number;
  CAKE_VEC(CakeId) resources; // keys
  Entities todo, children;
} Writer;

// ---- Numbers and strings -------------------------------------------------------------------------------------------

static void put(CakeBuf *out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    cake_buf_char(out, (char)(value | 0x80));
  cake_buf_char(out, (char)value);
}

static void put_signed(CakeBuf *out, int64_t value) {
  put(out, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void put_bytes(CakeBuf *out, CakeStr bytes) {
  put(out, bytes.len);
  cake_buf_str(out, bytes);
}

static uint64_t string_of(Writer *writer, CakeId id) {
  uintptr_t number;
  if (cake_map_get(&writer->string_numbers, id, &number)) return number - 1;
  put_bytes(&writer->strings, cake_id_str(id));
  cake_map_set(&writer->string_numbers, id, ++writer->n_strings);
  return writer->n_strings - 1;
}

// The text of a type or attribute: a string of its own, also where another one prints the same (`distinct[0]<…>`).
static uint64_t string_of_text(Writer *writer, const CakeBuf *text) {
  put_bytes(&writer->strings, cake_buf_view(text));
  return writer->n_strings++;
}

// ---- Entities ------------------------------------------------------------------------------------------------------

static Entity of_type(CakeType type) {
  return (Entity){TYPE, (uintptr_t)type};
}

static Entity of_attr(CakeAttr attr) {
  return (Entity){ATTR, (uintptr_t)attr};
}

static Entity of_loc(CakeLoc loc) {
  return (Entity){LOC, loc.bits};
}

// Number + 1; 0: it has none yet.
static uint64_t number_of(const Writer *writer, Entity entity) {
  uintptr_t number = 0;
  if (entity.kind == LOC && !entity.bits) return writer->unknown_loc;
  const CakeMap *map = entity.kind == LOC ? &writer->loc_numbers : &writer->numbers;
  return cake_map_get(map, (const void *)(uintptr_t)entity.bits, &number) ? number : 0;
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
  put(&writer->entities, number_of(writer, entity) - 1);
}

static void put_types(Writer *writer, CakeType type, size_t count, CakeType (*at)(CakeType type, size_t index)) {
  put(&writer->entities, count);
  for (size_t i = 0; i < count; i++)
    put_ref(writer, of_type(at(type, i)));
}

static void put_type(Writer *writer, CakeType type) {
  CakeBuf text = {0};
  put(&writer->entities, tag_of_type(type));
  switch (tag_of_type(type)) {
  case TAG_TYPE_FUNCTION:
    put_types(writer, type, cake_type_function_inputs(type), cake_type_function_input);
    put_types(writer, type, cake_type_function_results(type), cake_type_function_result);
    break;
  case TAG_TYPE_TUPLE: put_types(writer, type, cake_type_tuple_count(type), cake_type_tuple_element); break;
  default:
    cake_print_type(type, &text);
    put(&writer->entities, string_of_text(writer, &text));
    break;
  }
  cake_buf_fini(&text);
}

static void put_text_attr(Writer *writer, CakeAttr attr) {
  CakeBuf text = {0};
  cake_print_attr(attr, &text);
  put(&writer->entities, string_of_text(writer, &text));
  cake_buf_fini(&text);
}

static void put_attr(Writer *writer, CakeAttr attr) {
  CakeBuf *out = &writer->entities;
  BytecodeTag tag = tag_of_attr(attr);
  put(out, tag);
  switch (tag) {
  case TAG_ATTR_STRING: put(out, string_of(writer, cake_id(writer->context, cake_attr_string_value(attr)))); break;
  case TAG_ATTR_INTEGER:
    put_ref(writer, of_type(cake_attr_value_type(attr)));
    put_signed(out, cake_attr_int_value(attr));
    break;
  case TAG_ATTR_TYPE: put_ref(writer, of_type(cake_attr_value_type(attr))); break;
  case TAG_ATTR_LOCATION: put_ref(writer, of_loc(cake_loc_from_attr(attr))); break;
  case TAG_ATTR_ARRAY:
    put(out, cake_attr_count(attr));
    for (size_t i = 0; i < cake_attr_count(attr); i++)
      put_ref(writer, of_attr(cake_attr_element(attr, i)));
    break;
  case TAG_ATTR_DICTIONARY:
    put(out, cake_attr_count(attr));
    for (size_t i = 0; i < cake_attr_count(attr); i++) {
      CakeNamedAttr entry = cake_attr_entry(attr, i);
      put(out, string_of(writer, entry.name));
      put_ref(writer, of_attr(entry.value));
    }
    break;
  case TAG_ATTR_DENSE:
    put_ref(writer, of_type(cake_attr_value_type(attr)));
    put(out, cake_attr_is_splat(attr));
    put_bytes(out, cake_attr_string_value(attr));
    break;
  default: put_text_attr(writer, attr); break;
  }
}

static uint64_t file_of(Writer *writer, CakeStr file) {
  if (file.ptr != writer->last_file.ptr || file.len != writer->last_file.len) {
    writer->last_file = file;
    writer->last_file_number = string_of(writer, cake_id(writer->context, file));
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
  put(out, tags[cake_loc_kind(loc)]);
  if (cake_loc_kind(loc) == CAKE_LOC_FILE) {
    cake_loc_find_file(writer->context, loc, &file, &line, &column);
    put(out, file_of(writer, file));
    put(out, line);
    put(out, column);
  }
  if (cake_loc_kind(loc) == CAKE_LOC_NAME) put(out, string_of(writer, cake_loc_name_of(loc)));
  if (cake_loc_kind(loc) == CAKE_LOC_FUSED) {
    CakeAttr metadata = cake_loc_metadata(loc);
    put(out, metadata ? number_of(writer, of_attr(metadata)) : 0);
    put(out, cake_loc_count(loc));
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
    cake_map_set(entity.kind == LOC ? &writer->loc_numbers : &writer->numbers, (const void *)(uintptr_t)entity.bits,
                 writer->n_entities);
  if (entity.kind == ATTR && cake_attr_is(attr, &cake_attr_def_dense_resource))
    CAKE_PUSH(&writer->resources, attr->params[1].id);
}

// The number of an entity, which is written first when it is new, with what it is made of.
static uint64_t entity_of(Writer *writer, Entity entity) {
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

// ---- Ops -----------------------------------------------------------------------------------------------------------

static uint64_t kind_of(Writer *writer, const CakeOpInfo *info) {
  uintptr_t number;
  if (cake_map_get(&writer->kind_numbers, info, &number)) return number - 1;
  const CakeOpDef *def = info->def;
  put(&writer->kinds, string_of(writer, info->name));
  put(&writer->kinds, def != NULL);
  put(&writer->kinds, def ? info->n_props : 0);
  for (uint32_t i = 0; def && i < info->n_props; i++)
    put(&writer->kinds, string_of(writer, ((const CakeOpInfoStorage *)info)->row_names[i]));
  cake_map_set(&writer->kind_numbers, info, ++writer->n_kinds);
  return writer->n_kinds - 1;
}

static void define(Writer *writer, const CakeValue *value) {
  cake_map_set(&writer->value_numbers, value, writer->n_values++);
}

static void put_operands(Writer *writer, const CakeOp *op) {
  put(&writer->ops, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    uintptr_t number = 0;
    cake_map_get(&writer->value_numbers, cake_op_operand(op, i), &number);
    put_signed(&writer->ops, (int64_t)writer->n_values - (int64_t)number);
  }
}

static void put_name(Writer *writer, const CakeValue *value) {
  CakeId name = cake_value_name(value);
  put(&writer->ops, name ? string_of(writer, name) + 1 : 0);
}

static void put_optional_attr(Writer *writer, CakeAttr attr) {
  put(&writer->ops, attr ? entity_of(writer, of_attr(attr)) + 1 : 0);
}

static void put_block(Writer *writer, const CakeBlock *block) {
  size_t count = 0;
  put(&writer->ops, block->n_args);
  for (uint32_t i = 0; i < block->n_args; i++) {
    put(&writer->ops, entity_of(writer, of_type(block->args[i]->type)));
    put(&writer->ops, entity_of(writer, of_loc(cake_block_arg(block->args[i])->loc)));
    put_name(writer, block->args[i]);
  }
  for (const CakeOp *op = block->first; op; op = op->next)
    count++;
  put(&writer->ops, count);
}

static void put_region(Writer *writer, const CakeRegion *region) {
  put(&writer->ops, cake_region_number_blocks(region)); // what successors refer to
  for (const CakeBlock *block = region->first; block; block = block->next)
    put_block(writer, block);
}

static void put_op(Writer *writer, const CakeOp *op) {
  CakeBuf *out = &writer->ops;
  unsigned flags = (op->attrs ? OP_HAS_ATTRS : 0U) | (op->n_successors ? OP_HAS_SUCCESSORS : 0U) |
                   (op->n_regions ? OP_HAS_REGIONS : 0U);
  for (uint32_t i = 0; i < op->n_results; i++)
    flags |= op->results[i].name ? OP_HAS_NAMES : 0U;
  put(out, kind_of(writer, op->info));
  put(out, entity_of(writer, of_loc(op->loc)));
  put(out, flags);
  put_operands(writer, op);
  put(out, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++)
    put(out, entity_of(writer, of_type(op->results[i].type)));
  for (uint32_t i = 0; (flags & OP_HAS_NAMES) && i < op->n_results; i++)
    put_name(writer, &op->results[i]);
  for (uint32_t i = 0; i < op->info->n_props; i++)
    put_optional_attr(writer, cake_op_prop(op, i));
  if (op->attrs) put_optional_attr(writer, op->attrs);
  if (op->n_successors) put(out, op->n_successors);
  for (uint32_t i = 0; i < op->n_successors; i++)
    put(out, cake_op_successor(op, i)->order);
  if (op->n_regions) put(out, op->n_regions);
  for (uint32_t i = 0; i < op->n_regions; i++)
    put_region(writer, cake_op_region(op, i));
}

// Values are numbered before anything refers to them, since a value may be used in front of its definition.
static void number_values(Writer *writer, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      define(writer, &op->results[i]);
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (const CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
        for (uint32_t i = 0; i < block->n_args; i++)
          define(writer, block->args[i]);
  }
  writer->n_values = 0;
}

static void count_values(Writer *writer, const CakeOp *op) {
  writer->n_values += op->n_results;
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (const CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      writer->n_values += block->n_args;
}

// ---- The file ------------------------------------------------------------------------------------------------------

static void put_resources(Writer *writer, CakeBuf *out) {
  CakeBuf bytes = {0};
  uintptr_t blob;
  size_t count = 0;
  for (size_t i = 0; i < writer->resources.len; i++)
    count += cake_map_get(&writer->context->resources, writer->resources.data[i], &blob);
  put(out, count);
  for (size_t i = 0; i < writer->resources.len; i++) {
    if (!cake_map_get(&writer->context->resources, writer->resources.data[i], &blob)) continue;
    CakeStr hex = cake_id_str((CakeId)blob); // "0x…"
    cake_buf_clear(&bytes);
    for (size_t k = 2; k + 1 < hex.len; k += 2)
      cake_buf_char(&bytes, (char)(cake_hex_value(hex.ptr[k]) * 16 + cake_hex_value(hex.ptr[k + 1])));
    put(out, string_of(writer, writer->resources.data[i]));
    put_bytes(out, cake_buf_view(&bytes));
  }
  cake_buf_fini(&bytes);
}

static void put_file(Writer *writer, CakeBuf *out) {
  CakeBuf resources = {0};
  put_resources(writer, &resources); // may add strings
  cake_buf_append(out, bytecode_magic, BYTECODE_MAGIC);
  put(out, BYTECODE_VERSION);
  put_bytes(out, CAKE_STR("cake"));
  put(out, writer->n_strings);
  cake_buf_str(out, cake_buf_view(&writer->strings));
  put(out, writer->n_entities);
  cake_buf_str(out, cake_buf_view(&writer->entities));
  put(out, writer->n_kinds);
  cake_buf_str(out, cake_buf_view(&writer->kinds));
  cake_buf_str(out, cake_buf_view(&resources));
  cake_buf_str(out, cake_buf_view(&writer->ops));
  cake_buf_fini(&resources);
}

void cake_bytecode_write(const CakeOp *module, CakeBuf *out) {
  CakeOp *root = (CakeOp *)(uintptr_t)module; // only read
  Writer writer = {.context = module->context};
  number_values(&writer, root);
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    put_op(&writer, op);
    count_values(&writer, op);
  }
  put_file(&writer, out);
  cake_buf_fini(&writer.strings);
  cake_buf_fini(&writer.entities);
  cake_buf_fini(&writer.kinds);
  cake_buf_fini(&writer.ops);
  cake_map_fini(&writer.string_numbers);
  cake_map_fini(&writer.numbers);
  cake_map_fini(&writer.loc_numbers);
  cake_map_fini(&writer.kind_numbers);
  cake_map_fini(&writer.value_numbers);
  CAKE_VEC_FINI(&writer.resources);
  CAKE_VEC_FINI(&writer.todo);
  CAKE_VEC_FINI(&writer.children);
}
