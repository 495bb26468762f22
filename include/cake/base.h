// Base: strings, arenas, growable buffers, a pointer map, and a JSON writer.
//
// Everything that Cake allocates lives in an arena or in a buffer that has one owner. Out of memory is the one fatal error.
#ifndef CAKE_BASE_H
#define CAKE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define CAKE_BEGIN_C extern "C" {
#define CAKE_END_C }
#else
#define CAKE_BEGIN_C
#define CAKE_END_C
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CAKE_NODISCARD __attribute__((warn_unused_result))
#define CAKE_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#define CAKE_NORETURN __attribute__((noreturn))
#else
#define CAKE_NODISCARD
#define CAKE_PRINTF(format_index, first_index)
#define CAKE_NORETURN
#endif

#define CAKE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

CAKE_BEGIN_C

// ---- Strings -------------------------------------------------------------------------------------------------------

// A borrowed run of bytes; not NUL-terminated, may hold any byte.
typedef struct CakeStr {
  const char *ptr;
  size_t len;
} CakeStr;

#define CAKE_STR(literal) ((CakeStr){(literal), sizeof(literal) - 1})
// For printf's "%.*s".
#define CAKE_STR_ARG(str) (int)(str).len, (str).ptr

CakeStr cake_str(const char *text); // strlen
bool cake_str_equal(CakeStr a, CakeStr b);
bool cake_str_is(CakeStr a, const char *text);
bool cake_str_starts_with(CakeStr a, const char *prefix);
uint64_t cake_hash_bytes(const void *bytes, size_t len, uint64_t seed);

// Of many names the one that is most like a misspelt one, for a hint: by letters that are left out, put in or exchanged.
typedef struct CakeNearest {
  CakeStr name;
  const char *best; // of those that were considered; NULL: none is near
  unsigned distance;
} CakeNearest;
CakeNearest cake_nearest_to(CakeStr name);
void cake_nearest_consider(CakeNearest *nearest, const char *candidate);

// ---- Arenas --------------------------------------------------------------------------------------------------------

// A bump allocator with size-class free lists. All memory is given back by `cake_arena_fini`. Zeroed memory is returned.
typedef struct CakeArena CakeArena;

CakeArena *cake_arena_create(void);
void cake_arena_destroy(CakeArena *arena);
// 8-byte aligned, zeroed.
void *cake_arena_alloc(CakeArena *arena, size_t size);
// Gives memory of `cake_arena_alloc(arena, size)` back to the size-class free list (poisoned under ASan).
void cake_arena_free(CakeArena *arena, void *memory, size_t size);
// Forgets everything but keeps one chunk.
void cake_arena_reset(CakeArena *arena);
// Bytes that are handed out and not given back, rounded up as they are kept.
size_t cake_arena_bytes(const CakeArena *arena);
// A NUL-terminated copy.
CakeStr cake_arena_str(CakeArena *arena, CakeStr str);
CakeStr cake_arena_printf(CakeArena *arena, const char *format, ...) CAKE_PRINTF(2, 3);

#define CAKE_ARENA_NEW(arena, type) ((type *)cake_arena_alloc((arena), sizeof(type)))
#define CAKE_ARENA_ARRAY(arena, type, count) ((type *)cake_arena_alloc((arena), sizeof(type) * (size_t)(count)))

// ---- Buffers -------------------------------------------------------------------------------------------------------

// A growable byte buffer, owned by its holder: zero-initialise (`CakeBuf b = {0}`), give back with `cake_buf_fini`.
// `data` is always NUL-terminated once something was appended.
typedef struct CakeBuf {
  char *data;
  size_t len;
  size_t capacity;
} CakeBuf;

