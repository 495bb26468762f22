// The types of the cake dialect: global and shared views, slots, pending accumulators and running bests.
#include "dialects/cake/cake_verify.h"

// ---- Dimensions ----------------------------------------------------------------------------------------------------

static bool read_dimension(CakeParser *parser, CakeAttr *out) {
  CakeContext *context = cake_parser_context(parser);
  int64_t size = 0;
  bool has_bracket = false;
  if (!cake_parser_dimension(parser, &size, &has_bracket)) return false;
  if (has_bracket) {
    CakeExprReader reader = {.parser = parser, .no_operands = true};
    return cake_expr_read(&reader, out) && cake_parser_expect(parser, CAKE_TOK_RSQUARE);
  }
  *out = size == CAKE_DYNAMIC ? cake_expr_leaf(context, CAKE_EXPR_UNKNOWN) : cake_expr_const(context, size);
  return true;
}

static bool at_x(CakeParser *parser) {
  return cake_parser_token(parser) == CAKE_TOK_BARE && cake_parser_spelling(parser).len > 0 &&
         cake_parser_spelling(parser).ptr[0] == 'x';
}

bool cake_dims_read(CakeParser *parser, CakeDims *out, bool before_element) {
  out->count = 0;
  if (before_element && !cake_parser_at_dimension(parser)) return true;
  for (;;) {
    if (out->count == CAKE_MAX_RANK)
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "more than %d dimensions", CAKE_MAX_RANK);
    if (!read_dimension(parser, &out->exprs[out->count++])) return false;
    if (!before_element && !at_x(parser)) return true;
    if (!cake_parser_x(parser)) return false;
    if (before_element && !cake_parser_at_dimension(parser)) return true;
  }
}

void cake_dims_write(CakeBuf *out, const CakeParam *params, size_t count, bool before_element) {
  CakeExprWriter writer = {.out = out};
  for (size_t i = 0; i < count; i++) {
    CakeExprKind kind = cake_expr_kind(params[i].attr);
    bool has_bracket = kind != CAKE_EXPR_CONST && kind != CAKE_EXPR_UNKNOWN;
    if (has_bracket) cake_buf_char(out, '[');
    cake_expr_write(&writer, params[i].attr);
    if (has_bracket) cake_buf_char(out, ']');
    if (before_element || i + 1 < count) cake_buf_char(out, 'x');
  }
}

// `<` dims element, up to what follows the element.
static bool read_head(CakeParser *parser, CakeDims *dims, CakeType *element) {
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) || !cake_dims_read(parser, dims, true)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_type(parser, element)) return false;
  uint32_t width = cake_type_width(*element);
  if (width >= 8 && width % 8 == 0) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                              "an element must be an integer or float of whole bytes, but this is '%s'",
                              cake_type_text(*element));
}

static void write_head(CakePrinter *printer, CakeType element, const CakeParam *dims, size_t rank) {
  CakeBuf *out = cake_printer_buf(printer);
  cake_buf_char(out, '<');
  cake_dims_write(out, dims, rank, true);
  cake_printer_type(printer, element);
}

static CakeType make(const CakeTypeDef *def, const CakeParam *head, size_t n_head, const CakeAttr *dims, size_t rank) {
  CakeParam params[4 + CAKE_MAX_RANK];
  for (size_t i = 0; i < n_head; i++)
    params[i] = head[i];
  if (rank > CAKE_MAX_RANK) rank = CAKE_MAX_RANK; // readers refuse more
  for (size_t i = 0; i < rank; i++)
    params[n_head + i] = cake_param_attr(dims[i]);
  return cake_type_get(head[0].type->context, def, params, n_head + rank);
}

// ---- !cake.global --------------------------------------------------------------------------------------------------

CakeType cake_global_get(CakeType element, int64_t flags, int64_t align, const CakeAttr *dims, size_t rank) {
  CakeParam head[] = {cake_param_type(element), cake_param_int(flags), cake_param_int(align)};
  return make(&cake_type_def_global, head, 3, dims, rank);
}

