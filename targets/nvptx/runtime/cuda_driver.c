// Loads the CUDA driver: one walk over the table of functions, and errors in words.
#include "targets/nvptx/runtime/cuda_driver.h"

#include <dlfcn.h>
#include <string.h>

typedef struct CudaFunction {
  size_t offset; // of the pointer in CakeCuda
  const char *symbol;
  int version;
  bool required;
} CudaFunction;

enum { OPTIONAL = 0, REQUIRED = 1 };

static const CudaFunction functions[] = {
#define CU_FN(field, symbol, name, version, need, parameters) {offsetof(CakeCuda, field), #symbol, version, need},
#include "targets/nvptx/runtime/cuda_api.def"
};

static void append_version(CakeBuf *out, int version) {
  cake_buf_printf(out, "CUDA %d.%d", version / 1000, version % 1000 / 10);
}

// Finds every function; fails at the first required one that is missing.
static bool load_functions(CakeCuda *cuda, CakeBuf *error) {
  for (size_t i = 0; i < CAKE_COUNT(functions); i++) {
    const CudaFunction *function = &functions[i];
    void *address = dlsym(cuda->library, function->symbol);
    if (!address && function->required) {
      cake_buf_printf(error, "the CUDA driver has no %s; it must support ", function->symbol);
      append_version(error, function->version);
      cake_buf_text(error, " or later");
      return false;
    }
    memcpy((char *)cuda + function->offset, &address, sizeof address);
  }
  return true;
}

bool cake_cuda_open_library(CakeCuda *out, const char *path, CakeBuf *error) {
  *out = (CakeCuda){0};
  out->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!out->library) {
    const char *reason = dlerror();
    cake_buf_printf(error, "no CUDA driver: %s", reason ? reason : "dlopen failed");
    return false;
  }
  bool fine =
      load_functions(out, error) && cake_cuda_check(out, out->init(0), error, "cannot start the CUDA driver") &&
      cake_cuda_check(out, out->driver_get_version(&out->version), error, "cannot ask for the CUDA driver's version");
  if (!fine) cake_cuda_close(out);
  return fine;
}

bool cake_cuda_open(CakeCuda *out, CakeBuf *error) {
  return cake_cuda_open_library(out, CAKE_CUDA_LIBRARY, error);
}

void cake_cuda_close(CakeCuda *cuda) {
  // A driver that has started keeps threads of its own, whose code must stay mapped.
  if (cuda->library && cuda->version == 0) dlclose(cuda->library);
  *cuda = (CakeCuda){0};
}

bool cake_cuda_check(const CakeCuda *cuda, CakeCuResult result, CakeBuf *error, const char *what, ...) {
  if (result == CAKE_CU_SUCCESS) return true;
  const char *name = NULL, *text = NULL;
  if (cuda->get_error_name(result, &name) != CAKE_CU_SUCCESS) name = NULL;
  if (cuda->get_error_string(result, &text) != CAKE_CU_SUCCESS) text = NULL;
  va_list args;
  va_start(args, what);
  cake_buf_vprintf(error, what, args);
  va_end(args);
  if (name)
    cake_buf_printf(error, ": %s (%s)", name, text ? text : "no description");
  else
    cake_buf_printf(error, ": CUDA error %d", (int)result);
  return false;
}

bool cake_cuda_missing(const CakeCuda *cuda, const char *symbol, CakeBuf *error) {
  int wanted = 0;
  for (size_t i = 0; i < CAKE_COUNT(functions); i++)
    if (strcmp(functions[i].symbol, symbol) == 0) wanted = functions[i].version;
  cake_buf_text(error, "the CUDA driver supports ");
  append_version(error, cuda->version);
  cake_buf_printf(error, " and has no %s, which needs ", symbol);
  append_version(error, wanted);
  return false;
}
