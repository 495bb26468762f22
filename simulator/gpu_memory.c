// gpu: addresses, and what each byte of shared memory holds.
#include "simulator/gpu_build.h"

#include <string.h>

#define EACH_BYTE UINT64_C(0x0101010101010101)

// ---- Addresses -----------------------------------------------------------------------------------------------------------

static CakeSimStep eval_shared_memory(CakeSimMachine *machine, const CakeSimInstr *instr) {
  for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++)
    cake_sim_ints(machine, instr->out[0])[lane] = cake_gpu_window(cake_gpu_cta(machine), machine->rank);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_shared_memory(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_shared_memory) != NULL;
}

static CakeSimStep eval_ptr_add(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const int64_t *base = cake_sim_ints(machine, instr->in[0]), *bytes = cake_sim_ints(machine, instr->in[1]);
  int64_t *restrict out = cake_sim_ints(machine, instr->out[0]);
  for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++)
    out[lane] = (int64_t)((uint64_t)base[lane] + (uint64_t)bytes[lane]);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_ptr_add(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_ptr_add) != NULL;
}

// The same in every CTA of a cluster.
static CakeSimStep eval_shared_address(CakeSimMachine *machine, const CakeSimInstr *instr) {
  int64_t window = cake_gpu_window(cake_gpu_cta(machine), machine->rank) - CAKE_GPU_SHARED_BASE;
  for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++)
    cake_sim_ints(machine, instr->out[0])[lane] =
        cake_sim_wrap(cake_sim_ints(machine, instr->in[0])[lane] - window, 32);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_shared_address(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_shared_address) != NULL;
}

// ---- Places --------------------------------------------------------------------------------------------------------------

int64_t cake_gpu_array_address(const CakeSimLaunch *launch, size_t argument) {
  int64_t align = cake_global_align(launch->arg_types[argument]);
  if (align == 0) align = (int64_t)cake_sim_stored_bytes(launch->globals[argument].element);
  return ((int64_t)(argument + 1) << CAKE_GPU_ARRAY_SHIFT) + align;
}

int64_t cake_gpu_array_bytes(const CakeSimLaunch *launch, size_t argument) {
  const CakeSimArray *array = launch->arrays[argument];
  int64_t bytes = (int64_t)cake_sim_stored_bytes(launch->globals[argument].element);
  for (size_t d = 0; d < array->rank; d++)
    bytes *= array->dims[d];
  return bytes;
}

size_t cake_gpu_array_near(const CakeSimLaunch *launch, int64_t address) {
  int64_t half = INT64_C(1) << (CAKE_GPU_ARRAY_SHIFT - 1);
  int64_t number = ((address + half) >> CAKE_GPU_ARRAY_SHIFT) - 1;
  bool is_array = number >= 0 && number < (int64_t)launch->n_args && launch->arrays[number]->rank > 0;
  return is_array ? (size_t)number : SIZE_MAX;
}

void cake_gpu_place_text(const CakeSimLaunch *launch, bool is_shared, int64_t address, CakeBuf *out) {
  if (is_shared) {
    cake_buf_printf(out, "shared memory + %lld", (long long)(address - CAKE_GPU_SHARED_BASE));
    return;
  }
  size_t argument = cake_gpu_array_near(launch, address);
  if (argument == SIZE_MAX) {
    cake_buf_printf(out, "address %lld, far from every array", (long long)address);
    return;
  }
  cake_buf_printf(out, "argument '%s' + %lld bytes of %lld", launch->globals[argument].name->text,
                  (long long)(address - cake_gpu_array_address(launch, argument)),
                  (long long)cake_gpu_array_bytes(launch, argument));
}

static bool place_error(CakeSimMachine *machine, CakeOp *op, CakeCode code, const char *what, bool is_shared,
                        int64_t address, int64_t bytes) {
  CakeBuf place = {0};
  int64_t own = cake_gpu_window(cake_gpu_cta(machine), machine->rank) - CAKE_GPU_SHARED_BASE;
  cake_gpu_place_text(machine->cta->launch, is_shared, is_shared ? address - own : address, &place);
  (void)cake_sim_error(machine, op, code, "%s: %lld bytes at %s", what, (long long)bytes, place.data);
  cake_buf_fini(&place);
  return false;
}

