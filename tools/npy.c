// Reads and writes .npy files. The header is a Python dictionary; what NumPy writes into it is all that is understood.
#include "tools/npy.h"

#include "cake/float.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "npy.c copies little-endian numbers to memory as they are"
#endif

static const struct {
  const char *descr; // behind the byte order
  const char *name;
  unsigned bytes;
} types[] = {
    [CAKE_NPY_F2] = {"f2", "float16", 2},
      [CAKE_NPY_F4] = {"f4", "float32", 4},
      [CAKE_NPY_F8] = {"f8", "float64", 8},
    [CAKE_NPY_I1] = {"i1", "int8",    1},
      [CAKE_NPY_I2] = {"i2", "int16",   2},
      [CAKE_NPY_I4] = {"i4", "int32",   4},
    [CAKE_NPY_I8] = {"i8", "int64",   8},
      [CAKE_NPY_U1] = {"u1", "uint8",   1},
      [CAKE_NPY_U2] = {"u2", "uint16",  2},
    [CAKE_NPY_U4] = {"u4", "uint32",  4},
      [CAKE_NPY_U8] = {"u8", "uint64",  8},
      [CAKE_NPY_B1] = {"b1", "bool",    1},
};

const char *cake_npy_type_name(CakeNpyType type) {
  return types[type].name;
}

size_t cake_npy_type_bytes(CakeNpyType type) {
  return types[type].bytes;
}

void cake_npy_fini(CakeNpy *array) {
  cake_buf_fini(&array->storage);
  *array = (CakeNpy){0};
}

// Memory for `array->count` elements.
static void allocate(CakeNpy *array) {
  cake_buf_fill(&array->storage, '\0', array->count * types[array->type].bytes + 1); // never an empty buffer
  array->data = array->storage.data;
}

// False when the product of the shape in bytes does not fit into a size.
static bool count_elements(CakeNpy *array) {
  size_t limit = SIZE_MAX / 2 / types[array->type].bytes, count = 1;
  for (unsigned i = 0; i < array->rank; i++) {
    if (array->shape[i] != 0 && count > limit / array->shape[i]) return false;
    count *= (size_t)array->shape[i];
  }
  array->count = count;
  return true;
}

void cake_npy_init(CakeNpy *out, CakeNpyType type, unsigned rank, const uint64_t *shape) {
  *out = (CakeNpy){.type = type, .rank = rank};
  if (rank) memcpy(out->shape, shape, rank * sizeof *shape); // a scalar may have no shape at all
  if (!count_elements(out)) cake_out_of_memory(SIZE_MAX);
  allocate(out);
}

double cake_npy_get(const CakeNpy *array, size_t i) {
  switch (array->type) {
  case CAKE_NPY_F2: return (double)cake_f16_to_f32(((const uint16_t *)array->data)[i]);
  case CAKE_NPY_F4: return (double)((const float *)array->data)[i];
  case CAKE_NPY_F8: return ((const double *)array->data)[i];
  case CAKE_NPY_I1: return ((const int8_t *)array->data)[i];
  case CAKE_NPY_I2: return ((const int16_t *)array->data)[i];
  case CAKE_NPY_I4: return ((const int32_t *)array->data)[i];
  case CAKE_NPY_I8: return (double)((const int64_t *)array->data)[i];
  case CAKE_NPY_U2: return ((const uint16_t *)array->data)[i];
  case CAKE_NPY_U4: return ((const uint32_t *)array->data)[i];
  case CAKE_NPY_U8: return (double)((const uint64_t *)array->data)[i];
  case CAKE_NPY_U1:
  case CAKE_NPY_B1: break;
  }
  return ((const uint8_t *)array->data)[i];
}

void cake_npy_append_shape(const CakeNpy *array, CakeBuf *out) {
  cake_buf_char(out, '(');
  for (unsigned i = 0; i < array->rank; i++)
    cake_buf_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)array->shape[i]);
  cake_buf_text(out, array->rank == 1 ? ",)" : ")");
}

// ---- Reading -------------------------------------------------------------------------------------------------------

typedef struct Reader {
  const char *name; // of the file
  const char *bytes;
  size_t end; // of the header
  size_t at;
  CakeBuf *error;
} Reader;

static bool fail(Reader *reader, const char *what) {
  cake_buf_printf(reader->error, "%s: byte %zu: %s", reader->name, reader->at, what);
  return false;
}

// Appends bytes of the file to the error, harmless for a terminal.
static void append_quoted(CakeBuf *out, CakeStr bytes) {
  cake_buf_char(out, '\'');
  for (size_t i = 0; i < bytes.len && i < 32; i++)
    cake_buf_char(out, bytes.ptr[i] >= ' ' && bytes.ptr[i] <= '~' ? bytes.ptr[i] : '?');
  cake_buf_text(out, bytes.len > 32 ? "…'" : "'");
}

