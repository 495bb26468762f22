# How lit runs tests/lit: tools of the build tree first on PATH, features for what a machine may lack.
#
# Run through the site configuration that CMake writes:  lit build/check/tests/lit
#   %cake_src     root of the source tree
#   %cake_build   root of the build tree
#   %cake_path    the PATH of the tests
#   REQUIRES:     nvptx (built with LLVM 22), cost (built with libxml2), ptxas, mlir-opt, asan (a sanitised tree), release
import os

import lit.formats

config.name = "cake"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cake", ".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.cake_src, "tests", "lit")
config.test_exec_root = os.path.join(config.cake_build, "tests", "lit")

# The build's tools, then LLVM's test tools, then ptxas from where CMake found it.
llvm_tools = os.environ.get("CAKE_LLVM_TOOLS", "/usr/lib/llvm-22/bin")
path = [os.path.join(config.cake_build, "bin"), llvm_tools]
if config.cake_ptxas:
    config.available_features.add("ptxas")
    path.append(os.path.dirname(config.cake_ptxas))
if config.cake_mlir_opt:
    config.available_features.add("mlir-opt")
    path.append(os.path.dirname(config.cake_mlir_opt))
if config.cake_has_nvptx:
    config.available_features.add("nvptx")
if os.path.exists(os.path.join(config.cake_build, "bin", "cake-cost")):
    config.available_features.add("cost")
config.available_features.add("asan" if config.cake_build_type == "Debug" else "release")
config.environment["PATH"] = os.pathsep.join(path + [os.environ.get("PATH", "")])

config.substitutions.append(("%cake_src", config.cake_src))
config.substitutions.append(("%cake_build", config.cake_build))
config.substitutions.append(("%cake_path", config.environment["PATH"]))

# A sanitiser's report must never pass as the error that `not` waits for: it aborts, and `not` fails on a signal.
config.environment["ASAN_OPTIONS"] = "detect_leaks=1:abort_on_error=1:strict_string_checks=1"
config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:abort_on_error=1:print_stacktrace=1"
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"

# One minute a test, where this machine's lit can end a test at all.
supported, _ = lit_config.maxIndividualTestTimeIsSupported
if supported:
    lit_config.maxIndividualTestTime = 60