static bool parse_global(CakeParser *parser, CakeType *out) {
  CakeDims dims;
  CakeType element;
  int64_t flags = 0, align = 0;
  if (!read_head(parser, &dims, &element)) return false;
  while (cake_parser_accept(parser, CAKE_TOK_COMMA)) {
    CakeLoc loc = cake_parser_loc(parser);
    if (cake_parser_accept_keyword(parser, "readonly")) {
      flags |= CAKE_GLOBAL_READONLY;
      continue;
    }
    if (!cake_parser_expect_keyword(parser, "align") || !cake_parser_int(parser, &align)) return false;
    bool is_power = align >= 1 && align <= 4096 && (align & (align - 1)) == 0;
    if (!is_power)
      return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                                  "alignment must be a power of two from 1 to 4096");
  }
  if (!cake_parser_expect(parser, CAKE_TOK_GREATER)) return false;
  *out = cake_global_get(element, flags, align, dims.exprs, dims.count);
  return true;
}

static void print_global(CakePrinter *printer, CakeType type) {
  CakeBuf *out = cake_printer_buf(printer);
  write_head(printer, cake_global_element(type), type->params + 3, cake_global_rank(type));
  if (cake_global_flags(type) & CAKE_GLOBAL_READONLY) cake_buf_text(out, ", readonly");
  if (cake_global_align(type)) cake_buf_printf(out, ", align %lld", (long long)cake_global_align(type));
  cake_buf_char(out, '>');
}

// ---- !cake.shared --------------------------------------------------------------------------------------------------

static const char *const storage_words[] = {"rows", "sw128", "sw64", "sw32"};
static const int64_t panel_bytes[] = {0, 128, 64, 32};

const char *cake_storage_name(CakeStorage storage) {
  return storage_words[storage];
}

CakeType cake_shared_get(CakeType element, CakeStorage storage, int64_t pad, const CakeAttr *dims, size_t rank) {
  CakeParam head[] = {cake_param_type(element), cake_param_int(storage), cake_param_int(pad)};
  return make(&cake_type_def_shared, head, 3, dims, rank);
}

static bool read_pad(CakeParser *parser, int64_t *out) {
  if (!cake_parser_accept(parser, CAKE_TOK_LESS)) return true;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_expect_keyword(parser, "pad") || !cake_parser_int(parser, out) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  if (*out >= 0 && *out <= 65536) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER, "a row is padded by 0 to 65536 bytes");
}

static bool parse_shared(CakeParser *parser, CakeType *out) {
  CakeDims dims;
  CakeType element;
  int64_t storage = 0, pad = 0;
  CakeLoc loc = cake_parser_loc(parser);
  if (!read_head(parser, &dims, &element) || !cake_parser_expect(parser, CAKE_TOK_COMMA) ||
      !cake_word_read(parser, storage_words, CAKE_COUNT(storage_words), "a storage form", &storage))
    return false;
  if (storage == CAKE_STORAGE_ROWS && !read_pad(parser, &pad)) return false;
  if (!cake_parser_expect(parser, CAKE_TOK_GREATER)) return false;
  if (dims.count != 1 && dims.count != 2)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "shared memory is viewed with one or two dimensions, but this has %zu", dims.count);
  *out = cake_shared_get(element, (CakeStorage)storage, pad, dims.exprs, dims.count);
  return true;
}

static void print_shared(CakePrinter *printer, CakeType type) {
  CakeBuf *out = cake_printer_buf(printer);
  write_head(printer, cake_shared_element(type), type->params + 3, cake_shared_rank(type));
  cake_buf_printf(out, ", %s", storage_words[cake_shared_storage(type)]);
  if (cake_shared_pad(type)) cake_buf_printf(out, "<pad %lld>", (long long)cake_shared_pad(type));
  cake_buf_char(out, '>');
}