static bool check_alignment(CakeSimMachine *machine, CakeOp *op, bool is_shared, int64_t address, int64_t bytes,
                            int64_t align) {
  if (address % align == 0) return true;
  CakeBuf what = {0};
  cake_buf_printf(&what, "has an address that is no multiple of %lld", (long long)align);
  (void)place_error(machine, op, CAKE_CODE_SIM_MISALIGNED, what.data, is_shared, address, bytes);
  cake_buf_fini(&what);
  return false;
}

void *cake_gpu_shared_at(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes, int64_t align) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  int64_t window = cake_gpu_window(cta, machine->rank), offset = address - window;
  if (!check_alignment(machine, op, true, address, bytes, align)) return NULL;
  if (offset >= 0 && bytes >= 0 && offset <= cta->shared_bytes - bytes) return cake_gpu_shared_bytes(cta, address);
  (void)place_error(machine, op, CAKE_CODE_SIM_OUT_OF_BOUNDS, "leaves the CTA's shared memory", true, address, bytes);
  return NULL;
}

static bool has_ended(const CakeGpuCta *cta, int64_t rank) {
  for (size_t w = 0; w < cta->warps_each; w++)
    if (!cta->warps[(size_t)rank * cta->warps_each + w].machine.is_done) return false;
  return true;
}

bool cake_gpu_remote(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t rank, int64_t *out) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  int64_t cluster = machine->cta->launch->cluster;
  if (rank < 0 || rank >= cluster) {
    (void)cake_sim_error(machine, op, CAKE_CODE_SIM_OUT_OF_BOUNDS, "reaches for CTA %lld of a cluster of %lld",
                         (long long)rank, (long long)cluster);
    return false;
  }
  if (has_ended(cta, rank)) {
    (void)cake_sim_error(machine, op, CAKE_CODE_SYNC_EXIT,
                         "reaches into the shared memory of CTA %lld, which has ended",
                         (long long)(machine->cta->number + rank));
    return false;
  }
  *out = address + (rank - machine->rank) * cta->window;
  return true;
}

void *cake_gpu_global_at(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes, int64_t align) {
  const CakeSimLaunch *launch = machine->cta->launch;
  size_t argument = cake_gpu_array_near(launch, address);
  if (argument != SIZE_MAX) {
    int64_t offset = address - cake_gpu_array_address(launch, argument);
    if (!check_alignment(machine, op, false, address, bytes, align)) return NULL;
    if (offset >= 0 && offset <= cake_gpu_array_bytes(launch, argument) - bytes)
      return (unsigned char *)launch->arrays[argument]->data + offset;
  }
  (void)place_error(machine, op, CAKE_CODE_SIM_OUT_OF_BOUNDS, "leaves the array", false, address, bytes);
  return NULL;
}

// ---- Bytes of shared memory ------------------------------------------------------------------------------------------------

void cake_gpu_mark(CakeGpuCta *cta, int64_t address, int64_t bytes, CakeGpuByte state) {
  memset(cta->bytes + (address - CAKE_GPU_SHARED_BASE), (int)state, (size_t)bytes);
}

// Eight bytes at a time, as long as they have none of the bits of `mask` beside those of `state`.
static int64_t skip_alike(const uint8_t *at, int64_t bytes, CakeGpuByte state, uint8_t mask) {
  int64_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    uint64_t word;
    memcpy(&word, at + i, sizeof word);
    if ((word ^ EACH_BYTE * (uint64_t)state) & EACH_BYTE * mask) break;
  }
  return i;
}

// The first byte that is not in that state; -1: none.
static int64_t find_other(const CakeGpuCta *cta, int64_t address, int64_t bytes, CakeGpuByte state) {
  const uint8_t *at = cta->bytes + (address - CAKE_GPU_SHARED_BASE);
  for (int64_t i = skip_alike(at, bytes, state, UINT8_MAX); i < bytes; i++)
    if (at[i] != state) return address + i;
  return -1;
}

static CakeGpuByte byte_at(const CakeGpuCta *cta, int64_t address) {
  return (CakeGpuByte)cta->bytes[address - CAKE_GPU_SHARED_BASE];
}

