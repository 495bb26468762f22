// Pass pipelines as text: parsing never crashes, and what is printed parses back to the same text.
#include <stdint.h>
#include <stdlib.h>

#include "cake/dialects.h"
#include "cake/passes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  CakePipeline *pipeline = cake_pipeline_parse(context, &cake_passes_registry, (CakeStr){(const char *)data, size});
  if (pipeline) {
    CakeBuf once = {0}, twice = {0};
    cake_pipeline_print(pipeline, &once);
    CakePipeline *again = cake_pipeline_parse(context, &cake_passes_registry, cake_buf_view(&once));
    if (!again) abort();
    cake_pipeline_print(again, &twice);
    if (!cake_str_equal(cake_buf_view(&once), cake_buf_view(&twice))) abort();
    cake_pipeline_destroy(again);
    cake_buf_fini(&once);
    cake_buf_fini(&twice);
  } else if (cake_context_error_count(context) == 0) {
    abort(); // refused without a reason
  }
  cake_pipeline_destroy(pipeline);
  cake_context_destroy(context);
  return 0;
}
