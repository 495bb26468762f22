// Types and attributes: uniqued in their context, so that equality is `==`.
//
// A type (attribute) is a definition plus a list of parameters; each parameter is a number, an identifier, a type or an attribute.
// Generic code (uniquing, substitution, walking) needs to know nothing else. Accessors of the builtin ones are below.
#ifndef CAKE_TYPE_H
#define CAKE_TYPE_H

#include "cake/location.h"

CAKE_BEGIN_C

typedef const struct CakeTypeStorage *CakeType;
typedef struct CakeTypeDef CakeTypeDef;
typedef struct CakeAttrDef CakeAttrDef;
typedef struct CakeParser CakeParser;
typedef struct CakePrinter CakePrinter;

typedef enum CakeParamKind {
  CAKE_PARAM_INT,    // i (also enumerators, flags and the bits of a double)
  CAKE_PARAM_ID,     // id: text or raw bytes
  CAKE_PARAM_TYPE,   // type; may be NULL
  CAKE_PARAM_ATTR,   // attr; may be NULL
  CAKE_PARAM_DIGITS, // digits: bytes of dense elements that are still digits of a text; `cake_attr_string_value` reads them
} CakeParamKind;

typedef struct CakeParam {
  CakeParamKind kind;
  union {
    int64_t i;
    CakeId id;
    CakeType type;
    CakeAttr attr;
    struct CakeDigits *digits;
  };
} CakeParam;

static inline CakeParam cake_param_int(int64_t i) { CakeParam p = {CAKE_PARAM_INT, {0}}; p.i = i; return p; }
static inline CakeParam cake_param_id(CakeId id) { CakeParam p = {CAKE_PARAM_ID, {0}}; p.id = id; return p; }
static inline CakeParam cake_param_type(CakeType type) { CakeParam p = {CAKE_PARAM_TYPE, {0}}; p.type = type; return p; }
static inline CakeParam cake_param_attr(CakeAttr attr) { CakeParam p = {CAKE_PARAM_ATTR, {0}}; p.attr = attr; return p; }

struct CakeTypeStorage {
  const CakeTypeDef *def;
  CakeContext *context;
  uint32_t id : 31;       // dense, in order of creation
  uint32_t may_alias : 1; // it, or something inside, is printed by an alias
  uint32_t count;         // parameters
  CakeParam params[];
};

struct CakeAttrStorage {
  const CakeAttrDef *def;
  CakeContext *context;
  uint32_t id : 31;
  uint32_t may_alias : 1;
  uint32_t count;
  CakeParam params[];
};

typedef enum CakeTypeTraits {
  CAKE_TYPE_LINEAR = 1 << 0, // values are used up exactly once on every path
  CAKE_TYPE_VIEW = 1 << 1,   // values borrow memory: no block arguments, no iter operands, no yields
} CakeTypeTraits;

// A kind of type, as constant data. `name` has no dialect ("global"); it prints as `!dialect.name<…>`.
struct CakeTypeDef {
  const char *name;
  const CakeDialectDef *dialect;
  unsigned traits; // CakeTypeTraits
  const char *summary;
  const char *description; // Markdown
  const char *syntax;      // for the reference: "`<` dims elt (`,` …)* `>`"
  // Behind the name; builtin types are parsed and printed by ir/text itself. NULL: no parameters.
  bool (*parse)(CakeParser *parser, CakeType *out);
  void (*print)(CakePrinter *printer, CakeType type);
  const char *fix; // what to do with a value of it where another type is wanted, for messages; NULL: nothing to say
};

struct CakeAttrDef {
  const char *name;
  const CakeDialectDef *dialect;
  const char *summary;
  const char *description;
  const char *syntax;
  bool (*parse)(CakeParser *parser, CakeAttr *out);
  void (*print)(CakePrinter *printer, CakeAttr attr);
};

