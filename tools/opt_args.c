// cake-opt's command line: a table of options, with mlir-opt's spellings beside ours; any other --NAME is a pass.
#include <string.h>

#include "tools/opt.h"

typedef enum OptId {
  ID_HELP,
  ID_VERSION,
  ID_LIST_PASSES,
  ID_LIST_OPS,
  ID_LIST_DIALECTS,
  ID_OUTPUT,
  ID_PIPELINE,
  ID_GENERIC,
  ID_LOCATIONS,
  ID_NAMES,
  ID_LOCAL_SCOPE,
  ID_ALLOW,
  ID_VERIFY_DIAGNOSTICS,
  ID_SPLIT,
  ID_BEFORE_ALL,
  ID_AFTER_ALL,
  ID_AFTER_CHANGE,
  ID_AFTER_FAILURE,
  ID_MODULE_SCOPE,
  ID_TIMING,
  ID_STATISTICS,
  ID_VERIFY_EACH,
  ID_NO_VERIFY,
  ID_DIAGNOSTICS,
  ID_DUMP_PIPELINE,
  ID_BYTECODE,
  ID_COUNTERS,
  ID_PRINT_COUNTERS,
  ID_LOG_ACTIONS,
  ID_LOAD_PLUGIN,
  ID_LOAD_DIALECT,
  ID_LOAD_REWRITES,
  ID_TRACE,
  ID_EXPLAIN,
  ID_COVERAGE,
  ID_APPLY_FIXES,
  ID_BEFORE,
  ID_AFTER,
  ID_TREE_DIR,
  ID_CRASH_REPRODUCER,
  ID_LOCAL_REPRODUCER,
  ID_REPRODUCER,
  ID_RUN_REPRODUCER,
  ID_REMARKS,
  ID_SKIP_REGIONS,
  ID_VALUE_USERS,
  ID_UNIQUE_NUMBERS,
  ID_PRETTY_LOCATIONS,
  ID_LOC_NAMES,
  ID_HEX,
  ID_ELIDE,
  ID_ELIDE_RESOURCES,
  ID_OUTPUT_MARKER,
  ID_ROUNDTRIP,
  ID_LEVEL,
  ID_NO_NOTES,
  ID_SHOW_OPS,
  ID_CHECK_PASSES,
  ID_TIMING_DISPLAY,
  ID_TIMING_FORMAT,
  ID_IGNORED,
} OptId;

typedef enum OptValue { NO_VALUE, OPTIONAL_VALUE, NEEDS_VALUE } OptValue;

typedef struct OptRow {
  const char *name, *alias; // without dashes; the alias is mlir-opt's
  OptId id;
  OptValue value;
  const char *usage, *doc; // usage: how the value is written
} OptRow;

