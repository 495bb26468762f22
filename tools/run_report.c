// The shape of a kernel in words: what is known of threads, roles, registers, shared memory and occupancy before it runs.
//
// Limits are those of analysis/targets.c. Every CTA takes 1 KB of shared memory besides its own (CUDA C++ Programming
// Guide, "Shared Memory" of compute capability 8.x and 9.0).
#include "analysis/targets.h"
#include "tools/run.h"

#define RESERVED_SHARED_BYTES 1024

// Registers of a CTA by the budgets of its roles; 0 when a role has none. A budget holds for whole warpgroups.
static int64_t budgeted_registers(const CakeFacts *facts) {
  int64_t sum = 0;
  for (size_t i = 0; i < facts->manifest.n_roles; i++) {
    const CakeManifestRole *role = &facts->manifest.roles[i];
    if (role->registers == 0) return 0;
    sum += role->registers * 32 * ((role->warps * role->replicas + 3) / 4 * 4);
  }
  return sum;
}

static void describe_roles(const CakeFacts *facts, CakeBuf *out) {
  int64_t used = 0;
  cake_buf_printf(out, "  threads        %lld:", (long long)facts->manifest.threads);
  for (size_t i = 0; i < facts->manifest.n_roles; i++) {
    const CakeManifestRole *role = &facts->manifest.roles[i];
    cake_buf_printf(out, "%s @%s ", i ? "," : "", role->name);
    if (role->replicas > 1) cake_buf_printf(out, "%lld x ", (long long)role->replicas);
    cake_buf_printf(out, "%lld warp%s", (long long)role->warps, role->warps == 1 ? "" : "s");
    if (role->registers) cake_buf_printf(out, " with %lld registers a thread", (long long)role->registers);
    used += role->warps * role->replicas;
  }
  if (used * 32 < facts->manifest.threads)
    cake_buf_printf(out, ", %lld idle", (long long)(facts->manifest.threads / 32 - used));
  cake_buf_char(out, '\n');
}

static void describe_registers(const CakeFacts *facts, const CakeRunGpu *run, const CakeTarget *limit, CakeBuf *out) {
  int64_t budget = budgeted_registers(facts);
  cake_buf_text(out, "  registers      ");
  if (budget)
    cake_buf_printf(out, "%lld by the roles' budgets, of %lld", (long long)budget, (long long)limit->registers_per_sm);
  else
    cake_buf_text(out, "left to the assembler");
  if (run)
    cake_buf_printf(out, "; the driver says %d a thread, %d bytes of stack and spills", run->kernel.registers,
                    run->kernel.local_bytes);
  cake_buf_char(out, '\n');
}

static int64_t lesser(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static void describe_occupancy(const CakeFacts *facts, const CakeRunGpu *run, const CakeTarget *limit, CakeBuf *out) {
  int64_t budget = budgeted_registers(facts), by_threads = limit->threads_per_sm / (int64_t)facts->manifest.threads;
  int64_t by_shared = limit->shared_bytes_per_sm / ((int64_t)facts->manifest.shared_bytes + RESERVED_SHARED_BYTES);
  int64_t blocks = lesser(lesser(by_threads, by_shared), limit->ctas_per_sm);
  if (budget) blocks = lesser(blocks, limit->registers_per_sm / budget);
  cake_buf_text(out, "  occupancy      ");
  if (run) {
    cake_buf_printf(out, "%d CTAs on a multiprocessor (the driver says)\n", run->blocks_per_multiprocessor);
    return;
  }
  const char *why = budget && blocks == limit->registers_per_sm / budget ? "registers"
                    : blocks == by_shared                                ? "shared memory"
                    : blocks == by_threads                               ? "threads"
                                                                         : "the number of CTAs";
  cake_buf_printf(out, "%s%lld CTA%s on a multiprocessor, limited by %s", budget ? "" : "at most ", (long long)blocks,
                  blocks == 1 ? "" : "s", why);
  if (!budget && blocks > 0) {
    cake_buf_printf(out, ", with up to %lld registers a thread",
                    (long long)lesser(255, limit->registers_per_sm / (blocks * facts->manifest.threads) / 8 * 8));
  }
  cake_buf_char(out, '\n');
}

void cake_run_describe(const CakeFacts *facts, CakeStr target, const CakeRunGpu *run, CakeBuf *out) {
  const CakeTarget *limit = cake_target_find(target);
  cake_buf_printf(out, "@%s for %.*s\n", facts->manifest.kernel, CAKE_STR_ARG(target));
  describe_roles(facts, out);
  cake_buf_printf(out, "  shared memory  %lld bytes", (long long)facts->manifest.shared_bytes);
  if (limit) cake_buf_printf(out, " of %lld", (long long)limit->shared_bytes_per_cta);
  cake_buf_char(out, '\n');
  if (!limit || facts->manifest.threads < 1) return;
  describe_registers(facts, run, limit, out);
  describe_occupancy(facts, run, limit, out);
}

static bool describe_lowered(CakeTool *tool, const char *kernel_name, CakeStr params, const char *target,
                             CakeBuf *out) {
  CakeOp *kernel = cake_tool_kernel(tool, kernel_name);
  CakeFacts facts;
  if (!kernel) return false;
  CakeAttr targets = cake_op_attr_text(kernel, "target");
  if (!target && cake_attr_count(targets)) target = cake_attr_string_value(cake_attr_element(targets, 0)).ptr;
  if (!target || !cake_kernel_check_target(kernel, target)) return false;
  CakeOp *module = cake_tool_lower(tool, params), *func = module ? cake_tool_func(tool, module) : NULL;
  if (!func || !cake_facts_of_func(func, target, &facts)) return false;
  cake_run_describe(&facts, cake_str(target), NULL, out);
  cake_facts_fini(&facts);
  return true;
}

bool cake_run_describe_file(const char *program, const char *file, const char *kernel, CakeStr params,
                            const char *target, CakeBuf *out) {
  CakeTool tool;
  cake_tool_open(&tool, program);
  bool is_fine = cake_tool_load(&tool, file) && describe_lowered(&tool, kernel, params, target, out);
  cake_tool_close(&tool);
  return is_fine;
}
