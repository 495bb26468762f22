// Verification, inference and folding of gpu ops.
#include "dialects/gpu/gpu_hooks.h"

#include "cake/text.h"
#include "dialects/gpu/gpu_accessors.h"

// ---- Inference -------------------------------------------------------------------------------------------------------------

bool gpu_first_operand_infer(CakeInference *inference) {
  if (inference->n_operands < 1)
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_OPERANDS, "expects an operand");
  inference->types[0] = inference->operands[0]->type;
  inference->n_types = 1;
  return true;
}

bool gpu_same_types_infer(CakeInference *inference) {
  if (inference->n_operands > CAKE_COUNT(inference->types))
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_OPERANDS, "takes at most %d values",
                         (int)CAKE_COUNT(inference->types));
  for (size_t i = 0; i < inference->n_operands; ++i)
    inference->types[i] = inference->operands[i]->type;
  inference->n_types = inference->n_operands;
  return true;
}

bool gpu_shuffle_infer(CakeInference *inference) {
  if (!gpu_first_operand_infer(inference)) return false;
  inference->types[1] = cake_type_i1(inference->context);
  inference->n_types = 2;
  return true;
}

bool gpu_mma_infer(CakeInference *inference) {
  if (inference->n_operands != 3)
    return cake_error_at(inference->context, inference->loc, CAKE_CODE_IR_OPERANDS, "expects 3 operands");
  inference->types[0] = inference->operands[2]->type;
  inference->n_types = 1;
  return true;
}

// ---- Registers -------------------------------------------------------------------------------------------------------------

// Elements of a scalar or a vector; 0 when it is neither of `element`.
static int64_t elements_of(CakeType type, CakeType element) {
  if (type == element) return 1;
  if (!cake_type_is(type, &cake_type_def_vector) || cake_type_element(type) != element) return 0;
  int64_t count = cake_type_count(type);
  return count == CAKE_DYNAMIC ? 0 : count;
}

// `n` values of one type are together the vector `whole`.
static bool parts_verify(CakeOp *op, CakeType whole, CakeType first, uint32_t n, bool all_equal) {
  if (n == 0) return cake_error(op, CAKE_CODE_IR_SEMANTICS, "expects at least one part");
  if (!all_equal) return cake_error(op, CAKE_CODE_IR_SEMANTICS, "expects parts of one type");
  int64_t each = elements_of(first, cake_type_element(whole));
  if (each == 0)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "expects parts of '%s' or vectors of it, but got '%s'",
                      cake_type_text(cake_type_element(whole)), cake_type_text(first));
  if (each * n != cake_type_count(whole))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS, "has parts of %lld elements in all, but the vector has %lld",
                      (long long)(each * n), (long long)cake_type_count(whole));
  return true;
}

bool gpu_pack_verify(CakeOp *op) {
  bool equal = true;
  for (uint32_t i = 1; i < op->n_operands; ++i)
    equal = equal && cake_op_operand(op, i)->type == cake_op_operand(op, 0)->type;
  return parts_verify(op, op->results[0].type, op->n_operands ? cake_op_operand(op, 0)->type : NULL, op->n_operands,
                      equal);
}

bool gpu_unpack_verify(CakeOp *op) {
  bool equal = true;
  for (uint32_t i = 1; i < op->n_results; ++i)
    equal = equal && op->results[i].type == op->results[0].type;
  return parts_verify(op, cake_op_operand(op, 0)->type, op->n_results ? op->results[0].type : NULL, op->n_results,
                      equal);
}

bool gpu_splat_verify(CakeOp *op) {
  if (cake_type_element(op->results[0].type) == cake_op_operand(op, 0)->type) return true;
  return cake_error(op, CAKE_CODE_IR_SEMANTICS, "spreads '%s' over a vector of another type",
                    cake_type_text(cake_op_operand(op, 0)->type));
}

// pack(unpack(x)) is x; so is pack of the vector alone.
bool gpu_pack_fold(CakeOp *op, CakeFold *fold) {
  CakeType type = op->results[0].type;
  CakeValue *first = cake_op_operand(op, 0);
  if (op->n_operands == 1 && first->type == type) {
    fold->values[0] = first;
    return true;
  }
  CakeOp *source = cake_value_def(first);
  if (!source || !cake_is_gpu_op(source, cake_op_gpu_unpack) || source->n_results != op->n_operands ||
      cake_op_operand(source, 0)->type != type)
    return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (cake_op_operand(op, i) != cake_op_result(source, i)) return false;
  fold->values[0] = cake_op_operand(source, 0);
  return true;
}