static const OptRow rows[] = {
    {"help",                       "h",                                           ID_HELP,               NO_VALUE,       "",                         "show this text"                                                 },
    {"version",                    NULL,                                          ID_VERSION,            NO_VALUE,       "",                         "show the version"                                               },
    {"o",                          NULL,                                          ID_OUTPUT,             NEEDS_VALUE,    " FILE",                    "write to FILE instead of standard output; only when all is well"},
    {"pass-pipeline",              NULL,                                          ID_PIPELINE,           NEEDS_VALUE,    "=TEXT",                    "run the passes of 'builtin.module(...)'"                        },
    {"print-op-generic",           "mlir-print-op-generic",                       ID_GENERIC,            NO_VALUE,       "",                         "print every op in the generic form"                             },
    {"print-debuginfo",            "mlir-print-debuginfo",                        ID_LOCATIONS,          NO_VALUE,       "",                         "print locations"                                                },
    {"keep-names",                 NULL,                                          ID_NAMES,              NO_VALUE,       "",                         "keep the names of values that the input had"                    },
    {"print-local-scope",          "mlir-print-local-scope",                      ID_LOCAL_SCOPE,        NO_VALUE,       "",                         "print without aliases"                                          },
    {"allow-unregistered-dialect", NULL,                                          ID_ALLOW,              NO_VALUE,       "",
     "accept ops, types and attributes of unknown dialects"                                                                                                                                                           },
    {"verify-diagnostics",         NULL,                                          ID_VERIFY_DIAGNOSTICS, OPTIONAL_VALUE, "[=all|only-expected]",
     "compare diagnostics with the expected-error {{...}} comments of the input"                                                                                                                                      },
    {"split-input-file",           NULL,                                          ID_SPLIT,              OPTIONAL_VALUE, "[=LINE]",
     "treat the parts between lines '// -----', or LINE, as files of their own"                                                                                                                                       },
    {"print-ir-before-all",        "mlir-print-ir-before-all",                    ID_BEFORE_ALL,         NO_VALUE,       "",
     "print the IR before each pass, on standard error"                                                                                                                                                               },
    {"print-ir-after-all",         "mlir-print-ir-after-all",                     ID_AFTER_ALL,          NO_VALUE,       "",                         "print the IR after each pass"                                   },
    {"print-ir-after-change",      "mlir-print-ir-after-change",                  ID_AFTER_CHANGE,       NO_VALUE,       "",
     "print the IR after each pass that changed it"                                                                                                                                                                   },
    {"print-ir-after-failure",     "mlir-print-ir-after-failure",                 ID_AFTER_FAILURE,      NO_VALUE,       "",
     "print the IR after the pass that failed"                                                                                                                                                                        },
    {"print-ir-module-scope",      "mlir-print-ir-module-scope",                  ID_MODULE_SCOPE,       NO_VALUE,       "",
     "print the whole module then, not the op that the pass runs on"                                                                                                                                                  },
    {"timing",                     "mlir-timing",                                 ID_TIMING,             OPTIONAL_VALUE, "[=list|tree|json]",        "report times, on standard error"                                },
    {"pass-statistics",            "mlir-pass-statistics",                        ID_STATISTICS,         OPTIONAL_VALUE, "[=json]",
     "report what the passes counted"                                                                                                                                                                                 },
    {"verify-each",                NULL,                                          ID_VERIFY_EACH,        OPTIONAL_VALUE, "=BOOL",
     "verify after each pass that changed something (default: true)"                                                                                                                                                  },
    {"no-verify",                  NULL,                                          ID_NO_VERIFY,          NO_VALUE,       "",                         "do not verify at all"                                           },
    {"diagnostics",                NULL,                                          ID_DIAGNOSTICS,        NEEDS_VALUE,    "=text|json",               "how diagnostics are written to standard error"                  },
    {"coverage",                   NULL,                                          ID_COVERAGE,           NO_VALUE,       "",                         "say what the verifier's verdict rests on, on standard error"    },
    {"explain",                    NULL,                                          ID_EXPLAIN,            NEEDS_VALUE,    "=CODE",                    "say what a diagnostic code is about"                            },
    {"apply-fixes",                NULL,                                          ID_APPLY_FIXES,        NO_VALUE,       "",
     "apply the fixes of what the verifier finds to the text and write that, if it verifies then"                                                                                                                     },
    {"dump-pass-pipeline",         NULL,                                          ID_DUMP_PIPELINE,      NO_VALUE,       "",
     "print the pipeline with all options, on standard error"                                                                                                                                                         },
    {"emit-bytecode",              NULL,                                          ID_BYTECODE,           NO_VALUE,       "",                         "write bytecode instead of text; the input may be either"        },
    {"debug-counter",              "mlir-debug-counter",                          ID_COUNTERS,           NEEDS_VALUE,    "=NAME-skip=N,...",
     "leave out the first N times of a pattern, 'fold', 'canonicalize', 'erase', 'round' or 'pass', and with "
     "NAME-count=M all but the M "
     "behind them"                                                                                                                                                                                                    },
    {"print-debug-counter",        "mlir-print-debug-counter",                    ID_PRINT_COUNTERS,     NO_VALUE,       "",
     "print what the counters counted, on standard error"                                                                                                                                                             },
    {"log-actions-to",             NULL,                                          ID_LOG_ACTIONS,        NEEDS_VALUE,    "=FILE",
     "write a line for each pass, round, pattern, hook and fold as it begins and ends; '-': on standard error"                                                                                                        },
    {"load-pass-plugin",           NULL,                                          ID_LOAD_PLUGIN,        NEEDS_VALUE,    "=FILE",
     "load the passes, dialects and rules of a shared library"                                                                                                                                                        },
    {"load-dialect-plugin",        NULL,                                          ID_LOAD_PLUGIN,        NEEDS_VALUE,    "=FILE",                    "the same"                                                       },
    {"load-dialect",               NULL,                                          ID_LOAD_DIALECT,       NEEDS_VALUE,    "=FILE",                    "load dialects as text"                                          },
    {"load-rewrites",              NULL,                                          ID_LOAD_REWRITES,      NEEDS_VALUE,    "=FILE",
     "load rewrites as text; each is a pass of its name"                                                                                                                                                              },
    {"trace-rewrites",             NULL,                                          ID_TRACE,              NO_VALUE,       "",                         "report every attempt to rewrite an op, on standard error"       },
    {"list-passes",                NULL,                                          ID_LIST_PASSES,        NO_VALUE,       "",                         "list the passes"                                                },
    {"list-ops",                   NULL,                                          ID_LIST_OPS,           NO_VALUE,       "",                         "list the ops"                                                   },
    {"list-dialects",              "show-dialects",                               ID_LIST_DIALECTS,      NO_VALUE,       "",                         "list the dialects"                                              },
    {"print-ir-before",            "mlir-print-ir-before",                        ID_BEFORE,             NEEDS_VALUE,    "=PASS,...",
     "print the IR before these passes"                                                                                                                                                                               },
    {"print-ir-after",             "mlir-print-ir-after",                         ID_AFTER,              NEEDS_VALUE,    "=PASS,...",                "print the IR after these passes"                                },
    {"print-ir-tree-dir",          "mlir-print-ir-tree-dir",                      ID_TREE_DIR,           NEEDS_VALUE,    "=DIR",
     "print IR round passes into files under DIR, a folder an op"                                                                                                                                                     },
    {"crash-reproducer",           "mlir-pass-pipeline-crash-reproducer",         ID_CRASH_REPRODUCER,   NEEDS_VALUE,    "=FILE",
     "when a pass fails or crashes, write the IR and the pipeline to FILE"                                                                                                                                            },
    {"local-reproducer",           "mlir-pass-pipeline-local-reproducer",         ID_LOCAL_REPRODUCER,   NO_VALUE,       "",
     "with --crash-reproducer: the IR in front of that pass, and it alone"                                                                                                                                            },
    {"generate-reproducer",        "mlir-generate-reproducer",                    ID_REPRODUCER,         NEEDS_VALUE,    "=FILE",
     "write the IR in front of the passes, and the pipeline, to FILE"                                                                                                                                                 },
    {"run-reproducer",             NULL,                                          ID_RUN_REPRODUCER,     NO_VALUE,       "",                         "run the pipeline that stands in the input"                      },
    {"remarks-filter",             NULL,                                          ID_REMARKS,            NEEDS_VALUE,    "=REGEX",                   "show only remarks that match, such as '^inline:'"               },
    {"skip-regions",               "mlir-print-skip-regions",                     ID_SKIP_REGIONS,       NO_VALUE,       "",                         "print '{...}' for what is in regions"                           },
    {"print-value-users",          "mlir-print-value-users",                      ID_VALUE_USERS,        NO_VALUE,       "",
     "say in comments which ops use a value"                                                                                                                                                                          },
    {"print-unique-ssa-ids",       "mlir-print-unique-ssa-ids",                   ID_UNIQUE_NUMBERS,     NO_VALUE,       "",
     "give no two values one number, though they are in different regions"                                                                                                                                            },
    {"pretty-debuginfo",           "mlir-pretty-debuginfo",                       ID_PRETTY_LOCATIONS,   NO_VALUE,       "",
     "print locations without loc(...), with --print-debuginfo"                                                                                                                                                       },
    {"names-from-locations",       "mlir-use-nameloc-as-prefix",                  ID_LOC_NAMES,          NO_VALUE,       "",
     "call values as their name locations say"                                                                                                                                                                        },
    {"hex-elements-above",         "mlir-print-elementsattrs-with-hex-if-larger", ID_HEX,                NEEDS_VALUE,    "=N",
     "print lists of more than N elements in hexadecimal (default: 100; -1: none)"                                                                                                                                    },
    {"elide-elements-above",       "mlir-elide-elementsattrs-if-larger",          ID_ELIDE,              NEEDS_VALUE,    "=N",
     "leave lists of more than N elements out"                                                                                                                                                                        },
    {"elide-resources-above",      "mlir-elide-resource-strings-if-larger",       ID_ELIDE_RESOURCES,    NEEDS_VALUE,    "=N",
     "leave resources of more than N characters out"                                                                                                                                                                  },
    {"output-split-marker",        NULL,                                          ID_OUTPUT_MARKER,      NEEDS_VALUE,    "=LINE",
     "what stands between the parts that are written (default: '// -----')"                                                                                                                                           },
    {"verify-roundtrip",           NULL,                                          ID_ROUNDTRIP,          NO_VALUE,       "",
     "check that what was read comes back the same from its custom form, its generic form, and bytecode"                                                                                                              },
    {"check-passes",               NULL,                                          ID_CHECK_PASSES,       NO_VALUE,       "",
     "check what passes claim: that nothing has changed, that analyses they preserve are still true"                                                                                                                  },
    {"diagnostics-level",          "mlir-diagnostic-verbosity-level",             ID_LEVEL,              NEEDS_VALUE,    "=errors|warnings|remarks",
     "which diagnostics are shown (default: remarks)"                                                                                                                                                                 },
    {"no-notes",                   "mlir-disable-diagnostic-notes",               ID_NO_NOTES,           NO_VALUE,       "",                         "show diagnostics without their notes"                           },
    {"print-op-on-diagnostic",     "mlir-print-op-on-diagnostic",                 ID_SHOW_OPS,           OPTIONAL_VALUE, "[=BOOL]",
     "show the op that an error is about (default: false)"                                                                                                                                                            },
    {"timing-display",             "mlir-timing-display",                         ID_TIMING_DISPLAY,     NEEDS_VALUE,    NULL,                       NULL                                                             },
    {"output-format",              "mlir-output-format",                          ID_TIMING_FORMAT,      NEEDS_VALUE,    NULL,                       NULL                                                             },
    {"pass-statistics-display",    "mlir-pass-statistics-display",                ID_IGNORED,            NEEDS_VALUE,    NULL,                       NULL                                                             },
    {"mlir-disable-threading",     NULL,                                          ID_IGNORED,            OPTIONAL_VALUE, NULL,                       NULL                                                             },
};

