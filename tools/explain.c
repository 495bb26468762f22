// What a diagnostic code is about. The programs are those of verifier/catalogue.cake, which is part of this program.
#include "tools/explain.h"

#include <string.h>

extern const unsigned char cake_catalogue_text[]; // made by the build, ends in NUL

static CakeStr find_program(CakeCode code, bool is_right) {
  const char *text = (const char *)cake_catalogue_text;
  CakeBuf head = {0};
  cake_buf_printf(&head, "\n// %s: %s\n", cake_code_name(code), is_right ? "right" : "wrong");
  const char *begin = strstr(text, head.data);
  if (begin) begin += head.len;
  cake_buf_fini(&head);
  if (!begin) return CAKE_STR("");
  const char *end = strstr(begin, "\n// -----");
  return end ? (CakeStr){begin, (size_t)(end - begin)} : cake_str(begin);
}

static bool is_mark(CakeStr line) {
  while (line.len && *line.ptr == ' ') {
    line.ptr++;
    line.len--;
  }
  return cake_str_starts_with(line, "// expected-");
}

bool cake_catalogue_put(CakeCode code, bool is_right, const char *indent, CakeBuf *out) {
  CakeStr program = find_program(code, is_right);
  for (size_t at = 0; at < program.len;) {
    const char *newline = memchr(program.ptr + at, '\n', program.len - at);
    size_t end = newline ? (size_t)(newline - program.ptr) : program.len;
    CakeStr line = {program.ptr + at, end - at};
    at = end + 1;
    if (is_mark(line)) continue;
    cake_buf_text(out, line.len ? indent : "");
    cake_buf_str(out, line);
    cake_buf_char(out, '\n');
  }
  return program.len > 0;
}

static void put_titled(CakeCode code, bool is_right, CakeBuf *out) {
  CakeBuf program = {0};
  if (cake_catalogue_put(code, is_right, "  ", &program))
    cake_buf_printf(out, "\n%s:\n\n%s", is_right ? "Right" : "Wrong", program.data);
  cake_buf_fini(&program);
}

bool cake_explain(CakeStr name, CakeBuf *out) {
  CakeCode code = cake_code_find(name);
  if (code == CAKE_CODE_COUNT) return false;
  const CakeFinding *finding = cake_finding_find(code);
  cake_buf_printf(out, "%s: %s\n", cake_code_name(code), cake_code_summary(code));
  if (!finding) return true;
  cake_buf_printf(out, "\nCategory: %s\nClause:   %s\n\n%s\n", cake_category_name(finding->category), finding->clause,
                  finding->why);
  put_titled(code, false, out);
  put_titled(code, true, out);
  return true;
}