// unpack(pack(parts)) with the same cut is the parts; unpack into the vector alone is the vector.
bool gpu_unpack_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeValue *value = cake_op_operand(op, 0);
  if (op->n_results == 1 && op->results[0].type == value->type) {
    cake_rewriter_replace(rewriter, op, &value);
    return true;
  }
  CakeOp *source = cake_value_def(value);
  if (!source || !cake_is_gpu_op(source, cake_op_gpu_pack) || source->n_operands != op->n_results || op->n_results == 0)
    return false;
  if (cake_op_operand(source, 0)->type != op->results[0].type) return false;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    CakeValue *part = cake_op_operand(source, i);
    cake_rewriter_replace_uses(rewriter, cake_op_result(op, i), part);
  }
  cake_rewriter_erase(rewriter, op);
  return true;
}

static bool one_of(CakeOp *op, const char *attr, const char *const *words, size_t n, const char *list) {
  CakeAttr value = cake_op_attr_text(op, attr);
  for (size_t i = 0; i < n; ++i)
    if (cake_str_is(cake_attr_string_value(value), words[i])) return true;
  return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "expects '%s' to be one of %s", attr, list);
}

bool gpu_dimension_verify(CakeOp *op) {
  static const char *const words[] = {"x", "y", "z"};
  return one_of(op, "dimension", words, CAKE_COUNT(words), "x, y, z");
}

bool gpu_shuffle_verify(CakeOp *op) {
  static const char *const words[] = {"xor", "up", "down", "idx"};
  CakeType type = cake_op_operand(op, 0)->type;
  if (!one_of(op, "mode", words, CAKE_COUNT(words), "xor, up, down, idx")) return false;
  bool is_vector = cake_type_is(type, &cake_type_def_vector);
  int64_t bits = cake_type_width(cake_type_element(type)) * (is_vector ? cake_type_count(type) : 1);
  if (bits == 32) return true;
  return cake_error(op, CAKE_CODE_IR_OPERANDS, "exchanges 32 bits: i32, f32 or a vector, but got '%s'",
                    cake_type_text(type));
}

bool gpu_named_barrier_verify(CakeOp *op) {
  int64_t threads = cake_attr_int_value(cake_op_attr_text(op, "threads"));
  const CakeOp *def = cake_value_def(cake_op_operand(op, 0));
  CakeAttr id = def && cake_op_is(def, "arith.constant") ? cake_op_attr_text(def, "value") : NULL;
  if (threads < 32 || threads > 1024 || threads % 32)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                      "counts %lld threads; whole warps meet: a multiple of 32 from 32 to 1024", (long long)threads);
  if (!cake_attr_is(id, &cake_attr_def_integer) || (cake_attr_int_value(id) >= 1 && cake_attr_int_value(id) <= 15))
    return true;
  return cake_error(op, CAKE_CODE_IR_SEMANTICS, "names barrier %lld; there are 1 to 15 beside that of gpu.barrier",
                    (long long)cake_attr_int_value(id));
}

bool gpu_griddepcontrol_verify(CakeOp *op) {
  static const char *const words[] = {"wait", "launch_dependents"};
  return one_of(op, "action", words, CAKE_COUNT(words), "wait, launch_dependents");
}

bool gpu_setmaxnreg_verify(CakeOp *op) {
  static const char *const words[] = {"increase", "decrease"};
  int64_t count = cake_attr_int_value(cake_gpu_setmaxnreg_count(op));
  if (!one_of(op, "action", words, CAKE_COUNT(words), "increase, decrease")) return false;
  if (count >= 24 && count <= 256 && count % 8 == 0) return true;
  return cake_error(op, CAKE_CODE_REG_BUDGET, "expects 24 to 256 registers in multiples of 8, but got %lld",
                    (long long)count);
}

// ---- Memory ----------------------------------------------------------------------------------------------------------------

