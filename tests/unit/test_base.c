// Arenas, buffers, maps, the JSON writer and files.
#include "cake/base.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Check reports every assertion to its parent process, which is too slow for thousands of them: only a failure is told.
#define EXPECT(condition, ...)                                                                                         \
  do {                                                                                                                 \
    if (!(condition)) ck_abort_msg(__VA_ARGS__);                                                                       \
  } while (0)

static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static bool is_zero(const unsigned char *memory, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (memory[i]) return false;
  }
  return true;
}

// Allocations of all sizes do not overlap: each keeps its own pattern while others come and go.
START_TEST(arena_keeps_allocations_apart) {
  enum { SLOTS = 300 };
  CakeArena *arena = cake_arena_create();
  unsigned char *memory[SLOTS] = {0};
  size_t sizes[SLOTS] = {0};
  uint64_t random = 1;
  for (int round = 0; round < 6000; round++) {
    unsigned slot = next_random(&random) % SLOTS;
    if (memory[slot]) {
      for (size_t i = 0; i < sizes[slot]; i++)
        EXPECT(memory[slot][i] == slot % 251 + 1, "slot %u was overwritten", slot);
      cake_arena_free(arena, memory[slot], sizes[slot]);
      memory[slot] = NULL;
      continue;
    }
    unsigned scale = next_random(&random) % 13;
    sizes[slot] = 1 + next_random(&random) % (1u << (scale + 3));
    memory[slot] = cake_arena_alloc(arena, sizes[slot]);
    EXPECT((uintptr_t)memory[slot] % 8 == 0, "not aligned");
    EXPECT(is_zero(memory[slot], sizes[slot]), "not zeroed");
    memset(memory[slot], (int)(slot % 251 + 1), sizes[slot]);
  }
  cake_arena_destroy(arena);
}
END_TEST

START_TEST(arena_reuses_what_is_given_back) {
  CakeArena *arena = cake_arena_create();
  for (size_t size = 1; size < 3000000; size = size * 3 / 2 + 1) {
    void *first = cake_arena_alloc(arena, size);
    cake_arena_free(arena, first, size);
    EXPECT(cake_arena_alloc(arena, size) == first, "size %zu", size);
  }
  cake_arena_destroy(arena);
}
END_TEST

START_TEST(arena_reset_forgets) {
  CakeArena *arena = cake_arena_create();
  memset(cake_arena_alloc(arena, 100), 0xff, 100);
  cake_arena_alloc(arena, 5 << 20);
  for (int i = 0; i < 1000; i++)
    memset(cake_arena_alloc(arena, 1000), 0xff, 1000);
  ck_assert_uint_gt(cake_arena_bytes(arena), 6000000);
  cake_arena_reset(arena);
  ck_assert_uint_eq(cake_arena_bytes(arena), 0);
  for (int i = 0; i < 1000; i++)
    EXPECT(is_zero(cake_arena_alloc(arena, 1000), 1000), "old bytes come back");
  cake_arena_destroy(arena);
}
END_TEST

START_TEST(arena_makes_strings) {
  CakeArena *arena = cake_arena_create();
  CakeStr copy = cake_arena_str(arena, (CakeStr){"a\0b", 3});
  ck_assert_uint_eq(copy.len, 3);
  ck_assert_mem_eq(copy.ptr, "a\0b\0", 4);
  ck_assert(cake_str_is(cake_arena_printf(arena, "%s-%d", "x", 42), "x-42"));
  cake_arena_destroy(arena);
}
END_TEST

START_TEST(buffers_grow) {
  CakeBuf buf = {0};
  ck_assert(cake_str_is(cake_buf_view(&buf), ""));
  const int64_t numbers[] = {0, 7, -7, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < CAKE_COUNT(numbers); i++) {
    cake_buf_int(&buf, numbers[i]);
    cake_buf_char(&buf, ' ');
  }
  ck_assert_str_eq(buf.data, "0 7 -7 9223372036854775807 -9223372036854775808 ");
  cake_buf_clear(&buf);
  ck_assert_str_eq(buf.data, "");
  cake_buf_printf(&buf, "%0*d", 5000, 1); // longer than any first capacity
  ck_assert_uint_eq(buf.len, 5000);
  ck_assert_uint_eq(strlen(buf.data), 5000);
  cake_buf_fill(&buf, 'x', 3);
  ck_assert_str_eq(buf.data + 4999, "1xxx");
  cake_buf_fini(&buf);
}
END_TEST

