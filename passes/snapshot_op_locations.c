// snapshot-op-locations: writes the IR to a file, and gives each op its place in that file.
#include "cake/text.h"
#include "passes/passes.h"

typedef struct Snapshot {
  CakePassContext *pass;
  CakeBuf text;
  CAKE_VEC(CakeOp *) ops; // in the order of the text
  CAKE_VEC(size_t) places;
} Snapshot;

static void begins(void *user, const CakeOp *op, size_t at) {
  Snapshot *snapshot = user;
  CAKE_PUSH(&snapshot->ops, (CakeOp *)(uintptr_t)op);
  CAKE_PUSH(&snapshot->places, at);
}

static void print(Snapshot *snapshot, CakeOp *op) {
  const CakePass *pass = snapshot->pass->pass;
  CakePrintOptions options = {.generic = cake_pass_option_bool(pass, "print-op-generic"),
                              .locations = cake_pass_option_bool(pass, "print-debuginfo"),
                              .local_scope = cake_pass_option_bool(pass, "print-local-scope"),
                              .pretty_locations = cake_pass_option_bool(pass, "pretty-debuginfo"),
                              .begins = begins,
                              .begins_user = snapshot};
  cake_print_op(op, &options, &snapshot->text);
}

static CakeLoc new_loc(CakeContext *context, CakeLoc old, CakeLoc place, CakeStr tag) {
  if (!tag.len) return place;
  CakeLoc both[] = {old, cake_loc_name(context, cake_id(context, tag), place)};
  return cake_loc_fused(context, both, CAKE_COUNT(both), NULL);
}

static bool set(Snapshot *snapshot, CakeId file, CakeStr tag) {
  bool is_changed = false;
  uint32_t line = 1;
  size_t at = 0, start = 0;
  for (size_t i = 0; i < snapshot->ops.len; i++) {
    for (; at < snapshot->places.data[i]; at++) {
      if (snapshot->text.data[at] != '\n') continue;
      line++;
      start = at + 1;
    }
    CakeOp *op = snapshot->ops.data[i];
    CakeContext *context = op->context;
    CakeLoc loc = new_loc(context, op->loc, cake_loc_file(context, file, line, (uint32_t)(at - start + 1)), tag);
    is_changed |= !cake_loc_equal(loc, op->loc);
    op->loc = loc;
  }
  return is_changed;
}

static bool write(Snapshot *snapshot, CakeOp *op, const char *file) {
  CakeBuf error = {0};
  bool is_fine = cake_file_write(file, cake_buf_view(&snapshot->text), &error) ||
                 cake_error(op, CAKE_CODE_PASS_FAILED, "can't be written: %s", error.data);
  cake_buf_fini(&error);
  return is_fine;
}

CakePassResult cake_pass_snapshot_op_locations(CakePassContext *pass, CakeOp *op) {
  CakeStr name = cake_pass_option_str(pass->pass, "filename"), tag = cake_pass_option_str(pass->pass, "tag");
  if (!name.len) {
    cake_error(op, CAKE_CODE_PASS_FAILED, "has no place to be written to: `filename` is empty");
    return CAKE_PASS_FAILED;
  }
  Snapshot snapshot = {.pass = pass};
  CakeId file = cake_id(pass->context, name);
  print(&snapshot, op);
  bool is_fine = write(&snapshot, op, file->text), is_changed = is_fine && set(&snapshot, file, tag);
  cake_buf_fini(&snapshot.text);
  CAKE_VEC_FINI(&snapshot.ops);
  CAKE_VEC_FINI(&snapshot.places);
  return !is_fine ? CAKE_PASS_FAILED : is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
