// What the files of the pass manager share. Private to ir/pass*.c.
#ifndef CAKE_IR_PASS_H
#define CAKE_IR_PASS_H

#include "cake/pass.h"

typedef struct PassStatistic {
  CakeStr name;
  int64_t value;
} PassStatistic;

// The value of an option: one element, or those of a list.
typedef struct PassValue {
  CAKE_VEC(CakeStr) elements;
  bool is_set; // not by default
} PassValue;

struct CakePass {
  const CakePassDef *def;
  PassValue *values; // one an option of the descriptor
  CAKE_VEC(PassStatistic) statistics;
};

// A node of a pipeline: a pass, or a nested pipeline on the ops named `anchor` directly inside ("any": on every isolated op). The nodes in a
// pass are the pipelines that it has run itself.
typedef struct PipelineNode {
  CakePass *pass; // NULL: nested
  CakeStr anchor;
  struct PipelineNode *parent, *next, *first, *last;
  double seconds; // of all runs, with what is nested
  int64_t runs;
} PipelineNode;

// A pipeline that a pass has run, kept so that it is parsed once and has its rows in reports.
typedef struct DynamicPipeline {
  const PipelineNode *pass;
  CakeStr text;
  CakePipeline *pipeline;
} DynamicPipeline;

struct CakePipeline {
  CakeContext *context;
  const CakePassRegistry *registry;
  CakeArena *arena;
  PipelineNode *root;
  CAKE_VEC(DynamicPipeline) dynamic;
};

// A run of a pipeline.
typedef struct PassRun {
  CakePipeline *pipeline;
  const CakePipelineOptions *options;
  CakeOp *root;
  CakeArena *scratch;
  CakeAnalyses *analyses;
  CakeBuf *report;
  int64_t number, last_number; // of the pass that runs, from 1; of the last one that began
  unsigned depth;              // of the pipelines that passes have run in one another
  double nested;               // seconds in the pipelines that the pass that runs has run
  int64_t n_changes;           // passes that changed something
  bool has_failed;             // a pipeline in a pass did
} PassRun;

// A pass that runs.
typedef struct PassScope {
  PassRun *run;
  PipelineNode *node;
  CakeOp *op;
  uint64_t n_told; // changes of its rewriter that kept analyses have been told of
} PassScope;

// Runs the passes of a nested pipeline on an op. False: one failed.
bool cake_pass_run_node(PassRun *run, PipelineNode *node, CakeOp *op);
bool cake_pass_is_anchored(const PipelineNode *node, const CakeOp *op);
// Reports that the op is not the one that the pipeline is for. False.
bool cake_pass_wrong_anchor(const CakePipeline *pipeline, const CakeOp *op);

// Whether a list of names separated by commas holds this one.
bool cake_pass_is_listed(CakeStr list, const char *name);
// Prints the IR "Before", "After" or "After Failed" a pass, as the options ask for it.
void cake_pass_dump(PassRun *run, CakeOp *op, const CakePass *pass, const char *when);
// The module with a pipeline: of `node` alone inside of those around it; NULL: the whole one.
void cake_pass_reproducer(PassRun *run, const PipelineNode *node);
void cake_pipeline_print_pass(const CakePass *pass, CakeBuf *out);

CakeAnalyses *cake_analyses_create(CakeArena *arena);
void cake_analyses_fini(CakeAnalyses *analyses);
// Drops, behind a pass that changed something, what it did not preserve. `only`: of others than this op and those around it nothing is kept, since
// ops have gone; NULL: none has.
void cake_analyses_after(CakeAnalyses *analyses, bool is_changed, const CakeOp *only);
// An analysis that the pass preserved and that is not true any more; NULL: none is known to be so.
const CakeAnalysisDef *cake_analyses_find_wrong(const CakeAnalyses *analyses, const CakeOp *only);

// Appends a node to those of another.
void cake_pipeline_add_node(PipelineNode *parent, PipelineNode *node);
PipelineNode *cake_pipeline_node(CakePipeline *pipeline, PipelineNode *parent, CakePass *pass, CakeStr anchor);
// A pass with its default options.
CakePass *cake_pass_create(CakePipeline *pipeline, const CakePassDef *def);
void cake_pass_fini(CakePass *pass);
// The end of a value that starts at `at`: the separator (a blank stands for all blanks) or the end of the text, outside of quotes and brackets.
size_t cake_pass_value_end(CakeStr text, size_t at, char separator);
// Without blanks around it and then without the quotes or braces that it is in as a whole.
CakeStr cake_pass_unwrapped(CakeStr value);
// Sets one option; `loc` is where the text stands. An empty `text` of a bool means true. A list is a list of all the values
// that it is given.
CAKE_NODISCARD bool cake_pass_set_option(CakePipeline *pipeline, CakePass *pass, CakeStr name, CakeStr text,
                                         CakeLoc loc);
// "key=value key2={a b} list=1,2": `column` of the text's first byte in `file`.
CAKE_NODISCARD bool cake_pass_parse_options(CakePipeline *pipeline, CakePass *pass, CakeStr text, CakeId file,
                                            size_t column);

#endif
