// A manifest with its memory: read from a cake.kernel (for the simulator), from a gpu.func, or from the XML that stands in
// front of a kernel's PTX.
#ifndef CAKE_TOOLS_TOOL_FACTS_H
#define CAKE_TOOLS_TOOL_FACTS_H

#include "cake/manifest.h"
#include "cake/op.h"

CAKE_BEGIN_C

typedef struct CakeFacts {
  CakeArena *arena; // owns all of the manifest
  CakeManifest manifest;
} CakeFacts;

// Each gives facts that `cake_facts_fini` gives back after true only. False: reported through the context. Those of a
// cake.kernel have no items, no tensor maps and no target.
CAKE_NODISCARD bool cake_facts_of_kernel(CakeOp *kernel, CakeFacts *out); // instantiated
// The arguments and sizes alone, of a kernel that need not be instantiated: template parameters in shapes are sizes.
CAKE_NODISCARD bool cake_facts_of_signature(CakeOp *kernel, CakeFacts *out);
// The same with the guard; all template parameters are sizes.
CAKE_NODISCARD bool cake_facts_of_template(CakeOp *kernel, CakeFacts *out);
CAKE_NODISCARD bool cake_facts_of_func(CakeOp *func, const char *target, CakeFacts *out);
// From XML, or from text that begins with it in comments; `name` stands for it in messages.
CAKE_NODISCARD bool cake_facts_of_manifest(CakeStr text, const char *name, CakeFacts *out, CakeBuf *error);
void cake_facts_fini(CakeFacts *facts);

// The argument of that name; SIZE_MAX when there is none. The same for sizes.
size_t cake_facts_find(const CakeFacts *facts, CakeStr name);
size_t cake_facts_find_size(const CakeFacts *facts, CakeStr name);

// "bf16"; and the element of that name, or of a type. False when there is none.
const char *cake_element_name(CakeElement element);
CAKE_NODISCARD bool cake_element_find(CakeStr name, CakeElement *out);
CAKE_NODISCARD bool cake_element_of_type(CakeType type, CakeElement *out);

// A formula in words of one token each: "B N 128 .ceildiv .mul". Reading needs the manifest's sizes.
void cake_formula_write(const CakeManifest *manifest, const CakeFormula *formula, CakeBuf *out);
CAKE_NODISCARD bool cake_formula_read(CakeArena *arena, const CakeManifest *manifest, CakeStr text, CakeFormula *out);

// The manifest as XML text.
void cake_manifest_write(const CakeManifest *manifest, CakeBuf *out);
// The same with "// " in front of each line, as it stands in a .ptx file.
void cake_manifest_comment(const CakeManifest *manifest, CakeBuf *out);

CAKE_END_C
#endif
