// What the files of the pass manager share. Private to ir/pass*.c.
#ifndef CAKE_IR_PASS_H
#define CAKE_IR_PASS_H

#include "cake/pass.h"

typedef struct PassStatistic {
  CakeStr name;
  int64_t value;
} PassStatistic;

struct CakePass {
  const CakePassDef *def;
  CakeStr *values; // one an option of the descriptor
  CAKE_VEC(PassStatistic) statistics;
};

// A node of a pipeline: a pass, or a nested pipeline on the ops named `anchor` directly inside ("any": on every isolated op).
typedef struct PipelineNode {
  CakePass *pass; // NULL: nested
  CakeStr anchor;
  struct PipelineNode *parent, *next, *first, *last;
} PipelineNode;

struct CakePipeline {
  CakeContext *context;
  const CakePassRegistry *registry;
  CakeArena *arena;
  PipelineNode *root;
};

PipelineNode *cake_pipeline_node(CakePipeline *pipeline, PipelineNode *parent, CakePass *pass, CakeStr anchor);
// A pass with its default options.
CakePass *cake_pass_create(CakePipeline *pipeline, const CakePassDef *def);
// Sets one option; `loc` is where the text stands. An empty `value` of a bool means true.
CAKE_NODISCARD bool cake_pass_set_option(CakePipeline *pipeline, CakePass *pass, CakeStr name, CakeStr value,
                                         CakeLoc loc);
// "key=value key2={a b}": `column` of the text's first byte in `file`.
CAKE_NODISCARD bool cake_pass_parse_options(CakePipeline *pipeline, CakePass *pass, CakeStr text, CakeId file,
                                            size_t column);

#endif
