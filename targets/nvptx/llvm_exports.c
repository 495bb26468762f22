// Keeps the LLVM-C functions of llvm_api.def in libcake_nvptx.so.
//
// LLVM comes as static archives, from which a linker takes only what something names. This table names what we use;
// the library's version script exports the same names, and --gc-sections drops the rest.
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

typedef void (*CakeLlvmFunction)(void);

// Visible in the object file, not in the library's export list.
extern const CakeLlvmFunction cake_llvm_functions[];
extern const unsigned cake_llvm_function_count;

const CakeLlvmFunction cake_llvm_functions[] = {
#define LLVM_FN(name) (CakeLlvmFunction)(name),
#include "targets/nvptx/llvm_api.def"
#undef LLVM_FN
};

const unsigned cake_llvm_function_count = sizeof cake_llvm_functions / sizeof cake_llvm_functions[0];
