// .npy files: what NumPy writes is read, what we write is what NumPy writes, and every malformed file gets a sentence.
#include "tools/npy.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ORDER_AND_SHAPE "'fortran_order': False, 'shape': (2, 3), }"
#define GOOD "{'descr': '<f4', " ORDER_AND_SHAPE

// A version 1.0 file with this header and `data_bytes` zero bytes behind it.
static CakeBuf make_file(const char *header, size_t data_bytes) {
  CakeBuf file = {0};
  size_t len = strlen(header);
  cake_buf_append(&file, "\x93NUMPY\x01\x00", 8);
  cake_buf_char(&file, (char)(len & 0xff));
  cake_buf_char(&file, (char)(len >> 8));
  cake_buf_append(&file, header, len);
  cake_buf_fill(&file, '\0', data_bytes);
  return file;
}

// ---- Good files ----------------------------------------------------------------------------------------------------

static const struct {
  const char *header;
  size_t data_bytes;
  CakeNpyType type;
  unsigned rank;
  size_t count;
} good[] = {
    {GOOD,                                                                            24, CAKE_NPY_F4, 2, 6},
    {"{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }      \n",             24, CAKE_NPY_I8, 1, 3},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (), }\n",                     2,  CAKE_NPY_F2, 0, 1},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (0, 4)}\n",                   0,  CAKE_NPY_U1, 2, 0},
    {"{\"shape\":(2,2),\"descr\":\"|b1\",\"fortran_order\":False}",                   4,  CAKE_NPY_B1, 2, 4},
    {"{'descr': '<i1', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 5), }", 5,  CAKE_NPY_I1, 8, 5},
};

START_TEST(reads_good_header) {
  CakeBuf file = make_file(good[_i].header, good[_i].data_bytes), error = {0};
  CakeNpy array;
  ck_assert_msg(cake_npy_parse(cake_buf_view(&file), "a.npy", &array, &error), "%s", error.data);
  ck_assert_int_eq(array.type, good[_i].type);
  ck_assert_uint_eq(array.rank, good[_i].rank);
  ck_assert_uint_eq(array.count, good[_i].count);
  ck_assert_uint_eq((uintptr_t)array.data % 8, 0);
  cake_npy_fini(&array);
  cake_buf_fini(&file);
}
END_TEST

START_TEST(reads_version_2) {
  CakeBuf file = {0}, error = {0};
  const char *header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
  cake_buf_append(&file, "\x93NUMPY\x02\x00", 8);
  cake_buf_char(&file, (char)strlen(header));
  cake_buf_fill(&file, '\0', 3);
  cake_buf_text(&file, header);
  cake_buf_append(&file, "\x07\0\0\0\xff\xff\xff\xff", 8);
  CakeNpy array;
  ck_assert_msg(cake_npy_parse(cake_buf_view(&file), "a.npy", &array, &error), "%s", error.data);
  ck_assert(cake_npy_get(&array, 0) == 7 && cake_npy_get(&array, 1) == -1);
  cake_npy_fini(&array);
  cake_buf_fini(&file);
}
END_TEST

// ---- Malformed files -----------------------------------------------------------------------------------------------

