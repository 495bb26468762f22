// Of many names the one that is most like a misspelt one, for a hint.
#ifndef CAKE_TOOLS_NEAREST_H
#define CAKE_TOOLS_NEAREST_H

#include "cake/base.h"

typedef struct Nearest {
  CakeStr name;
  const char *best; // of those that were considered; NULL: none is near
  unsigned distance;
} Nearest;

Nearest nearest_to(CakeStr name);
void nearest_consider(Nearest *nearest, const char *candidate);

#endif
