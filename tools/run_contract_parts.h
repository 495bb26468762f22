// What the files of contracts share. Private to tools/run_contract_*.c.
#ifndef CAKE_TOOLS_RUN_CONTRACT_PARTS_H
#define CAKE_TOOLS_RUN_CONTRACT_PARTS_H

#include "tools/run_contract.h"

enum { CONTRACT_RANK = 8, CONTRACT_DEPTH = 64, CONTRACT_INDICES = 16, CONTRACT_SIZES = 16, CONTRACT_TILE = 65536 };

// ---- Formulas --------------------------------------------------------------------------------------------------------

typedef enum ContractKind {
  CONTRACT_NUMBER,
  CONTRACT_INDEX, // the number of an index
  CONTRACT_READ,  // an element of an argument or of a let; a scalar
  CONTRACT_SIZE,
  CONTRACT_ADD,
  CONTRACT_SUB,
  CONTRACT_MUL,
  CONTRACT_DIV,
  CONTRACT_NEG,
  CONTRACT_CALL,
  CONTRACT_MAX2,
  CONTRACT_MIN2,
  CONTRACT_SUM, // these over an index
  CONTRACT_MEAN,
  CONTRACT_MAX,
  CONTRACT_MIN,
  CONTRACT_MAXNUM,
  CONTRACT_MINNUM,
  CONTRACT_ARGMIN,
  CONTRACT_ARGMAX,
} ContractKind;

typedef struct ContractNode ContractNode;
struct ContractNode {
  ContractKind kind;
  CakeLoc loc;
  double number;
  CakeStr name;       // of what is read
  size_t which;       // bound: argument or size; of a CALL the function
  int32_t definition; // bound: of a let that is read; -1: an argument
  int32_t index;      // of INDEX and of reductions
  int32_t indices[CONTRACT_RANK];
  size_t n_indices;
  ContractNode *a, *b;
};

typedef enum ContractRole { CONTRACT_LET, CONTRACT_INPUT, CONTRACT_OUTPUT } ContractRole;

// One definition: its indices come first among those of its formula.
typedef struct ContractDefinition {
  ContractRole role;
  CakeLoc loc;
  CakeStr name;
  size_t n_own, n_indices;
  CakeStr index_names[CONTRACT_INDICES];
  CakeLoc index_locs[CONTRACT_INDICES];
  bool is_closed[CONTRACT_INDICES];  // behind its reduction: the name is free again
  int64_t extents[CONTRACT_INDICES]; // bound to a shape
  ContractNode *root;
  bool has_tolerance;
  double absolute, relative;
  int64_t parts;   // of an update, an output that is added to: how many sums are added; 0: another output
  size_t argument; // bound, of INPUT and OUTPUT
} ContractDefinition;

// ---- The rest --------------------------------------------------------------------------------------------------------

// A size is drawn from low, low + step, … high.
typedef struct ContractSize {
  CakeStr name;
  int64_t low, high, step;
  int64_t tile; // of `around`, in its statement; 0: none
} ContractSize;

typedef struct ContractShape {
  CakeLoc loc;
  ContractSize sizes[CONTRACT_SIZES];
  size_t n_sizes;
  unsigned inputs; // a bit a ContractInputs; 0: those of the contract
} ContractShape;

typedef struct ContractScalar {
  CakeLoc loc;
  CakeStr name, text;
} ContractScalar;

typedef enum ContractInputs {
  CONTRACT_NORMAL,
  CONTRACT_TIES,
  CONTRACT_WIDE,
  CONTRACT_LARGE,
  CONTRACT_SMALL,
  CONTRACT_DENORMAL,
  CONTRACT_ZEROS,
  CONTRACT_NONFINITE,
  CONTRACT_INPUTS_COUNT
} ContractInputs;

struct CakeContract {
  CakeContext *context;
  CakeArena *arena; // of nodes and texts
  CakeLoc loc;      // its beginning
  CakeStr kernel;
  CakeBuf params;
  unsigned inputs;             // a bit a ContractInputs
  int64_t sum_bits, sum_group; // what a matrix unit keeps behind the largest of so many terms; 0: sums of f32
  CAKE_VEC(ContractDefinition) definitions;
  CAKE_VEC(ContractShape) shapes;
  CAKE_VEC(ContractScalar) scalars;
};

const char *contract_inputs_name(ContractInputs inputs);
// The number of a function; SIZE_MAX: none.
size_t contract_function_find(CakeStr name);

// ---- Values ----------------------------------------------------------------------------------------------------------

