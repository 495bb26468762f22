// cake-run's command line. Private to tools/.
#ifndef CAKE_TOOLS_RUN_ARGS_H
#define CAKE_TOOLS_RUN_ARGS_H

#include "cake/simulator.h"
#include "tools/tool.h"

typedef enum RunDevice { RUN_CPU, RUN_GPU } RunDevice;
typedef enum RunLevel { RUN_LEVEL_CAKE, RUN_LEVEL_GPU } RunLevel;

typedef struct RunOptions {
  const char *file, *kernel, *target, *contract; // the last three: NULL when not given
  RunDevice device;
  RunLevel level; // of the simulator
  CakeToolPairs sizes, params, inputs, outputs, checks; // outputs: NAME=FILE
  CAKE_VEC(int64_t) ctas;
  bool has_ctas, races, protocol, no_rules, time, unguarded, verbose, help, version;
  bool replay; // the protocol checker's refutation
  CakeSimSchedule schedule;
  int64_t seed, schedules, ordinal; // schedules: how many, with seeds that count up
  double timeout_s, watchdog_s;     // watchdog_s 0: none
} RunOptions;

// False: reported.
CAKE_NODISCARD bool run_parse_args(const CakeTool *tool, int argc, char **argv, RunOptions *out);
void run_options_fini(RunOptions *options);
void run_print_help(CakeBuf *out);

// The kernel of the loaded file that the command line means: the one that is named, or of a family the first that has its parameters, runs on a
// device of capability `sm` (0: the simulator) and whose guard holds for its sizes. All others are erased. NULL: reported.
CakeOp *run_choose_kernel(CakeTool *tool, const RunOptions *options, int sm);

#endif
