// Effects of ops: which rows of a descriptor are true of an op as it is.
#include "core.h"

#include "cake/text.h"

// `when` is "attribute=text": the attribute prints as something that begins so; of a string its characters are taken.
bool cake_effect_holds(const CakeOp *op, const CakeEffect *effect) {
  const char *equal = effect->when ? strchr(effect->when, '=') : NULL;
  if (!equal) return true;
  CakeStr name = {effect->when, (size_t)(equal - effect->when)};
  CakeAttr attr = cake_op_attr(op, cake_id(op->context, name));
  if (!attr) return false;
  if (cake_attr_is(attr, &cake_attr_def_string)) return cake_str_starts_with(cake_attr_string_value(attr), equal + 1);
  const char *text = cake_attr_text(attr), *body = strchr(text, '<'); // `#cake.form<wgmma…>`
  return cake_str_starts_with(cake_str(text), equal + 1) ||
         (body && cake_str_starts_with(cake_str(body + 1), equal + 1));
}