// A number and a bound for the distance of what f32 arithmetic gives from it. An infinite bound: anything may come out.
typedef struct ContractValue {
  double value, error;
} ContractValue;

// The values of all lets and outputs for one case. Tables are owned by `storage`.
typedef struct ContractTables {
  const CakeContract *contract;
  const CakeRunArgs *args;
  CAKE_VEC(CakeBuf) storage; // one a definition: ContractValue each
  CAKE_VEC(CakeBuf) numbers; // one an argument, as far as it was read: double each
} ContractTables;

// Looks all names up. False: reported.
CAKE_NODISCARD bool contract_bind(CakeContract *contract, const CakeFacts *facts);
// Gives each index its extent for the arguments' shapes. False: reported.
CAKE_NODISCARD bool contract_bind_shape(CakeContract *contract, const CakeRunArgs *args);
// Whether it is an argmin or argmax: then each element has the terms that are compared, else the value alone.
bool contract_is_place(const ContractDefinition *definition);
size_t contract_count(const ContractDefinition *definition); // elements
size_t contract_terms(const ContractDefinition *definition); // of an element
// Computes a definition's table for the arguments as they are.
void contract_fill_table(ContractTables *tables, size_t definition);
// An element of it: one value, or its terms.
const ContractValue *contract_reference(const ContractTables *tables, size_t definition, size_t flat);
// The indices of an element.
void contract_place(const ContractDefinition *definition, size_t flat, int64_t *out_indices);
void contract_tables_fini(ContractTables *tables);

// ---- Inputs ----------------------------------------------------------------------------------------------------------

uint64_t contract_random(uint64_t *state);
void contract_fill_input(CakeRunArray *array, ContractInputs inputs, uint64_t *state);

// ---- Comparing -------------------------------------------------------------------------------------------------------

// Of rounding to an element's type; of integers no unit.
typedef struct ContractFormat {
  double half_unit, half_denormal, largest;
} ContractFormat;
ContractFormat contract_format_of(const CakeRunElement *element);

typedef struct ContractVerdict {
  size_t compared, undecided, wrong;
  size_t first_wrong; // flat
  double worst;
  double largest, smallest_tolerance; // of the reference's magnitudes; of what was allowed
} ContractVerdict;

// Fills an array with an output's reference, rounded to its type.
void contract_fill_output(const ContractTables *tables, size_t definition, CakeRunArray *array);
// Compares an array with an output's reference.
ContractVerdict contract_compare(const ContractTables *tables, size_t definition, const CakeRunArray *array);
// "1.25, but it is 1.5 ± 0.01".
void contract_describe(const ContractTables *tables, size_t definition, const CakeRunArray *array, size_t flat,
                       CakeBuf *out);

// ---- Checks ----------------------------------------------------------------------------------------------------------

// A shape with a kind of inputs: its arguments, and the references for them.
typedef struct ContractCase {
  const ContractShape *shape;
  ContractInputs inputs;
  CakeRunArgs args;
  ContractTables tables;
  CakeBuf sizes;           // "M = 130, N = 72"
  CAKE_VEC(CakeBuf) first; // an argument: what an update holds before a run; empty for the others
} ContractCase;

typedef struct ContractCheck {
  CakeContract *contract;
  const CakeFacts *facts;
  CakeContractRun run;
  void *user;
  CakeContractReport *report;
  uint64_t seed;
  ContractCase now;
  CAKE_VEC(bool) can_fail;    // a definition: a reference larger than its tolerance was seen
  CAKE_VEC(uint64_t) refused; // a definition: a bit a trivial candidate that was refused
} ContractCheck;

// Whether an argument is an output of the contract; bytes of an array.
bool contract_is_output(const ContractCheck *check, size_t argument);
bool contract_is_update(const ContractCheck *check, size_t argument); // an output that is added to
size_t contract_bytes(const CakeRunArray *array);

// Arguments and references for a shape and a kind of inputs, the same ones each time, in `check->now`. False: reported, and it holds nothing.
CAKE_NODISCARD bool contract_make_case(ContractCheck *check, size_t shape, ContractInputs inputs);
void contract_case_fini(ContractCase *of);
// Runs the kernel twice on the case and compares. False: reported.
CAKE_NODISCARD bool contract_run_case(ContractCheck *check);

// Tries what nobody computed as an output of the case.
void contract_try_candidates(ContractCheck *check, size_t definition);
// Whether all of it was refused in some case. False: reported.
CAKE_NODISCARD bool contract_can_fail(ContractCheck *check, size_t definition);

#endif
