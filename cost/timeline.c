// What happened between two cycles, as an SVG picture: a track for each instance of a role, and for the tensor core, the port to L2, L2 and device memory.
#include "cost/model.h"

#include "cake/symbol.h"
#include "passes/op_graph.h"

enum {
  LEFT = 190,
  WIDTH = 1200,
  ROW = 26,
  BAR = 18,
  TOP = 58,
  MARGIN = 14,
  LEGEND = 150,
  TICKS = 10,
  MOST_TRACKS = 48
};

// What a span shows.
typedef enum SpanKind { SPAN_WORKS = CAKE_COST_WAIT_KINDS, SPAN_BUSY, SPAN_KINDS } SpanKind;

static const struct {
  const char *colour, *text;
} looks[] = {
    [CAKE_COST_WAIT_EMPTY] = {"#f3d9a4", "waits for an empty slot"  },
    [CAKE_COST_WAIT_FULL] = {"#e8a33d", "waits for a full slot"    },
    [CAKE_COST_WAIT_TURN] = {"#d9a0d0", "waits for its turn"       },
    [CAKE_COST_WAIT_BARRIER] = {"#b58ad1", "waits at a barrier"       },
    [CAKE_COST_WAIT_TENSOR] = {"#a9c4e6", "waits for the tensor core"},
    [CAKE_COST_WAIT_VALUE] = {"#d0d0d0", "waits for a value"        },
    [SPAN_WORKS] = {"#3f9a5b", "works"                    },
    [SPAN_BUSY] = {"#34557f", "busy"                     },
};

typedef struct Span {
  int kind; // a CakeCostWaitKind or SpanKind
  double from, to;
} Span;

typedef CAKE_VEC(Span) Track;

struct CakeCostTracks {
  const CakeCostTimeline *timeline;
  Track *tracks; // instances, then resources
  size_t n_instances;
};

static const CakeCostResource drawn[] = {CAKE_COST_TENSOR, CAKE_COST_PORT, CAKE_COST_L2, CAKE_COST_DRAM};

// ---- Keeping -----------------------------------------------------------------------------------------------------------------------

void cake_cost_tracks_init(CakeCostSm *sm, const CakeCostTimeline *timeline) {
  if (!timeline) return;
  sm->tracks = CAKE_ARENA_NEW(sm->arena, CakeCostTracks);
  sm->tracks->timeline = timeline;
  sm->tracks->n_instances = sm->n_ctas * sm->ctas[0].sim.n_machines;
  sm->tracks->tracks = CAKE_ARENA_ARRAY(sm->arena, Track, sm->tracks->n_instances + CAKE_COUNT(drawn));
}

void cake_cost_tracks_fini(CakeCostSm *sm) {
  for (size_t i = 0; sm->tracks && i < sm->tracks->n_instances + CAKE_COUNT(drawn); i++)
    CAKE_VEC_FINI(&sm->tracks->tracks[i]);
}

bool cake_cost_tracks_need(const CakeCostSm *sm) {
  return sm->tracks && sm->now < sm->tracks->timeline->last;
}

// Spans that follow one another are one.
static void add_span(const CakeCostSm *sm, Track *track, int kind, double from, double to) {
  const CakeCostTimeline *timeline = sm->tracks->timeline;
  if (sm->skipped > 0 || to <= timeline->first || from >= timeline->last || to <= from) return;
  if (from < timeline->first) from = timeline->first;
  if (to > timeline->last) to = timeline->last;
  Span *before = track->len ? &track->data[track->len - 1] : NULL;
  if (before && before->kind == kind && before->to == from)
    before->to = to;
  else
    CAKE_PUSH(track, ((Span){kind, from, to}));
}

void cake_cost_tracks_instance(CakeCostSm *sm, size_t number, const CakeCostInstance *instance, double from,
                               double to) {
  if (!sm->tracks || instance->activity == CAKE_COST_ENDED || instance->activity == CAKE_COST_READY) return;
  int kind = instance->activity == CAKE_COST_WORKING ? SPAN_WORKS : (int)instance->kind;
  add_span(sm, &sm->tracks->tracks[number], kind, from, to);
}

