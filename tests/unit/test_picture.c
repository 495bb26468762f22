// The SVG of grey images: shades, runs, escaping, and that the grid grows with what it holds.
#include "tools/picture.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float values[] = {0, 8, 16, 16, 99, -5, NAN, 4};

static CakeBuf draw(const CakePicture *picture) {
  CakeBuf svg = {0};
  cake_picture_svg(picture, &svg);
  ck_assert(strncmp(svg.data, "<svg ", 5) == 0 && strcmp(svg.data + svg.len - 7, "</svg>\n") == 0);
  return svg;
}

static size_t count(const CakeBuf *svg, const char *text) {
  size_t n = 0;
  for (const char *at = svg->data; (at = strstr(at, text)); at++)
    n++;
  return n;
}

// 2 × 4 pixels of 28 units each: paper is not drawn, equal neighbours are one rectangle, values are clamped.
START_TEST(shades_and_runs) {
  CakePictureCell cell = {values, "a", "b"};
  CakeBuf svg = draw(&(CakePicture){"t", NULL, 2, 4, 1, 0, 16, &cell, 1});
  ck_assert_uint_eq(count(&svg, "fill=\"#"), 2 + 5); // text and background, then the pixels
  ck_assert_uint_eq(count(&svg, "<rect x=\"28\" y=\"0\" width=\"28\" height=\"28\" fill=\"#7f7f7f\"/>"), 1);
  ck_assert_uint_eq(count(&svg, "<rect x=\"56\" y=\"0\" width=\"56\" height=\"28\" fill=\"#000000\"/>"), 1);
  ck_assert_uint_eq(count(&svg, "<rect x=\"0\" y=\"28\" width=\"28\" height=\"28\" fill=\"#000000\"/>"), 1);
  ck_assert_uint_eq(count(&svg, "<rect x=\"56\" y=\"28\" width=\"28\" height=\"28\" fill=\"#e00000\"/>"), 1);
  ck_assert_uint_eq(count(&svg, "<rect x=\"84\" y=\"28\" width=\"28\" height=\"28\" fill=\"#bfbfbf\"/>"), 1);
  cake_buf_fini(&svg);
}
END_TEST

START_TEST(text_is_escaped) {
  CakePictureCell cell = {values, "1 < 2 & 3 > 2", NULL};
  CakeBuf svg = draw(&(CakePicture){"a\x1b[31m<b>", "s&t", 1, 1, 4, 0, 1, &cell, 1});
  ck_assert_uint_eq(count(&svg, ">a[31m&lt;b&gt;</text>"), 1);
  ck_assert_uint_eq(count(&svg, ">s&amp;t</text>"), 1);
  ck_assert_uint_eq(count(&svg, ">1 &lt; 2 &amp; 3 &gt; 2</text>"), 1);
  cake_buf_fini(&svg);
}
END_TEST

// 3 cells in 2 columns: two rows; the third cell begins the second one.
START_TEST(cells_fill_a_grid) {
  CakePictureCell cells[] = {
      {values, "a", NULL},
      {values, "b", NULL},
      {values, "c", NULL}
  };
  CakeBuf svg = draw(&(CakePicture){"t", NULL, 2, 2, 2, 0, 16, cells, 3});
  ck_assert_uint_eq(count(&svg, "translate(28 58)"), 1);
  ck_assert_uint_eq(count(&svg, "translate(160 58)"), 1);
  ck_assert_uint_eq(count(&svg, "translate(28 210)"), 1);
  ck_assert_uint_eq(count(&svg, "viewBox=\"0 0 300 370\""), 1);
  cake_buf_fini(&svg);
}
END_TEST

START_TEST(degenerate_pictures_are_drawn) {
  CakeBuf svg = draw(&(CakePicture){"nothing", NULL, 0, 0, 0, 1, 1, NULL, 0});
  cake_buf_fini(&svg);
  CakePictureCell cell = {values, NULL, NULL};
  svg = draw(&(CakePicture){"flat", NULL, 1, 3, 1, 5, 5, &cell, 1});
  cake_buf_fini(&svg);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("picture");
  TCase *tcase = tcase_create("picture");
  tcase_add_test(tcase, shades_and_runs);
  tcase_add_test(tcase, text_is_escaped);
  tcase_add_test(tcase, cells_fill_a_grid);
  tcase_add_test(tcase, degenerate_pictures_are_drawn);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
