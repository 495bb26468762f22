// --verify-roundtrip: a module is written in every form, read again in a context of its own, and compared.
#include "cake/bytecode.h"
#include "tools/opt.h"

// What is compared: all that text says of a module but locations, which custom forms do not keep of all arguments.
static const CakePrintOptions whole = {.generic = true, .use_names = true};

typedef struct FirstError {
  CakeContext *context;
  CakeBuf text;
} FirstError;

static void keep_first(void *user, const CakeDiagnostic *diagnostic) {
  FirstError *first = user;
  if (diagnostic->severity == CAKE_ERROR && !first->text.len) cake_diag_print(first->context, diagnostic, &first->text);
}

static CakeStr line_at(CakeStr text, size_t at) {
  size_t begin = at < text.len ? at : text.len, end = begin;
  while (begin > 0 && text.ptr[begin - 1] != '\n')
    begin--;
  while (end < text.len && text.ptr[end] != '\n')
    end++;
  return (CakeStr){text.ptr + begin, end - begin};
}

static bool report_difference(CakeOp *module, const char *form, CakeStr before, CakeStr after) {
  size_t at = 0;
  while (at < before.len && at < after.len && before.ptr[at] == after.ptr[at])
    at++;
  CakeStr was = line_at(before, at), is = line_at(after, at);
  CakeDiagnostic *d =
      cake_diag_begin(module->context, CAKE_ERROR, module->loc, CAKE_CODE_ROUND_TRIP,
                      "the module does not come back the same from its %s: '%.*s'", form, CAKE_STR_ARG(was));
  cake_diag_note(module->context, d, module->loc, "it comes back as '%.*s'", CAKE_STR_ARG(is));
  return cake_diag_emit(module->context, d);
}

static bool report_unread(CakeOp *module, const char *form, const CakeBuf *why) {
  size_t len = why->len;
  while (len && why->data[len - 1] == '\n')
    len--;
  return cake_error_at(module->context, module->loc, CAKE_CODE_ROUND_TRIP,
                       "the module's %s cannot be read again:\n%.*s", form, (int)len, why->data);
}

static bool comes_back(const Extensions *extensions, CakeOp *module, const char *form, CakeStr text, CakeStr before) {
  FirstError first = {.context = cake_context_create()};
  CakeBuf after = {0};
  cake_context_allow_unregistered(first.context, cake_context_allows_unregistered(module->context));
  cake_context_set_handler(first.context, keep_first, &first, NULL, NULL);
  bool is_known = extensions_register(extensions, first.context);
  CakeOp *read = is_known ? cake_parse_module(first.context, CAKE_STR("<round-trip>"), text) : NULL;
  if (read) cake_print_op(read, &whole, &after);
  bool is_same = read && cake_str_equal(cake_buf_view(&after), before);
  if (read && !is_same) report_difference(module, form, before, cake_buf_view(&after));
  if (!read) report_unread(module, form, &first.text);
  cake_context_destroy(first.context);
  cake_buf_fini(&first.text);
  cake_buf_fini(&after);
  return is_same;
}

bool opt_roundtrip(const Extensions *extensions, CakeOp *module) {
  CakeBuf before = {0}, custom = {0}, generic = {0}, bytes = {0};
  cake_print_op(module, &whole, &before);
  bool has_custom = cake_verifies(module);
  cake_print_op(module, &(CakePrintOptions){.generic = !has_custom, .locations = true, .use_names = true}, &custom);
  cake_print_op(module, &(CakePrintOptions){.generic = true, .locations = true, .use_names = true}, &generic);
  cake_bytecode_write(module, &bytes);
  CakeStr wanted = cake_buf_view(&before);
  bool is_fine = comes_back(extensions, module, "custom form", cake_buf_view(&custom), wanted);
  is_fine = comes_back(extensions, module, "generic form", cake_buf_view(&generic), wanted) && is_fine;
  is_fine = comes_back(extensions, module, "bytecode", cake_buf_view(&bytes), wanted) && is_fine;
  cake_buf_fini(&before);
  cake_buf_fini(&custom);
  cake_buf_fini(&generic);
  cake_buf_fini(&bytes);
  return is_fine;
}
