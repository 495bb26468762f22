// Affine maps and integer sets as text, in MLIR's spelling.
#include "cake/affine.h"

#include "printer.h"

static void print_expr(CakeBuf *out, CakeAttr expr, bool tight);

static const char *spelling(CakeAffineKind kind) {
  switch (kind) {
  case CAKE_AFFINE_MUL: return " * ";
  case CAKE_AFFINE_FLOORDIV: return " floordiv ";
  case CAKE_AFFINE_CEILDIV: return " ceildiv ";
  case CAKE_AFFINE_MOD: return " mod ";
  case CAKE_AFFINE_DIM:
  case CAKE_AFFINE_SYMBOL:
  case CAKE_AFFINE_CONSTANT:
  case CAKE_AFFINE_ADD: break;
  }
  return " + ";
}

static bool is_constant(CakeAttr expr, int64_t value) {
  return cake_affine_is_constant(expr) && cake_affine_value(expr) == value;
}

static void print_constant(CakeBuf *out, int64_t value) {
  if (value == INT64_MIN) // its digits do not fit
    cake_buf_text(out, "(-9223372036854775807 - 1)");
  else
    cake_buf_int(out, value);
}

static void print_product(CakeBuf *out, CakeAttr expr) {
  CakeAttr lhs = cake_affine_lhs(expr), rhs = cake_affine_rhs(expr);
  if (cake_affine_kind(expr) == CAKE_AFFINE_MUL && is_constant(rhs, -1)) {
    cake_buf_char(out, '-');
    print_expr(out, lhs, true);
    return;
  }
  print_expr(out, lhs, true);
  cake_buf_text(out, spelling(cake_affine_kind(expr)));
  print_expr(out, rhs, true);
}

// What is added, with a minus when it is negative.
static void print_addend(CakeBuf *out, CakeAttr rhs) {
  bool is_product = cake_affine_kind(rhs) == CAKE_AFFINE_MUL && cake_affine_is_constant(cake_affine_rhs(rhs));
  int64_t factor = is_product ? cake_affine_value(cake_affine_rhs(rhs)) : 0;
  if (is_product && factor < 0 && factor > INT64_MIN) {
    CakeAttr lhs = cake_affine_lhs(rhs);
    cake_buf_text(out, " - ");
    print_expr(out, lhs, factor < -1 || cake_affine_kind(lhs) == CAKE_AFFINE_ADD);
    if (factor == -1) return;
    cake_buf_text(out, " * ");
    cake_buf_int(out, -factor);
  } else if (cake_affine_is_constant(rhs) && cake_affine_value(rhs) < 0 && cake_affine_value(rhs) > INT64_MIN) {
    cake_buf_text(out, " - ");
    cake_buf_int(out, -cake_affine_value(rhs));
  } else {
    cake_buf_text(out, " + ");
    print_expr(out, rhs, false);
  }
}

// `tight`: operations are parenthesised. Depth is bounded where expressions are read.
static void print_expr(CakeBuf *out, CakeAttr expr, bool tight) {
  switch (cake_affine_kind(expr)) {
  case CAKE_AFFINE_DIM:
  case CAKE_AFFINE_SYMBOL:
    cake_buf_char(out, cake_affine_kind(expr) == CAKE_AFFINE_DIM ? 'd' : 's');
    cake_buf_int(out, cake_affine_value(expr));
    return;
  case CAKE_AFFINE_CONSTANT: print_constant(out, cake_affine_value(expr)); return;
  default: break;
  }
  if (tight) cake_buf_char(out, '(');
  if (cake_affine_kind(expr) == CAKE_AFFINE_ADD) {
    print_expr(out, cake_affine_lhs(expr), false);
    print_addend(out, cake_affine_rhs(expr));
  } else {
    print_product(out, expr);
  }
  if (tight) cake_buf_char(out, ')');
}

static void print_names(CakeBuf *out, char open, char letter, int64_t count, char close) {
  cake_buf_char(out, open);
  for (int64_t i = 0; i < count; i++) {
    if (i) cake_buf_text(out, ", ");
    cake_buf_char(out, letter);
    cake_buf_int(out, i);
  }
  cake_buf_char(out, close);
}

void cake_printer_affine(CakeBuf *out, CakeAttr attr) {
  bool is_set = attr->def == &cake_attr_def_affine_set;
  cake_buf_text(out, is_set ? "affine_set<" : "affine_map<");
  print_names(out, '(', 'd', cake_affine_dims(attr), ')');
  if (cake_affine_symbols(attr)) print_names(out, '[', 's', cake_affine_symbols(attr), ']');
  cake_buf_text(out, is_set ? " : (" : " -> (");
  for (size_t i = 0; i < cake_affine_count(attr); i++) {
    if (i) cake_buf_text(out, ", ");
    print_expr(out, cake_affine_result(attr, i), false);
    if (is_set) cake_buf_text(out, cake_affine_is_equality(attr, i) ? " == 0" : " >= 0");
  }
  cake_buf_text(out, ")>");
}
