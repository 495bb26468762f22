// Machine files on any bytes: never a crash, never refused without a reason, and what is taken has all figures.
#include "analysis/machines/machine.h"
#include "cake/diagnostic.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeContext *context = cake_context_create();
  CakeMachine machine;
  bool is_fine = cake_machine_parse(context, CAKE_STR("input"), (CakeStr){(const char *)data, size}, &machine);
  if (is_fine == (cake_context_error_count(context) > 0)) abort();
  for (size_t i = 0; is_fine && i < CAKE_FIGURE_COUNT; i++)
    if (machine.sources[i].len == 0 || !(machine.figures[i] >= 0)) abort();
  cake_context_destroy(context);
  return 0;
}