static const OptRow *find_row(CakeStr name) {
  for (size_t i = 0; i < CAKE_COUNT(rows); i++)
    if (cake_str_is(name, rows[i].name) || (rows[i].alias && cake_str_is(name, rows[i].alias))) return &rows[i];
  return NULL;
}

static bool fail(CakeBuf *error, const char *format, CakeStr name) {
  cake_buf_printf(error, format, CAKE_STR_ARG(name));
  return false;
}

static bool parse_flag(CakeStr text, bool *out) {
  *out = text.len == 0 || cake_str_is(text, "true") || cake_str_is(text, "1");
  return *out || cake_str_is(text, "false") || cake_str_is(text, "0");
}

// Adds to a list of passes.
static CakeStr add_passes(CakeBuf *list, CakeStr names) {
  if (list->len) cake_buf_char(list, ',');
  cake_buf_str(list, names);
  return cake_buf_view(list);
}

// "More than N" as "from N + 1 on"; below 0: never.
static bool parse_above(const OptRow *row, CakeStr text, int64_t *out_from, CakeBuf *error) {
  int64_t above;
  if (!cake_tool_int(text, &above) || above == INT64_MAX) {
    cake_buf_printf(error, "--%s takes a number, not '%.*s'", row->name, CAKE_STR_ARG(text));
    return false;
  }
  *out_from = above < 0 ? INT64_MAX : above + 1;
  return true;
}

