// Disassembles what a function was compiled to: each instruction with the line that it came from.
#include "tools/tool_sass.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static CakeStr trim(CakeStr text) {
  while (text.len && (text.ptr[0] == ' ' || text.ptr[0] == '\t'))
    text.ptr++, text.len--;
  while (text.len &&
         (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t' || text.ptr[text.len - 1] == '\r'))
    text.len--;
  return text;
}

bool cake_asm_next_line(CakeStr *rest, CakeStr *out) {
  if (rest->len == 0) return false;
  const char *newline = memchr(rest->ptr, '\n', rest->len);
  size_t len = newline ? (size_t)(newline - rest->ptr) : rest->len;
  *out = trim((CakeStr){rest->ptr, len});
  rest->ptr += len + (newline ? 1 : 0);
  rest->len -= len + (newline ? 1 : 0);
  return true;
}

// `//## File "k.cake", line 12` before instructions, and `/*0010*/  LDC R1, c[0x0][0x28] ;`.
static void read_sass(CakeStr text, CakeAsmListing *out) {
  CakeStr line;
  uint32_t source = 0;
  while (cake_asm_next_line(&text, &line)) {
    if (cake_str_starts_with(line, "//##")) {
      CakeBuf copy = {0};
      cake_buf_str(&copy, line);
      const char *at = strstr(copy.data, ", line ");
      if (at) source = (uint32_t)strtoul(at + 7, NULL, 10);
      cake_buf_fini(&copy);
    } else if (cake_str_starts_with(line, "/*")) {
      char *end;
      size_t address = strtoul(line.ptr + 2, &end, 16);
      const char *stop = memchr(line.ptr, ';', line.len);
      if (end == line.ptr + 2 || strncmp(end, "*/", 2) != 0 || !stop) continue; // the encoding of the one before
      CAKE_PUSH(out, (CakeAsmInstruction){trim((CakeStr){end + 2, (size_t)(stop - end - 2)}), address, source});
    }
  }
}

static bool disassemble(CakeTool *tool, const char *nvdisasm, const CakeBuf *cubin, CakeBuf *out) {
  char path[] = "/tmp/cake-XXXXXX";
  CakeBuf error = {0};
  int file = mkstemp(path);
  if (file < 0) return cake_tool_fail(tool, "cannot make a file in /tmp");
  close(file);
  const char *argv[] = {nvdisasm, "-g", "-c", path, NULL};
  bool is_fine = cake_file_write(path, cake_buf_view(cubin), &error);
  if (!is_fine) (void)cake_tool_fail(tool, "%s", error.data);
  int status = is_fine ? cake_tool_run_program(argv, out) : 0;
  if (status != 0)
    is_fine = cake_tool_fail(tool, "'%s' failed (exit status %d): %s", nvdisasm, status, out->data ? out->data : "");
  unlink(path);
  cake_buf_fini(&error);
  return is_fine;
}

bool cake_tool_sass(CakeTool *tool, CakeOp *func, CakeStr ptx, const char *target, CakeBuf *text, CakeAsmListing *out,
                    bool *out_has) {
  CakeBuf ptxas = {0}, nvdisasm = {0}, cubin = {0};
  *out_has = cake_tool_find_program("ptxas", &ptxas) && cake_tool_find_program("nvdisasm", &nvdisasm);
  bool is_fine = !*out_has || (cake_tool_assemble_quietly(tool, func, ptx, target, &cubin) &&
                               disassemble(tool, nvdisasm.data, &cubin, text));
  if (is_fine && *out_has) read_sass(cake_buf_view(text), out);
  cake_buf_fini(&ptxas);
  cake_buf_fini(&nvdisasm);
  cake_buf_fini(&cubin);
  return is_fine;
}
