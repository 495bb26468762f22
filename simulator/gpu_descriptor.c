// gpu: matrix descriptors of wgmma and tcgen05, and the operands in shared memory that they describe.
//
// PTX ISA, "Matrix descriptor" and "tcgen05: shared memory descriptor": addresses and offsets in units of 16 bytes. The second kind has the number
// 1 in bits 46 to 48, and other numbers for the swizzles.
#include "simulator/gpu.h"

typedef struct Descriptor {
  int64_t start, leading, stride; // bytes
  int64_t swizzle;                // bytes; 0: none
} Descriptor;

static bool decode(CakeOp *op, const CakeGpuOperand *operand, Descriptor *out) {
  static const int64_t swizzles[] = {0, 128, 64, 32}, tcgen05_swizzles[] = {0, -1, 128, -1, 64, -1, 32, -1};
  uint64_t d = (uint64_t)operand->descriptor;
  out->start = (int64_t)(d & 0x3fff) << 4;
  out->leading = (int64_t)(d >> 16 & 0x3fff) << 4;
  out->stride = (int64_t)(d >> 32 & 0x3fff) << 4;
  out->swizzle = operand->is_tcgen05 ? tcgen05_swizzles[d >> 61] : swizzles[d >> 62];
  if (out->swizzle < 0 || (d >> 46 & 7) != (operand->is_tcgen05 ? 1 : 0))
    return cake_sim_unsupported(op, "has a matrix descriptor that is not one of its kind");
  return (d >> 49 & 7) == 0 || cake_sim_unsupported(op, "has a matrix descriptor with a base offset");
}

// The address of element (r, k) of `size` bytes of an operand whose rows are M or N. K-major: rows of the span of the swizzle, 8 of them `stride`
// apart. Otherwise (`turned`): rows of K, spans `leading` apart along M or N, 8 rows `stride` apart along K. Without swizzle core matrices of
// 8 rows of 16 bytes.
static int64_t element_address(const Descriptor *d, bool turned, int64_t size, int64_t r, int64_t k) {
  int64_t major = turned ? k : r, bytes = size * (turned ? r : k), span = d->swizzle ? d->swizzle : 16;
  int64_t across = bytes / span, group = major / 8;
  int64_t base = d->start + major % 8 * span + bytes % span;
  if (!d->swizzle)
    return base + (turned ? across * d->stride + group * d->leading : across * d->leading + group * d->stride);
  return cake_gpu_swizzled(base + across * d->leading + group * d->stride, d->swizzle);
}

// 16 bytes, which lie along the contiguous dimension, from element (r, k) on.
static bool read_chunk(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeGpuOperand *operand,
                       int64_t address, float *out) {
  const void *memory = cake_gpu_shared_at(machine, instr->op, address, 16, 16);
  CakeGpuAccess access = {address, 16, CAKE_GPU_READ, CAKE_GPU_IN_SHARED};
  if (!memory || !cake_gpu_check_read(machine, instr->op, address, 16)) return false;
  if (!out)
    return operand->is_tcgen05 ? cake_gpu_race_tcgen05(machine, instr, operand->lane, access)
                               : cake_gpu_race_wgmma(machine, instr, access);
  cake_sim_read(operand->element, memory, 0, 16 / cake_sim_stored_bytes(operand->element), out);
  return true;
}

bool cake_gpu_read_operand(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeGpuOperand *operand) {
  Descriptor d;
  if (!decode(instr->op, operand, &d)) return false;
  d.start += cake_gpu_window(cake_gpu_cta(machine), machine->rank) - CAKE_GPU_SHARED_BASE;
  int64_t size = (int64_t)cake_sim_stored_bytes(operand->element), count = 16 / size, depth = 32 / size;
  bool turned = operand->is_turned;
  int64_t outer = turned ? depth : operand->rows, inner = turned ? operand->rows : depth;
  for (int64_t o = 0; o < outer; o++) {
    for (int64_t i = 0; i < inner; i += count) {
      float chunk[16];
      int64_t r = turned ? i : o, k = turned ? o : i;
      int64_t address = element_address(&d, turned, size, operand->first + r, k);
      if (!read_chunk(machine, instr, operand, address, operand->at ? chunk : NULL)) return false;
      for (int64_t e = 0; operand->at && e < count; e++)
        operand->at[(turned ? r + e : r) * operand->row_step + (turned ? k : k + e) * operand->k_step] = chunk[e];
    }
  }
  return true;
}
