// Machine files: limits, clocks, rates, bandwidths and latencies of a device, from XML (analysis/machines/*.xml).
//
// The file's structure is that of machine.rng, which is compiled in and checks it; which figures there are, and their units, is figures.def.
// The files of this folder are compiled in too, and are read by name.
#ifndef CAKE_ANALYSIS_MACHINES_MACHINE_H
#define CAKE_ANALYSIS_MACHINES_MACHINE_H

#include "cake/context.h"

CAKE_BEGIN_C

typedef enum CakeFigure {
#define FIGURE(row, ...) CAKE_FIGURE_##row,
#include "analysis/machines/figures.def"
#undef FIGURE
  CAKE_FIGURE_COUNT
} CakeFigure;

typedef struct CakeMachine {
  CakeStr name;   // "NVIDIA H200"
  CakeStr target; // of its code: "sm_90a"
  double figures[CAKE_FIGURE_COUNT];
  CakeStr sources[CAKE_FIGURE_COUNT]; // where each is from
  size_t n_estimates;                 // figures whose source is "estimate"
} CakeMachine;

// Reads a machine by name ("h200") or from the file of that path. Strings live as long as the context. False: reported with the line (COST_MACHINE).
CAKE_NODISCARD bool cake_machine_read(CakeContext *context, CakeStr name_or_path, CakeMachine *out);
// The same of a text; `name` is the file's in messages.
CAKE_NODISCARD bool cake_machine_parse(CakeContext *context, CakeStr name, CakeStr text, CakeMachine *out);

CAKE_END_C
#endif
