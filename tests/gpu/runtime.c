// The GPU layer on a real GPU, from C alone: no IR, no LLVM. Each case runs in a process of its own, because a fault or a
// hang takes its context along. Exit 77: no GPU.
#include "targets/nvptx/runtime/gpu.h"

#include "cake/float.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// x[i] *= a; a store to address 0; an endless loop.
static const char plain_ptx[] = ".version 7.1\n.target sm_80\n.address_size 64\n"
                                ".visible .entry scale(.param .u64 x, .param .u32 n, .param .f32 a) {\n"
                                "  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n"
                                "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                                "  mad.lo.s32 %r4, %r1, %r2, %r3;\n"
                                "  ld.param.u32 %r5, [n]; setp.ge.u32 %p, %r4, %r5; @%p bra END;\n"
                                "  ld.param.u64 %rd1, [x]; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
                                "  ld.param.f32 %f1, [a]; ld.global.f32 %f2, [%rd3]; mul.f32 %f3, %f2, %f1;\n"
                                "  st.global.f32 [%rd3], %f3;\n"
                                "END: ret;\n}\n"
                                ".visible .entry fault() {\n"
                                "  .reg .b64 %rd; mov.u64 %rd, 0; st.global.u32 [%rd], 1; ret;\n}\n"
                                ".visible .entry hang(.param .u64 x) {\n"
                                "  .reg .pred %p; .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [x];\n"
                                "L: ld.volatile.global.u32 %r, [%rd]; setp.ne.u32 %p, %r, 12345; @%p bra L; ret;\n}\n";

// Block b copies rows 64·b … of a bf16 tensor of 64 columns into shared memory by TMA, and shared memory to `out`.
static const char tma_ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 1024 .b8 smem[];\n"
    ".visible .entry copy(.param .align 64 .b8 map[128], .param .u64 out) {\n"
    "  .reg .pred %p, %q; .reg .b32 %r<12>; .reg .b64 %rd<8>;\n"
    "  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 6; mov.u32 %r4, smem; add.u32 %r5, %r4, 8192;\n"
    "  mov.u64 %rd1, map; cvta.param.u64 %rd2, %rd1; mov.u32 %r10, 0;\n"
    "  setp.ne.u32 %p, %r1, 0; @%p bra READY;\n"
    "  mbarrier.init.shared::cta.b64 [%r5], 1; fence.mbarrier_init.release.cluster;\n"
    "  mbarrier.arrive.expect_tx.shared::cta.b64 %rd3, [%r5], 8192;\n"
    "  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd2, {%r10, %r3}], [%r5];\n"
    "READY: bar.sync 0;\n"
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%r5], 0; @!%q bra WAIT;\n"
    "  ld.param.u64 %rd4, [out]; mul.wide.u32 %rd5, %r2, 8192; add.s64 %rd4, %rd4, %rd5;\n"
    "LOOP: shl.b32 %r6, %r1, 2; add.u32 %r7, %r4, %r6; ld.shared.u32 %r8, [%r7];\n"
    "  cvt.u64.u32 %rd6, %r6; add.s64 %rd7, %rd4, %rd6; st.global.u32 [%rd7], %r8;\n"
    "  add.u32 %r1, %r1, 128; setp.lt.u32 %p, %r1, 2048; @%p bra LOOP; ret;\n}\n";

static CakeGpu gpu;
static CakeBuf error;

static bool fail(const char *what) {
  printf("  %s\n", what);
  return false;
}

static bool load(const char *ptx, const char *name, size_t shared_bytes, CakeGpuKernel *out) {
  CakeCuModule module = NULL;
  return cake_gpu_module_load(&gpu, cake_str(ptx), &module, NULL, &error) &&
         cake_gpu_kernel_find(&gpu, module, name, shared_bytes, out, &error);
}

// ---- Cases ---------------------------------------------------------------------------------------------------------

enum { COUNT = 1000003 };