// One of the words: its number.
static bool parse_word(const OptRow *row, CakeStr text, const char *const *words, size_t count, size_t *out,
                       CakeBuf *error) {
  for (*out = 0; *out < count; ++*out)
    if (cake_str_is(text, words[*out])) return true;
  cake_buf_printf(error, "--%s must be ", row->name);
  for (size_t i = 0; i < count; i++)
    cake_buf_printf(error, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
  cake_buf_printf(error, ", not '%.*s'", CAKE_STR_ARG(text));
  return false;
}

// Takes `value` (NUL-terminated; empty when there was none).
static bool apply(OptOptions *options, const OptRow *row, const char *value, CakeBuf *error) {
  static const OptAction actions[] = {[ID_HELP] = OPT_HELP,
                                      [ID_VERSION] = OPT_VERSION,
                                      [ID_LIST_PASSES] = OPT_LIST_PASSES,
                                      [ID_LIST_OPS] = OPT_LIST_OPS,
                                      [ID_LIST_DIALECTS] = OPT_LIST_DIALECTS};
  static const char *const levels[] = {"errors", "warnings", "remarks"}, *const displays[] = {"list", "tree"};
  static const char *const formats[] = {"text", "json"}, *const expecting[] = {"all", "only-expected"};
  CakeStr text = cake_str(value);
  size_t word;
  bool flag;
  switch (row->id) {
  case ID_HELP:
  case ID_VERSION:
  case ID_LIST_PASSES:
  case ID_LIST_OPS:
  case ID_LIST_DIALECTS: options->action = actions[row->id]; break;
  case ID_OUTPUT: options->output = value; break;
  case ID_PIPELINE: options->pass_pipeline = value; break;
  case ID_GENERIC: options->print.generic = true; break;
  case ID_LOCATIONS: options->print.locations = true; break;
  case ID_NAMES: options->print.use_names = true; break;
  case ID_LOCAL_SCOPE: options->print.local_scope = true; break;
  case ID_ALLOW: options->allow_unregistered = true; break;
  case ID_VERIFY_DIAGNOSTICS:
    options->verify_diagnostics = true;
    if (text.len == 0) break;
    if (!parse_word(row, text, expecting, CAKE_COUNT(expecting), &word, error)) return false;
    options->expects_only = word == 1;
    break;
  case ID_SPLIT:
    options->split = true;
    if (text.len) options->split_marker = value;
    break;
  case ID_OUTPUT_MARKER: options->output_marker = value; break;
  case ID_SKIP_REGIONS: options->print.skip_regions = true; break;
  case ID_VALUE_USERS: options->print.value_users = true; break;
  case ID_UNIQUE_NUMBERS: options->print.unique_numbers = true; break;
  case ID_PRETTY_LOCATIONS: options->print.pretty_locations = true; break;
  case ID_LOC_NAMES: options->print.loc_names = true; break;
  case ID_HEX: return parse_above(row, text, &options->print.hex_from, error);
  case ID_ELIDE: return parse_above(row, text, &options->print.elide_from, error);
  case ID_ELIDE_RESOURCES: return parse_above(row, text, &options->print.elide_resources_from, error);
  case ID_CHECK_PASSES: options->run.check_claims = true; break;
  case ID_ROUNDTRIP: options->verify_roundtrip = true; break;
  case ID_LEVEL:
    if (!parse_word(row, text, levels, CAKE_COUNT(levels), &word, error)) return false;
    options->least = (CakeSeverity)word;
    break;
  case ID_NO_NOTES: options->hides_notes = true; break;
  case ID_SHOW_OPS:
    if (!parse_flag(text, &options->shows_ops))
      return fail(error, "--print-op-on-diagnostic must be true or false, not '%.*s'", text);
    break;
  case ID_TIMING_DISPLAY:
    if (!parse_word(row, text, displays, CAKE_COUNT(displays), &word, error)) return false;
    options->run.timing_tree = word == 1;
    break;
  case ID_TIMING_FORMAT:
    if (!parse_word(row, text, formats, CAKE_COUNT(formats), &word, error)) return false;
    options->timing_json = word == 1;
    break;
  case ID_BEFORE_ALL: options->run.print_before_all = true; break;
  case ID_AFTER_ALL: options->run.print_after_all = true; break;
  case ID_AFTER_CHANGE: options->run.print_after_change = true; break;
  case ID_AFTER_FAILURE: options->run.print_after_failure = true; break;
  case ID_MODULE_SCOPE: options->run.print_module_scope = true; break;
  case ID_BEFORE: options->run.print_before = add_passes(&options->before, text); break;
  case ID_AFTER: options->run.print_after = add_passes(&options->after, text); break;
  case ID_TREE_DIR: options->tree_dir = value; break;
  case ID_CRASH_REPRODUCER: options->crash_reproducer = value; break;
  case ID_LOCAL_REPRODUCER: options->run.local_reproducer = true; break;
  case ID_REPRODUCER: options->reproducer = value; break;
  case ID_RUN_REPRODUCER: options->run_reproducer = true; break;
  case ID_REMARKS: options->remarks_filter = value; break;
  case ID_STATISTICS:
    options->run.statistics = true;
    options->run.statistics_json = cake_str_is(text, "json");
    if (text.len && !options->run.statistics_json)
      return fail(error, "--pass-statistics takes no value or 'json', not '%.*s'", text);
    break;
  case ID_NO_VERIFY: options->no_verify = true; break;
  case ID_COVERAGE: options->coverage = true; break;
  case ID_EXPLAIN:
    options->action = OPT_EXPLAIN;
    options->explain = value;
    break;
  case ID_APPLY_FIXES: options->apply_fixes = true; break;
  case ID_COUNTERS: options->counters = value; break;
  case ID_PRINT_COUNTERS: options->print_counters = true; break;
  case ID_LOG_ACTIONS: options->log_actions = value; break;
  case ID_BYTECODE: options->emit_bytecode = true; break;
  case ID_DUMP_PIPELINE: options->dump_pipeline = true; break;
  case ID_TRACE: options->run.trace_rewrites = true; break;
  case ID_LOAD_PLUGIN: // these had their turn
  case ID_LOAD_DIALECT:
  case ID_LOAD_REWRITES:
  case ID_IGNORED: break;
  case ID_TIMING:
    options->timing = true;
    if (text.len) options->timing_json = cake_str_is(text, "json");
    if (text.len) options->run.timing_tree = cake_str_is(text, "tree");
    if (text.len && !options->timing_json && !options->run.timing_tree && !cake_str_is(text, "list"))
      return fail(error, "--timing takes no value, 'list', 'tree' or 'json', not '%.*s'", text);
    break;
  case ID_VERIFY_EACH:
    if (!parse_flag(text, &flag)) return fail(error, "--verify-each must be true or false, not '%.*s'", text);
    options->run.verify_each = flag;
    break;
  case ID_DIAGNOSTICS:
    options->json = cake_str_is(text, "json");
    if (!options->json && !cake_str_is(text, "text"))
      return fail(error, "--diagnostics must be text or json, not '%.*s'", text);
    break;
  }
  return true;
}

// What stands behind `--NAME=`: one layer of braces is the pipeline's way to write options.
static CakeStr pass_options(const char *value) {
  CakeStr text = cake_str(value);
  if (text.len >= 2 && text.ptr[0] == '{' && text.ptr[text.len - 1] == '}')
    return (CakeStr){text.ptr + 1, text.len - 2};
  return text;
}

static bool unknown(const CakePassRegistry *registry, CakeStr name, CakeBuf *error) {
  CakeNearest nearest = cake_nearest_to(name);
  for (size_t i = 0; i < CAKE_COUNT(rows); i++) {
    if (!rows[i].doc) continue;
    cake_nearest_consider(&nearest, rows[i].name);
    if (rows[i].alias) cake_nearest_consider(&nearest, rows[i].alias);
  }
  for (size_t i = 0; i < registry->n_tables; i++)
    for (const CakePassDef *def = registry->tables[i]; def->name; def++)
      cake_nearest_consider(&nearest, def->name);
  cake_buf_printf(error, "unknown option or pass '--%.*s'", CAKE_STR_ARG(name));
  if (nearest.best)
    cake_buf_printf(error, "; did you mean '--%s'?", nearest.best);
  else
    cake_buf_text(error, "; 'cake-opt --help' and '--list-passes' show them");
  return false;
}

// A `-…` argument, taken apart.
typedef struct Dash {
  CakeStr key;
  const char *equal; // where `=` stands; NULL: nowhere
  const OptRow *row; // NULL: perhaps a pass
} Dash;

static bool is_dash(const char *arg) {
  return arg[0] == '-' && arg[1] != '\0';
}

static Dash take_apart(const char *arg) {
  const char *name = arg + 1 + (arg[1] == '-');
  const char *equal = strchr(name, '=');
  CakeStr key = {name, equal ? (size_t)(equal - name) : strlen(name)};
  return (Dash){key, equal, find_row(key)};
}

// The value of an option at argv[*i], which goes on to it when it stands in the next argument; "" when there is none. NULL: `error` says why.
static const char *value_of(const Dash *dash, char **argv, int argc, int *i, CakeBuf *error) {
  OptValue wanted = dash->row->value;
  if (wanted == NO_VALUE && dash->equal) return fail(error, "option '--%.*s' takes no value", dash->key), NULL;
  if (dash->equal) return dash->equal + 1;
  if (wanted != NEEDS_VALUE) return "";
  if (*i + 1 == argc) return fail(error, "option '--%.*s' needs a value", dash->key), NULL;
  return argv[++*i];
}

static bool parse_dash(char **argv, int argc, int *i, const CakePassRegistry *registry, OptOptions *out,
                       CakeBuf *error) {
  Dash dash = take_apart(argv[*i]);
  if (dash.row) {
    const char *value = value_of(&dash, argv, argc, i, error);
    return value && apply(out, dash.row, value, error);
  }
  if (!cake_pass_find(registry, dash.key)) return unknown(registry, dash.key, error);
  CAKE_PUSH(&out->passes, (OptPass){dash.key, pass_options(dash.equal ? dash.equal + 1 : "")});
  return true;
}

static ExtensionKind kind_of(OptId id) {
  return id == ID_LOAD_PLUGIN ? EXTENSION_PLUGIN : id == ID_LOAD_DIALECT ? EXTENSION_DIALECT : EXTENSION_REWRITES;
}

// What is to be loaded comes first, wherever it stands: it says which passes there are.
static bool find_files(int argc, char **argv, Extensions *extensions, OptOptions *out, ExtensionFiles *files,
                       CakeBuf *error) {
  for (int i = 1; i < argc; i++) {
    Dash dash = is_dash(argv[i]) ? take_apart(argv[i]) : (Dash){0};
    if (!dash.row) continue;
    const char *value = value_of(&dash, argv, argc, &i, error);
    if (!value) return false;
    if (dash.row->id == ID_ALLOW) extensions->allow_unregistered = true;
    if (dash.row->id == ID_DIAGNOSTICS && !apply(out, dash.row, value, error)) return false;
    if (dash.row->id == ID_LOAD_PLUGIN || dash.row->id == ID_LOAD_DIALECT || dash.row->id == ID_LOAD_REWRITES)
      CAKE_PUSH(files, ((ExtensionFile){kind_of(dash.row->id), value}));
  }
  return true;
}

static bool load(int argc, char **argv, Extensions *extensions, OptOptions *out, CakeBuf *error) {
  ExtensionFiles files = {0};
  bool is_fine =
      find_files(argc, argv, extensions, out, &files, error) && extensions_load_files(extensions, &files, error);
  CAKE_VEC_FINI(&files);
  return is_fine;
}

// Whether there is a pass of each name in a list.
static bool check_listed(const CakePassRegistry *registry, const char *option, CakeStr list, CakeBuf *error) {
  for (size_t at = 0; at < list.len;) {
    const char *comma = memchr(list.ptr + at, ',', list.len - at);
    CakeStr name = {list.ptr + at, comma ? (size_t)(comma - list.ptr) - at : list.len - at};
    if (!cake_pass_find(registry, name)) {
      cake_buf_printf(error, "--%s: there is no pass '%.*s'", option, CAKE_STR_ARG(name));
      return false;
    }
    at += name.len + 1;
  }
  return true;
}

bool opt_parse_args(int argc, char **argv, Extensions *extensions, OptOptions *out, CakeBuf *error) {
  *out = (OptOptions){.output = "-",
                      .run = {.verify_each = true},
                      .split_marker = "// -----",
                      .output_marker = "// -----",
                      .least = CAKE_REMARK};
  if (!load(argc, argv, extensions, out, error)) return false;
  for (int i = 1; i < argc; i++) {
    if (is_dash(argv[i])) {
      if (!parse_dash(argv, argc, &i, &extensions->registry, out, error)) return false;
    } else if (out->input) {
      cake_buf_printf(error, "more than one input: '%s' and '%s'", out->input, argv[i]);
      return false;
    } else {
      out->input = argv[i];
    }
  }
  if (!out->input) out->input = "-";
  if (!check_listed(&extensions->registry, "print-ir-before", out->run.print_before, error) ||
      !check_listed(&extensions->registry, "print-ir-after", out->run.print_after, error))
    return false;
  if (out->pass_pipeline && out->passes.len) {
    cake_buf_text(error, "--pass-pipeline and single passes can't be used together");
    return false;
  }
  if (out->run_reproducer && (out->pass_pipeline || out->passes.len)) {
    cake_buf_text(error, "--run-reproducer takes the pipeline from the input; no other passes can be named");
    return false;
  }
  return true;
}

void opt_options_fini(OptOptions *options) {
  CAKE_VEC_FINI(&options->passes);
  cake_buf_fini(&options->before);
  cake_buf_fini(&options->after);
}

// ---- Lists ---------------------------------------------------------------------------------------------------------

void opt_print_help(CakeBuf *out) {
  cake_buf_text(out, "cake-opt: reads a module, verifies it, runs passes, and prints it.\n\n"
                     "Usage: cake-opt [FILE|-] [-o FILE] [--pass-pipeline='builtin.module(...)' | --PASS[=OPTIONS] "
                     "...] [option ...]\n\nOptions:\n");
  for (size_t i = 0; i < CAKE_COUNT(rows); i++) {
    if (!rows[i].doc) continue;
    CakeBuf left = {0};
    cake_buf_printf(&left, "%s%s%s", strlen(rows[i].name) == 1 ? "-" : "--", rows[i].name, rows[i].usage);
    cake_buf_printf(out, "  %-30s %s", left.data, rows[i].doc);
    if (rows[i].alias) cake_buf_printf(out, " (also %s%s)", strlen(rows[i].alias) == 1 ? "-" : "--", rows[i].alias);
    cake_buf_char(out, '\n');
    cake_buf_fini(&left);
  }
  cake_buf_text(out, "\nExit status: 0 when all went well, 1 otherwise; diagnostics go to standard error.\n");
}

void opt_list_passes(const CakePassRegistry *registry, CakeBuf *out) {
  for (size_t i = 0; i < registry->n_tables; i++) {
    for (const CakePassDef *def = registry->tables[i]; def->name; def++) {
      cake_buf_printf(out, "--%-32s %s%s%s%s\n", def->name, def->summary, def->anchor ? " [on " : "",
                      def->anchor ? def->anchor : "", def->anchor ? "]" : "");
      for (size_t k = 0; k < def->n_options; k++)
        cake_buf_printf(out, "    %-30s %s (%sdefault: %s)\n", def->options[k].name, def->options[k].doc,
                        cake_option_is_list(def->options[k].kind) ? "a list; " : "",
                        def->options[k].default_text[0] ? def->options[k].default_text : "empty");
    }
  }
}

void opt_list_ops(const CakeContext *context, CakeBuf *out) {
  const CakeDialectDef *dialect;
  for (size_t n = 0; (dialect = cake_context_dialect_at(context, n)); n++) {
    for (size_t i = 0; i < dialect->n_ops; i++) {
      CakeBuf name = {0};
      cake_buf_printf(&name, "%s.%s", dialect->name, dialect->ops[i].name);
      cake_buf_printf(out, "%-34s %s\n", name.data, dialect->ops[i].summary);
      cake_buf_fini(&name);
    }
  }
}

void opt_list_dialects(const CakeContext *context, CakeBuf *out) {
  const CakeDialectDef *dialect;
  for (size_t n = 0; (dialect = cake_context_dialect_at(context, n)); n++)
    cake_buf_printf(out, "%-10s %s\n", dialect->name, dialect->summary);
}