static void skip_spaces(Reader *reader) {
  while (reader->at < reader->end && strchr(" \t\r\n", reader->bytes[reader->at]) && reader->bytes[reader->at] != '\0')
    reader->at++;
}

// Takes `c` if it comes next.
static bool accept(Reader *reader, char c) {
  skip_spaces(reader);
  if (reader->at == reader->end || reader->bytes[reader->at] != c) return false;
  reader->at++;
  return true;
}

static bool expect(Reader *reader, char c) {
  if (accept(reader, c)) return true;
  char what[] = "expected 'x' in the header";
  what[10] = c;
  return fail(reader, what);
}

static bool accept_word(Reader *reader, const char *word) {
  skip_spaces(reader);
  size_t len = strlen(word);
  if (reader->end - reader->at < len || memcmp(reader->bytes + reader->at, word, len) != 0) return false;
  reader->at += len;
  return true;
}

static bool read_string(Reader *reader, CakeStr *out) {
  skip_spaces(reader);
  char quote = reader->at < reader->end ? reader->bytes[reader->at] : '\0';
  if (quote != '\'' && quote != '"') return fail(reader, "expected a quoted string in the header");
  size_t start = ++reader->at;
  while (reader->at < reader->end && reader->bytes[reader->at] != quote)
    reader->at++;
  if (reader->at == reader->end) return fail(reader, "a string of the header does not end");
  *out = (CakeStr){reader->bytes + start, reader->at++ - start};
  return true;
}

static bool find_type(CakeStr descr, CakeNpyType *out) {
  for (size_t i = 0; i < CAKE_COUNT(types); i++) {
    bool order = descr.len == 3 && (descr.ptr[0] == '<' || (descr.ptr[0] == '|' && types[i].bytes == 1));
    if (!order || memcmp(descr.ptr + 1, types[i].descr, 2) != 0) continue;
    *out = (CakeNpyType)i;
    return true;
  }
  return false;
}

static bool read_descr(Reader *reader, CakeNpy *out) {
  skip_spaces(reader);
  size_t start = reader->at;
  if (start < reader->end && reader->bytes[start] == '[')
    return fail(reader, "an array of records; wanted plain numbers");
  CakeStr descr;
  if (!read_string(reader, &descr)) return false;
  if (find_type(descr, &out->type)) return true;
  cake_buf_printf(reader->error, "%s: byte %zu: element type ", reader->name, start);
  append_quoted(reader->error, descr);
  cake_buf_text(reader->error,
                "; wanted little-endian '<f2', '<f4', '<f8', '<i2', '<i4', '<i8', '<u2', '<u4', '<u8' or '|i1', "
                "'|u1', '|b1'");
  return false;
}

static bool read_order(Reader *reader) {
  if (accept_word(reader, "False")) return true;
  if (accept_word(reader, "True"))
    return fail(reader, "the array is in Fortran order; wanted C order (numpy.ascontiguousarray)");
  return fail(reader, "expected True or False for fortran_order");
}

static bool read_number(Reader *reader, uint64_t *out) {
  skip_spaces(reader);
  size_t start = reader->at;
  uint64_t value = 0;
  for (; reader->at < reader->end && reader->bytes[reader->at] >= '0' && reader->bytes[reader->at] <= '9';
       reader->at++) {
    uint64_t digit = (uint64_t)(reader->bytes[reader->at] - '0');
    if (value > (UINT64_MAX - digit) / 10) return fail(reader, "a size of the shape is too large");
    value = 10 * value + digit;
  }
  *out = value;
  return reader->at > start || fail(reader, "expected a size in the shape");
}

static bool read_shape(Reader *reader, CakeNpy *out) {
  if (!expect(reader, '(')) return false;
  out->rank = 0;
  while (!accept(reader, ')')) {
    if (out->rank == CAKE_NPY_MAX_RANK) return fail(reader, "more than 8 dimensions");
    if (!read_number(reader, &out->shape[out->rank++])) return false;
    if (accept(reader, ',')) continue;
    if (out->rank == 1) return fail(reader, "expected ',' behind the only size of the shape");
    if (!expect(reader, ')')) return false;
    break;
  }
  return true;
}