static const struct {
  const char *header;
  size_t data_bytes;
  const char *error; // all of it
} bad[] = {
    {"",                                                                              0,  "a.npy: byte 10: expected '{' in the header"                            },
    {"{",                                                                             0,  "a.npy: byte 11: expected a quoted string in the header"                },
    {"{'descr",                                                                       0,  "a.npy: byte 17: a string of the header does not end"                   },
    {"{'descr' '<f4'}",                                                               0,  "a.npy: byte 19: expected ':' in the header"                            },
    {"{'descr': '<f4', " ORDER_AND_SHAPE " x",                                        24,
     "a.npy: byte 70: expected only spaces behind the header's dictionary"                                                                                        },
    {"{'descr': '<f4' 'shape': (2,)}",                                                0,  "a.npy: byte 26: expected '}' in the header"                            },
    {"{'descr': '>f4', " ORDER_AND_SHAPE,                                             24,
     "a.npy: byte 20: element type '>f4'; wanted little-endian '<f2', '<f4', '<f8', '<i2', '<i4', '<i8', '<u2', '<u4', "
     "'<u8' or '|i1', '|u1', '|b1'"                                                                                                                               },
    {"{'descr': '|f4', " ORDER_AND_SHAPE,                                             24,
     "a.npy: byte 20: element type '|f4'; wanted little-endian '<f2', '<f4', '<f8', '<i2', '<i4', '<i8', '<u2', '<u4', "
     "'<u8' or '|i1', '|u1', '|b1'"                                                                                                                               },
    {"{'descr': '\x1b[31m', " ORDER_AND_SHAPE,                                        24,
     "a.npy: byte 20: element type '?[31m'; wanted little-endian '<f2', '<f4', '<f8', '<i2', '<i4', '<i8', '<u2', "
     "'<u4', "
     "'<u8' or '|i1', '|u1', '|b1'"                                                                                                                               },
    {"{'descr': [('a', '<f4')], " ORDER_AND_SHAPE,                                    24, "a.npy: byte 20: an array of records; wanted plain numbers"             },
    {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",                    24,
     "a.npy: byte 48: the array is in Fortran order; wanted C order (numpy.ascontiguousarray)"                                                                    },
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3), }",                       24,
     "a.npy: byte 44: expected True or False for fortran_order"                                                                                                   },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': [2], }",                      8,  "a.npy: byte 60: expected '(' in the header"                            },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2), }",                      8,
     "a.npy: byte 62: expected ',' behind the only size of the shape"                                                                                             },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }",                    8,  "a.npy: byte 61: expected a size in the shape"                          },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }",                    24,
     "a.npy: byte 63: expected ',' behind the only size of the shape"                                                                                             },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,2 3), }",                  24, "a.npy: byte 65: expected ')' in the header"                            },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }",      4,
     "a.npy: byte 77: more than 8 dimensions"                                                                                                                     },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",  4,
     "a.npy: byte 80: a size of the shape is too large"                                                                                                           },
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 4,
     "a.npy: byte 87: the shape has more elements than memory can hold"                                                                                           },
    {"{'descr': '<f4', 'descr': '<f4', " ORDER_AND_SHAPE,                             24,
     "a.npy: byte 27: second key 'descr' in the header; wanted descr, fortran_order, shape"                                                                       },
    {"{'colour': 'red', " ORDER_AND_SHAPE,                                            24,
     "a.npy: byte 11: unknown key 'colour' in the header; wanted descr, fortran_order, shape"                                                                     },
    {"{" ORDER_AND_SHAPE,                                                             24, "a.npy: byte 53: the header has no descr"                               },
    {"{'descr': '<f4', 'shape': (2, 3), }",                                           24, "a.npy: byte 45: the header has no fortran_order"                       },
    {"{'descr': '<f4', 'fortran_order': False, }",                                    24, "a.npy: byte 52: the header has no shape"                               },
    {GOOD,                                                                            23, "a.npy: byte 69: 23 bytes of data, but shape (2, 3) of float32 needs 24"},
    {GOOD,                                                                            25, "a.npy: byte 69: 25 bytes of data, but shape (2, 3) of float32 needs 24"},
};

static void expect_error(CakeStr bytes, const char *wanted) {
  CakeNpy array;
  CakeBuf error = {0};
  ck_assert_msg(!cake_npy_parse(bytes, "a.npy", &array, &error), "accepted; wanted: %s", wanted);
  ck_assert_str_eq(error.data, wanted);
  cake_buf_fini(&error);
}

START_TEST(refuses_bad_header) {
  CakeBuf file = make_file(bad[_i].header, bad[_i].data_bytes);
  expect_error(cake_buf_view(&file), bad[_i].error);
  cake_buf_fini(&file);
}
END_TEST

START_TEST(refuses_bad_prefix) {
  expect_error(CAKE_STR(""), "a.npy: byte 0: this is not an .npy file");
  expect_error(CAKE_STR("1,2,3\n4,5,6\n"), "a.npy: byte 0: this is not an .npy file");
  expect_error(CAKE_STR("\x93NUMPY\x04\x00\x01\x00{"), "a.npy: byte 6: unknown .npy version; wanted 1.0, 2.0 or 3.0");
  expect_error(CAKE_STR("\x93NUMPY\x01\x00\x01"), "a.npy: byte 8: the file ends in the header's length");
  expect_error(CAKE_STR("\x93NUMPY\x02\x00\x01\x00\x00"), "a.npy: byte 8: the file ends in the header's length");
  expect_error(CAKE_STR("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"),
               "a.npy: byte 8: the header has 4294967295 bytes, the file only 2 behind it");
}
END_TEST

