"""Runs a pipeline of cake-opt pass by pass on a kernel, and each result on the simulator.

    steps.py PREFIX KERNEL PASS,PASS{…},… -- ARGUMENTS OF cake-run

Fails when a pass remarks that it was missed, leaves the text as it was, or a result differs.
"""

import subprocess
import sys


def split(text):
    """The passes of a list; commas in braces belong to options."""
    passes, depth = [""], 0
    for c in text:
        depth += (c == "{") - (c == "}")
        if c == "," and not depth:
            passes.append("")
        else:
            passes[-1] += c
    return passes


def main():
    prefix, kernel, pipeline, _, *run = sys.argv[1:]
    passes = split(pipeline)
    with open(kernel, encoding="utf-8") as file:
        text = file.read()
    for i, name in enumerate(passes):
        step = f"{prefix}.{i}.cake"
        done = subprocess.run(
            ["cake-opt", "-", "-o", step, f"--pass-pipeline=builtin.module({name})"], input=text, text=True, capture_output=True
        )
        if done.returncode or "missed:" in done.stderr:
            sys.exit(f"{name}: {done.stderr}")
        with open(step, encoding="utf-8") as file:
            previous, text = text, file.read()
        if text == previous:
            sys.exit(f"{name} changed nothing")
        done = subprocess.run(["cake-run", step, *run], text=True, capture_output=True)
        if done.returncode:
            sys.exit(f"behind {name}: {done.stdout}{done.stderr}")
        print(f"{name}: {done.stdout.strip()}")
    print(f"{len(passes)} passes, each changed the kernel; all results as expected")


main()
