// A mutant as a program: read, verified or not, lowered or not.
#include <string.h>

#include "bench/verifier/judge_parts.h"
#include "cake/text.h"
#include "passes/cake_pipelines.h"
#include "tools/verifiers.h"

static void keep_first(void *user, const CakeDiagnostic *diagnostic) {
  Program *program = user;
  if (diagnostic->severity != CAKE_ERROR || program->code != CAKE_CODE_COUNT) return;
  program->code = diagnostic->code;
  cake_buf_str(&program->message, diagnostic->message);
}

bool program_parse(Program *program, const CorpusRow *row, CakeStr text) {
  *program = (Program){.code = CAKE_CODE_COUNT};
  cake_tool_open(&program->tool, "cake-bench-mutate");
  program_listen(program, program->tool.context);
  program->tool.file = "mutant";
  program->tool.module = cake_parse_module(program->tool.context, CAKE_STR("mutant"), text);
  if (!program->tool.module) return false;
  program->kernel = cake_tool_kernel(&program->tool, row->kernel);
  return program->kernel != NULL;
}

void program_listen(Program *program, CakeContext *context) {
  cake_context_set_handler(context, keep_first, program, NULL, NULL);
}

void program_fini(Program *program) {
  cake_tool_close(&program->tool);
  cake_buf_fini(&program->message);
}

static bool lower(Program *program) {
  CakeOp *module = cake_tool_lower(&program->tool, CAKE_STR(""));
  program->kernel = module ? cake_tool_func(&program->tool, module) : NULL;
  return program->kernel != NULL;
}

bool program_verify(Program *program, const CorpusRow *row) {
  return cake_tool_verify(program->tool.module) &&
         cake_tool_instantiate(&program->tool, program->kernel, cake_str(row->params)) && lower(program);
}

bool program_open(Program *program, const CorpusRow *row, CakeStr text) {
  if (!program_parse(program, row, text)) return false;
  program->tool.skip_rules = true;
  return cake_verify(program->tool.module) &&
         cake_tool_instantiate(&program->tool, program->kernel, cake_str(row->params));
}

bool program_open_func(Program *program, const CorpusRow *row, CakeStr text) {
  return program_open(program, row, text) && lower(program);
}
