// Graphs of synchronising instructions: of a gpu.func, and of PTX text.
#include "targets/nvptx/sync.h"

#include "dialects/gpu/gpu.h"

#include <string.h>

// How instructions begin in PTX, and the ops that they are made from, with an attribute that they have where a word stands behind. Longer beginnings stand
// before shorter ones, rows with an attribute before those without; rows of one letter have one name.
static const struct {
  const char *begins, *op, *name;
} instructions[] = {
    {"bar.warp.sync",               "gpu.warp_sync",                 "bar.warp.sync"              },
    {"bar.arrive",                  "gpu.named_barrier_arrive",      "bar.arrive"                 },
    {"barrier.cta.arrive",          NULL,                            "bar.arrive"                 },
    {"bar.sync",                    "gpu.barrier",                   "bar.sync"                   },
    {"barrier.cta.sync",            "gpu.named_barrier",             "bar.sync"                   },
    {"barrier.cluster.arrive",      "gpu.cluster_barrier",           "barrier.cluster.arrive"     },
    {"barrier.cluster.wait",        NULL,                            "barrier.cluster.wait"       },
    {"mbarrier.init",               "gpu.mbarrier_init",             "mbarrier.init"              },
    {"mbarrier.arrive.expect_tx",   "gpu.mbarrier_arrive_expect_tx", "mbarrier.arrive.expect_tx"  },
    {"mbarrier.arrive.relaxed",     "gpu.mbarrier_arrive_remote",    "a remote mbarrier.arrive"   },
    {"mbarrier.arrive.release.cl",  NULL,                            "a remote mbarrier.arrive"   },
    {"mbarrier.arrive",             "gpu.mbarrier_arrive",           "mbarrier.arrive"            },
    {"mbarrier.try_wait",           "gpu.mbarrier_wait",             "a wait for an mbarrier"     },
    {"mbarrier.test_wait",          NULL,                            "a wait for an mbarrier"     },
    {"fence.mbarrier_init",         "gpu.mbarrier_init_fence",       "fence.mbarrier_init"        },
    {"fence.proxy.async",           "gpu.fence_proxy_async",         "fence.proxy.async"          },
    {"cp.async.mbarrier.arrive",    "gpu.cp_async_mbarrier_arrive",  "cp.async.mbarrier.arrive"   },
    {"cp.async.bulk.tensor",        "gpu.tma_load",                  "cp.async.bulk.tensor"       },
    {NULL,                          "gpu.tma_load_multicast",        "cp.async.bulk.tensor"       },
    {"cp.reduce.async.bulk.tensor", "gpu.tma_store reduce",          "cp.reduce.async.bulk.tensor"},
    {NULL,                          "gpu.tma_store",                 "cp.async.bulk.tensor"       },
    {"cp.async.bulk.commit_group",  "gpu.bulk_commit",               "cp.async.bulk.commit_group" },
    {"cp.async.bulk.wait_group",    "gpu.bulk_wait_read",            "cp.async.bulk.wait_group"   },
    {"cp.async.bulk",               "gpu.bulk_load",                 "cp.async.bulk"              },
    {"cp.async.c",                  "gpu.cp_async",                  "cp.async"                   },
    {"wgmma.fence",                 "gpu.wgmma_fence",               "wgmma.fence"                },
    {"wgmma.commit_group",          "gpu.wgmma_commit",              "wgmma.commit_group"         },
    {"wgmma.wait_group",            "gpu.wgmma_wait",                "wgmma.wait_group"           },
    {"wgmma.mma_async",             "gpu.wgmma",                     "wgmma.mma_async"            },
    {NULL,                          "gpu.wgmma_rs",                  "wgmma.mma_async"            },
    {"setmaxnreg",                  "gpu.setmaxnreg",                "setmaxnreg"                 },
    {"griddepcontrol",              "gpu.griddepcontrol",            "griddepcontrol"             },
};

// The first row of that name.
static int32_t letter_of_row(size_t row) {
  size_t i = 0;
  while (strcmp(instructions[i].name, instructions[row].name) != 0)
    i++;
  return (int32_t)i;
}

const char *cake_sync_letter_name(int32_t letter) {
  return letter < 0 ? "the end" : instructions[letter].name;
}

// `text`: "gpu.op", or "gpu.op attribute".
static bool is_op_of(const CakeOp *op, const char *text) {
  const char *space = strchr(text, ' ');
  if (!space) return cake_op_is(op, text);
  CakeStr name = {text, (size_t)(space - text)};
  return cake_str_equal(cake_id_str(op->info->name), name) && cake_op_attr_text(op, space + 1);
}

int32_t cake_sync_letter_of_op(const CakeOp *op, bool has_bulk) {
  if (cake_op_is(op, "gpu.mbarrier_init_fence") && !has_bulk) return -1;
  for (size_t i = 0; i < CAKE_COUNT(instructions); i++)
    if (instructions[i].op && is_op_of(op, instructions[i].op)) return letter_of_row(i);
  return -1;
}

