// Plugins: dialects, passes and verifier rules in a shared library that a tool loads (`cake-opt --load-pass-plugin=x.so`).
//
// A plugin is C, sees the headers of include/cake alone, and links nothing: the functions it calls are those of the program that loads
// it. It exports one function, `cake_plugin`, that describes it:
//
//   CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void) {
//     static const CakePlugin plugin = {CAKE_PLUGIN_HEAD, .name = "fixed", .version = "1.0", .passes = passes};
//     return &plugin;
//   }
//
// The head says which interface the plugin was compiled against: a number that goes up with every change of meaning, and a sum over the
// layouts of all structs that both sides look into. A program refuses a plugin whose head differs from its own; what stands in front of
// `name` never changes. docs/examples/plugin is a whole one.
#ifndef CAKE_PLUGIN_H
#define CAKE_PLUGIN_H

#include "cake/asm.h"
#include "cake/conversion.h"
#include "cake/edit.h"
#include "cake/symbol.h"

CAKE_BEGIN_C

#define CAKE_PLUGIN_ABI 2u

// A check over a whole module, run behind the built-in rules wherever a tool verifies. Reports and is false (cake_error_begin, CAKE_CODE_PLUGIN_RULE).
typedef struct CakePluginRule {
  const char *name;    // "fixed-shift"
  const char *summary; // one sentence: what it demands
  bool (*check)(CakeOp *module);
} CakePluginRule;

typedef struct CakePlugin {
  uint32_t abi;     // CAKE_PLUGIN_ABI
  uint32_t size;    // of this struct
  uint64_t layouts; // CAKE_PLUGIN_LAYOUTS
  const char *name, *version;            // of the plugin, for messages
  const CakeDialectDef *const *dialects; // NULL behind the last; may be NULL, as the two below
  const CakePassDef *passes;             // a NULL name behind the last
  const CakePluginRule *rules;           // a NULL name behind the last
} CakePlugin;

// The sum over the layouts: sizes of the structs whose fields a plugin reads or fills in.
#define CAKE_PLUGIN_MIX(sum, type) ((sum) * UINT64_C(131) + sizeof(type))
#define CAKE_PLUGIN_LAYOUTS_IR \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(UINT64_C(1) + offsetof(CakeOp, results), CakeValue), CakeBlock), struct CakeTypeStorage)
#define CAKE_PLUGIN_LAYOUTS_ROWS \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_LAYOUTS_IR, CakeOpDef), CakeOperandDef), CakeAttrRow), CakeRegionDef)
#define CAKE_PLUGIN_LAYOUTS_DEFS \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_LAYOUTS_ROWS, CakeDialectDef), CakeTypeDef), CakeAttrDef), CakeEffect)
#define CAKE_PLUGIN_LAYOUTS_PASSES \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_LAYOUTS_DEFS, CakePassDef), CakePassContext), CakeRewriter), CakeBuild)
#define CAKE_PLUGIN_LAYOUTS_HOOKS \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_LAYOUTS_PASSES, CakeFold), CakeInference), CakeAsmDirective), CakeListener)
#define CAKE_PLUGIN_LAYOUTS_TABLES \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_LAYOUTS_HOOKS, CakePassOption), CakeAnalysisDef), CakePattern), CakePluginRule)
#define CAKE_PLUGIN_LAYOUTS_REWRITES \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_LAYOUTS_TABLES, CakeGreedyOptions), CakeTypeConverter), CakeConversionPattern), CakeConversionOptions)
// Numbers of diagnostic codes change with every new one.
#define CAKE_PLUGIN_LAYOUTS \
  CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_MIX(CAKE_PLUGIN_LAYOUTS_REWRITES, CakePrintOptions), CakeRewriteNative), CakeRewriteArg), char[CAKE_CODE_COUNT])
#define CAKE_PLUGIN_HEAD .abi = CAKE_PLUGIN_ABI, .size = sizeof(CakePlugin), .layouts = CAKE_PLUGIN_LAYOUTS

#if defined(__GNUC__) || defined(__clang__)
#define CAKE_PLUGIN_VISIBLE __attribute__((visibility("default")))
#else
#define CAKE_PLUGIN_VISIBLE
#endif
#ifdef __cplusplus
#define CAKE_PLUGIN_EXPORT extern "C" CAKE_PLUGIN_VISIBLE
#else
#define CAKE_PLUGIN_EXPORT CAKE_PLUGIN_VISIBLE
#endif

typedef const CakePlugin *(*CakePluginFn)(void); // of the symbol `cake_plugin`

CAKE_END_C
#endif
