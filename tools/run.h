// Running one kernel, on the simulator or on a GPU: opened once, launched as often as wanted.
//
// Functions that take `error` append one sentence to it when they fail; when they fail and it is empty, the reason was
// reported through the context as a diagnostic.
#ifndef CAKE_TOOLS_RUN_H
#define CAKE_TOOLS_RUN_H

#include "cake/float.h"
#include "cake/runtime.h"
#include "cake/simulator.h"
#include "targets/nvptx/runtime/gpu.h"
#include "tools/npy.h"
#include "tools/tool.h"
#include "tools/tool_facts.h"

CAKE_BEGIN_C

// ---- Elements --------------------------------------------------------------------------------------------------------

// How an element type of the IR is held in memory and in .npy files.
typedef struct CakeRunElement {
  const char *name;              // "bf16"
  size_t bytes;                  // in memory
  CakeNpyType npy;               // what a result is written as
  const CakeFloatFormat *narrow; // a float that .npy lacks or that f32 is rounded to; NULL: the bits are copied
} CakeRunElement;

const CakeRunElement *cake_run_element(CakeElement element);

// ---- Arguments -------------------------------------------------------------------------------------------------------

// What an array is filled with once its shape is known.
typedef enum CakeRunFill { CAKE_RUN_NOTHING, CAKE_RUN_RANDOM, CAKE_RUN_ZEROS } CakeRunFill;
// The one of that name, "random" or "zeros"; CAKE_RUN_NOTHING: none has it.
CakeRunFill cake_run_fill_find(CakeStr name);

// The value of one argument, in the element's own bits, row-major; a scalar has rank 0.
typedef struct CakeRunArray {
  const CakeRunElement *element;
  int64_t dims[CAKE_MANIFEST_MAX_RANK];
  size_t rank, count; // elements
  void *data;         // owned by `storage`
  CakeBuf storage;
  bool is_set, is_output; // given; to be read back
  CakeRunFill fill;
  CakeGpuBuffer buffer;   // on the GPU, once launched there
} CakeRunArray;

// The values of all arguments and sizes of a kernel, in the order of its facts.
typedef struct CakeRunArgs {
  const CakeFacts *facts; // borrowed
  CAKE_VEC(CakeRunArray) arrays;
  CAKE_VEC(int64_t) sizes; // -1: not known yet
  CakeBuf rounded;         // names of arrays whose values were rounded: "x, c"
} CakeRunArgs;

// False when there are too many arguments. Needs fini after true only, without buffers on a GPU.
CAKE_NODISCARD bool cake_run_args_init(CakeRunArgs *args, const CakeFacts *facts, CakeBuf *error);
void cake_run_args_fini(CakeRunArgs *args);
// Gives an array a value from a file's contents, rounding float32 to narrower floats.
CAKE_NODISCARD bool cake_run_set_npy(CakeRunArgs *args, size_t index, const CakeNpy *npy, CakeBuf *error);
// The same from memory in the element's own bits.
CAKE_NODISCARD bool cake_run_set_bits(CakeRunArgs *args, size_t index, const void *bits, const int64_t *dims,
                                      size_t rank, CakeBuf *error);