static bool scale_is_right_and_timed(void) {
  static float host[COUNT];
  unsigned n = COUNT;
  float a = 3.0f, one = 1.0f;
  CakeGpuKernel kernel;
  CakeGpuBuffer x;
  if (!load(plain_ptx, "scale", 0, &kernel) || !cake_gpu_buffer_create(&gpu, sizeof host, &x, &error)) return false;
  for (unsigned i = 0; i < n; i++)
    host[i] = (float)(i % 1024);
  CakeGpuParam params[] = {
      {&x.address, 8},
      {&n,         4},
      {&a,         4}
  };
  CakeGpuLaunch launch = {
      .grid = {(n + 255) / 256, 1, 1},
        .block = {256,             1, 1},
        .params = params, .param_count = 3
  };
  if (!cake_gpu_buffer_write(&gpu, &x, host, sizeof host, &error) || !cake_gpu_launch(&gpu, &kernel, &launch, &error) ||
      !cake_gpu_wait(&gpu, 10, &error) || !cake_gpu_buffer_read(&gpu, &x, host, sizeof host, &error) ||
      !cake_gpu_buffer_check(&gpu, &x, "x", &error))
    return false;
  for (unsigned i = 0; i < n; i++)
    if (host[i] != 3.0f * (float)(i % 1024)) return fail("a wrong product");

  params[2].data = &one;
  CakeGpuVariant variants[] = {
      {&kernel, &launch},
      {&kernel, &launch}
  };
  CakeGpuTimeOptions options = cake_gpu_time_cold(&gpu);
  CakeGpuTime times[2];
  double sustained_ms = 0;
  if (!cake_gpu_time(&gpu, variants, 2, &options, times, &error) ||
      !cake_gpu_time_sustained(&gpu, &variants[0], 100, 500, 10, &sustained_ms, &error))
    return false;
  printf("  cold %.4f ms and %.4f ms (%.4f to %.4f), sustained %.4f ms\n", times[0].median_ms, times[1].median_ms,
         times[0].lowest_ms, times[0].highest_ms, sustained_ms);
  return times[0].median_ms > 0 && times[0].median_ms < 1 && sustained_ms > 0 && sustained_ms < 1;
}

// The 128B swizzle moves the 16-byte chunk c of row r to c xor (r mod 8); rows past the end are zero.
static bool tma_copy_is_right(bool clusters) {
  enum { ROWS = 100, COLUMNS = 64, BLOCKS = 2 };
  static uint16_t host[ROWS * COLUMNS], back[BLOCKS * 64 * COLUMNS];
  if (gpu.sm < 90) return true;
  for (unsigned i = 0; i < ROWS * COLUMNS; i++)
    host[i] = (uint16_t)(i + 1);
  CakeGpuKernel kernel;
  CakeGpuBuffer x, out;
  _Alignas(128) CakeCuTensorMap map;
  if (!load(tma_ptx, "copy", 8192 + 64, &kernel) || !cake_gpu_buffer_create(&gpu, sizeof host, &x, &error) ||
      !cake_gpu_buffer_create(&gpu, sizeof back, &out, &error))
    return false;
  CakeGpuTensor tensor = {
      .base = x.address,
      .type = CAKE_CU_TENSOR_BF16,
      .rank = 2,
      .dims = {COLUMNS, ROWS       },
      .strides = {0,       2 * COLUMNS},
      .box = {COLUMNS, 64         },
      .swizzle = CAKE_CU_SWIZZLE_128B
  };
  CakeGpuParam params[] = {
      {&map,         sizeof map},
      {&out.address, 8         }
  };
  CakeGpuLaunch launch = {
      .grid = {BLOCKS, 1, 1},
        .block = {128,    1, 1},
        .params = params, .param_count = 2
  };
  if (clusters) memcpy(launch.cluster, (unsigned[3]){BLOCKS, 1, 1}, sizeof launch.cluster);
  if (!cake_gpu_tensor_encode(&gpu, &tensor, &map, &error) ||
      !cake_gpu_buffer_write(&gpu, &x, host, sizeof host, &error) || !cake_gpu_launch(&gpu, &kernel, &launch, &error) ||
      !cake_gpu_wait(&gpu, 10, &error) || !cake_gpu_buffer_read(&gpu, &out, back, sizeof back, &error) ||
      !cake_gpu_buffer_check(&gpu, &out, "out", &error))
    return false;
  for (unsigned row = 0; row < BLOCKS * 64; row++) {
    for (unsigned column = 0; column < COLUMNS; column++) {
      unsigned chunk = column / 8 ^ row % 8;
      uint16_t wanted = row < ROWS ? host[row * COLUMNS + column] : 0;
      if (back[row * COLUMNS + chunk * 8 + column % 8] != wanted) return fail("a wrong element");
    }
  }
  return true;
}

