"""Compares the functions of two modules as texts."""
import re
import subprocess
import sys

KINDS = ("same", "value", "only mlir-opt folds", "only cake-opt folds", "poison", "form")


def run(command, text):
    done = subprocess.run(command + ["-"], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command} ends with {done.returncode}: {done.stderr[:2000]}")
    return done.stdout


def functions(text):
    """The printed body of each function by its name, with the constants where they are used: their order does not matter."""
    found = re.finditer(r"^  func\.func @(\w+)\(.*?\{\n(.*?)^  \}", text, re.M | re.S)
    return {match.group(1): without_constants(match.group(2)) for match in found}


def without_constants(body):
    """Values are numbered anew, in the order of the lines that are left."""
    names, lines = {}, []
    for line in body.split("\n"):
        made = re.match(r"(\s*)(%\d+)((?::\d+)? = )(.*)", line)
        text = re.sub(r"%\d+\b", lambda match: names.get(match.group(), match.group()), made.group(4) if made else line)
        if made and text.startswith("arith.constant "):
            names[made.group(2)] = f"({text.removeprefix('arith.constant ')})"
            continue
        if made:
            names[made.group(2)] = f"%{len(lines)}"
            text = f"{made.group(1)}%{len(lines)}{made.group(3)}{text}"
        lines.append(text)
    return "\n".join(lines)


def ops(body):
    return [op for op in re.findall(r"^\s*(?:%\S+ = )?\"?([a-z_]+\.\w+|return)", body, re.M) if op not in ("arith.constant", "return")]


def kind(mlir, cake):
    """One of KINDS."""
    if mlir == cake:
        return "same"
    if "ub.poison" in mlir:
        return "poison"
    theirs, ours = ops(mlir), ops(cake)
    if not theirs and not ours:
        return "value"
    if not theirs or len(theirs) < len(ours):
        return "only mlir-opt folds"
    return "only cake-opt folds" if len(ours) < len(theirs) else "form"


def both(args, flags, text, ours=()):
    """{name: (body by mlir-opt, body by cake-opt)} after the passes that the flags name; what mlir-opt prints is printed by cake-opt.
    `ours`: passes of cake-opt that both results go through."""
    mlir = run([args.mlir_opt, *flags, "--mlir-print-op-generic"], text)
    mlir = functions(run([args.cake_opt, "--allow-unregistered-dialect", *ours], mlir))
    cake = functions(run([args.cake_opt, *flags, *ours], text))
    return {name: (mlir.get(name), cake.get(name)) for name in mlir.keys() | cake.keys()}