// Whatever single byte of a header is changed and wherever the file is cut: an answer, and never a stray access.
START_TEST(survives_damage) {
  CakeBuf file = make_file(GOOD "   \n", 24), copy = {0}, error = {0};
  CakeNpy array;
  for (size_t len = 0; len < file.len; len++) {
    cake_buf_clear(&copy);
    cake_buf_append(&copy, file.data, len); // memory of its own size class, so that ASan sees an overrun
    if (cake_npy_parse(cake_buf_view(&copy), "cut", &array, &error)) ck_abort_msg("accepted %zu bytes", len);
  }
  cake_buf_clear(&copy);
  cake_buf_append(&copy, file.data, file.len);
  for (size_t at = 0; at < file.len - 24; at++) {
    for (int value = 0; value < 256; value++) {
      copy.data[at] = (char)value;
      if (cake_npy_parse(cake_buf_view(&copy), "hit", &array, &error)) cake_npy_fini(&array);
      cake_buf_clear(&error);
    }
    copy.data[at] = file.data[at];
  }
  cake_buf_fini(&error);
  cake_buf_fini(&copy);
  cake_buf_fini(&file);
}
END_TEST

// ---- Writing -------------------------------------------------------------------------------------------------------

static const char path[] = "test_npy.tmp.npy";

START_TEST(writes_and_reads_every_type) {
  CakeNpyType type = (CakeNpyType)_i;
  const uint64_t shape[] = {2, 3};
  CakeNpy array, back;
  CakeBuf error = {0};
  cake_npy_init(&array, type, 2, shape);
  memset((char *)array.data + cake_npy_type_bytes(type), 1, cake_npy_type_bytes(type)); // element 1
  ck_assert_msg(cake_npy_write(path, &array, &error), "%s", error.data);
  ck_assert_msg(cake_npy_read(path, &back, &error), "%s", error.data);
  ck_assert_int_eq(back.type, type);
  ck_assert_uint_eq(back.rank, 2);
  ck_assert_uint_eq(back.count, 6);
  ck_assert_mem_eq(back.data, array.data, 6 * cake_npy_type_bytes(type));
  ck_assert(cake_npy_get(&back, 1) > 0 && cake_npy_get(&back, 2) == 0);
  cake_npy_fini(&array);
  cake_npy_fini(&back);
  ck_assert_int_eq(unlink(path), 0);
}
END_TEST

// The bytes of numpy.save for numpy.zeros((3,), '<f4') and for a scalar.
START_TEST(writes_what_numpy_writes) {
  static const char *const headers[] = {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
                                        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"};
  for (unsigned rank = 0; rank < 2; rank++) {
    const uint64_t shape[] = {3};
    CakeNpy array;
    CakeBuf bytes = {0}, error = {0}, wanted = {0};
    cake_npy_init(&array, CAKE_NPY_F4, rank, shape);
    ck_assert(cake_npy_write(path, &array, &error) && cake_file_read(path, &bytes, &error));
    cake_buf_append(&wanted, "\x93NUMPY\x01\x00\x76\x00", 10);
    cake_buf_text(&wanted, headers[rank]);
    cake_buf_fill(&wanted, ' ', 127 - wanted.len);
    cake_buf_char(&wanted, '\n');
    cake_buf_fill(&wanted, '\0', rank ? 12 : 4);
    ck_assert_uint_eq(bytes.len, wanted.len);
    ck_assert_mem_eq(bytes.data, wanted.data, wanted.len);
    cake_buf_fini(&wanted);
    cake_buf_fini(&bytes);
    cake_npy_fini(&array);
    ck_assert_int_eq(unlink(path), 0);
  }
}
END_TEST

START_TEST(a_failed_write_leaves_nothing) {
  const uint64_t shape[] = {4};
  CakeNpy array;
  CakeBuf error = {0};
  cake_npy_init(&array, CAKE_NPY_F4, 1, shape);
  ck_assert(!cake_npy_write("/nonexistent/folder/a.npy", &array, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "/nonexistent/folder/a.npy"));
  cake_buf_fini(&error);
  cake_npy_fini(&array);
}
END_TEST

START_TEST(a_missing_file_is_an_error) {
  CakeNpy array;
  CakeBuf error = {0};
  ck_assert(!cake_npy_read("/nonexistent/a.npy", &array, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "/nonexistent/a.npy"));
  cake_buf_fini(&error);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("npy");
  TCase *tcase = tcase_create("npy");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, reads_good_header, 0, (int)CAKE_COUNT(good));
  tcase_add_test(tcase, reads_version_2);
  tcase_add_loop_test(tcase, refuses_bad_header, 0, (int)CAKE_COUNT(bad));
  tcase_add_test(tcase, refuses_bad_prefix);
  tcase_add_test(tcase, survives_damage);
  tcase_add_loop_test(tcase, writes_and_reads_every_type, CAKE_NPY_F2, CAKE_NPY_B1 + 1);
  tcase_add_test(tcase, writes_what_numpy_writes);
  tcase_add_test(tcase, a_failed_write_leaves_nothing);
  tcase_add_test(tcase, a_missing_file_is_an_error);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