static bool tma_copy(void) {
  return tma_copy_is_right(false);
}

static bool tma_copy_in_a_cluster(void) {
  return tma_copy_is_right(true);
}

static bool expect_error(bool result, const char *text) {
  if (result) return fail("it worked");
  printf("  %s\n", error.data);
  return strstr(error.data, text) != NULL;
}

static bool a_fault_is_told(void) {
  CakeGpuKernel kernel;
  CakeGpuLaunch launch = {
      .grid = {1, 1, 1},
        .block = {1, 1, 1}
  };
  if (!load(plain_ptx, "fault", 0, &kernel) || !cake_gpu_launch(&gpu, &kernel, &launch, &error)) return false;
  return expect_error(cake_gpu_wait(&gpu, 10, &error), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

static bool a_hang_is_given_up(void) {
  CakeGpuKernel kernel;
  CakeGpuBuffer x;
  if (!load(plain_ptx, "hang", 0, &kernel) || !cake_gpu_buffer_create(&gpu, 4, &x, &error)) return false;
  CakeGpuParam params[] = {
      {&x.address, 8}
  };
  CakeGpuLaunch launch = {
      .grid = {1, 1, 1},
        .block = {1, 1, 1},
        .params = params, .param_count = 1
  };
  if (!cake_gpu_launch(&gpu, &kernel, &launch, &error)) return false;
  return expect_error(cake_gpu_wait(&gpu, 0.5, &error), "did not end within 0.5 s") && gpu.hung;
}

static bool bad_ptx_is_told(void) {
  CakeCuModule module = NULL;
  return expect_error(
      cake_gpu_module_load(&gpu, CAKE_STR(".version 7.1\n.target sm_80\nnonsense\n"), &module, NULL, &error), "line 3");
}

static bool wrong_parameters_are_refused(void) {
  if (!gpu.cuda.func_get_param_info) return true;
  CakeGpuKernel kernel;
  CakeGpuLaunch launch = {
      .grid = {1,  1, 1},
        .block = {32, 1, 1}
  };
  if (!load(plain_ptx, "scale", 0, &kernel)) return false;
  return expect_error(cake_gpu_launch(&gpu, &kernel, &launch, &error), "has more parameters than the 0 given");
}

// ---- Running them --------------------------------------------------------------------------------------------------

typedef struct Case {
  const char *name;
  bool (*run)(void);
} Case;

static const Case cases[] = {
    {"scale, checked and timed",     scale_is_right_and_timed    },
    {"TMA copy",                     tma_copy                    },
    {"TMA copy in a cluster",        tma_copy_in_a_cluster       },
    {"bad PTX is told",              bad_ptx_is_told             },
    {"wrong parameters are refused", wrong_parameters_are_refused},
    {"a fault is told",              a_fault_is_told             },
    {"a hang is given up",           a_hang_is_given_up          },
};

enum { SKIPPED = 77 };

static int run_case(const Case *item) {
  if (!cake_gpu_open(&gpu, 0, &error)) {
    printf("  %s\n", error.data);
    return SKIPPED;
  }
  bool fine = item->run();
  printf("%s: %s (%s, sm_%d)\n", fine ? "ok" : "FAILED", item->name, gpu.name, gpu.sm);
  if (!fine && error.len) printf("  %s\n", error.data);
  cake_gpu_close(&gpu);
  return fine ? 0 : 1;
}

int main(void) {
  int exit_code = 0;
  for (size_t i = 0; i < CAKE_COUNT(cases); i++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      int result = run_case(&cases[i]);
      fflush(stdout);
      _exit(result);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    int result = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (result == SKIPPED) return SKIPPED;
    if (result != 0) exit_code = 1;
  }
  return exit_code;
}
