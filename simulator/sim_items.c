// cake: iterators, the coordinates of an item, and its names.
#include "simulator/build.h"

#include "dialects/cake/ops/tiles.h"

// ---- Declarations --------------------------------------------------------------------------------------------------------

static bool build_extents(CakeSimLaunch *launch, CakeOp *op, CakeSimTiles *tiles) {
  CakeAttr axes = cake_cake_tiles_axes(op);
  for (size_t i = 0; i < tiles->n_axes; i++) {
    CakeAttr extent = cake_axes_extent(axes, i), most = cake_tiles_extent(op, i);
    if (!most) return cake_sim_unsupported(op, "has an axis without a bound");
    if (!cake_sim_size_value(launch, op, most, "extent", &tiles->extents[i])) return false;
    if (most != extent) tiles->of_item[i] = cake_sim_bound(launch, extent);
    if (tiles->extents[i] < 0)
      return cake_error(op, CAKE_CODE_RUN_ARGUMENT, "extent '%s' is negative", cake_axes_name(axes, i)->text);
    if (tiles->extents[i] && tiles->items > INT32_MAX / tiles->extents[i])
      return cake_error(op, CAKE_CODE_RUN_ARGUMENT, "has more items than a grid takes (%d)", INT32_MAX);
    tiles->items *= tiles->extents[i];
  }
  return true;
}

static bool build_lets(CakeSimLaunch *launch, CakeOp *op, CakeSimTiles *tiles) {
  CakeAttr lets = cake_cake_tiles_let(op), bound = cake_cake_tiles_bound(op);
  CakeOperandRange arrays = cake_cake_tiles_arrays(op);
  tiles->n_lets = cake_lets_count(lets);
  if (tiles->n_lets > CAKE_SIM_MAX_LETS) return cake_sim_unsupported(op, "has more than %d names", CAKE_SIM_MAX_LETS);
  CakeSimLet *all = CAKE_ARENA_ARRAY(launch->arena, CakeSimLet, tiles->n_lets + 1);
  for (size_t i = 0; i < tiles->n_lets; i++) {
    int64_t array = cake_lets_array(lets, i);
    all[i] =
        (CakeSimLet){cake_lets_name(lets, i), array < 0 ? NULL : &launch->globals[arrays.first[array].value->index],
                     cake_sim_bound(launch, cake_lets_value(lets, i))};
  }
  tiles->lets = all;
  if (bound) tiles->bound = cake_sim_bound(launch, bound);
  return true;
}

bool cake_sim_build_tiles(CakeSimLaunch *launch, CakeOp *op, CakeSimTiles *tiles) {
  CakeAttr axes = cake_cake_tiles_axes(op), steps = cake_cake_tiles_steps(op), schedule = cake_cake_tiles_schedule(op);
  *tiles = (CakeSimTiles){.decl = op,
                          .schedule = cake_schedule_kind(schedule),
                          .n_axes = cake_axes_count(axes),
                          .items = 1,
                          .slowest_axis = -1};
  if (tiles->n_axes > CAKE_SIM_MAX_RANK || cake_axes_count(steps) > 1)
    return cake_sim_unsupported(op, "has more axes than the simulator takes");
  if (!build_extents(launch, op, tiles) || !build_lets(launch, op, tiles)) return false;
  if (cake_schedule_is_longest_first(schedule)) tiles->slowest_axis = cake_tiles_steps_axis(op);
  if (steps) tiles->steps = cake_sim_bound(launch, cake_axes_extent(steps, 0));
  if (!cake_schedule_group(schedule)) return true;
  int axis = cake_axes_find(axes, cake_schedule_axis(schedule));
  if (axis < 0 || !cake_expr_is_const(cake_schedule_group(schedule), &tiles->group) || tiles->group < 1)
    return cake_sim_unsupported(op, "has no constant group");
  tiles->group_axis = (size_t)axis;
  return true;
}

// ---- Coordinates ---------------------------------------------------------------------------------------------------------

