// Short elements, read quickly (quick.h): `dense<…> : type` and `array<type: …>`. Long ones are read by parser_dense.c, a list at a time.
#include "plain.h"
#include "quick.h"

#include <string.h>

enum { MOST_BYTES = 1 << 10 }; // of all elements

typedef struct Elements {
  CakeQuick *quick;
  CakeType type, element;
  size_t rank, size; // bytes of an element
  bool is_float, is_bit;
  CakePlainLimits limits; // of integers
  char *to;
} Elements;

static void put(Elements *elements, uint64_t word) {
  for (size_t i = 0; !CAKE_LITTLE_ENDIAN && i < sizeof word; i++)
    elements->to[i] = (char)(word >> (8 * i) & 0xff);
  if (CAKE_LITTLE_ENDIAN) memcpy(elements->to, &word, sizeof word);
  elements->to += elements->size;
}

// `true` or `false`; of other elements, or when neither stands there, false.
static bool read_bit(CakeQuick *quick, uint64_t *out) {
  *out = *quick->p == 't';
  return cake_quick_literal(quick, *out ? "true" : "false");
}

static bool read_element(const Elements *elements, uint64_t *out) {
  CakeQuickNumber number;
  double value;
  if (elements->is_bit && is(*elements->quick->p, LETTER)) return read_bit(elements->quick, out);
  if (!cake_quick_number(elements->quick, &number)) return false;
  if (elements->is_float) {
    if (!cake_quick_float(elements->quick, &number, elements->element, &value)) return false;
    *out = cake_float_encode(elements->element, value);
    return true;
  }
  *out = (number.is_negative ? 0 - number.value : number.value) & elements->limits.mask;
  return !number.is_float && cake_plain_fits(&elements->limits, number.is_negative, number.value);
}

static bool begin(Elements *elements, CakeQuick *quick, CakeType element) {
  *elements = (Elements){.quick = quick, .element = element, .size = cake_dense_size(element)};
  elements->is_float = cake_type_is_any_float(element);
  elements->is_bit = cake_type_is_integer(element, 1);
  if (!elements->size) return false;
  if (!elements->is_float) elements->limits = cake_plain_limits(element);
  return true;
}

// ---- dense<…> : type -----------------------------------------------------------------------------------------------

static bool read_comma(CakeQuick *quick) {
  if (*quick->p != ',') return false;
  quick->p += 1 + (quick->p[1] == ' ');
  return true;
}

// Integers of at most seven characters with `, ` behind each, as many as stand at the beginning of a row, but for the last of `count`. Where the
// next one begins does not wait for this one's value; and there is no branch on the sign, which can hardly be foreseen.
static int64_t read_short(Elements *elements, int64_t count) {
  const CakePlainLimits *limits = &elements->limits;
  const uint64_t mask = limits->mask, positive = limits->positive, more = limits->negative - limits->positive;
  const char *p = elements->quick->p;
  char *to = elements->to;
  int64_t i = 0;
  for (; CAKE_LITTLE_ENDIAN && i < count - 1; i++) {
    uint64_t chars;
    memcpy(&chars, p, sizeof chars);
    uint64_t others = chars ^ CAKE_EVERY(','), commas = (others - CAKE_EVERY(1)) & ~others & CAKE_EVERY(0x80);
    if (!commas) break;
    unsigned len = (unsigned)__builtin_ctzll(commas) / 8;
    uint64_t is_negative = (chars & 0xff) == '-', word = (chars >> 8 * is_negative) ^ CAKE_EVERY('0');
    unsigned n_digits = len - (unsigned)is_negative, rest = 63 - 8 * n_digits;
    uint64_t value = cake_eight_number(word << rest << 1), none = cake_eight_no_digits(word) << rest << 1;
    bool fits = (value <= positive + more * is_negative) & (value >= is_negative) & !none;
    if (p[len + 1] != ' ' || !n_digits || !fits) break;
    value = ((value ^ (0 - is_negative)) + is_negative) & mask;
    memcpy(to, &value, sizeof value);
    to += elements->size;
    p += len + 2;
  }
  elements->quick->p = p;
  elements->to = to;
  return i;
}

