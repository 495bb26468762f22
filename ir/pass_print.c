// IR round passes: printed as a whole or file by file, and written down with its pipeline so that a run can be repeated.
#include <string.h>

#include "cake/symbol.h"
#include "cake/text.h"
#include "pass.h"

bool cake_pass_is_listed(CakeStr list, const char *name) {
  size_t len = strlen(name);
  for (size_t at = 0; at < list.len;) {
    const char *comma = memchr(list.ptr + at, ',', list.len - at);
    size_t end = comma ? (size_t)(comma - list.ptr) : list.len;
    if (end - at == len && memcmp(list.ptr + at, name, len) == 0) return true;
    at = end + 1;
  }
  return false;
}

// ---- Printing ------------------------------------------------------------------------------------------------------

static void print_head(const PassRun *run, CakeOp *op, const CakePass *pass, const char *when, CakeBuf *out) {
  cake_buf_printf(out, "// -----// IR Dump %s %s", when, pass->def->name);
  if (op != run->root) {
    CakeId name = cake_symbol_name(op);
    cake_buf_printf(out, " ('%.*s' operation", CAKE_STR_ARG(cake_op_name(op)));
    if (name) cake_buf_printf(out, ": @%s", name->text);
    cake_buf_char(out, ')');
  }
  cake_buf_text(out, " //----- //\n");
}

// Letters and digits stay, all else becomes a line, so that no name leads out of the folder.
static void add_segment(CakeStr text, CakeBuf *out) {
  enum { LONGEST = 60 };
  for (size_t i = 0; i < text.len && i < LONGEST; i++) {
    char c = text.ptr[i];
    bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    cake_buf_char(out, is_plain ? c : '_');
  }
}

static void add_folder(CakeOp *op, CakeBuf *out) {
  CakeId name = cake_symbol_name(op);
  add_segment(cake_op_name(op), out);
  cake_buf_char(out, '_');
  add_segment(name ? cake_id_str(name) : CAKE_STR("no-symbol-name"), out);
  cake_buf_char(out, '/');
}

static void add_path(const PassRun *run, CakeOp *op, CakeBuf *out) {
  CAKE_VEC(CakeOp *) around = {0};
  for (CakeOp *at = op; at; at = at == run->root ? NULL : cake_op_parent(at))
    CAKE_PUSH(&around, at);
  while (around.len)
    add_folder(around.data[--around.len], out);
  CAKE_VEC_FINI(&around);
}

static void print_to_file(PassRun *run, CakeOp *op, const CakePass *pass, const char *when, const CakeBuf *text) {
  CakeBuf path = {0};
  add_path(run, op, &path);
  cake_buf_printf(&path, "%lld_", (long long)run->number);
  add_segment(cake_str(pass->def->name), &path);
  cake_buf_text(&path, strcmp(when, "Before") == 0 ? "_before.mlir" : ".mlir");
  run->options->print_file(run->options->print_file_user, cake_buf_view(&path), cake_buf_view(text));
  cake_buf_fini(&path);
}

// Custom forms are for what has been verified.
static void print_ir(const PassRun *run, const CakeOp *op, bool is_verified, CakeBuf *out) {
  CakePrintOptions options = run->options->print ? *run->options->print : (CakePrintOptions){0};
  options.generic = options.generic || (!is_verified && !cake_verifies(op));
  cake_print_op(op, &options, out);
}

void cake_pass_print(const CakePassContext *pass, CakeOp *op, CakeBuf *out) {
  print_ir(pass->scope->run, op, pass->scope->run->options->verify_each, out);
}

void cake_pass_dump(PassRun *run, CakeOp *op, const CakePass *pass, const char *when) {
  CakeBuf own = {0};
  CakeBuf *out = run->options->print_file ? &own : run->options->dump;
  if (!out) return;
  print_head(run, op, pass, when, out);
  bool is_verified = run->options->verify_each && strcmp(when, "After Failed") != 0;
  print_ir(run, run->options->print_module_scope ? run->root : op, is_verified, out);
  if (run->options->print_file)
    print_to_file(run, op, pass, when, &own);
  else
    cake_buf_char(out, '\n');
  cake_buf_fini(&own);
}

// ---- Reproducers ---------------------------------------------------------------------------------------------------

// The pass inside of the pipelines around it.
static void print_alone(const PipelineNode *node, CakeBuf *out) {
  CAKE_VEC(const PipelineNode *) around = {0};
  for (const PipelineNode *at = node->parent; at; at = at->parent)
    CAKE_PUSH(&around, at);
  for (size_t i = around.len; i-- > 0;)
    cake_buf_printf(out, "%.*s(", CAKE_STR_ARG(around.data[i]->anchor));
  cake_pipeline_print_pass(node->pass, out);
  cake_buf_fill(out, ')', around.len);
  CAKE_VEC_FINI(&around);
}

void cake_pass_reproducer(PassRun *run, const PipelineNode *node) {
  CakeBuf *out = run->options->reproducer, pipeline = {0};
  if (node)
    print_alone(node, &pipeline);
  else
    cake_pipeline_print(run->pipeline, &pipeline);
  cake_buf_clear(out);
  cake_print_op(run->root, NULL, out);
  cake_buf_text(out, "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: \"");
  for (size_t i = 0; i < pipeline.len; i++) {
    if (pipeline.data[i] == '"' || pipeline.data[i] == '\\') cake_buf_char(out, '\\');
    cake_buf_char(out, pipeline.data[i]);
  }
  cake_buf_printf(out, "\",\n      disable_threading: true,\n      verify_each: %s\n    }\n  }\n#-}\n",
                  run->options->verify_each ? "true" : "false");
  cake_buf_fini(&pipeline);
}

// The place behind the last `what` in a text; NULL when it holds none.
static const char *behind_last(CakeStr text, const char *what) {
  size_t len = strlen(what);
  for (size_t at = text.len; at-- > 0;)
    if (text.len - at >= len && memcmp(text.ptr + at, what, len) == 0) return text.ptr + at + len;
  return NULL;
}

bool cake_reproducer_pipeline(CakeStr text, CakeBuf *out) {
  const char *end = text.ptr + text.len, *at = behind_last(text, "mlir_reproducer:");
  at = at ? behind_last((CakeStr){at, (size_t)(end - at)}, "pipeline: \"") : NULL;
  if (!at) return false;
  for (; at < end && *at != '"'; at++) {
    if (*at == '\\' && at + 1 < end) at++;
    cake_buf_char(out, *at);
  }
  return at < end;
}