// Axes first … end - 1, the last one fastest; but the one that runs down from its last value is slowest.
static void split_number(const CakeSimTiles *tiles, int64_t number, size_t first, size_t end, int64_t *out) {
  bool has_slowest = tiles->slowest_axis >= (int)first && tiles->slowest_axis < (int)end;
  for (size_t i = end; i-- > first;) {
    if (has_slowest && i == (size_t)tiles->slowest_axis) continue;
    out[i] = number % tiles->extents[i];
    number /= tiles->extents[i];
  }
  if (has_slowest) out[tiles->slowest_axis] = tiles->extents[tiles->slowest_axis] - 1 - number;
}

// Bands of `group` values of an axis: the axes before it are slowest, then the band, then the axes behind it; inside of a
// band the axis is fastest.
void cake_sim_item_at(const CakeSimTiles *tiles, int64_t item, int64_t *out) {
  size_t axis = tiles->group_axis;
  int64_t behind = 1, extent = tiles->extents[axis];
  if (!tiles->group) {
    split_number(tiles, item, 0, tiles->n_axes, out);
    return;
  }
  for (size_t i = axis + 1; i < tiles->n_axes; i++)
    behind *= tiles->extents[i];
  split_number(tiles, item / (extent * behind), 0, axis, out);
  item %= extent * behind;
  int64_t first = item / (tiles->group * behind) * tiles->group;
  int64_t width = extent - first < tiles->group ? extent - first : tiles->group;
  item -= first * behind;
  out[axis] = first + item % width;
  split_number(tiles, item / width, axis + 1, tiles->n_axes, out);
}

// There and back in rounds over a band, which leave out what is behind its end.
static int64_t longest_first(const CakeSimTiles *tiles, int64_t first, int64_t round, int64_t ctas) {
  int64_t band = 0, bands = 1, outer = 1, all = tiles->items, size = tiles->items;
  for (size_t i = 0; tiles->group && i < tiles->group_axis; i++)
    outer *= tiles->extents[i];
  if (tiles->group) {
    int64_t extent = tiles->extents[tiles->group_axis];
    bands = (extent + tiles->group - 1) / tiles->group;
    all = outer ? tiles->items / outer : 0;
    size = extent ? all / extent * (tiles->group < extent ? tiles->group : extent) : 0;
  }
  int64_t rounds = (size + ctas - 1) / ctas;
  if (round >= rounds * bands * outer) return tiles->items;
  band = round / rounds, round %= rounds;
  int64_t begin = band / bands * all + band % bands * size, left = all - band % bands * size;
  int64_t number = round * ctas + (round % 2 == 0 ? first : ctas - 1 - first);
  return number < (left < size ? left : size) ? begin + number : -1;
}

int64_t cake_sim_item_of_round(const CakeSimTiles *tiles, int64_t first, int64_t round, int64_t ctas) {
  bool is_persistent = tiles->schedule == CAKE_SCHEDULE_PERSISTENT;
  if (is_persistent && tiles->slowest_axis >= 0) return longest_first(tiles, first, round, ctas);
  return is_persistent || round == 0 ? first + round * ctas : tiles->items;
}

// ---- The names of an item --------------------------------------------------------------------------------------------------

bool cake_sim_name_of_item(void *user, CakeId name, int64_t *out) {
  const CakeSimMachine *machine = user;
  const CakeSimTiles *tiles = machine->item_tiles;
  int axis = tiles ? cake_axes_find(cake_cake_tiles_axes(tiles->decl), name) : -1;
  if (axis >= 0) *out = machine->item_at[axis];
  for (size_t i = 0; tiles && axis < 0 && i < machine->n_lets; i++) {
    if (tiles->lets[i].name != name) continue;
    *out = machine->lets[i];
    return true;
  }
  return axis >= 0;
}

static bool fail(CakeSimMachine *machine, CakeOp *op, const char *what, CakeId name) {
  cake_sim_error(machine, op, CAKE_CODE_SIM_UNDEFINED, "%s '%s' cannot be computed for this item", what, name->text);
  return false;
}

