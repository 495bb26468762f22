// Draws grids of small grey images as SVG, without a library: every pixel is a crisp square,
// and a run of equal grey is one rectangle.
#include "tools/picture.h"

#include <math.h>

enum {
  MARGIN = 28,
  GAP = 20,
  IMAGE_SIZE = 112, // of the longer side, in SVG units
  TITLE_HEIGHT = 30,
  SUBTITLE_HEIGHT = 22,
  CAPTION_HEIGHT = 20,
  DETAIL_HEIGHT = 16,
};

typedef struct Layout {
  unsigned scale; // SVG units a pixel
  unsigned image_width, image_height;
  unsigned top; // of the first row
  unsigned step_x, step_y;
  unsigned width, height; // of the picture
} Layout;

static Layout lay_out(const CakePicture *picture) {
  bool captions = false, details = false;
  for (size_t i = 0; i < picture->count; i++) {
    captions |= picture->cells[i].caption != NULL;
    details |= picture->cells[i].detail != NULL;
  }
  unsigned longer = picture->height > picture->width ? picture->height : picture->width;
  unsigned columns = picture->columns ? picture->columns : 1;
  unsigned rows = ((unsigned)picture->count + columns - 1) / columns;
  Layout layout = {.scale = longer < IMAGE_SIZE ? IMAGE_SIZE / (longer ? longer : 1) : 1};
  layout.image_width = picture->width * layout.scale;
  layout.image_height = picture->height * layout.scale;
  layout.top = MARGIN + TITLE_HEIGHT + (picture->subtitle ? SUBTITLE_HEIGHT : 0);
  layout.step_x = layout.image_width + GAP;
  layout.step_y = layout.image_height + GAP + (captions ? CAPTION_HEIGHT : 0) + (details ? DETAIL_HEIGHT : 0);
  layout.width = 2 * MARGIN + columns * layout.step_x - GAP;
  layout.height = layout.top + rows * layout.step_y - (rows ? GAP : 0) + MARGIN;
  return layout;
}

// Text with XML's special characters spelt out; control characters are dropped.
static void append_text(CakeBuf *out, const char *text) {
  for (; *text; text++) {
    switch (*text) {
    case '&': cake_buf_text(out, "&amp;"); break;
    case '<': cake_buf_text(out, "&lt;"); break;
    case '>': cake_buf_text(out, "&gt;"); break;
    default:
      if ((unsigned char)*text >= ' ') cake_buf_char(out, *text);
    }
  }
}

static void append_line(CakeBuf *out, const char *class_name, unsigned x, unsigned y, const char *text) {
  cake_buf_printf(out, "<text class=\"%s\" x=\"%u\" y=\"%u\">", class_name, x, y);
  append_text(out, text);
  cake_buf_text(out, "</text>\n");
}

static const int NOT_A_NUMBER = -1;

// 255 is paper, 0 is ink.
static int grey_of(const CakePicture *picture, float value) {
  if (isnan(value)) return NOT_A_NUMBER;
  float range = picture->ink - picture->paper;
  float share = range != 0.0f ? (value - picture->paper) / range : 0.0f;
  share = share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
  return 255 - (int)lroundf(share * 255.0f);
}

static void append_run(CakeBuf *out, const Layout *layout, unsigned x, unsigned y, unsigned len, int grey) {
  if (grey == 255) return; // the paper below shows
  cake_buf_printf(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"", x * layout->scale,
                  y * layout->scale, len * layout->scale, layout->scale);
  if (grey == NOT_A_NUMBER)
    cake_buf_text(out, "#e00000\"/>\n");
  else
    cake_buf_printf(out, "#%02x%02x%02x\"/>\n", (unsigned)grey, (unsigned)grey, (unsigned)grey);
}

static void append_image(CakeBuf *out, const CakePicture *picture, const Layout *layout, const float *values) {
  cake_buf_printf(out, "<rect class=\"paper\" x=\"-0.5\" y=\"-0.5\" width=\"%u\" height=\"%u\"/>\n",
                  layout->image_width + 1, layout->image_height + 1);
  cake_buf_text(out, "<g shape-rendering=\"crispEdges\">\n");
  for (unsigned y = 0; y < picture->height; y++) {
    const float *row = values + (size_t)y * picture->width;
    for (unsigned x = 0, next; x < picture->width; x = next) {
      int grey = grey_of(picture, row[x]);
      for (next = x + 1; next < picture->width && grey_of(picture, row[next]) == grey; next++)
        continue;
      append_run(out, layout, x, y, next - x, grey);
    }
  }
  cake_buf_text(out, "</g>\n");
}

static void append_cell(CakeBuf *out, const CakePicture *picture, const Layout *layout, size_t index) {
  const CakePictureCell *cell = &picture->cells[index];
  unsigned columns = picture->columns ? picture->columns : 1, i = (unsigned)index;
  cake_buf_printf(out, "<g transform=\"translate(%u %u)\">\n", MARGIN + i % columns * layout->step_x,
                  layout->top + i / columns * layout->step_y);
  append_image(out, picture, layout, cell->values);
  unsigned below = layout->image_height + CAPTION_HEIGHT;
  if (cell->caption) append_line(out, "caption", layout->image_width / 2, below, cell->caption);
  if (cell->detail) append_line(out, "detail", layout->image_width / 2, below + DETAIL_HEIGHT, cell->detail);
  cake_buf_text(out, "</g>\n");
}

void cake_picture_svg(const CakePicture *picture, CakeBuf *out) {
  Layout layout = lay_out(picture);
  cake_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
                  "font-family=\"Helvetica, Arial, sans-serif\" fill=\"#202428\">\n",
                  layout.width, layout.height, layout.width, layout.height);
  cake_buf_text(out,
                "<style>.title{font-size:20px;font-weight:600}.subtitle{font-size:13px;fill:#60686f}"
                ".caption{font-size:14px;text-anchor:middle}.detail{font-size:11px;text-anchor:middle;fill:#60686f}"
                ".paper{fill:#fff;stroke:#c4cad0}</style>\n");
  cake_buf_text(out, "<rect width=\"100%\" height=\"100%\" fill=\"#f7f8f9\"/>\n");
  append_line(out, "title", MARGIN, MARGIN + 10, picture->title);
  if (picture->subtitle) append_line(out, "subtitle", MARGIN, MARGIN + 10 + SUBTITLE_HEIGHT, picture->subtitle);
  for (size_t i = 0; i < picture->count; i++)
    append_cell(out, picture, &layout, i);
  cake_buf_text(out, "</svg>\n");
}

bool cake_picture_write(const CakePicture *picture, const char *path, CakeBuf *error) {
  CakeBuf svg = {0};
  cake_picture_svg(picture, &svg);
  bool fine = cake_file_write(path, cake_buf_view(&svg), error);
  cake_buf_fini(&svg);
  return fine;
}