static bool access_verify(CakeOp *op, CakeType type) {
  CakeType element = cake_type_element(type);
  bool is_vector = cake_type_is(type, &cake_type_def_vector);
  int64_t count = is_vector ? cake_type_count(type) : 1;
  int64_t bits = cake_type_is_index(element)                     ? 32
                 : cake_type_is(element, &cake_type_def_gpu_ptr) ? 64
                                                                 : (int64_t)cake_type_width(element);
  int64_t bytes = count == CAKE_DYNAMIC ? 0 : count * bits / 8;
  if (bits % 8 == 0 && bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0) return true;
  return cake_error(op, CAKE_CODE_ALIGNMENT, "moves 1, 2, 4, 8 or 16 bytes, but got '%s'", cake_type_text(type));
}

bool gpu_load_verify(CakeOp *op) {
  return access_verify(op, op->results[0].type);
}
bool gpu_store_verify(CakeOp *op) {
  return access_verify(op, cake_op_operand(op, 0)->type);
}

bool gpu_cp_async_verify(CakeOp *op) {
  int64_t bytes = cake_attr_int_value(cake_gpu_cp_async_bytes(op));
  if (bytes == 4 || bytes == 8 || bytes == 16) return true;
  return cake_error(op, CAKE_CODE_ALIGNMENT, "copies 4, 8 or 16 bytes, but got %lld", (long long)bytes);
}

static bool is_16_bit_vector(CakeType type, int64_t count) {
  CakeType element = cake_type_element(type);
  bool is_16 = cake_type_is_float(element, CAKE_FLOAT_BF16) || cake_type_is_float(element, CAKE_FLOAT_F16);
  return is_16 && cake_type_rank(type) == 1 && cake_type_count(type) == count;
}

bool gpu_ldmatrix_verify(CakeOp *op) {
  if (is_16_bit_vector(op->results[0].type, 8)) return true;
  return cake_error(op, CAKE_CODE_IR_RESULTS, "gives vector<8xbf16> or vector<8xf16>, but got '%s'",
                    cake_type_text(op->results[0].type));
}

bool gpu_stmatrix_verify(CakeOp *op) {
  if (is_16_bit_vector(cake_op_operand(op, 0)->type, 8)) return true;
  return cake_error(op, CAKE_CODE_IR_OPERANDS, "stores vector<8xbf16> or vector<8xf16>, but got '%s'",
                    cake_type_text(cake_op_operand(op, 0)->type));
}

bool gpu_tma_store_verify(CakeOp *op) {
  CakeAttr reduce = cake_gpu_tma_store_reduce(op);
  return !reduce || cake_str_is(cake_attr_string_value(reduce), "add") ||
         cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has no 'reduce' of %s; there is `add`", cake_attr_text(reduce));
}

// ---- Matrix units ------------------------------------------------------------------------------------------------------------

bool gpu_mma_verify(CakeOp *op) {
  CakeType a = cake_op_operand(op, 0)->type, b = cake_op_operand(op, 1)->type, c = cake_op_operand(op, 2)->type;
  bool fits = is_16_bit_vector(a, 8) && is_16_bit_vector(b, 4) && cake_type_element(a) == cake_type_element(b);
  fits = fits && cake_type_is_float(cake_type_element(c), CAKE_FLOAT_F32) && cake_type_count(c) == 4;
  if (fits) return true;
  return cake_error(op, CAKE_CODE_IR_OPERANDS,
                    "takes vector<8xbf16> * vector<4xbf16> + vector<4xf32> (or f16), but got '%s', '%s', '%s'",
                    cake_type_text(a), cake_type_text(b), cake_type_text(c));
}

static bool verify_element(CakeOp *op, CakeType element) {
  static const CakeFloat known[] = {CAKE_FLOAT_BF16, CAKE_FLOAT_F16, CAKE_FLOAT_F8E4M3FN, CAKE_FLOAT_F8E5M2,
                                    CAKE_FLOAT_F32};
  for (size_t i = 0; i < CAKE_COUNT(known); ++i)
    if (cake_type_is_float(element, known[i])) return true;
  return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "multiplies bf16, f16, f8E4M3FN, f8E5M2 or f32 (as tf32), but got '%s'", cake_type_text(element));
}

