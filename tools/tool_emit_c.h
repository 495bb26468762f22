// A family of compiled kernels as one C file and its header, which need nothing of Cake (cake-translate --emit=c).
#ifndef CAKE_TOOLS_TOOL_EMIT_C_H
#define CAKE_TOOLS_TOOL_EMIT_C_H

#include "cake/runtime.h"
#include "tools/tool.h"
#include "tools/tool_facts.h"

CAKE_BEGIN_C

// What is to be written. Everything is borrowed.
typedef struct CakeEmitC {
  CakeTool *tool;                // with the module loaded
  const CakeToolKernels *kernels; // of it, not instantiated: one, or those of a family
  const char *output;            // DIR/name: writes DIR/name.c and DIR/name.h
  const CakeToolPairs *variants; // template parameters of each variant, of each kernel that has them; of others the defaults
  size_t n_variants;
  const char *targets;       // "sm_90a,sm_80"; NULL: all of each kernel's
  bool with_ptx, with_cubin; // what is embedded; a cubin is tried first
} CakeEmitC;

// False: reported, and nothing is written.
CAKE_NODISCARD bool cake_tool_emit_c(const CakeEmitC *options);

// ---- Its parts -------------------------------------------------------------------------------------------------------

// One compiled variant.
typedef struct CakeCVariant {
  CakeFacts facts;
  CakeBuf ptx, cubin; // empty when not embedded
  CAKE_VEC(CakeVariantNeed) needs;
  CakeBuf note; // "D=64, sm_90a"
} CakeCVariant;

typedef struct CakeCFamily {
  const char *name;   // a C identifier: prefix of everything that is public
  const char *source; // file name, for the first line
  const CakeManifest *signature;
  const CakeCVariant *variants;
  size_t n_variants, n_kernels;
} CakeCFamily;

// The arguments and sizes that the kernels have in common, with those alignments and promises that every caller has to keep. False: reported.
CAKE_NODISCARD bool cake_c_signature(const CakeEmitC *options, CakeFacts *out);
// Brings the arguments of a lowered kernel, where arrays stand before scalars, into the signature's order.
void cake_c_order_arguments(const CakeManifest *signature, CakeFacts *facts);

// The code and the tables of one variant; those of all of them together.
void cake_c_write_variant(const CakeCFamily *family, size_t index, CakeBuf *out);
void cake_c_write_family(const CakeCFamily *family, CakeBuf *out);
void cake_c_write_header(const CakeCFamily *family, CakeBuf *out);
void cake_c_write_source(const CakeCFamily *family, CakeBuf *out);

CAKE_END_C
#endif