bool cake_gpu_check_read(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  int64_t other = find_other(cta, address, bytes, CAKE_GPU_WRITTEN);
  if (other < 0) return true;
  switch (byte_at(cta, other)) {
  case CAKE_GPU_UNDER_WAY:
    return place_error(machine, op, CAKE_CODE_SIM_UNARRIVED_READ, "reads what a copy under way writes", true, other,
                       bytes);
  case CAKE_GPU_MBARRIER:
    return place_error(machine, op, CAKE_CODE_SIM_UNDEFINED, "reads an mbarrier", true, other, bytes);
  default: return place_error(machine, op, CAKE_CODE_SIM_UNINITIALISED, "reads what nobody wrote", true, other, bytes);
  }
}

bool cake_gpu_check_write(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  // CAKE_GPU_UNWRITTEN and CAKE_GPU_WRITTEN have bit 0 clear, the others set.
  const uint8_t *at = cta->bytes + (address - CAKE_GPU_SHARED_BASE);
  for (int64_t i = skip_alike(at, bytes, CAKE_GPU_UNWRITTEN, 1); i < bytes; i++) {
    CakeGpuByte state = byte_at(cta, address + i);
    if (state == CAKE_GPU_UNDER_WAY)
      return place_error(machine, op, CAKE_CODE_SIM_RACE, "writes where a copy under way writes", true, address + i,
                         bytes);
    if (state == CAKE_GPU_MBARRIER)
      return place_error(machine, op, CAKE_CODE_SIM_UNDEFINED, "overwrites an mbarrier", true, address + i, bytes);
  }
  return true;
}

// ---- Bytes that lanes write together ---------------------------------------------------------------------------------------

static inline uint64_t states_of(const uint8_t *at, int64_t bytes) {
  uint64_t words[2] = {0};
  memcpy(words, at, (size_t)bytes);
  return words[0] | words[1];
}

// With a number for `bytes`, a power of two, each lane is a few instructions.
static inline bool claim_words(const CakeGpuCta *cta, int64_t window, const int64_t *addresses, uint32_t mask,
                               int64_t bytes, CakeGpuByte state) {
  uint64_t end = (uint64_t)(cta->shared_bytes - bytes), all = 0;
  uint8_t *states = cta->bytes + (window - CAKE_GPU_SHARED_BASE);
  for (uint32_t lanes = mask, lane = 0; lanes; lanes >>= 1, lane++) {
    uint64_t offset = (uint64_t)(addresses[lane] - window);
    if (!(lanes & 1)) continue;
    if (offset > end || (addresses[lane] & (bytes - 1))) return false;
    all |= states_of(states + offset, bytes);
  }
  if (all & EACH_BYTE) return false; // CAKE_GPU_UNDER_WAY, CAKE_GPU_MBARRIER
  for (uint32_t lanes = mask, lane = 0; lanes; lanes >>= 1, lane++)
    if (lanes & 1) memset(states + (addresses[lane] - window), (int)state, (size_t)bytes);
  return true;
}

static bool claim_fast(const CakeGpuCta *cta, int64_t window, const int64_t *addresses, uint32_t mask, int64_t bytes,
                       CakeGpuByte state) {
  if (cta->shared_bytes < bytes) return false;
  switch (bytes) {
  case 1: return claim_words(cta, window, addresses, mask, 1, state);
  case 2: return claim_words(cta, window, addresses, mask, 2, state);
  case 4: return claim_words(cta, window, addresses, mask, 4, state);
  case 8: return claim_words(cta, window, addresses, mask, 8, state);
  case 16: return claim_words(cta, window, addresses, mask, 16, state);
  default: return false;
  }
}

bool cake_gpu_claim(CakeSimMachine *machine, CakeOp *op, const int64_t *addresses, uint32_t mask, int64_t bytes,
                    CakeGpuByte state) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  if (claim_fast(cta, cake_gpu_window(cta, machine->rank), addresses, mask, bytes, state)) return true;
  for (uint32_t lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!(mask >> lane & 1)) continue;
    if (!cake_gpu_shared_at(machine, op, addresses[lane], bytes, bytes) ||
        !cake_gpu_check_write(machine, op, addresses[lane], bytes))
      return false;
    cake_gpu_mark(cta, addresses[lane], bytes, state);
  }
  return true;
}