int64_t cake_shared_size(CakeType type, size_t i) {
  int64_t size;
  return cake_expr_is_const(cake_shared_dim(type, i), &size) ? size : -1;
}

// Rows and bytes of a row (without padding); false before instantiation, or when the sizes make no sense.
static bool shared_extent(CakeType type, int64_t *rows, int64_t *row_bytes) {
  size_t rank = cake_shared_rank(type);
  *rows = rank == 2 ? cake_shared_size(type, 0) : 1;
  int64_t cols = cake_shared_size(type, rank - 1);
  if (*rows < 0 || cols < 0 || *rows > INT32_MAX || cols > INT32_MAX / 8) return false;
  *row_bytes = cols * (cake_type_width(cake_shared_element(type)) / 8);
  return true;
}

int64_t cake_shared_bytes(CakeType type) {
  int64_t rows, row_bytes;
  if (!shared_extent(type, &rows, &row_bytes)) return -1;
  return rows * (row_bytes + cake_shared_pad(type));
}

int64_t cake_shared_panel(CakeType type) {
  return panel_bytes[cake_shared_storage(type)];
}

int64_t cake_shared_alignment(CakeType type) {
  // The swizzle repeats every 8 rows of the panel's width; bulk and tensor copies want 16 and 128 bytes.
  if (!cake_shared_panel(type)) return cake_shared_pad(type) ? 16 : 128;
  return 8 * cake_shared_panel(type);
}

int64_t cake_shared_offset(CakeType type, int64_t row, int64_t col) {
  int64_t rows, row_bytes;
  if (!shared_extent(type, &rows, &row_bytes)) return -1;
  int64_t size = cake_type_width(cake_shared_element(type)) / 8, width = cake_shared_panel(type);
  if (width == 0) return row * (row_bytes + cake_shared_pad(type)) + col * size;
  // The hardware XORs bits 4… of the address with bits 7…: the number of the 128-byte line inside the repeating
  // pattern.
  int64_t byte = col * size, panel = byte / width, inside = byte % width, line = row * width / 128 % (width / 16);
  return panel * rows * width + row * width + ((inside / 16) ^ line) * 16 + inside % 16;
}

// ---- !cake.tmem --------------------------------------------------------------------------------------------------

static const char *const tmem_words[] = {"acc", "a", "scales"};

static bool parse_tmem(CakeParser *parser, CakeType *out) {
  CakeDims dims;
  CakeType element;
  CakeParam head[3] = {{.kind = CAKE_PARAM_TYPE}, cake_param_int(0), cake_param_int(0)};
  CakeLoc loc = cake_parser_loc(parser);
  if (!read_head(parser, &dims, &element) || !cake_parser_expect(parser, CAKE_TOK_COMMA) ||
      !cake_word_read(parser, tmem_words, CAKE_COUNT(tmem_words), "a use of tensor memory", &head[1].i) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  if (dims.count != 2)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "tensor memory is viewed with two dimensions, but this has %zu", dims.count);
  head[0].type = element;
  *out = make(&cake_type_def_tmem, head, 3, dims.exprs, dims.count);
  return true;
}

static void print_tmem(CakePrinter *printer, CakeType type) {
  CakeBuf *out = cake_printer_buf(printer);
  write_head(printer, cake_shared_element(type), type->params + 3, cake_shared_rank(type));
  cake_buf_printf(out, ", %s>", tmem_words[cake_tmem_use(type)]);
}

// ---- !cake.slot ----------------------------------------------------------------------------------------------------

static const char *const state_words[] = {"open", "full"};

CakeType cake_slot_get(CakeContext *context, CakeId pipeline, CakeSlotState state) {
  CakeParam params[] = {cake_param_id(pipeline), cake_param_int(state)};
  return cake_type_get(context, &cake_type_def_slot, params, 2);
}