// The element's number in its array; false: reported.
static bool element_number(CakeSimMachine *machine, CakeOp *op, const CakeSimLet *let, const CakeExprEnv *env,
                           int64_t *out) {
  const CakeSimArray *array = let->array->array;
  *out = 0;
  for (size_t d = 0; d < array->rank; d++) {
    int64_t index;
    if (!cake_expr_eval(cake_at_expr(let->value, d), env, &index)) return fail(machine, op, "name", let->name);
    if (index < 0 || index >= array->dims[d]) {
      cake_sim_error(machine, op, CAKE_CODE_SIM_OUT_OF_BOUNDS,
                     "lets '%s' be element %lld of dimension %zu of array '%s', which has %lld", let->name->text,
                     (long long)index, d, let->array->name->text, (long long)array->dims[d]);
      return false;
    }
    *out += index * let->array->strides[d];
  }
  return true;
}

static bool compute_names(CakeSimMachine *machine, CakeOp *op, const CakeSimTiles *tiles, const CakeExprEnv *env) {
  for (machine->n_lets = 0; machine->n_lets < tiles->n_lets; machine->n_lets++) {
    const CakeSimLet *let = &tiles->lets[machine->n_lets];
    int64_t *value = &machine->lets[machine->n_lets], element;
    if (!let->array) {
      if (!cake_expr_eval(let->value, env, value)) return fail(machine, op, "name", let->name);
    } else if (element_number(machine, op, let, env, &element)) {
      cake_sim_read(let->array->element, let->array->array->data, element, 1, value);
    } else {
      return false;
    }
    if (*value >= 0) continue;
    cake_sim_error(machine, op, CAKE_CODE_SIM_UNDEFINED, "lets '%s' be %lld; a name of an item must not be negative",
                   let->name->text, (long long)*value);
    return false;
  }
  return true;
}

static bool check_bound(CakeSimMachine *machine, const CakeSimTiles *tiles, const CakeExprEnv *env) {
  bool holds = false;
  if (!tiles->bound || (cake_pred_eval(tiles->bound, env, &holds) && holds)) return true;
  CakeBuf values = {0};
  for (size_t i = 0; i < tiles->n_lets; i++)
    cake_buf_printf(&values, "%s%s = %lld", i ? ", " : "", tiles->lets[i].name->text, (long long)machine->lets[i]);
  cake_sim_error(machine, tiles->decl, CAKE_CODE_SIM_UNDEFINED, "promises %s, which does not hold: %.*s",
                 cake_body_text(cake_cake_tiles_bound(tiles->decl)), (int)values.len, values.data);
  cake_buf_fini(&values);
  return false;
}

CakeSimStep cake_sim_begin_item(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimTiles *tiles,
                                int64_t item) {
  CakeExprEnv env = {.name = cake_sim_name_of_item, .user = machine};
  machine->item_tiles = tiles;
  machine->item = item;
  machine->item_steps = 1;
  machine->n_lets = 0;
  cake_sim_item_at(tiles, item, machine->item_at);
  if (!compute_names(machine, tiles->decl, tiles, &env) || !check_bound(machine, tiles, &env)) return CAKE_SIM_FAILED;
  for (size_t i = 0; i < tiles->n_axes; i++) {
    int64_t extent = 0;
    if (!tiles->of_item[i]) continue;
    if (!cake_expr_eval(tiles->of_item[i], &env, &extent)) {
      fail(machine, instr->op, "the extent of axis", cake_axes_name(cake_cake_tiles_axes(tiles->decl), i));
      return CAKE_SIM_FAILED;
    }
    if (machine->item_at[i] >= extent) return CAKE_SIM_JUMP;
  }
  if (tiles->steps && !cake_expr_eval(tiles->steps, &env, &machine->item_steps))
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                          "has a number of steps that cannot be computed for this item");
  return CAKE_SIM_NEXT;
}
