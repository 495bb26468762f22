// Questions about IR: matchers, each the set of a module's ops that it holds for, and commands made of them (cake-query).
//
//   match name("arith.addi").operand(0, constant())
//   match backward(name("func.return")).extract("slice")
#ifndef CAKE_TOOLS_QUERY_H
#define CAKE_TOOLS_QUERY_H

#include "tools/extensions.h"

CAKE_BEGIN_C

// A module with its ops numbered in the order of the text.
typedef struct Query {
  CakeContext *context;
  CakeOp *module;
  CAKE_VEC(CakeOp *) ops;
  CakeMap numbers; // op → its number + 1
  ExtensionRewrites rewrites; // that may be asked for
} Query;

void query_init(Query *query, CakeOp *module);
void query_fini(Query *query);
// The number of an op; SIZE_MAX: it is none of the module's.
size_t query_number(const Query *query, const CakeOp *op);

// What a matcher was given: `kind` says what of it there is.
typedef struct QueryArg {
  CakeLoc loc;
  char kind;       // m a matcher, n a number, s a string; t a type, a an attribute: strings that are read as such
  const bool *set; // m: a flag an op
  int64_t number;
  CakeStr text;
  CakeType type;
  CakeAttr attr;
} QueryArg;

// A row of the table of matchers (tools/query_matchers.def). Names may stand there several times, with other arguments.
typedef struct QueryMatcher {
  const char *name;
  const char *kinds;  // of its arguments, a letter each; with '*' behind it the last one may repeat
  const char *params; // for people: "index, matcher"
  const char *doc;    // "ops of that name"
  // One of them: whether it holds for an op; or the flags of all ops, false when it is wrong, which was reported.
  bool (*holds)(const Query *query, const QueryArg *args, const CakeOp *op);
  bool (*find)(const Query *query, const QueryArg *args, size_t n_args, bool *out);
} QueryMatcher;
extern const QueryMatcher query_matchers[]; // a NULL name behind the last

// What a command asks for.
typedef struct QueryResult {
  bool *set;
  CakeStr function; // to be made of them; empty: none
  CakeLoc loc;      // of that name
} QueryResult;
// Evaluates a matcher. `loc`: a place in the line where `text` begins, at that column. In `arena`. False: reported.
CAKE_NODISCARD bool query_evaluate(const Query *query, CakeArena *arena, CakeLoc loc, size_t column, CakeStr text,
                                   QueryResult *out);

// Makes a function of the ops of a set: what they use and do not make are its arguments, what others use its results. In a module of its
// own, verified. NULL: reported.
CakeOp *query_extract(const Query *query, const QueryResult *result);

// Runs the commands of a text, a line each, or as many lines as it has open brackets; `//` begins a comment. What they give is appended to
// `out`, ends with *out_quits when one is `quit`. False: one failed, which was reported; those behind it are not run.
CAKE_NODISCARD bool query_run(const Query *query, CakeId file, CakeStr text, CakeBuf *out, bool *out_quits);
// What there is to ask, for people; of one matcher or command alone. False: there is none of that name.
bool query_help(CakeStr name, CakeBuf *out);
// How many brackets are open behind a line, strings and comments aside, when so many were in front of it.
size_t query_open_brackets(CakeStr line, size_t open);

CAKE_END_C
#endif