static bool parse_slot(CakeParser *parser, CakeType *out) {
  CakeId pipeline;
  int64_t state = 0;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) || !cake_parser_symbol(parser, &pipeline) ||
      !cake_parser_expect(parser, CAKE_TOK_COMMA) ||
      !cake_word_read(parser, state_words, 2, "a slot's state", &state) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  *out = cake_slot_get(cake_parser_context(parser), pipeline, (CakeSlotState)state);
  return true;
}

static void print_slot(CakePrinter *printer, CakeType type) {
  CakeBuf *out = cake_printer_buf(printer);
  cake_buf_char(out, '<');
  cake_printer_symbol(printer, cake_id_str(type->params[0].id));
  cake_buf_printf(out, ", %s>", state_words[type->params[1].i]);
}

// ---- !cake.turn ----------------------------------------------------------------------------------------------------

CakeType cake_turn_get(CakeContext *context, CakeId order) {
  CakeParam param = cake_param_id(order);
  return cake_type_get(context, &cake_type_def_turn, &param, 1);
}

static bool parse_turn(CakeParser *parser, CakeType *out) {
  CakeId order;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) || !cake_parser_symbol(parser, &order) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  *out = cake_turn_get(cake_parser_context(parser), order);
  return true;
}

static void print_turn(CakePrinter *printer, CakeType type) {
  CakeBuf *out = cake_printer_buf(printer);
  cake_buf_char(out, '<');
  cake_printer_symbol(printer, cake_id_str(type->params[0].id));
  cake_buf_char(out, '>');
}

// ---- !cake.pending -------------------------------------------------------------------------------------------------

CakeType cake_pending_of(CakeType type) {
  CakeFragment fragment;
  if (!cake_fragment_of(type, &fragment) || fragment.part != CAKE_FORM_WHOLE || fragment.kind != CAKE_FORM_WGMMA_ACC)
    return NULL;
  CakeAttr dims[] = {cake_fragment_dim(type, 0), cake_fragment_dim(type, 1)};
  CakeParam head[] = {cake_param_type(fragment.element), cake_param_attr(fragment.base)};
  return make(&cake_type_def_pending, head, 2, dims, 2);
}

static bool parse_pending(CakeParser *parser, CakeType *out) {
  CakeDims dims;
  CakeParam head[2];
  CakeType element;
  CakeAttr form;
  if (!read_head(parser, &dims, &element) || !cake_parser_expect(parser, CAKE_TOK_COMMA)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_dialect_attr_body(parser, &cake_dialect_cake, &form) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  if (form->def != &cake_attr_def_wgmma_acc && form->def != &cake_attr_def_tcgen05_acc)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "a pending accumulator has the form wgmma.acc or tcgen05.acc");
  if (dims.count != 2)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "a pending accumulator has two dimensions, but this has %zu", dims.count);
  head[0] = cake_param_type(element);
  head[1] = cake_param_attr(form);
  *out = make(&cake_type_def_pending, head, 2, dims.exprs, dims.count);
  return true;
}

static void print_pending(CakePrinter *printer, CakeType type) {
  CakeBuf *out = cake_printer_buf(printer);
  write_head(printer, type->params[0].type, type->params + 2, type->count - 2);
  cake_buf_text(out, ", ");
  cake_printer_attr_body(printer, type->params[1].attr);
  cake_buf_char(out, '>');
}

// ---- !cake.best ----------------------------------------------------------------------------------------------------

static const char *const order_words[] = {"min", "max"};
static const char *const tie_words[] = {"low", "high", "any"};
static const char *const nan_words[] = {"first", "last", "never"};

CakeBest cake_best_of(CakeType type) {
  const CakeParam *p = type->params;
  return (CakeBest){.element = p[0].type,
                    .rows = p[1].i,
                    .k = p[2].i,
                    .is_max = p[3].i != 0,
                    .tie = (CakeTie)p[4].i,
                    .nan = (CakeNan)p[5].i,
                    .group = p[6].i,
                    .form = p[7].attr};
}

