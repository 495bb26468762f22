// The CUDA driver, loaded once a process when it is first asked for.
#include "targets/nvptx/runtime/launch.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static CakeLaunchDriver cake_launch_loaded; // filled in once, under the lock; only read from then on
static pthread_mutex_t cake_launch_lock = PTHREAD_MUTEX_INITIALIZER;

static bool find_functions(CakeLaunchDriver *driver, CakeRuntimeError *error) {
  static const struct {
    const char *symbol;
    size_t offset;
    bool is_required;
  } rows[] = {
#define CAKE_LAUNCH_ROW(field, symbol, required, parameters) {#symbol, offsetof(CakeLaunchDriver, field), required},
      CAKE_LAUNCH_DRIVER(CAKE_LAUNCH_ROW)
#undef CAKE_LAUNCH_ROW
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    void *address = dlsym(driver->handle, rows[i].symbol);
    if (!address && rows[i].is_required) return cake_launch_refuse(error, "the CUDA driver has no %s", rows[i].symbol);
    memcpy((char *)driver + rows[i].offset, &address, sizeof address);
  }
  return true;
}

bool cake_launch_result(const CakeLaunchDriver *driver, int result, const char *what, CakeRuntimeError *error) {
  const char *name = NULL;
  if (result == 0) return true;
  if (driver->get_error_name(result, &name) != 0) name = NULL;
  return cake_launch_refuse(error, "%s: %s (%d)", what, name ? name : "CUDA error", result);
}

static bool open_driver(const char *path, CakeLaunchDriver *driver, CakeRuntimeError *error) {
  memset(driver, 0, sizeof *driver);
  driver->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!driver->handle) {
    const char *reason = dlerror();
    return cake_launch_refuse(error, "no CUDA driver: %s", reason ? reason : "dlopen failed");
  }
  if (find_functions(driver, error) &&
      cake_launch_result(driver, driver->init(0), "cannot start the CUDA driver", error))
    return true;
  dlclose(driver->handle);
  driver->handle = NULL;
  return false;
}

bool cake_driver_open(const char *path, CakeRuntimeError *error) {
  CakeLaunchDriver driver;
  pthread_mutex_lock(&cake_launch_lock);
  bool is_fine = cake_launch_loaded.handle != NULL || open_driver(path, &driver, error);
  if (is_fine && !cake_launch_loaded.handle) cake_launch_loaded = driver;
  pthread_mutex_unlock(&cake_launch_lock);
  return is_fine;
}

const CakeLaunchDriver *cake_launch_driver(CakeRuntimeError *error) {
  return cake_driver_open("libcuda.so.1", error) ? &cake_launch_loaded : NULL;
}
