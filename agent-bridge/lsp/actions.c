// Code actions.
#include "agent-bridge/lsp/private.h"

void lsp_code_action(LspCall *call) {
  CakeJson *json = lsp_answer(call);
  cake_json_begin_array(json);
  cake_json_end_array(json);
}