// The uniqued type (attribute) of these parameters.
CakeType cake_type_get(CakeContext *context, const CakeTypeDef *def, const CakeParam *params, size_t count);
CakeAttr cake_attr_get(CakeContext *context, const CakeAttrDef *def, const CakeParam *params, size_t count);


static inline bool cake_type_is_linear(CakeType type) { return (type->def->traits & CAKE_TYPE_LINEAR) != 0; }
static inline bool cake_type_is_view(CakeType type) { return (type->def->traits & CAKE_TYPE_VIEW) != 0; }

// Rewrites types and attributes inside out: `map_*` may replace one (return it unchanged otherwise). Either may be NULL.
typedef struct CakeSubstitution {
  CakeType (*map_type)(void *user, CakeType type);
  CakeAttr (*map_attr)(void *user, CakeAttr attr);
  void *user;
} CakeSubstitution;
CakeType cake_type_substitute(CakeType type, const CakeSubstitution *substitution);
CakeAttr cake_attr_substitute(CakeAttr attr, const CakeSubstitution *substitution);

// ---- Builtin types -------------------------------------------------------------------------------------------------

typedef enum CakeSign { CAKE_SIGNLESS, CAKE_SIGNED, CAKE_UNSIGNED } CakeSign;

typedef enum CakeFloat { // in the order of the rows
#define FLOAT_TYPE(enumerator, text, bits) CAKE_FLOAT_##enumerator,
#include "cake/float_types.def"
#undef FLOAT_TYPE
  CAKE_FLOAT_COUNT
} CakeFloat;

#define CAKE_DYNAMIC INT64_MIN // a `?` size

extern const CakeTypeDef cake_type_def_integer, cake_type_def_float, cake_type_def_index, cake_type_def_none, cake_type_def_function,
    cake_type_def_tuple, cake_type_def_complex, cake_type_def_vector, cake_type_def_tensor, cake_type_def_unranked_tensor,
    cake_type_def_memref, cake_type_def_unranked_memref, cake_type_def_opaque;

CakeType cake_type_integer(CakeContext *context, uint32_t width, CakeSign sign);
CakeType cake_type_i1(CakeContext *context);
CakeType cake_type_i32(CakeContext *context);
CakeType cake_type_i64(CakeContext *context);
CakeType cake_type_float(CakeContext *context, CakeFloat kind);
CakeType cake_type_f32(CakeContext *context);
CakeType cake_type_index(CakeContext *context);
CakeType cake_type_none(CakeContext *context);
CakeType cake_type_function(CakeContext *context, const CakeType *inputs, size_t n_inputs, const CakeType *results, size_t n_results);
CakeType cake_type_tuple(CakeContext *context, const CakeType *types, size_t count);
CakeType cake_type_complex(CakeContext *context, CakeType element);
// `scalable` may be NULL (none is).
CakeType cake_type_vector(CakeContext *context, const int64_t *sizes, size_t rank, CakeType element, const bool *scalable);
// `encoding` may be NULL.
CakeType cake_type_tensor(CakeContext *context, const int64_t *sizes, size_t rank, CakeType element, CakeAttr encoding);
CakeType cake_type_unranked_tensor(CakeContext *context, CakeType element);
// `layout` and `space` may be NULL.
CakeType cake_type_memref(CakeContext *context, const int64_t *sizes, size_t rank, CakeType element, CakeAttr layout, CakeAttr space);
CakeType cake_type_unranked_memref(CakeContext *context, CakeType element, CakeAttr space);
// `!dialect.body`, kept verbatim.
CakeType cake_type_opaque(CakeContext *context, CakeId dialect, CakeId body);

