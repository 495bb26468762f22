// The name that differs least from a misspelt one: by letters that are left out, put in or exchanged.
#include "tools/nearest.h"

#include <string.h>

// Levenshtein's distance; UINT32_MAX: the candidate is too long for one.
static unsigned distance(CakeStr a, const char *b) {
  unsigned row[64];
  size_t len = strlen(b);
  if (len >= CAKE_COUNT(row)) return UINT32_MAX;
  for (size_t j = 0; j <= len; j++)
    row[j] = (unsigned)j;
  for (size_t i = 1; i <= a.len; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= len; j++) {
      unsigned best = diagonal + (a.ptr[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[len];
}

Nearest nearest_to(CakeStr name) {
  return (Nearest){.name = name, .distance = 1 + (unsigned)(name.len < 60 ? name.len : 60) / 3};
}

void nearest_consider(Nearest *nearest, const char *candidate) {
  unsigned found = distance(nearest->name, candidate);
  if (found >= nearest->distance) return;
  nearest->best = candidate;
  nearest->distance = found;
}
