// gpu: printf and fail.
#include "simulator/gpu_build.h"

static void print_value(const CakeSimMachine *machine, uint32_t slot, unsigned lane, CakeBuf *out) {
  if (cake_sim_slot_info(machine, slot)->element.is_float)
    cake_buf_printf(out, "%.9g", (double)cake_sim_floats(machine, slot)[lane]);
  else
    cake_buf_printf(out, "%lld", (long long)cake_sim_ints(machine, slot)[lane]);
}

static void print_lane(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane) {
  CakeStr format = cake_attr_string_value(cake_gpu_printf_format(instr->op));
  uint32_t next = 0;
  CakeBuf line = {0};
  for (size_t i = 0; i < format.len; i++) {
    bool is_conversion = format.ptr[i] == '%' && i + 1 < format.len;
    if (is_conversion) i++;
    if (is_conversion && format.ptr[i] != '%')
      print_value(machine, instr->in[next++], lane, &line);
    else
      cake_buf_char(&line, format.ptr[i]);
  }
  cake_sim_print_line(machine, cake_buf_view(&line));
  cake_buf_fini(&line);
}

static CakeSimStep eval_printf(CakeSimMachine *machine, const CakeSimInstr *instr) {
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    if (machine->active >> lane & 1) print_lane(machine, instr, lane);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_printf(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_printf) != NULL;
}

static CakeSimStep eval_fail(CakeSimMachine *machine, const CakeSimInstr *instr) {
  return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_ASSERT, "ends the launch: %.*s",
                        CAKE_STR_ARG(cake_attr_string_value(cake_gpu_fail_text(instr->op))));
}

bool cake_gpu_build_gpu_fail(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_fail) != NULL;
}