static bool begins_with(CakeStr text, const char *begin) {
  size_t len = strlen(begin);
  return text.len >= len && memcmp(text.ptr, begin, len) == 0;
}

int32_t cake_sync_letter_of_text(CakeStr statement) {
  for (size_t i = 0; i < CAKE_COUNT(instructions); i++)
    if (instructions[i].begins && begins_with(statement, instructions[i].begins)) return letter_of_row(i);
  return -1;
}

// ---- Graphs ----------------------------------------------------------------------------------------------------------------

CakeSyncGraph cake_sync_create(void) {
  CakeSyncGraph graph = {.is_known = true};
  (void)cake_sync_add(&graph, -1, NULL);
  (void)cake_sync_add(&graph, -1, NULL);
  return graph;
}

void cake_sync_fini(CakeSyncGraph *graph) {
  for (size_t i = 0; i < graph->nodes.len; i++)
    CAKE_VEC_FINI(&graph->nodes.data[i].next);
  CAKE_VEC_FINI(&graph->nodes);
}

uint32_t cake_sync_add(CakeSyncGraph *graph, int32_t letter, CakeOp *op) {
  CAKE_PUSH(&graph->nodes, ((CakeSyncNode){.letter = letter, .op = op}));
  return (uint32_t)graph->nodes.len - 1;
}

void cake_sync_edge(CakeSyncGraph *graph, uint32_t from, uint32_t to) {
  CAKE_PUSH(&graph->nodes.data[from].next, to);
}

// ---- IR --------------------------------------------------------------------------------------------------------------------

typedef struct Walk {
  CakeSyncGraph *graph;
  bool has_bulk;
} Walk;

static uint32_t walk_block(Walk *walk, CakeBlock *block, uint32_t from);

static uint32_t walk_region(Walk *walk, CakeRegion *region, uint32_t from) {
  if (region->first != region->last) walk->graph->is_known = false;
  return region->first ? walk_block(walk, region->first, from) : from;
}

// A loop runs never or more often; each region of a branch may be taken; without the last of two, none.
static uint32_t walk_regions(Walk *walk, CakeOp *op, uint32_t from) {
  CakeSyncGraph *graph = walk->graph;
  CakeFlowKind flow = op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
  uint32_t head = cake_sync_add(graph, -1, NULL), after = cake_sync_add(graph, -1, NULL);
  cake_sync_edge(graph, from, head);
  if (cake_op_is(op, "scf.while")) {
    uint32_t before = walk_region(walk, cake_op_region(op, 0), head),
             back = walk_region(walk, cake_op_region(op, 1), before);
    cake_sync_edge(graph, before, after);
    cake_sync_edge(graph, back, head);
  } else if (flow == CAKE_FLOW_LOOP) {
    cake_sync_edge(graph, walk_region(walk, cake_op_region(op, 0), head), head);
    cake_sync_edge(graph, head, after);
  } else if (flow == CAKE_FLOW_BRANCH) {
    for (uint32_t i = 0; i < op->n_regions; i++)
      cake_sync_edge(graph, walk_region(walk, cake_op_region(op, i), head), after);
  } else {
    graph->is_known = false;
  }
  return after;
}

static uint32_t walk_block(Walk *walk, CakeBlock *block, uint32_t from) {
  for (CakeOp *op = block->first; op; op = op->next) {
    int32_t letter = cake_sync_letter_of_op(op, walk->has_bulk);
    if (op->n_regions) from = walk_regions(walk, op, from);
    if (op->n_successors) walk->graph->is_known = false;
    if (letter < 0) continue;
    uint32_t node = cake_sync_add(walk->graph, letter, op);
    cake_sync_edge(walk->graph, from, node);
    if (cake_op_is(op, "gpu.mbarrier_wait")) cake_sync_edge(walk->graph, node, node); // it polls
    from = node;
    if (!cake_op_is(op, "gpu.cluster_barrier")) continue; // two instructions
    from = cake_sync_add(walk->graph, cake_sync_letter_of_text(CAKE_STR("barrier.cluster.wait")), op);
    cake_sync_edge(walk->graph, node, from);
  }
  return from;
}

CakeSyncGraph cake_sync_of_func(CakeOp *func, bool has_bulk) {
  CakeSyncGraph graph = cake_sync_create();
  Walk walk = {&graph, has_bulk};
  cake_sync_edge(&graph, walk_region(&walk, cake_op_region(func, 0), CAKE_SYNC_START), CAKE_SYNC_END);
  return graph;
}

// ---- PTX -------------------------------------------------------------------------------------------------------------------

typedef struct Label {
  CakeStr name;
  uint32_t node;
} Label;

typedef struct Reader {
  CakeSyncGraph graph;
  CAKE_VEC(Label) labels;
  uint32_t at; // where the next statement comes behind
  bool is_reached;
} Reader;

