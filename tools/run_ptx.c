// A .ptx file that cake-translate wrote: its manifest says all that a launch needs.
#include "tools/run.h"

bool cake_run_ptx_facts(CakeTool *tool, CakeStr ptx, const char *kernel, CakeFacts *out, CakeBuf *error) {
  if (!cake_facts_of_manifest(ptx, tool->file, out, error)) return false;
  CakeStr wanted = cake_str(kernel ? kernel : "");
  if (cake_str_starts_with(wanted, "@")) wanted = (CakeStr){wanted.ptr + 1, wanted.len - 1};
  if (!kernel || cake_str_is(wanted, out->manifest.kernel)) return true;
  cake_buf_printf(error, "%s has no kernel '@%.*s'; it has @%s", tool->file, CAKE_STR_ARG(wanted),
                  out->manifest.kernel);
  cake_facts_fini(out);
  return false;
}
