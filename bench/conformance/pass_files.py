"""What passes make of MLIR's own test files of these passes."""
import difflib
import os
import subprocess

import compare
import mlir_tests

# Options behind a pass go to both tools; `then` runs behind it in cake-opt, on what either has made.
FILES = (
    # pass, file below mlir/test, what follows
    ("canonicalize", "Dialect/Arith/canonicalize.mlir", []),
    ("canonicalize", "Dialect/ControlFlow/canonicalize.mlir", []),
    ("canonicalize", "Dialect/SCF/canonicalize.mlir", []),
    ("canonicalize", "Transforms/canonicalize.mlir", []),
    ("canonicalize", "Transforms/canonicalize-dce.mlir", []),
    ("control-flow-sink", "Transforms/control-flow-sink.mlir", []),
    ("convert-scf-to-cf", "Conversion/SCFToControlFlow/convert-to-cfg.mlir", ["--canonicalize"]),
    ("cse", "Transforms/cse.mlir", []),
    ("inline", "Transforms/inlining.mlir", []),
    ("inline=inlining-threshold=100", "Transforms/inlining-threshold.mlir", []),
    ("loop-invariant-code-motion", "Transforms/loop-invariant-code-motion.mlir", []),
    ("remove-dead-values=canonicalize=1", "Transforms/remove-dead-values.mlir", ["--canonicalize"]),
    ("sccp", "Transforms/sccp.mlir", []),
    ("sccp", "Transforms/sccp-callgraph.mlir", []),
    ("sccp", "Transforms/sccp-structured.mlir", []),
    ("symbol-dce", "Transforms/test-symbol-dce.mlir", []),
    ("symbol-privatize=exclude=aap", "Transforms/test-symbol-privatize.mlir", []),
)
OURS = {"remove-dead-values=canonicalize=1": "remove-dead-values"}


def run(command, text):
    done = subprocess.run([*command, "--allow-unregistered-dialect", "-"], input=text, capture_output=True)
    return done.stdout if done.returncode == 0 else None


def judge(args, name, then, text):
    """None: one of the tools does not take the text, or mlir-opt's pass fails. Else both results, as cake-opt prints them."""
    if run([args.cake_opt], text) is None:
        return None
    mlir = run([args.mlir_opt, f"--{name}", *then, "--mlir-print-op-generic"], text)
    mlir = mlir and run([args.cake_opt, *then], mlir)
    if not mlir:
        return None
    cake = run([args.cake_opt, f"--{OURS.get(name, name)}", "--print-op-generic"], text)
    cake = run([args.cake_opt, *then], cake) if cake else b"fails\n"
    return mlir.decode(errors="replace"), cake.decode(errors="replace")


def is_same(mlir, cake):
    """The order of constants does not matter."""
    return mlir == cake or compare.without_constants(mlir) == compare.without_constants(cake)


def compare_files(args, root, show):
    for name, path, then in FILES:
        if not os.path.exists(os.path.join(root, path)):
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="surrogateescape") as file:
            parts = mlir_tests.split(file.read())
        verdicts = [(line, judge(args, name, then, part.encode(errors="surrogateescape"))) for line, part in parts]
        read = [(line, both) for line, both in verdicts if both]
        same = sum(is_same(*both) for _, both in read)
        print(f"{name}, {path}: same {same} of {len(read)} chunks that both take, of {len(parts)}")
        for line, (mlir, cake) in [(line, both) for line, both in read if not is_same(*both)][:show]:
            lines = difflib.unified_diff(mlir.split("\n"), cake.split("\n"), "mlir-opt", "cake-opt", "", "", 2, "")
            print(f"  behind line {line}\n    " + "\n    ".join(lines))
