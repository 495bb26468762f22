// Passes and pass pipelines. The manager verifies, prints, times and caches; a pass contains none of it.
#ifndef CAKE_PASS_H
#define CAKE_PASS_H

#include "cake/verify.h"

CAKE_BEGIN_C

// A list is of elements of one of the first three: `sizes=1,2,3`, `names={a,b}`.
typedef enum CakeOptionKind {
  CAKE_OPTION_BOOL,
  CAKE_OPTION_INT,
  CAKE_OPTION_STRING,
  CAKE_OPTION_BOOL_LIST,
  CAKE_OPTION_INT_LIST,
  CAKE_OPTION_STRING_LIST
} CakeOptionKind;
static inline bool cake_option_is_list(CakeOptionKind kind) { return kind >= CAKE_OPTION_BOOL_LIST; }
static inline CakeOptionKind cake_option_element(CakeOptionKind kind) {
  return cake_option_is_list(kind) ? (CakeOptionKind)(kind - CAKE_OPTION_BOOL_LIST) : kind;
}

typedef struct CakePassOption {
  const char *name; // "max-iterations"
  CakeOptionKind kind;
  const char *default_text;
  const char *doc;
} CakePassOption;

typedef struct CakePass CakePass; // one pass in a pipeline, with its option values
typedef struct CakeAnalyses CakeAnalyses; // those of a run that are still true

// What a pass gets. The scratch arena is emptied by the manager when it returns.
typedef struct CakePassContext {
  CakeContext *context;
  CakeRewriter rewriter;
  CakeArena *scratch;
  const CakePass *pass;
  CakeAnalyses *analyses;
  struct PassScope *scope; // the manager's
  CakeBuf *report; // for passes that tell instead of change (print-op-stats); never NULL
} CakePassContext;

// What a pass did. FAILED: it has reported why.
typedef enum CakePassResult { CAKE_PASS_UNCHANGED, CAKE_PASS_CHANGED, CAKE_PASS_FAILED } CakePassResult;

// A row of a pass table (passes/passes.def, or a plugin's).
typedef struct CakePassDef {
  const char *name;    // "cse"
  const char *summary; // one line
  const char *description;
  const char *anchor;  // op name that it runs on ("builtin.module", "func.func"); NULL: any
  const CakePassOption *options;
  size_t n_options;
  CakePassResult (*run)(CakePassContext *pass, CakeOp *op);
  const char *pipeline; // instead of `run`: what it stands for on its op, "builtin.module(my-lower,func.func(canonicalize,cse))"
} CakePassDef;

const CakePassDef *cake_pass_def(const CakePass *pass);
int64_t cake_pass_option_int(const CakePass *pass, const char *name);
bool cake_pass_option_bool(const CakePass *pass, const char *name);
CakeStr cake_pass_option_str(const CakePass *pass, const char *name);
// Of a list: how many elements it has, and the one at `index` (0, false or empty when there is none).
size_t cake_pass_option_count(const CakePass *pass, const char *name);
int64_t cake_pass_option_int_at(const CakePass *pass, const char *name, size_t index);
bool cake_pass_option_bool_at(const CakePass *pass, const char *name, size_t index);
CakeStr cake_pass_option_str_at(const CakePass *pass, const char *name, size_t index);
// Whether one of the elements of a list of texts is that one.
bool cake_pass_option_lists(const CakePass *pass, const char *name, const char *element);
// Statistics, shown by --pass-statistics.
void cake_pass_count(CakePassContext *pass, const char *what, int64_t amount);
// Appends the op as this run prints IR (`CakePipelineOptions.print`).
void cake_pass_print(const CakePassContext *pass, CakeOp *op, CakeBuf *out);
// A remark at an op ("did not apply because …").
void cake_pass_remark(CakePassContext *pass, CakeOp *op, const char *format, ...) CAKE_PRINTF(3, 4);
void cake_pass_remark_at(CakePassContext *pass, CakeLoc loc, CakeStr text);

// ---- Analyses ---------------------------------------------------------------------------------------------------------

// What can be known of an op, kept from pass to pass until one changes something and does not say that it preserves it.
typedef struct CakeAnalysisDef {
  const char *name;
  void *(*create)(CakeOp *op);
  void (*destroy)(void *analysis);
  // Whether one that was kept says of the op what a new one says: asked with `check_claims`. NULL: nobody can tell.
  bool (*is_same)(CakeOp *op, void *kept, void *fresh);
} CakeAnalysisDef;

// The analysis of that op, made when there is none yet. The manager owns it; it is gone when the pass returns that it changed something.
void *cake_pass_analysis(CakePassContext *pass, const CakeAnalysisDef *def, CakeOp *op);
// What the pass changes leaves all analyses of that kind true.
void cake_pass_preserve(CakePassContext *pass, const CakeAnalysisDef *def);

extern const CakeAnalysisDef cake_dominance_analysis; // a CakeDominance: true as long as blocks and branches stay

// A set of passes that can be named in a pipeline.
typedef struct CakePassRegistry {
  const CakePassDef *const *tables; // each a table that ends with a NULL name
  size_t n_tables;
} CakePassRegistry;
const CakePassDef *cake_pass_find(const CakePassRegistry *registry, CakeStr name);