// The map agrees with a plain table, removals included.
START_TEST(maps_remember) {
  enum { KEYS = 700 };
  static char objects[KEYS];
  uintptr_t wanted[KEYS] = {0};
  CakeMap map = {0};
  size_t count = 0;
  uintptr_t value;
  uint64_t random = 7;
  for (int round = 0; round < 20000; round++) {
    unsigned key = next_random(&random) % KEYS;
    if (next_random(&random) % 3 == 0) {
      cake_map_remove_pair(&map, &objects[key], wanted[key] + 2); // another value: it stays
      EXPECT(map.len == count, "count");
      count -= wanted[key] != 0;
      wanted[key] = 0;
      if (round % 2)
        cake_map_remove(&map, &objects[key]);
      else if (cake_map_get(&map, &objects[key], &value))
        cake_map_remove_pair(&map, &objects[key], value);
    } else {
      count += wanted[key] == 0;
      wanted[key] = next_random(&random) | 1u;
      cake_map_set(&map, &objects[key], wanted[key]);
    }
    unsigned asked = next_random(&random) % KEYS;
    uintptr_t found = 0;
    EXPECT(cake_map_get(&map, &objects[asked], &found) == (wanted[asked] != 0), "presence of %u", asked);
    EXPECT(found == wanted[asked], "value of %u", asked);
    EXPECT(map.len == count, "count");
  }
  cake_map_clear(&map);
  ck_assert(!cake_map_get(&map, &objects[0], NULL));
  uintptr_t found = 0;
  ck_assert(cake_map_add(&map, &objects[0], 1));
  ck_assert(!cake_map_add(&map, &objects[0], 2));
  ck_assert(cake_map_get(&map, &objects[0], &found) && found == 1);
  cake_map_fini(&map);
}
END_TEST

START_TEST(hashes_depend_on_every_byte) {
  char text[400] = {0}; // from 256 bytes on, four words at a time
  for (size_t len = 0; len <= sizeof text; len++) {
    uint64_t plain = cake_hash_bytes(text, len, 0);
    if (len) EXPECT(plain != cake_hash_bytes(text, len - 1, 0), "length %zu", len);
    for (size_t i = 0; i < len; i++) {
      text[i] = 1;
      EXPECT(cake_hash_bytes(text, len, 0) != plain, "byte %zu of %zu", i, len);
      text[i] = 0;
    }
  }
}
END_TEST

START_TEST(json_is_escaped_and_nested) {
  CakeBuf out = {0};
  CakeJson json = cake_json(&out);
  cake_json_begin_object(&json);
  cake_json_key(&json, "a\"b");
  cake_json_begin_array(&json);
  cake_json_int(&json, -3);
  cake_json_double(&json, 0.1);
  cake_json_double(&json, (double)INFINITY);
  cake_json_bool(&json, true);
  cake_json_null(&json);
  cake_json_begin_array(&json);
  cake_json_end_array(&json);
  cake_json_end_array(&json);
  cake_json_key(&json, "text");
  cake_json_str(&json, CAKE_STR("\\ \n \x01 \xff \xc3\xa4 \xed\xa0\x80"));
  cake_json_end_object(&json);
  ck_assert_str_eq(out.data, "{\"a\\\"b\":[-3,0.1,null,true,null,[]],\"text\":\"\\\\ \\n \\u0001 \xef\xbf\xbd \xc3\xa4 "
                             "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"}");
  cake_buf_fini(&out);
}
END_TEST

START_TEST(files_are_replaced_whole) {
  char folder[] = "/tmp/cake_base_XXXXXX", path[64], link_path[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
  snprintf(link_path, sizeof link_path, "%s/link", folder);
  ck_assert_int_eq(symlink("file", link_path), 0);
  CakeBuf error = {0}, found = {0};
  ck_assert(!cake_file_read(path, &found, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "No such file"));
  ck_assert(cake_file_write(path, CAKE_STR("old"), &error));
  ck_assert_int_eq(chmod(path, 0640), 0);
  ck_assert(cake_file_write(link_path, (CakeStr){"n\0w", 3}, &error));
  ck_assert(cake_file_read(path, &found, &error));
  ck_assert_uint_eq(found.len, 3);
  ck_assert_mem_eq(found.data, "n\0w", 4);
  struct stat status;
  ck_assert_int_eq(lstat(link_path, &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_int_eq(status.st_mode & 0777, 0640);
  ck_assert(cake_file_write("/dev/null", CAKE_STR("gone"), &error));
  ck_assert(!cake_file_write("/tmp/no such folder/file", CAKE_STR("x"), &error));
  unlink(link_path);
  unlink(path);
  ck_assert_int_eq(rmdir(folder), 0); // nothing else was left there
  cake_buf_fini(&error);
  cake_buf_fini(&found);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("base");
  TCase *tests = tcase_create("base");
  suite_add_tcase(suite, tests);
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, arena_keeps_allocations_apart);
  tcase_add_test(tests, arena_reuses_what_is_given_back);
  tcase_add_test(tests, arena_reset_forgets);
  tcase_add_test(tests, arena_makes_strings);
  tcase_add_test(tests, buffers_grow);
  tcase_add_test(tests, maps_remember);
  tcase_add_test(tests, hashes_depend_on_every_byte);
  tcase_add_test(tests, json_is_escaped_and_nested);
  tcase_add_test(tests, files_are_replaced_whole);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