CAKE_NODISCARD bool cake_run_set_scalar(CakeRunArgs *args, size_t index, CakeStr text, CakeBuf *error);
// Zeros, or standard normal numbers (small integers), the same ones in every run, once the sizes are known.
void cake_run_set_fill(CakeRunArgs *args, size_t index, CakeRunFill fill);
CAKE_NODISCARD bool cake_run_set_size(CakeRunArgs *args, CakeStr name, int64_t value, CakeBuf *error);
// Binds the sizes from the shapes, checks shapes, limits and the guard, and makes the outputs that have no value. Outputs
// are filled with 0xff bytes (NaN, -1).
CAKE_NODISCARD bool cake_run_bind(CakeRunArgs *args, CakeBuf *error);
// The arguments as the runtime takes them: arrays where they are on the GPU. `values` has room for all of them.
CakeCall cake_run_call(const CakeRunArgs *args, CakeArgument *values);
// One element from or as a double: rounded to the nearest, ties to even; integers are cut.
void cake_run_store(CakeRunArray *array, size_t i, double value);
double cake_run_fetch(const CakeRunArray *array, size_t i);
// Fills an array; `seed` tells arrays apart.
void cake_run_fill_random(CakeRunArray *array, uint64_t seed);
// An output as a file holds it: narrow floats as float32.
void cake_run_to_npy(const CakeRunArray *array, CakeNpy *out);
// Compares an output with what was expected, element by element (NaN equals NaN). `skip` (may be NULL) marks elements that
// are not compared. False: `error` has the number of differences and the first of them.
CAKE_NODISCARD bool cake_run_compare(const CakeRunArgs *args, size_t index, const CakeNpy *expected, const bool *skip,
                                     size_t *out_compared, CakeBuf *error);

// ---- The simulator ---------------------------------------------------------------------------------------------------

// Runs an instantiated cake.kernel on bound arguments.
CAKE_NODISCARD bool cake_run_cpu(CakeOp *kernel, CakeRunArgs *args, const CakeSimOptions *options,
                                 CakeSimReport *report);

// The same of either level, by the schedule with which the protocol checker refutes it. False, too, when it does not.
CAKE_NODISCARD bool cake_run_replay(const CakeTool *tool, CakeOp *kernel, CakeRunArgs *args, CakeSimOptions *options,
                                    CakeSimReport *report);

// ---- A GPU -----------------------------------------------------------------------------------------------------------

// A kernel loaded on a GPU.
typedef struct CakeRunGpu {
  CakeGpu *gpu; // borrowed
  const CakeFacts *facts;
  CakeCuModule module;
  CakeGpuKernel kernel;
  int blocks_per_multiprocessor;     // that fit at once
  struct CakeWatchdogReport *report; // of a kernel with a watchdog, once launched
} CakeRunGpu;

// Loads PTX text or a cubin whose entry is `facts->kernel`.
CAKE_NODISCARD bool cake_run_gpu_load(CakeGpu *gpu, const CakeFacts *facts, CakeStr image, CakeRunGpu *out,
                                      CakeBuf *error);
void cake_run_gpu_unload(CakeRunGpu *run);

typedef struct CakeRunTimes {
  CakeGpuTime cold;
  double sustained_ms;
} CakeRunTimes;

// Uploads the arguments, launches, waits at most `timeout_s` seconds, reads the outputs back and checks that nothing was
// written beside the arrays. With `times` (may be NULL) it is launched many more times behind that.
CAKE_NODISCARD bool cake_run_gpu_launch(CakeRunGpu *run, CakeRunArgs *args, double timeout_s, CakeRunTimes *times,
                                        CakeBuf *error);
// Gives the arguments' buffers back.
void cake_run_gpu_release(CakeGpu *gpu, CakeRunArgs *args);

// Facts of a .ptx file from its manifest, which must be of that kernel ("k", "@k", or NULL for whichever it is).
CAKE_NODISCARD bool cake_run_ptx_facts(CakeTool *tool, CakeStr ptx, const char *kernel, CakeFacts *out, CakeBuf *error);

// ---- The shape of a kernel -------------------------------------------------------------------------------------------

// What is known of a kernel before it runs, one line a subject: threads, roles, registers, shared memory, occupancy on a
// target ("sm_90a"). `run` (may be NULL) adds what the driver says.
void cake_run_describe(const CakeFacts *facts, CakeStr target, const CakeRunGpu *run, CakeBuf *out);
// The same for a kernel of a file, which is read again and lowered for it. `target`: NULL for the kernel's first.
CAKE_NODISCARD bool cake_run_describe_file(const char *program, const char *file, const char *kernel, CakeStr params,
                                           const char *target, CakeBuf *out);

CAKE_END_C
#endif