void cake_cost_tracks_resource(CakeCostSm *sm, const CakeCostUnit *unit, CakeCostResource resource, double from,
                               double to) {
  if (unit != &sm->units[0]) return;
  for (size_t i = 0; sm->tracks && i < CAKE_COUNT(drawn); i++)
    if (drawn[i] == resource) add_span(sm, &sm->tracks->tracks[sm->tracks->n_instances + i], SPAN_BUSY, from, to);
}

// ---- Drawing -----------------------------------------------------------------------------------------------------------------------

static double x_of(const CakeCostTimeline *timeline, double cycle) {
  return LEFT + WIDTH * (cycle - timeline->first) / (timeline->last - timeline->first);
}

static void draw_text(CakeBuf *out, double x, int y, const char *anchor, CakeStr text) {
  cake_buf_printf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
  cake_svg_text(text, out);
  cake_buf_text(out, "</text>\n");
}

static void draw_track(const CakeCostTimeline *timeline, const Track *track, int row, CakeStr name) {
  int y = TOP + row * ROW;
  draw_text(timeline->svg, LEFT - 8, y + BAR - 4, "end", name);
  for (size_t i = 0; i < track->len; i++) {
    const Span *span = &track->data[i];
    double from = x_of(timeline, span->from), to = x_of(timeline, span->to);
    cake_buf_printf(timeline->svg,
                    "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>%s, cycles %.0f to "
                    "%.0f</title></rect>\n",
                    from, y, to - from, BAR, looks[span->kind].colour, looks[span->kind].text, span->from, span->to);
  }
}

static void draw_axis(const CakeCostTimeline *timeline, int height) {
  for (int i = 0; i <= TICKS; i++) {
    double cycle = timeline->first + (timeline->last - timeline->first) * i / TICKS, x = x_of(timeline, cycle);
    CakeBuf text = {0};
    cake_buf_printf(&text, "%.0f", cycle);
    cake_buf_printf(timeline->svg, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#e4e4e4\"/>\n", x,
                    TOP - 6, x, height - MARGIN);
    draw_text(timeline->svg, x, TOP - 10, "middle", cake_buf_view(&text));
    cake_buf_fini(&text);
  }
}

static void draw_legend(CakeBuf *out) {
  for (int i = 0; i < SPAN_KINDS; i++) {
    cake_buf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                    MARGIN + i * (LEGEND + 20), MARGIN, looks[i].colour);
    draw_text(out, MARGIN + 17 + i * (LEGEND + 20), MARGIN + 11, "start", cake_str(looks[i].text));
  }
}

static void name_of(const CakeCostSm *sm, size_t number, CakeBuf *out) {
  const CakeCostCta *cta = &sm->ctas[number / sm->ctas[0].sim.n_machines];
  const CakeSimMachine *machine = &cta->sim.machines[number % sm->ctas[0].sim.n_machines];
  if (sm->n_ctas > 1) cake_buf_printf(out, "CTA %zu ", number / sm->ctas[0].sim.n_machines);
  if (cta->launch.cluster > 1) cake_buf_printf(out, "rank %lld ", (long long)machine->rank);
  cake_buf_printf(out, "@%s", machine->program->name->text);
  if (machine->program->replicas > 1) cake_buf_printf(out, " %lld", (long long)machine->instance);
}

void cake_cost_tracks_draw(CakeCostSm *sm) {
  if (!sm->tracks) return;
  const CakeCostTimeline *timeline = sm->tracks->timeline;
  size_t n_roles = sm->tracks->n_instances < MOST_TRACKS ? sm->tracks->n_instances : MOST_TRACKS;
  int rows = (int)(n_roles + CAKE_COUNT(drawn)), height = TOP + rows * ROW + MARGIN, width = LEFT + WIDTH + 40;
  CakeBuf *out = timeline->svg;
  cake_buf_printf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      width, height, width, height);
  draw_legend(out);
  draw_axis(timeline, height);
  for (size_t i = 0; i < n_roles; i++) {
    CakeBuf name = {0};
    name_of(sm, i, &name);
    draw_track(timeline, &sm->tracks->tracks[i], (int)i, cake_buf_view(&name));
    cake_buf_fini(&name);
  }
  for (size_t i = 0; i < CAKE_COUNT(drawn); i++)
    draw_track(timeline, &sm->tracks->tracks[sm->tracks->n_instances + i], (int)(n_roles + i),
               cake_str(cake_cost_resource_name(drawn[i])));
  cake_buf_text(out, "</svg>\n");
}
