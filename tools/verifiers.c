// The checks over whole modules that tools run behind the core's verifier: the table of verifier/.
#include "tools/verifiers.h"

#include "verifier/verifier.h"

size_t cake_tool_verifiers(const CakeVerifyFn **out) {
  size_t count = 0;
  *out = cake_extra_verifiers;
  while (cake_extra_verifiers[count])
    count++;
  return count;
}

bool cake_tool_verify(CakeOp *module) {
  const CakeVerifyFn *verifiers;
  size_t count = cake_tool_verifiers(&verifiers);
  bool is_fine = cake_verify(module);
  for (size_t i = 0; is_fine && i < count; i++)
    is_fine = verifiers[i](module);
  return is_fine;
}
