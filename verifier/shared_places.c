// Alignment and bounds of accesses to shared memory at addresses that are known.
//
// PTX ISA: an address is a multiple of the size of a load or store, of 16 bytes for ldmatrix, stmatrix and bulk copies, of 8 for mbarriers, of 128 for
// tensor copies; a swizzle of W bytes repeats after 8 rows of W bytes, and takes them from the address, not from where a tile begins.
#include "verifier/shared_places.h"

#include "cake/text.h"
#include "dialects/gpu/gpu_accessors.h"

enum { MAP_ALIGN = 128, ROWS_OF_SWIZZLE = 8 };

bool cake_shared_place_fits(CakeOp *func, CakeOp *op, int64_t address, int64_t bytes, int64_t align,
                            CakeMap *reported) {
  CakeAttr shared = cake_gpu_func_shared_bytes(func);
  int64_t end = shared ? cake_attr_int_value(shared) : 0;
  bool is_inside = address >= 0 && address + bytes <= end;
  if (is_inside && (align < 1 || address % align == 0)) return true;
  if (!cake_map_add(reported, op, 1)) return false;
  if (!is_inside)
    return cake_error(op, CAKE_CODE_SHARED_CAPACITY,
                      "touches bytes %lld to %lld of shared memory, of which the CTA has %lld", (long long)address,
                      (long long)(address + bytes - 1), (long long)end);
  return cake_error(op, CAKE_CODE_ALIGNMENT,
                    "touches shared memory at byte %lld; the address must be a multiple of %lld", (long long)address,
                    (long long)align);
}

int64_t cake_shared_map_align(const CakeOp *func, const CakeValue *map) {
  CakeAttr maps = cake_gpu_func_tensor_maps(func);
  size_t first = maps && map->is_argument ? cake_arg_owner(map)->n_args - cake_attr_count(maps) : 0;
  if (!first || map->index < first) return MAP_ALIGN;
  CakeAttr entry = cake_attr_element(maps, map->index - first);
  bool is_map = cake_attr_is(entry, &cake_attr_def_dictionary);
  CakeAttr swizzle = is_map ? cake_attr_lookup_text(entry, "swizzle") : NULL;
  int64_t bytes = cake_attr_is(swizzle, &cake_attr_def_integer) ? cake_attr_int_value(swizzle) : 0;
  return bytes > 0 ? ROWS_OF_SWIZZLE * bytes : MAP_ALIGN;
}
