// A picture of many small grey images in a grid, as SVG: centroids, tiles, bank maps.
#ifndef CAKE_TOOLS_PICTURE_H
#define CAKE_TOOLS_PICTURE_H

#include "cake/base.h"

CAKE_BEGIN_C

typedef struct CakePictureCell {
  const float *values; // height × width, row by row
  const char *caption; // one line below; NULL: none
  const char *detail;  // a smaller line below that; NULL: none
} CakePictureCell;

// Everything is borrowed. Text is UTF-8.
typedef struct CakePicture {
  const char *title;
  const char *subtitle;   // NULL: none
  unsigned height, width; // of every image, in pixels of its own
  unsigned columns;       // of the grid; at least 1
  float paper, ink;       // the values drawn as white and as black; values beyond are clamped, NaN is drawn red
  const CakePictureCell *cells;
  size_t count;
} CakePicture;

void cake_picture_svg(const CakePicture *picture, CakeBuf *out);
// Writes a file, at once or not at all.
CAKE_NODISCARD bool cake_picture_write(const CakePicture *picture, const char *path, CakeBuf *error);

CAKE_END_C
#endif