// `, name<word>`
static bool read_option(CakeParser *parser, const char *name, const char *const *words, int count, CakeParam *out) {
  *out = cake_param_int(0);
  return cake_parser_expect(parser, CAKE_TOK_COMMA) && cake_parser_expect_keyword(parser, name) &&
         cake_parser_expect(parser, CAKE_TOK_LESS) && cake_word_read(parser, words, count, name, &out->i) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static bool read_group(CakeParser *parser, CakeParam *out) {
  *out = cake_param_int(0);
  if (!cake_parser_expect(parser, CAKE_TOK_COMMA) || !cake_parser_expect_keyword(parser, "group") ||
      !cake_parser_expect(parser, CAKE_TOK_LESS))
    return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_int(parser, &out->i) || !cake_parser_expect(parser, CAKE_TOK_GREATER)) return false;
  if (out->i == 1 || out->i == 2 || out->i == 4 || out->i == 8) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER, "candidates are taken in groups of 1, 2, 4 or 8");
}

static bool read_best_form(CakeParser *parser, CakeParam *out) {
  if (!cake_parser_expect(parser, CAKE_TOK_COMMA)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  CakeAttr form;
  if (!cake_parser_dialect_attr_body(parser, &cake_dialect_cake, &form) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  *out = cake_param_attr(form);
  if (form->def == &cake_attr_def_wgmma_acc || form->def == &cake_attr_def_mma_acc ||
      form->def == &cake_attr_def_tmem_ld)
    return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                              "candidates have the form wgmma.acc, mma.acc or tmem.ld");
}

static bool parse_best(CakeParser *parser, CakeType *out) {
  CakeLoc loc = cake_parser_loc(parser);
  CakeDims dims;
  CakeParam params[8];
  if (!read_head(parser, &dims, &params[0].type) || !cake_parser_expect(parser, CAKE_TOK_COMMA)) return false;
  params[0].kind = CAKE_PARAM_TYPE;
  params[1] = params[2] = params[3] = cake_param_int(0);
  if (dims.count != 2 || !cake_expr_is_const(dims.exprs[0], &params[1].i) ||
      !cake_expr_is_const(dims.exprs[1], &params[2].i) || params[1].i < 1)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "a running best has two sizes: rows and places of a row");
  if (params[2].i != 1)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER, "a running best keeps 1 place of a row");
  if (!cake_type_is_float(params[0].type, CAKE_FLOAT_F32))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "candidates are of type 'f32', but these are of type '%s'",
                                cake_type_text(params[0].type));
  if (!cake_word_read(parser, order_words, 2, "min or max", &params[3].i) ||
      !read_option(parser, "tie", tie_words, 3, &params[4]) || !read_option(parser, "nan", nan_words, 3, &params[5]) ||
      !read_group(parser, &params[6]) || !read_best_form(parser, &params[7]))
    return false;
  *out = cake_type_get(cake_parser_context(parser), &cake_type_def_best, params, 8);
  return true;
}

static void print_best(CakePrinter *printer, CakeType type) {
  CakeBuf *out = cake_printer_buf(printer);
  CakeBest best = cake_best_of(type);
  cake_buf_printf(out, "<%lldx%lldx", (long long)best.rows, (long long)best.k);
  cake_printer_type(printer, best.element);
  cake_buf_printf(out, ", %s, tie<%s>, nan<%s>, group<%lld>, ", order_words[best.is_max], tie_words[best.tie],
                  nan_words[best.nan], (long long)best.group);
  cake_printer_attr_body(printer, best.form);
  cake_buf_char(out, '>');
}

// ---- Definitions ---------------------------------------------------------------------------------------------------