// ---- Times ------------------------------------------------------------------------------------------------------------

// Where a run spent its time: named rows in order of first use, each with its seconds of wall time and how often it was entered.
typedef struct CakeTiming CakeTiming;
CakeTiming *cake_timing_create(void);
void cake_timing_destroy(CakeTiming *timing);
double cake_timing_now(void); // seconds from some fixed point
// Adds to the row of that name at that nesting depth (0: a row of the total).
void cake_timing_add(CakeTiming *timing, CakeStr name, unsigned depth, double seconds);
// Adds a row of its own, whatever rows there are.
void cake_timing_add_row(CakeTiming *timing, CakeStr name, unsigned depth, int64_t count, double seconds);
// A table with shares of the total, or a JSON array.
void cake_timing_print(const CakeTiming *timing, bool json, CakeBuf *out);

// ---- Pipelines --------------------------------------------------------------------------------------------------------

// Instrumentation of a run.
typedef struct CakePipelineOptions {
  bool verify_each;
  // What passes claim is looked after, which takes time: that nothing has changed, and that analyses they preserve are still true.
  bool check_claims;
  bool print_before_all, print_after_all, print_after_change, print_after_failure;
  bool print_module_scope;
  CakeStr print_before, print_after; // names of passes, separated by commas
  const struct CakePrintOptions *print; // how IR is printed (cake/text.h); NULL: as ever
  // Where printed IR goes, if not to `dump`: a path such as "builtin_module_no-symbol-name/func_func_f/2_cse.mlir" and the text.
  void (*print_file)(void *user, CakeStr path, CakeStr text);
  void *print_file_user;
  bool statistics, statistics_json;
  bool trace_rewrites; // into `dump`
  CakeTiming *timing; // filled with a row a pass; NULL: not timed
  bool timing_tree;   // a row a place in the pipeline, with the nesting of its pipelines
  // Before the run (`local_reproducer`: before each pass) filled with the module and, as a resource of the file, the pipeline that is
  // about to run on it: MLIR's reproducer. What is in it when the run fails, or crashes, repeats that. NULL: none.
  CakeBuf *reproducer;
  bool local_reproducer;
  CakeBuf *dump;      // where printed IR and reports go (standard error in the tools); NULL: nowhere
  const CakeVerifyFn *extra_verifiers; // run behind `cake_verify` wherever the manager verifies
  size_t n_extra_verifiers;
} CakePipelineOptions;

typedef struct CakePipeline CakePipeline;

// Parses "builtin.module(a,func.func(b{x=1}))". NULL: reported, with the text and a caret.
CakePipeline *cake_pipeline_parse(CakeContext *context, const CakePassRegistry *registry, CakeStr text);
// An empty pipeline on builtin.module, to which passes are added by name (as single flags do).
CakePipeline *cake_pipeline_create(CakeContext *context, const CakePassRegistry *registry);
CAKE_NODISCARD bool cake_pipeline_add(CakePipeline *pipeline, CakeStr name, CakeStr options_text);
void cake_pipeline_destroy(CakePipeline *pipeline); // NULL is fine
// The canonical text, with all options.
void cake_pipeline_print(const CakePipeline *pipeline, CakeBuf *out);
// Parses a module's text that holds a reproducer's pipeline: into `out`, false when there is none. No diagnostics.
bool cake_reproducer_pipeline(CakeStr text, CakeBuf *out);
// False: a pass or the verifier failed (reported).
CAKE_NODISCARD bool cake_pipeline_run(CakePipeline *pipeline, CakeOp *module, const CakePipelineOptions *options);

// Runs a pipeline that the pass has chosen on an op inside of the one that it runs on, or on that one: "func.func(canonicalize,cse)" of the
// passes that its own pipeline may name. The op must be isolated from above. It is part of the run: verified, printed, timed and counted like
// any other, its rows below those of the pass. Behind it, analyses are to be asked for again. False: reported, and the pass is to fail.
CAKE_NODISCARD bool cake_pass_run_pipeline(CakePassContext *pass, CakeStr text, CakeOp *op);

// ---- Greedy rewriting ----------------------------------------------------------------------------------------------------

typedef struct CakePatternSet CakePatternSet; // cake/pattern.h

typedef struct CakeGreedyOptions {
  int64_t max_iterations; // how often all ops are looked at; -1: until nothing changes
  int64_t max_rewrites;   // -1: in proportion to the number of ops
  bool keep_unreachable;  // blocks that cannot be reached stay, and are left as they are; false: they are erased
  CakePatternSet *patterns; // applied beside the hooks; NULL: none
  bool only_patterns;     // neither folds, nor canonicalises, nor erases what is unused
  bool is_bottom_up;      // ops are looked at from the last to the first
  bool may_stop;          // at a limit, as things are then; false: that is an error
} CakeGreedyOptions;

// Folds, erases unused pure ops and applies `canonicalize` hooks under `root` until nothing changes. A run that does not end within
// the limits is reported at the op that it stopped at, with the folders and hooks that go on changing. `options` NULL: no limit but
// the number of rewrites. `out_changed` may be NULL.
CAKE_NODISCARD bool cake_greedy_rewrite(CakePassContext *pass, CakeOp *root, const CakeGreedyOptions *options, bool *out_changed);

CAKE_END_C
#endif