static uint32_t label_node(Reader *reader, CakeStr name) {
  for (size_t i = 0; i < reader->labels.len; i++)
    if (cake_str_equal(reader->labels.data[i].name, name)) return reader->labels.data[i].node;
  uint32_t node = cake_sync_add(&reader->graph, -1, NULL);
  CAKE_PUSH(&reader->labels, ((Label){name, node}));
  return node;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '{' || c == '}';
}

static CakeStr trim(CakeStr text) {
  while (text.len && is_blank(*text.ptr))
    text.ptr++, text.len--;
  while (text.len && is_blank(text.ptr[text.len - 1]))
    text.len--;
  return text;
}

static CakeStr last_word(CakeStr text) {
  size_t at = text.len;
  while (at && text.ptr[at - 1] != ' ' && text.ptr[at - 1] != '\t')
    at--;
  return (CakeStr){text.ptr + at, text.len - at};
}

static void go_on(Reader *reader, uint32_t node) {
  if (reader->is_reached) cake_sync_edge(&reader->graph, reader->at, node);
  reader->at = node;
  reader->is_reached = true;
}

static void read_statement(Reader *reader, CakeStr text) {
  bool is_predicated = text.len && *text.ptr == '@';
  if (is_predicated) {
    while (text.len && *text.ptr != ' ' && *text.ptr != '\t')
      text.ptr++, text.len--;
    text = trim(text);
  }
  int32_t letter = cake_sync_letter_of_text(text);
  bool is_end = begins_with(text, "ret") || begins_with(text, "exit"), is_trap = begins_with(text, "trap");
  if (begins_with(text, "brx")) reader->graph.is_known = false;
  if (begins_with(text, "bra") && !begins_with(text, "brac")) {
    if (reader->is_reached) {
      uint32_t to = label_node(reader, last_word(text));
      cake_sync_edge(&reader->graph, reader->at, to);
    }
  } else if (is_end) {
    if (reader->is_reached) cake_sync_edge(&reader->graph, reader->at, CAKE_SYNC_END);
  } else if (letter >= 0) {
    uint32_t before = reader->at, node = cake_sync_add(&reader->graph, letter, NULL);
    go_on(reader, node);
    if (!is_predicated) return;
    uint32_t behind = cake_sync_add(&reader->graph, -1, NULL); // or not at all
    cake_sync_edge(&reader->graph, before, behind);
    go_on(reader, behind);
    return;
  } else if (!is_trap) {
    return;
  }
  if (is_predicated) { // branches part: what comes next has a place of its own
    uint32_t behind = cake_sync_add(&reader->graph, -1, NULL);
    go_on(reader, behind);
  } else {
    reader->is_reached = false;
  }
}

// The text between the braces of the kernel's entry.
static CakeStr body_of(CakeStr ptx, CakeStr kernel) {
  for (size_t i = 0; i + kernel.len + 8 < ptx.len; i++) {
    if (memcmp(ptx.ptr + i, ".entry ", 7) != 0 || memcmp(ptx.ptr + i + 7, kernel.ptr, kernel.len) != 0 ||
        ptx.ptr[i + 7 + kernel.len] != '(')
      continue;
    size_t from = i, depth = 0;
    while (from < ptx.len && ptx.ptr[from] != '{')
      from++;
    for (size_t end = from; end < ptx.len; end++) {
      depth += ptx.ptr[end] == '{';
      depth -= ptx.ptr[end] == '}';
      if (depth == 0) return (CakeStr){ptx.ptr + from + 1, end - from - 1};
    }
  }
  return CAKE_STR("");
}

static size_t line_end(CakeStr text, size_t at) {
  while (at < text.len && text.ptr[at] != '\n')
    at++;
  return at;
}

CakeSyncGraph cake_sync_of_ptx(CakeStr ptx, CakeStr kernel) {
  Reader reader = {.graph = cake_sync_create(), .at = CAKE_SYNC_START, .is_reached = true};
  CakeStr body = body_of(ptx, kernel);
  if (!body.len) reader.graph.is_known = false;
  for (size_t at = 0, end; at < body.len; at = end + 1) {
    end = at;
    while (end < body.len && body.ptr[end] != ';' && body.ptr[end] != ':' && body.ptr[end] != '\n')
      end++;
    // "::" is part of a name, and a comment or directive ends with its line.
    while (end + 1 < body.len && body.ptr[end] == ':' && body.ptr[end + 1] == ':')
      for (end += 2; end < body.len && body.ptr[end] != ';' && body.ptr[end] != ':' && body.ptr[end] != '\n';)
        end++;
    CakeStr text = trim((CakeStr){body.ptr + at, end - at});
    if (begins_with(text, "//") || begins_with(text, ".loc") || begins_with(text, ".file"))
      end = line_end(body, at);
    else if (end < body.len && body.ptr[end] == ':')
      go_on(&reader, label_node(&reader, text));
    else if (text.len)
      read_statement(&reader, text);
  }
  if (reader.is_reached) cake_sync_edge(&reader.graph, reader.at, CAKE_SYNC_END);
  CAKE_VEC_FINI(&reader.labels);
  return reader.graph;
}
