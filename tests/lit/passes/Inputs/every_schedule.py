"""Applies each schedule pass alone to kernels of a folder, and runs what it made against the kernel.

    every_schedule.py FOLDER PREFIX FIRST LAST      those whose names are from FIRST to LAST

Fails when a pass ends with an error, changes a kernel and remarks that it did not, does neither, or when results differ.
"""

import os
import re
import subprocess
import sys

# What cake-run needs to run a kernel on random inputs, and its output. Sizes that no tile divides, where the kernel may have such.
PRODUCT = "--in a=random --in b=random --size M=136,N=264,K={}", "c"
ASSIGN = "--in x=random --in c=random --in c2=random --size B=1,N=300,K=196", "label"
RUNS = {
    "gemm": PRODUCT, "gemm_cluster": PRODUCT, "gemm_naive": PRODUCT, "gemm_f16": PRODUCT, "gemm_nn": PRODUCT, "gemm_tn": PRODUCT, "gemm_tf32": PRODUCT,
    "gemm_sm80": PRODUCT,
    "gemm_fp8": (PRODUCT[0].replace("264", "272") + " --in scale=1.0", "c"),
    "kmeans_assign": ASSIGN, "kmeans_assign_finite": ASSIGN, "kmeans_assign_naive": ASSIGN, "kmeans_assign_sm80": ASSIGN,
    "softmax": ("--in x=random --size R=3", "y"),
    "rmsnorm": ("--in x=random --in w=random --in eps=0.00001 --size R=3", "y"),
}


def call(*words):
    return subprocess.run(words, text=True, capture_output=True)


def schedule_passes():
    """Those on one kernel that keep its contract: behind schedule-split-reduction it adds to what was there."""
    passes = re.findall(r"(--schedule-[\w-]+)", call("cake-opt", "--list-passes").stdout) or sys.exit("no schedule passes")
    return [name for name in passes if name not in ("--schedule-fuse-epilogue", "--schedule-split-reduction")]


def outcome(kernel, option, made, before):
    """What a pass did to a kernel; the text before is `before`."""
    done = call("cake-opt", kernel, option, "-o", made)
    if done.returncode:
        sys.exit(f"{kernel} {option}: {done.stderr}")
    with open(made, encoding="utf-8") as file:
        is_changed = file.read() != before
    is_missed = "remark: " + option[2:] + ": missed: " in done.stderr
    if not is_changed and not is_missed:
        sys.exit(f"{kernel} {option}: neither changed nor missed")
    return "applied" if is_changed else "missed"


def main():
    folder, prefix, first, last = sys.argv[1:]
    passes = schedule_passes()
    for entry in sorted(e for e in os.listdir(folder) if first <= e.removesuffix(".cake") <= last):
        name, kernel, made = entry.removesuffix(".cake"), f"{prefix}.cake", f"{prefix}.made.cake"
        call("cake-opt", os.path.join(folder, entry), "--cake-instantiate", "-o", kernel)
        with open(kernel, encoding="utf-8") as file:
            before = file.read()
        run = RUNS[name][0].format(144 if name == "gemm_fp8" else 136).split() if name in RUNS else None
        if run:
            output = RUNS[name][1]
            if call("cake-run", kernel, *run, "--out", f"{output}={prefix}.npy").returncode:
                sys.exit(f"{kernel} does not run")
        for option in passes:
            what = outcome(kernel, option, made, before)
            if what == "applied" and run:
                done = call("cake-run", made, *run, "--check", f"{output}={prefix}.npy")
                if done.returncode:
                    sys.exit(f"{name} {option}: {done.stdout}{done.stderr}")
                what += ", as before"
            print(f"{name} {option}: {what}")
    print("nothing else")


main()
