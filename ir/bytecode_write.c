// Writing bytecode: ops, in the order of the walk, and the file.
#include "bytecode_writer.h"

// ---- Ops --------------------------------------------------------------------------------------------------------------

static uint64_t kind_of(Writer *writer, const CakeOpInfo *info) {
  uintptr_t number;
  if (cake_map_get(&writer->kind_numbers, info, &number)) return number - 1;
  const CakeOpDef *def = info->def;
  cake_writer_put(&writer->kinds, cake_writer_string(writer, info->name));
  cake_writer_put(&writer->kinds, def != NULL);
  cake_writer_put(&writer->kinds, def ? info->n_props : 0);
  for (uint32_t i = 0; def && i < info->n_props; i++)
    cake_writer_put(&writer->kinds, cake_writer_string(writer, ((const CakeOpInfoStorage *)info)->row_names[i]));
  cake_map_set(&writer->kind_numbers, info, ++writer->n_kinds);
  return writer->n_kinds - 1;
}

static void put_operands(Writer *writer, const CakeOp *op) {
  cake_writer_put(&writer->ops, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    uintptr_t number = 0;
    cake_map_get(&writer->value_numbers, cake_op_operand(op, i), &number);
    cake_writer_put_signed(&writer->ops, (int64_t)writer->n_values - (int64_t)number);
  }
}

// The number of a name's string + 1; 0: no name. Short ones, which most are, are found by their bytes: no identifier is made.
static uint64_t number_of_name(Writer *writer, CakeStr name) {
  uint64_t word = 0;
  uintptr_t number = 0;
  if (name.len > sizeof word) return cake_writer_string(writer, cake_id(writer->context, name)) + 1;
  if (name.len) memcpy(&word, name.ptr, name.len);
  const void *key = (const void *)(uintptr_t)word;
  if (!word || cake_map_get(&writer->name_numbers, key, &number)) return number;
  cake_writer_put_bytes(&writer->strings, name);
  cake_map_set(&writer->name_numbers, key, ++writer->n_strings);
  return writer->n_strings;
}

static void put_name(Writer *writer, const CakeValue *value) {
  cake_writer_put(&writer->ops, number_of_name(writer, cake_value_name_text(value)));
}

static void put_optional_attr(Writer *writer, CakeAttr attr) {
  cake_writer_put(&writer->ops, attr ? cake_writer_entity(writer, of_attr(attr)) + 1 : 0);
}

static void put_block(Writer *writer, const CakeBlock *block) {
  size_t count = 0;
  cake_writer_put(&writer->ops, block->n_args);
  for (uint32_t i = 0; i < block->n_args; i++) {
    cake_writer_put(&writer->ops, cake_writer_entity(writer, of_type(block->args[i]->type)));
    cake_writer_put(&writer->ops, cake_writer_entity(writer, of_loc(cake_block_arg(block->args[i])->loc)));
    put_name(writer, block->args[i]);
  }
  for (const CakeOp *op = block->first; op; op = op->next)
    count++;
  cake_writer_put(&writer->ops, count);
}

static void put_region(Writer *writer, const CakeRegion *region) {
  cake_writer_put(&writer->ops, cake_region_number_blocks(region)); // what successors refer to
  for (const CakeBlock *block = region->first; block; block = block->next)
    put_block(writer, block);
}

static void put_op(Writer *writer, const CakeOp *op) {
  CakeBuf *out = &writer->ops;
  unsigned flags = (op->attrs ? OP_HAS_ATTRS : 0U) | (op->n_successors ? OP_HAS_SUCCESSORS : 0U) |
                   (op->n_regions ? OP_HAS_REGIONS : 0U);
  for (uint32_t i = 0; i < op->n_results; i++)
    flags |= op->results[i].name ? OP_HAS_NAMES : 0U;
  cake_writer_put(out, kind_of(writer, op->info));
  cake_writer_put(out, cake_writer_entity(writer, of_loc(op->loc)));
  cake_writer_put(out, flags);
  put_operands(writer, op);
  cake_writer_put(out, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_writer_put(out, cake_writer_entity(writer, of_type(op->results[i].type)));
  for (uint32_t i = 0; (flags & OP_HAS_NAMES) && i < op->n_results; i++)
    put_name(writer, &op->results[i]);
  for (uint32_t i = 0; i < op->info->n_props; i++)
    put_optional_attr(writer, cake_op_prop(op, i));
  if (op->attrs) put_optional_attr(writer, op->attrs);
  if (op->n_successors) cake_writer_put(out, op->n_successors);
  for (uint32_t i = 0; i < op->n_successors; i++)
    cake_writer_put(out, cake_op_successor(op, i)->order);
  if (op->n_regions) cake_writer_put(out, op->n_regions);
  for (uint32_t i = 0; i < op->n_regions; i++)
    put_region(writer, cake_op_region(op, i));
}

// Values are numbered before anything refers to them, since a value may be used in front of its definition. `next`: the number
// of the first.
static void number_values(Writer *writer, CakeOp *root, size_t next) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      cake_map_set(&writer->value_numbers, &op->results[i], next++);
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (const CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
        for (uint32_t i = 0; i < block->n_args; i++)
          cake_map_set(&writer->value_numbers, block->args[i], next++);
  }
}

