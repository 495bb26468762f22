// Families: several kernels of a module that compute the same for different sizes.
#include "dialects/cake/cake_verify.h"

#include "dialects/cake/ops/kernel.h"

CakeStr cake_kernel_family(const CakeOp *kernel) {
  CakeAttr family = cake_op_attr_text(kernel, "family");
  return cake_attr_is(family, &cake_attr_def_string) ? cake_attr_string_value(family) : (CakeStr){0};
}

// The first kernel of the family in the module, this one among them.
static CakeOp *first_of_family(CakeOp *kernel) {
  CakeOp *op = kernel->block ? kernel->block->first : kernel;
  while (op != kernel && !(cake_is_cake_op(op, cake_op_cake_kernel) &&
                           cake_str_equal(cake_kernel_family(op), cake_kernel_family(kernel))))
    op = op->next;
  return op;
}

// Dimensions are compared where a launch is made: in one kernel a template parameter may be a number already.
static bool is_alike(CakeType a, CakeType b) {
  bool is_array = cake_type_is(a, &cake_type_def_global);
  if (is_array != cake_type_is(b, &cake_type_def_global)) return false;
  return is_array ? cake_global_element(a) == cake_global_element(b) && cake_global_rank(a) == cake_global_rank(b)
                  : a == b;
}

static bool differ(CakeOp *kernel, const CakeOp *first, const char *what) {
  CakeDiagnostic *d = cake_error_begin(kernel, CAKE_CODE_IR_SEMANTICS,
                                       "is of the family '@%.*s', whose kernels have the same arguments, but %s",
                                       CAKE_STR_ARG(cake_kernel_family(kernel)), what);
  cake_diag_note(kernel->context, d, first->loc, "this is the first kernel of the family");
  return cake_diag_emit(kernel->context, d);
}

bool cake_verify_family(CakeOp *kernel) {
  const CakeOp *first = cake_kernel_family(kernel).ptr ? first_of_family(kernel) : kernel;
  const CakeBlock *ours = cake_op_region(kernel, 0)->first, *theirs = cake_op_region(first, 0)->first;
  CakeAttr names = cake_op_attr_text(kernel, "arg_names"), other_names = cake_op_attr_text(first, "arg_names");
  if (first == kernel || !theirs || theirs->n_args != cake_attr_count(other_names)) return true; // reported there
  if (ours->n_args != theirs->n_args) return differ(kernel, first, "has another number of them");
  for (uint32_t i = 0; i < ours->n_args; i++) {
    if (cake_attr_element(names, i) != cake_attr_element(other_names, i))
      return differ(kernel, first, "names them differently");
    if (!is_alike(ours->args[i]->type, theirs->args[i]->type)) return differ(kernel, first, "has them of other types");
  }
  return true;
}
