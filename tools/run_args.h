// cake-run's command line. Private to tools/.
#ifndef CAKE_TOOLS_RUN_ARGS_H
#define CAKE_TOOLS_RUN_ARGS_H

#include "tools/tool.h"

typedef enum RunDevice { RUN_CPU, RUN_GPU } RunDevice;

typedef struct RunOptions {
  const char *file, *kernel, *target; // kernel, target: NULL when not given
  RunDevice device;
  CakeToolPairs sizes, params, inputs, outputs, checks; // outputs: NAME=FILE
  CAKE_VEC(int64_t) ctas;
  bool has_ctas, time, verbose, help, version;
  int64_t seed, ordinal;
  double timeout_s, watchdog_s; // watchdog_s 0: none
} RunOptions;

// False: reported.
CAKE_NODISCARD bool run_parse_args(const CakeTool *tool, int argc, char **argv, RunOptions *out);
void run_options_fini(RunOptions *options);
void run_print_help(CakeBuf *out);

#endif