static bool wgmma_verify(CakeOp *op, int64_t n, CakeType element, const CakeValue *acc, const CakeValue *accumulate) {
  CakeType result = op->results[0].type;
  if (n < 8 || n > 256 || n % 8 != 0)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "expects n from 8 to 256 in multiples of 8, but got %lld",
                      (long long)n);
  if (!verify_element(op, element)) return false;
  if (!cake_type_is_float(cake_type_element(result), CAKE_FLOAT_F32) || cake_type_count(result) != n / 2)
    return cake_error(op, CAKE_CODE_IR_RESULTS, "gives vector<%lldxf32>, but got '%s'", (long long)(n / 2),
                      cake_type_text(result));
  if (accumulate && !acc) return cake_error(op, CAKE_CODE_IR_OPERANDS, "has a condition, but no accumulator to read");
  if (acc && acc->type != result)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "accumulates into '%s', but gives '%s'", cake_type_text(acc->type),
                      cake_type_text(result));
  return true;
}

bool gpu_wgmma_verify(CakeOp *op) {
  bool is_turned = cake_gpu_wgmma_trans_a(op) || cake_gpu_wgmma_trans_b(op);
  CakeType element = cake_attr_value_type(cake_gpu_wgmma_element(op));
  if (is_turned && cake_type_width(element) != 16)
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "turns operands of 16-bit elements only, but got '%s'",
                      cake_type_text(element));
  return wgmma_verify(op, cake_attr_int_value(cake_gpu_wgmma_n(op)), cake_attr_value_type(cake_gpu_wgmma_element(op)),
                      cake_gpu_wgmma_acc(op), cake_gpu_wgmma_accumulate(op));
}

bool gpu_wgmma_rs_verify(CakeOp *op) {
  CakeType a = cake_gpu_wgmma_rs_a(op)->type, element = cake_attr_value_type(cake_gpu_wgmma_rs_element(op));
  if (!wgmma_verify(op, cake_attr_int_value(cake_gpu_wgmma_rs_n(op)), element, cake_gpu_wgmma_rs_acc(op),
                    cake_gpu_wgmma_rs_accumulate(op)))
    return false;
  if (is_16_bit_vector(a, 8) && cake_type_element(a) == element) return true;
  return cake_error(op, CAKE_CODE_IR_OPERANDS, "takes A as vector<8x%s>, but got '%s'", cake_type_text(element),
                    cake_type_text(a));
}

// ---- Tensor memory -----------------------------------------------------------------------------------------------------------

bool gpu_tcgen05_columns_verify(CakeOp *op) {
  int64_t columns = cake_attr_int_value(cake_op_attr_text(op, "columns"));
  if (columns >= 32 && columns <= 512 && (columns & (columns - 1)) == 0) return true;
  return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                    "names %lld columns; tensor memory is allocated in powers of two from 32 to 512",
                    (long long)columns);
}

bool gpu_tcgen05_fence_verify(CakeOp *op) {
  static const char *const words[] = {"before", "after"};
  return one_of(op, "side", words, CAKE_COUNT(words), "before, after");
}

bool gpu_tcgen05_mma_verify(CakeOp *op) {
  int64_t m = cake_attr_int_value(cake_gpu_tcgen05_mma_m(op)), n = cake_attr_int_value(cake_gpu_tcgen05_mma_n(op));
  bool fits = (m == 64 || m == 128) && n >= 8 && n <= 256 && n % (m == 64 ? 8 : 16) == 0;
  if (fits) return verify_element(op, cake_attr_value_type(cake_gpu_tcgen05_mma_element(op)));
  return cake_error(op, CAKE_CODE_FORM_MISMATCH,
                    "is of %lldx%lld; tcgen05.mma has 64 rows (columns in steps of 8) or 128 (in steps of 16), and up "
                    "to 256 columns",
                    (long long)m, (long long)n);
}

