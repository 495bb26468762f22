// Named pass pipelines. The way down, a level a pass:
//
//   cake-instantiate       template parameters become numbers
//   cake-inline-calls      functions on fragments become part of who calls them
//   cake-unroll            loops with constant bounds become copies of their bodies
//   cake-assign-shared     slots and barriers get their place in shared memory
//   cake-expand-roles      a kernel becomes a function of one thread, roles become branches on the warp's number
//   cake-expand-pipelines  slots become mbarriers with phases
//   cake-expand-fragments  fragments become registers, copies become instructions
//   canonicalize, cse, dce clean up behind them
#include "passes/cake_pipelines.h"

void cake_lower_pipeline(CakeBuf *out, CakeStr params, int64_t watchdog_ns) {
  cake_buf_text(out, "builtin.module(cake-instantiate");
  if (params.len) cake_buf_printf(out, "{params=\"%.*s\"}", CAKE_STR_ARG(params));
  cake_buf_text(out, ",cake-inline-calls,cake-unroll,cake-assign-shared,cake-expand-roles");
  if (watchdog_ns) cake_buf_printf(out, ",cake-watchdog{ns=%lld}", (long long)watchdog_ns);
  cake_buf_text(out, ",cake-expand-pipelines,cake-expand-fragments,canonicalize,cse,dce)");
}