// Whether the module has no values but in ops that are isolated from above, each of which may be numbered when its turn comes: a
// small map stays in the cache.
static bool has_only_isolated_values(const CakeOp *module) {
  for (const CakeOp *op = cake_module_body(module)->first; op; op = op->next)
    if (op->n_results || (op->n_regions && !cake_op_has_trait(op, CAKE_TRAIT_ISOLATED))) return false;
  return cake_module_body(module)->n_args == 0;
}

static void begin_function(Writer *writer, CakeOp *op) {
  cake_map_empty(&writer->value_numbers);
  cake_map_empty(&writer->place_numbers);
  number_values(writer, op, writer->n_values);
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
  cake_writer_put(out, count);
  for (size_t i = 0; i < writer->resources.len; i++) {
    if (!cake_map_get(&writer->context->resources, writer->resources.data[i], &blob)) continue;
    CakeStr hex = cake_id_str((CakeId)blob); // "0x…"
    cake_buf_clear(&bytes);
    for (size_t k = 2; k + 1 < hex.len; k += 2)
      cake_buf_char(&bytes, (char)(cake_hex_value(hex.ptr[k]) * 16 + cake_hex_value(hex.ptr[k + 1])));
    cake_writer_put(out, cake_writer_string(writer, writer->resources.data[i]));
    cake_writer_put_bytes(out, cake_buf_view(&bytes));
  }
  cake_buf_fini(&bytes);
}

static void put_file(Writer *writer, CakeBuf *out) {
  CakeBuf resources = {0};
  put_resources(writer, &resources); // may add strings
  cake_buf_append(out, bytecode_magic, BYTECODE_MAGIC);
  cake_writer_put(out, BYTECODE_VERSION);
  cake_writer_put_bytes(out, CAKE_STR("cake"));
  cake_writer_put(out, writer->n_strings);
  cake_buf_str(out, cake_buf_view(&writer->strings));
  cake_writer_put(out, writer->n_entities);
  cake_buf_str(out, cake_buf_view(&writer->entities));
  cake_writer_put(out, writer->n_kinds);
  cake_buf_str(out, cake_buf_view(&writer->kinds));
  cake_buf_str(out, cake_buf_view(&resources));
  cake_buf_str(out, cake_buf_view(&writer->ops));
  cake_buf_fini(&resources);
}

void cake_bytecode_write(const CakeOp *module, CakeBuf *out) {
  CakeOp *root = (CakeOp *)(uintptr_t)module; // only read
  Writer writer = {.context = module->context};
  bool is_apart = has_only_isolated_values(module);
  if (!is_apart) number_values(&writer, root, 0);
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (is_apart && op->n_regions && cake_op_parent(op) == root) begin_function(&writer, op);
    put_op(&writer, op);
    count_values(&writer, op);
  }
  put_file(&writer, out);
  cake_buf_fini(&writer.strings);
  cake_buf_fini(&writer.entities);
  cake_buf_fini(&writer.kinds);
  cake_buf_fini(&writer.ops);
  cake_map_fini(&writer.string_numbers);
  cake_map_fini(&writer.name_numbers);
  cake_map_fini(&writer.numbers);
  cake_map_fini(&writer.loc_numbers);
  cake_map_fini(&writer.place_numbers);
  cake_map_fini(&writer.kind_numbers);
  cake_map_fini(&writer.value_numbers);
  CAKE_VEC_FINI(&writer.resources);
  CAKE_VEC_FINI(&writer.todo);
  CAKE_VEC_FINI(&writer.children);
}
