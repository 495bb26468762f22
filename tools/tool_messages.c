// Messages of the tools, and the context behind them.
#include "cake/dialects.h"
#include "tools/tool.h"

#include <stdio.h>

static void report(void *user, const CakeDiagnostic *diagnostic) {
  CakeBuf text = {0};
  cake_diag_print(user, diagnostic, &text);
  fwrite(text.data ? text.data : "", 1, text.len, stderr);
  cake_buf_fini(&text);
}

void cake_tool_open(CakeTool *tool, const char *name) {
  *tool = (CakeTool){.name = name, .context = cake_context_create()};
  cake_register_all_dialects(tool->context);
  cake_context_set_handler(tool->context, report, tool->context, NULL, NULL);
}

void cake_tool_close(CakeTool *tool) {
  cake_context_destroy(tool->context);
  cake_buf_fini(&tool->text);
  *tool = (CakeTool){0};
}

static void say(const CakeTool *tool, const char *kind, const char *format, va_list args) {
  CakeBuf text = {0};
  cake_buf_printf(&text, "%s: %s", tool->name, kind);
  cake_buf_vprintf(&text, format, args);
  cake_buf_char(&text, '\n');
  fwrite(text.data, 1, text.len, stderr);
  cake_buf_fini(&text);
}

bool cake_tool_fail(const CakeTool *tool, const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(tool, "error: ", format, args);
  va_end(args);
  return false;
}

void cake_tool_note(const CakeTool *tool, const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(tool, "note: ", format, args);
  va_end(args);
}