const CakeTypeDef cake_type_def_global = {
    .name = "global",
    .dialect = &cake_dialect_cake,
    .summary = "A row-major array in global memory.",
    .syntax = "`!cake.global<` (size `x`)* element (`,` (`readonly` | `align` int))* `>`",
    .description = "A size is a number, a named size `[N]` (bound from the array at launch; equal names are equal "
                   "sizes) or a template parameter `[D]`. `align`: bytes to which its address is aligned.",
    .parse = parse_global,
    .print = print_global};
const CakeTypeDef cake_type_def_shared = {
    .name = "shared",
    .dialect = &cake_dialect_cake,
    .traits = CAKE_TYPE_VIEW,
    .summary = "A view of shared memory.",
    .syntax = "`!cake.shared<` (size `x`)+ element `,` (`rows` (`<pad` int `>`)? | `sw128` | `sw64` | `sw32`) `>`",
    .description = "`rows`: row after row, each followed by `pad` bytes. `swW`: panels W bytes wide, row after row, "
                   "the 16-byte chunks of a row permuted as tensor copies do it.",
    .parse = parse_shared,
    .print = print_shared};
const CakeTypeDef cake_type_def_tmem = {
    .name = "tmem",
    .dialect = &cake_dialect_cake,
    .traits = CAKE_TYPE_VIEW,
    .summary = "A view of tensor memory.",
    .syntax = "`!cake.tmem<` size `x` size `x` element `,` (`acc` | `a` | `scales`) `>`",
    .description = "`acc`: an accumulator of tcgen05, a row a lane, 32-bit columns. `a`: a left operand of 16-bit "
                   "elements. `scales`: block scales.",
    .parse = parse_tmem,
    .print = print_tmem};
const CakeTypeDef cake_type_def_slot = {.name = "slot",
                                        .dialect = &cake_dialect_cake,
                                        .traits = CAKE_TYPE_LINEAR,
                                        .summary = "A slot of a pipeline, held by one role.",
                                        .syntax = "`!cake.slot<@` pipeline `,` (`open` | `full`) `>`",
                                        .description =
                                            "Used up exactly once: an open slot by `commit`, a full one by `release`.",
                                        .parse = parse_slot,
                                        .print = print_slot};
const CakeTypeDef cake_type_def_turn = {.name = "turn",
                                        .dialect = &cake_dialect_cake,
                                        .traits = CAKE_TYPE_LINEAR,
                                        .summary = "A replica's turn in an order.",
                                        .syntax = "`!cake.turn<@` order `>`",
                                        .description = "Used up exactly once, by `pass`.",
                                        .parse = parse_turn,
                                        .print = print_turn};
const CakeTypeDef cake_type_def_pending = {
    .name = "pending",
    .dialect = &cake_dialect_cake,
    .traits = CAKE_TYPE_LINEAR,
    .summary = "An accumulator that the matrix unit may still write.",
    .syntax = "`!cake.pending<` size `x` size `x` element `,` (`wgmma.acc` | `tcgen05.acc`) `>`",
    .description = "Used up exactly once: by the next `mma` of its chain or by `await`.",
    .parse = parse_pending,
    .print = print_pending,
    .fix = "`cake.await` gives the value of a pending accumulator"};
const CakeTypeDef cake_type_def_best = {
    .name = "best",
    .dialect = &cake_dialect_cake,
    .summary = "The best value so far of each row, with its index.",
    .syntax = "`!cake.best<` rows `x1xf32,` (`min` | `max`) `, tie<` (`low` | `high` | `any`) `>, nan<` (`first` | "
              "`last` | `never`) `>, group<` (`1` | `2` | `4` | `8`) `>,` form `>`",
    .description = "`tie`: which index wins among equal values. `nan`: whether NaN ranks before or behind every "
                   "number, or is promised not to occur. `group`: how many columns of a lane are compared with the "
                   "running best at once; the result does not depend on it.",
    .parse = parse_best,
    .print = print_best};