bool gpu_tcgen05_ld_verify(CakeOp *op) {
  CakeType result = op->results[0].type;
  int64_t count = cake_type_count(result);
  bool fits = cake_type_is_float(cake_type_element(result), CAKE_FLOAT_F32) && cake_type_rank(result) == 1 &&
              count >= 1 && count <= 128 && (count & (count - 1)) == 0;
  if (!fits)
    return cake_error(op, CAKE_CODE_IR_RESULTS, "gives vector<Nxf32>, N a power of two up to 128, but got '%s'",
                      cake_type_text(result));
  for (const CakeUse *use = op->results[0].first_use; use; use = use->next) {
    if (cake_is_gpu_op(use->owner, cake_op_gpu_tcgen05_wait_ld)) continue;
    CakeDiagnostic *d = cake_error_begin(use->owner, CAKE_CODE_IR_OPERANDS,
                                         "takes what gpu.tcgen05_ld loads, which may not have arrived");
    cake_diag_note(op->context, d, op->loc, "it is loaded here");
    cake_diag_fix(op->context, d, "take the result of a gpu.tcgen05_wait_ld");
    return cake_diag_emit(op->context, d);
  }
  return true;
}

// ---- Functions ---------------------------------------------------------------------------------------------------------------

// Clusters lie along x, as the grid does, and have at most 8 CTAs.
static bool verify_cluster(CakeOp *op) {
  CakeAttr cluster = cake_gpu_func_cluster(op);
  bool is_fine = !cluster || cake_attr_count(cluster) == 3;
  for (size_t i = 0; cluster && is_fine && i < 3; i++) {
    CakeAttr extent = cake_attr_element(cluster, i);
    int64_t ctas = cake_attr_is(extent, &cake_attr_def_integer) ? cake_attr_int_value(extent) : 0;
    is_fine = ctas >= 1 && ctas <= (i == 0 ? 8 : 1);
  }
  return is_fine || cake_error(op, CAKE_CODE_CLUSTER, "needs a cluster of 1 to 8 CTAs along x, and 1 along y and z");
}

bool gpu_func_verify(CakeOp *op) {
  CakeBlock *entry = cake_region_entry(cake_op_region(op, 0));
  int64_t threads = cake_attr_int_value(cake_gpu_func_block(op));
  if (threads < 1 || threads > 1024)
    return cake_error(op, CAKE_CODE_THREAD_LIMIT, "has %lld threads a CTA; 1 to 1024 are possible", (long long)threads);
  if (cake_attr_count(cake_gpu_func_arg_names(op)) != cake_attr_count(cake_gpu_func_arg_types(op)))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %d argument names but %d argument types",
                      (int)cake_attr_count(cake_gpu_func_arg_names(op)),
                      (int)cake_attr_count(cake_gpu_func_arg_types(op)));
  CakeAttr maps = cake_gpu_func_tensor_maps(op);
  size_t expected = cake_attr_count(cake_gpu_func_arg_names(op)) + cake_attr_count(cake_gpu_func_sizes(op)) +
                    (maps ? cake_attr_count(maps) : 0) + (cake_gpu_func_watchdog(op) ? 1 : 0);
  if (!entry || entry->n_args != expected)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "has %d arguments, but its launch facts name %d",
                      entry ? (int)entry->n_args : 0, (int)expected);
  return verify_cluster(op);
}

// ---- printf --------------------------------------------------------------------------------------------------------------

static bool fits_conversion(char conversion, CakeType type) {
  if (conversion == 'g') return cake_type_is_float(type, CAKE_FLOAT_F32);
  return cake_type_is_integer(type, 32) || cake_type_is_integer(type, 64);
}

bool gpu_printf_verify(CakeOp *op) {
  CakeStr format = cake_attr_string_value(cake_gpu_printf_format(op));
  CakeOperandRange args = cake_gpu_printf_args(op);
  uint32_t n = 0;
  for (size_t i = 0; i < format.len; i++) {
    if (format.ptr[i] != '%') continue;
    char conversion = ++i < format.len ? format.ptr[i] : '\0';
    if (conversion == '%') continue;
    if (conversion != 'd' && conversion != 'g')
      return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has a conversion that is none of %%d, %%g and %%%%");
    if (n < args.count && !fits_conversion(conversion, args.first[n].value->type))
      return cake_error(op, CAKE_CODE_IR_OPERANDS, "prints '%s' as %%%c", cake_type_text(args.first[n].value->type),
                        conversion);
    n++;
  }
  return n == args.count ||
         cake_error(op, CAKE_CODE_IR_OPERANDS, "has %u conversion(s), but %u value(s)", n, args.count);
}
