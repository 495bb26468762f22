// A pass that tells what its lists hold.
#include "cake/plugin.h"

static CakePassResult run(CakePassContext *pass, CakeOp *op) {
  int64_t sum = 0;
  (void)op;
  for (size_t i = 0; i < cake_pass_option_count(pass->pass, "sizes"); i++)
    sum += cake_pass_option_int_at(pass->pass, "sizes", i);
  cake_buf_printf(pass->report, "sizes: %zu, sum %lld\n", cake_pass_option_count(pass->pass, "sizes"), (long long)sum);
  for (size_t i = 0; i < cake_pass_option_count(pass->pass, "names"); i++) {
    CakeStr name = cake_pass_option_str_at(pass->pass, "names", i);
    cake_buf_printf(pass->report, "name [%.*s]\n", (int)name.len, name.ptr);
  }
  for (size_t i = 0; i < cake_pass_option_count(pass->pass, "flags"); i++)
    cake_buf_printf(pass->report, "flag %s\n", cake_pass_option_bool_at(pass->pass, "flags", i) ? "on" : "off");
  cake_buf_printf(pass->report, "depth %lld, behind the end %lld\n",
                  (long long)cake_pass_option_int(pass->pass, "depth"),
                  (long long)cake_pass_option_int_at(pass->pass, "sizes", 1000));
  return CAKE_PASS_UNCHANGED;
}

static const CakePassOption options[] = {
    {"sizes", CAKE_OPTION_INT_LIST,    "8,16", "numbers"},
    {"names", CAKE_OPTION_STRING_LIST, "",     "texts"  },
    {"flags", CAKE_OPTION_BOOL_LIST,   "true", "choices"},
    {"depth", CAKE_OPTION_INT,         "1",    "no list"},
};

static const CakePassDef passes[] = {
    {.name = "test-lists",
     .summary = "Tells what its lists hold.",
     .description = "",
     .options = options,
     .n_options = sizeof options / sizeof *options,
     .run = run},
    {0},
};

CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void);
CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void) {
  static const CakePlugin plugin = {CAKE_PLUGIN_HEAD, .name = "lists", .version = "1.0", .passes = passes};
  return &plugin;
}