enum { HAS_DESCR = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static bool read_entry(Reader *reader, CakeNpy *out, unsigned *seen) {
  skip_spaces(reader);
  size_t start = reader->at;
  CakeStr key;
  if (!read_string(reader, &key)) return false;
  unsigned bit = cake_str_is(key, "descr")           ? HAS_DESCR
                 : cake_str_is(key, "fortran_order") ? HAS_ORDER
                 : cake_str_is(key, "shape")         ? HAS_SHAPE
                                                     : 0;
  if (bit == 0 || (*seen & bit)) {
    cake_buf_printf(reader->error, "%s: byte %zu: %s key ", reader->name, start, bit ? "second" : "unknown");
    append_quoted(reader->error, key);
    cake_buf_text(reader->error, " in the header; wanted descr, fortran_order, shape");
    return false;
  }
  *seen |= bit;
  if (!expect(reader, ':')) return false;
  if (bit == HAS_DESCR) return read_descr(reader, out);
  return bit == HAS_ORDER ? read_order(reader) : read_shape(reader, out);
}

static bool read_dictionary(Reader *reader, CakeNpy *out) {
  unsigned seen = 0;
  if (!expect(reader, '{')) return false;
  while (!accept(reader, '}')) {
    if (!read_entry(reader, out, &seen)) return false;
    if (accept(reader, ',')) continue;
    if (!expect(reader, '}')) return false;
    break;
  }
  if (!(seen & HAS_DESCR)) return fail(reader, "the header has no descr");
  if (!(seen & HAS_ORDER)) return fail(reader, "the header has no fortran_order");
  if (!(seen & HAS_SHAPE)) return fail(reader, "the header has no shape");
  skip_spaces(reader);
  return reader->at == reader->end || fail(reader, "expected only spaces behind the header's dictionary");
}

// Magic, version and the length of the header: leaves the reader at its dictionary, with its end.
static bool read_prefix(Reader *reader, size_t file_bytes) {
  static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
  if (file_bytes < 8 || memcmp(reader->bytes, magic, sizeof magic) != 0)
    return fail(reader, "this is not an .npy file");
  const unsigned char *bytes = (const unsigned char *)reader->bytes;
  reader->at = 6;
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
    return fail(reader, "unknown .npy version; wanted 1.0, 2.0 or 3.0");
  size_t width = bytes[6] == 1 ? 2 : 4;
  reader->at = 8;
  if (file_bytes < 8 + width) return fail(reader, "the file ends in the header's length");
  size_t len = 0;
  for (size_t i = 0; i < width; i++)
    len |= (size_t)bytes[8 + i] << (8 * i);
  if (len > file_bytes - 8 - width) {
    cake_buf_printf(reader->error, "%s: byte 8: the header has %zu bytes, the file only %zu behind it", reader->name,
                    len, file_bytes - 8 - width);
    return false;
  }
  reader->at = 8 + width;
  reader->end = reader->at + len;
  return true;
}

bool cake_npy_parse(CakeStr bytes, const char *name, CakeNpy *out, CakeBuf *error) {
  *out = (CakeNpy){0};
  CakeNpy array = {0};
  Reader reader = {name, bytes.ptr, 0, 0, error};
  if (!read_prefix(&reader, bytes.len) || !read_dictionary(&reader, &array)) return false;
  if (!count_elements(&array)) return fail(&reader, "the shape has more elements than memory can hold");
  size_t wanted = array.count * types[array.type].bytes, found = bytes.len - reader.end;
  if (wanted != found) {
    cake_buf_printf(error, "%s: byte %zu: %zu bytes of data, but shape ", name, reader.end, found);
    cake_npy_append_shape(&array, error);
    cake_buf_printf(error, " of %s needs %zu", types[array.type].name, wanted);
    return false;
  }
  allocate(&array);
  if (wanted > 0) memcpy(array.data, bytes.ptr + reader.end, wanted);
  *out = array;
  return true;
}

bool cake_npy_read(const char *path, CakeNpy *out, CakeBuf *error) {
  *out = (CakeNpy){0};
  CakeBuf bytes = {0};
  bool fine = cake_file_read(path, &bytes, error) && cake_npy_parse(cake_buf_view(&bytes), path, out, error);
  cake_buf_fini(&bytes);
  return fine;
}

// ---- Writing -------------------------------------------------------------------------------------------------------

enum { HEADER_ALIGNMENT = 64, PREFIX_BYTES = 10 };

static void append_header(const CakeNpy *array, CakeBuf *out) {
  CakeBuf header = {0};
  char order = types[array->type].bytes == 1 ? '|' : '<';
  cake_buf_printf(&header, "{'descr': '%c%s', 'fortran_order': False, 'shape': ", order, types[array->type].descr);
  cake_npy_append_shape(array, &header);
  cake_buf_text(&header, ", }");
  size_t used = PREFIX_BYTES + header.len + 1;
  cake_buf_fill(&header, ' ', (HEADER_ALIGNMENT - used % HEADER_ALIGNMENT) % HEADER_ALIGNMENT);
  cake_buf_char(&header, '\n');
  cake_buf_append(out, "\x93NUMPY\x01\x00", 8);
  cake_buf_char(out, (char)(header.len & 0xff));
  cake_buf_char(out, (char)(header.len >> 8));
  cake_buf_append(out, header.data, header.len);
  cake_buf_fini(&header);
}

bool cake_npy_write(const char *path, const CakeNpy *array, CakeBuf *error) {
  CakeBuf bytes = {0};
  append_header(array, &bytes);
  cake_buf_append(&bytes, array->data, array->count * types[array->type].bytes);
  bool fine = cake_file_write(path, cake_buf_view(&bytes), error);
  cake_buf_fini(&bytes);
  return fine;
}