// `count` elements.
static bool read_row(Elements *elements, int64_t count) {
  CakeQuick *quick = elements->quick;
  bool may_be_short = !elements->is_float && !elements->is_bit;
  uint64_t word;
  for (int64_t i = may_be_short ? read_short(elements, count) : 0; i < count; i++) {
    if (!read_element(elements, &word) || (i < count - 1 && !read_comma(quick))) return false;
    put(elements, word);
  }
  return true;
}

// The list of a dimension.
static bool read_list(Elements *elements, size_t dim) {
  CakeQuick *quick = elements->quick;
  int64_t count = cake_type_dim(elements->type, dim);
  if (*quick->p++ != '[') return false;
  if (dim + 1 == elements->rank && !read_row(elements, count)) return false;
  for (int64_t i = 0; dim + 1 < elements->rank && i < count; i++)
    if ((i && !read_comma(quick)) || !read_list(elements, dim + 1)) return false;
  return *quick->p++ == ']';
}

// Behind `dense<`, of that type.
static bool read_literal(CakeQuick *quick, CakeType type, CakeAttr *out) {
  enum { DEEPEST = 8 };
  Elements elements;
  CakeBuf *bytes = &quick->parser->elements;
  int64_t rank = cake_type_is_shaped(type) ? cake_type_rank(type) : -1, count = rank < 0 ? -1 : cake_type_count(type);
  if (rank < 0 || rank > DEEPEST || count <= 0 || !begin(&elements, quick, cake_type_element(type))) return false;
  bool is_list = *quick->p == '[';
  if (!is_list) count = 1;
  if (count > MOST_BYTES) return false;
  size_t len = (size_t)count * elements.size;
  bytes->len = 0;
  cake_buf_reserve(bytes, len + sizeof(uint64_t));
  elements.type = type;
  elements.rank = (size_t)rank;
  elements.to = bytes->data;
  if (is_list ? !rank || !read_list(&elements, 0) : !read_row(&elements, 1)) return false;
  bytes->len = len;
  bytes->data[len] = '\0';
  bool is_splat = cake_dense_fold(bytes, elements.size) || !is_list;
  *out = cake_attr_dense_elements(type, cake_buf_view(bytes), is_splat);
  return true;
}

bool cake_quick_dense(CakeQuick *quick, CakeAttr *out) {
  enum { LONGEST = 4 << 10 };
  CakeType type;
  const char *begin = quick->p, *last = quick->parser->quick_end;
  const char *end = memchr(begin, '>', last - begin < LONGEST ? (size_t)(last - begin) : LONGEST);
  if (!end) return false;
  quick->p = end + 1;
  if (!cake_quick_char(quick, ':') || !cake_quick_type(quick, &type)) return false;
  const char *behind = quick->p;
  quick->p = begin;
  bool ok = read_literal(quick, type, out) && quick->p == end;
  quick->p = behind;
  return ok;
}

// ---- array<type: …> ------------------------------------------------------------------------------------------------

// Sign-extended, but a true stays 1.
static int64_t value_of(const Elements *elements, uint64_t word) {
  uint32_t unused = 64 - cake_type_width(elements->element);
  return elements->is_bit ? (int64_t)word : (int64_t)(word << unused) >> unused;
}

static bool read_array(Elements *elements) {
  CakeQuick *quick = elements->quick;
  do {
    uint64_t word;
    quick->p = cake_quick_start(quick);
    if (elements->is_bit ? !read_bit(quick, &word) : !read_element(elements, &word)) return false;
    CAKE_PUSH(&quick->parser->numbers, value_of(elements, word));
  } while (cake_quick_char(quick, ','));
  return true;
}

bool cake_quick_array(CakeQuick *quick, CakeAttr *out) {
  CakeParser *parser = quick->parser;
  Elements elements;
  CakeType type;
  if (!cake_quick_type(quick, &type) || !cake_type_width(type) || !begin(&elements, quick, type)) return false;
  if (!elements.is_bit && cake_type_width(type) % 8) return false;
  size_t base = parser->numbers.len;
  bool ok = (!cake_quick_char(quick, ':') || read_array(&elements)) && cake_quick_char(quick, '>');
  if (ok) *out = cake_attr_dense_array(type, CAKE_VEC_FROM(&parser->numbers, base), parser->numbers.len - base);
  parser->numbers.len = base;
  return ok;
}