void cake_buf_fini(CakeBuf *buf);
void cake_buf_clear(CakeBuf *buf);
// Makes room for `more` bytes and a NUL.
void cake_buf_reserve(CakeBuf *buf, size_t more);
static inline void cake_buf_append(CakeBuf *buf, const void *bytes, size_t len) {
  if (buf->capacity - buf->len <= len) cake_buf_reserve(buf, len);
  if (len) memcpy(buf->data + buf->len, bytes, len);
  buf->len += len;
  buf->data[buf->len] = '\0';
}
static inline void cake_buf_str(CakeBuf *buf, CakeStr str) { cake_buf_append(buf, str.ptr, str.len); }
static inline void cake_buf_text(CakeBuf *buf, const char *text) { cake_buf_append(buf, text, strlen(text)); }
static inline void cake_buf_char(CakeBuf *buf, char c) {
  if (buf->capacity - buf->len <= 1) cake_buf_reserve(buf, 1);
  buf->data[buf->len++] = c;
  buf->data[buf->len] = '\0';
}
void cake_buf_int(CakeBuf *buf, int64_t value);
void cake_buf_printf(CakeBuf *buf, const char *format, ...) CAKE_PRINTF(2, 3);
void cake_buf_vprintf(CakeBuf *buf, const char *format, va_list args);
void cake_buf_fill(CakeBuf *buf, char c, size_t count);
CakeStr cake_buf_view(const CakeBuf *buf);
// Reads a whole file ("-" is standard input). False: `error` has the reason in words.
CAKE_NODISCARD bool cake_file_read(const char *path, CakeBuf *out, CakeBuf *error);
// A whole file as text ("-" is standard input): a large one is a mapping, which takes memory only where it was read lately.
typedef struct CakeFileText {
  CakeStr text;
  bool is_mapped;
  CakeBuf read; // what is not mapped
} CakeFileText;
CAKE_NODISCARD bool cake_file_open_text(const char *path, CakeFileText *out, CakeBuf *error);
void cake_file_close_text(CakeFileText *text);
// Writes a file in parts, through a temporary beside it, so that a failure leaves no partial file ("-" is standard output; what is there but
// no regular file is written directly). After a failure, which is reported once, parts are ignored.
typedef struct CakeFileWriter {
  const char *path; // for messages
  char *target;     // links followed; NULL: written directly
  CakeBuf temporary;
  int fd;
  bool has_failed;
} CakeFileWriter;
CAKE_NODISCARD bool cake_file_begin(CakeFileWriter *writer, const char *path, CakeBuf *error);
void cake_file_append(CakeFileWriter *writer, CakeStr bytes, CakeBuf *error);
// Ends it. `keep` == false: nothing is left. True: all is written.
CAKE_NODISCARD bool cake_file_end(CakeFileWriter *writer, bool keep, CakeBuf *error);
// A whole file in one part.
CAKE_NODISCARD bool cake_file_write(const char *path, CakeStr bytes, CakeBuf *error);

// ---- Growable arrays -----------------------------------------------------------------------------------------------

// A typed growable array: `CAKE_VEC(CakeValue *) values = {0};  CAKE_PUSH(&values, v);  cake_vec_fini(&values)`.
#define CAKE_VEC(type)                                                                                                 \
  struct {                                                                                                             \
    type *data;                                                                                                        \
    size_t len, capacity;                                                                                              \
  }
#define CAKE_PUSH(vec, ...)                                                                                            \
  ((vec)->len == (vec)->capacity                                                                                       \
       ? (void)((vec)->data = cake_vec_grow((vec)->data, &(vec)->capacity, sizeof *(vec)->data))                       \
       : (void)0,                                                                                                      \
   (vec)->data[(vec)->len++] = (__VA_ARGS__))
// What stands in it from `at` on; NULL while it has no memory, to which nothing may be added.
#define CAKE_VEC_FROM(vec, at) ((vec)->data ? (vec)->data + (at) : NULL)
#define CAKE_VEC_FINI(vec) (cake_mem_free((vec)->data), (vec)->data = NULL, (vec)->len = (vec)->capacity = 0)
void *cake_vec_grow(void *data, size_t *capacity, size_t element_size); // to twice the capacity, or more
void cake_mem_free(void *memory);

// ---- A map from pointers (or words) to words -----------------------------------------------------------------------

// Open addressing; zero-initialise, give back with `cake_map_fini`. Iteration order is unspecified: never let it reach output.
typedef struct CakeMap {
  uintptr_t *slots; // pairs key, value; key 0 = empty
  size_t capacity, len;
} CakeMap;

void cake_map_fini(CakeMap *map);
void cake_map_clear(CakeMap *map);
void cake_map_empty(CakeMap *map); // clears it; one that was once large does not stay so, to be cleared again and again
void cake_map_set(CakeMap *map, const void *key, uintptr_t value); // key != NULL
bool cake_map_add(CakeMap *map, const void *key, uintptr_t value); // false: the key is there, with its value
bool cake_map_get(const CakeMap *map, const void *key, uintptr_t *out_value);
void cake_map_remove(CakeMap *map, const void *key);
void cake_map_remove_pair(CakeMap *map, const void *key, uintptr_t value); // only if it has this value

// ---- JSON writer ---------------------------------------------------------------------------------------------------

// Appends JSON to a buffer and keeps commas and nesting right. Depth is limited to 64.
typedef struct CakeJson {
  CakeBuf *out;
  uint64_t has_items; // one bit a depth
  unsigned depth;
  bool after_key;
} CakeJson;

CakeJson cake_json(CakeBuf *out);
void cake_json_begin_object(CakeJson *json);
void cake_json_end_object(CakeJson *json);
void cake_json_begin_array(CakeJson *json);
void cake_json_end_array(CakeJson *json);
void cake_json_key(CakeJson *json, const char *key);
void cake_json_str(CakeJson *json, CakeStr value); // invalid UTF-8 becomes U+FFFD
void cake_json_int(CakeJson *json, int64_t value);
void cake_json_double(CakeJson *json, double value); // not finite: null
void cake_json_bool(CakeJson *json, bool value);
void cake_json_null(CakeJson *json);

// ---- Fatal ---------------------------------------------------------------------------------------------------------

// Out of memory: says so on standard error and aborts. The only fatal error of the libraries.
CAKE_NORETURN void cake_out_of_memory(size_t size);

CAKE_END_C
#endif