static inline bool cake_type_is(CakeType type, const CakeTypeDef *def) { return type && type->def == def; }
bool cake_type_is_integer(CakeType type, uint32_t width); // signless, of that width (0: any width, any sign)
bool cake_type_is_float(CakeType type, CakeFloat kind);
bool cake_type_is_any_float(CakeType type);
bool cake_type_is_index(CakeType type);
uint32_t cake_type_width(CakeType type);   // bits of an integer or float; 0 for anything else (index too)
CakeSign cake_type_sign(CakeType type);    // of an integer
CakeFloat cake_type_float_kind(CakeType type); // CAKE_FLOAT_COUNT when it is none
const char *cake_float_name(CakeFloat kind);
// The bits of a float of that type, and back; NaNs keep their sign and as much of their payload as fits.
// False for f80, f128.
bool cake_float_has_encoding(CakeType type);
uint64_t cake_float_encode(CakeType type, double value);
double cake_float_decode(CakeType type, uint64_t bits);
// Of vector, tensor, memref. `rank` of anything else is -1.
int64_t cake_type_rank(CakeType type);
int64_t cake_type_dim(CakeType type, size_t index);
CakeType cake_type_element(CakeType type); // of shaped and complex types; a scalar's is itself
CakeAttr cake_type_encoding(CakeType type); // of a tensor; NULL when there is none
bool cake_type_is_scalable(CakeType vector, size_t index); // dimension `[4]`
CakeAttr cake_type_layout(CakeType memref); // NULL when there is none
CakeAttr cake_type_space(CakeType memref);  // of ranked and unranked; NULL when there is none
size_t cake_type_tuple_count(CakeType tuple);
CakeType cake_type_tuple_element(CakeType tuple, size_t index);
CakeId cake_type_opaque_dialect(CakeType opaque);
CakeId cake_type_opaque_body(CakeType opaque);
bool cake_type_is_shaped(CakeType type);
int64_t cake_type_count(CakeType type); // elements of a static shape; CAKE_DYNAMIC otherwise
CakeType cake_type_with_element(CakeType type, CakeType element); // same shape (and encoding); scalars become `element`
size_t cake_type_function_inputs(CakeType type);
size_t cake_type_function_results(CakeType type);
CakeType cake_type_function_input(CakeType type, size_t index);
CakeType cake_type_function_result(CakeType type, size_t index);

// ---- Builtin attributes --------------------------------------------------------------------------------------------

typedef struct CakeNamedAttr {
  CakeId name;
  CakeAttr value;
} CakeNamedAttr;

extern const CakeAttrDef cake_attr_def_unit, cake_attr_def_integer, cake_attr_def_float, cake_attr_def_string, cake_attr_def_symbol_ref,
    cake_attr_def_type, cake_attr_def_array, cake_attr_def_dictionary, cake_attr_def_dense_array, cake_attr_def_dense_elements,
    cake_attr_def_location, cake_attr_def_verbatim, cake_attr_def_opaque, cake_attr_def_wide_integer, cake_attr_def_strided,
    cake_attr_def_distinct, cake_attr_def_dense_strings, cake_attr_def_dense_resource, cake_attr_def_sparse_elements;

