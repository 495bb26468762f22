// Reading bytecode: ops with their regions, which are entered without recursion.
#include "bytecode_reader.h"

enum { MOST_VALUES = 1 << 24 }; // operands and results of one op

static bool read_operands(Reader *reader) {
  uint64_t count;
  int64_t back;
  reader->operands.len = reader->operand_numbers.len = 0;
  if (!cake_reader_get_count(reader, &count) || (count > MOST_VALUES && !cake_reader_fail(reader, "too many operands")))
    return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!cake_reader_get_signed(reader, &back)) return false;
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
  if (!cake_reader_get_types(reader, &count) || (count > MOST_VALUES && !cake_reader_fail(reader, "too many results")))
    return false;
  for (uint64_t i = 0; (flags & OP_HAS_NAMES) && i < count; i++) {
    if (!cake_reader_get_optional_string(reader, &name)) return false;
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
  if (row < 0) return cake_reader_fail(reader, "an inherent attribute that the op does not have");
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
    if (!cake_reader_get_optional_attr(reader, &value) ||
        !place_prop(reader, info, reader->prop_names.data[kind->first_prop + i], value))
      return false;
  if (!kind->was_registered) {
    if (!cake_reader_get_optional_attr(reader, &value)) return false;
    if (value && !cake_attr_is(value, &cake_attr_def_dictionary))
      return cake_reader_fail(reader, "properties are no dictionary");
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
  if (!cake_reader_get_optional_attr(reader, out)) return false;
  return !*out || cake_attr_is(*out, &cake_attr_def_dictionary) ||
         cake_reader_fail(reader, "attributes are no dictionary");
}

static bool read_successors(Reader *reader, uint64_t flags, const Frame *frame) {
  uint64_t count, block;
  reader->successors.len = 0;
  if (!(flags & OP_HAS_SUCCESSORS)) return true;
  if (!cake_reader_get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!cake_reader_get_below(reader, frame ? frame->n_blocks : 0, "no such block", &block)) return false;
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
  if (!cake_reader_get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    CakeType type;
    CakeLoc loc;
    CakeId name;
    if (!cake_reader_get_type(reader, &type) || !cake_reader_get_loc(reader, &loc) ||
        !cake_reader_get_optional_string(reader, &name))
      return false;
    define(reader, cake_block_add_arg(block, type, loc), name);
  }
  return true;
}

// The blocks of a region with their arguments, and a frame for the ops of each.
static bool read_region(Reader *reader, CakeRegion *region, unsigned depth) {
  uint64_t count;
  size_t first = reader->blocks.len;
  if (!cake_reader_get_count(reader, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    CakeBlock *block = cake_block_create(reader->context);
    Frame frame = {block, 0, first, (size_t)count, depth};
    block->loc = region->parent->loc;
    cake_region_append(region, block);
    CAKE_PUSH(&reader->blocks, block);
    if (!read_arguments(reader, block) || !cake_reader_get_count(reader, &frame.n_left)) return false;
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
  if (depth > CAKE_MAX_REGION_DEPTH) return cake_reader_fail(reader, "regions are nested too deep"), NULL;
  bool is_fine = cake_reader_get_below(reader, reader->kinds.len, "no such kind of op", &kind) &&
                 cake_reader_get_loc(reader, &state.loc) &&
                 cake_reader_get_below(reader, OP_FLAGS + 1, "no such flags", &flags) && read_operands(reader) &&
                 read_results(reader, flags) && read_props(reader, &reader->kinds.data[kind]) &&
                 read_attrs(reader, flags, &state.attrs) && read_successors(reader, flags, frame) &&
                 (!(flags & OP_HAS_REGIONS) || cake_reader_get_count(reader, &n_regions));
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
    if (patch->value >= reader->values.len) return cake_reader_fail_at(reader, patch->at, "an operand is no value");
    cake_use_set(patch->use, reader->values.data[patch->value]);
  }
  return true;
}

bool cake_reader_read_ops(Reader *reader, CakeOp **out_root) {
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
  return resolve(reader) && (!cake_reader_left(reader) || cake_reader_fail(reader, "there is more behind the module"));
}