CakeAttr cake_attr_unit(CakeContext *context);
CakeAttr cake_attr_bool(CakeContext *context, bool value); // 1 : i1
// `type` is an integer (≤ 64 bits) or index. Kept sign-extended from the type's width; zero-extended for i1 and unsigned types.
CakeAttr cake_attr_integer(CakeType type, int64_t value);
CakeAttr cake_attr_i64(CakeContext *context, int64_t value);
// `value` is rounded to `type`.
CakeAttr cake_attr_float(CakeType type, double value);
CakeAttr cake_attr_string(CakeContext *context, CakeStr text);
CakeAttr cake_attr_string_id(CakeContext *context, CakeId text);
CakeAttr cake_attr_symbol_ref(CakeContext *context, CakeId root, const CakeId *nested, size_t count);
CakeAttr cake_attr_type(CakeType type);
CakeAttr cake_attr_array(CakeContext *context, const CakeAttr *elements, size_t count);
// Sorted by name; a name must not occur twice.
CakeAttr cake_attr_dictionary(CakeContext *context, const CakeNamedAttr *entries, size_t count);
// array<i32: 1, 2>: `element` is i1, i8 … i64, f32 or f64; values are the element's bits, sign-extended.
CakeAttr cake_attr_dense_array(CakeType element, const int64_t *values, size_t count);
// dense<…> : type. `bytes` little-endian, elements padded to whole bytes; a splat has one element.
CakeAttr cake_attr_dense_elements(CakeType shaped, CakeStr bytes, bool splat);
// The same from numbers of the element's type, of at most 64 bits: one for all, or one for each element. And back: an element as a number. NULL: the type
// has no such numbers, or no static shape; the number is of another type; there is no such element.
CakeAttr cake_attr_dense_of(CakeType shaped, const CakeAttr *values, size_t count);
CakeAttr cake_attr_dense_value(CakeAttr dense, int64_t index);
// Integers of more than 64 bits: `digits` are decimal, with a sign.
CakeAttr cake_attr_wide_integer(CakeType type, CakeStr digits);
// strided<[…], offset: …>: CAKE_DYNAMIC is `?`.
CakeAttr cake_attr_strided(CakeContext *context, int64_t offset, const int64_t *strides, size_t count);
// distinct[n]<…>: different from any other, whatever it refers to.
CakeAttr cake_attr_distinct(CakeAttr referenced);
// dense<["a", "b"]> : type. `count` is 1 for all elements alike, or the type's.
CakeAttr cake_attr_dense_strings(CakeType shaped, const CakeId *strings, size_t count);
// dense_resource<key> : type: the elements stand in the file's metadata.
CakeAttr cake_attr_dense_resource(CakeType shaped, CakeId key);
// sparse<indices, values> : type, both dense elements.
CakeAttr cake_attr_sparse_elements(CakeType shaped, CakeAttr indices, CakeAttr values);
// Text of an attribute that Cake only carries (dense elements of more than 64 bits): printed as it was read.
CakeAttr cake_attr_verbatim(CakeContext *context, CakeStr text);
// `#dialect.body`, kept verbatim.
CakeAttr cake_attr_opaque(CakeContext *context, CakeId dialect, CakeId body);

static inline bool cake_attr_is(CakeAttr attr, const CakeAttrDef *def) { return attr && attr->def == def; }
CakeType cake_attr_value_type(CakeAttr attr); // of integer, float, dense elements, type (its value); NULL otherwise
int64_t cake_attr_int_value(CakeAttr attr);   // of an integer attribute
double cake_attr_float_value(CakeAttr attr);
CakeStr cake_attr_string_value(CakeAttr attr); // of a string, a verbatim or opaque attribute (its body); the bytes of dense elements
CakeId cake_attr_symbol_root(CakeAttr attr);   // of a symbol reference
CakeId cake_attr_symbol_nested(CakeAttr attr, size_t index); // the names behind the root; cake_attr_count says how many
bool cake_attr_is_splat(CakeAttr attr);        // dense elements that hold one element for all
bool cake_attr_is_elements(CakeAttr attr);     // of a shaped type, in any form: dense, sparse, a resource
CakeId cake_attr_opaque_dialect(CakeAttr attr);
size_t cake_attr_count(CakeAttr attr);         // elements of an array, dictionary, dense array; nested names of a symbol reference
CakeAttr cake_attr_element(CakeAttr array, size_t index);
int64_t cake_attr_dense_array_value(CakeAttr attr, size_t index);
// The sum of its first values. Asked for more and more of them, it goes on from the last time.
int64_t cake_attr_dense_array_sum(CakeAttr attr, size_t count);
CakeNamedAttr cake_attr_entry(CakeAttr dictionary, size_t index);
CakeAttr cake_attr_lookup(CakeAttr dictionary, CakeId name);      // NULL when absent; dictionary may be NULL
CakeAttr cake_attr_lookup_text(CakeAttr dictionary, const char *name);


CAKE_END_C
#endif
