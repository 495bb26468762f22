#!/usr/bin/env python3
"""No kernel that the protocol checker proves hangs or races in the simulator.

  agree.py BIN [SCHEDULES [WITH_NUMBERS]]    10,000 random schedules a kernel without numbers, 100 with numbers and watched for races

BIN is the folder of cake-run (a release build). As many kernels at once as there are processors. Prints a table in Markdown; exit 1 when a schedule
fails or a kernel of bench/kernels is missing here.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels")
GEMM = "--size M=100,N=136,K=%d --in a=random --in b=random"
KMEANS = "--size B=1,N=140,K=%d --param D=64 --in x=random --in c=random --in c2=random"
RUNS = (
    ("gemm", GEMM % 200),
    ("gemm_cluster", GEMM % 200),
    ("gemm_naive", GEMM % 200),
    ("gemm_nn", GEMM % 200),
    ("gemm_tn", GEMM.replace("100", "104") % 200),
    ("gemm_f16", GEMM % 200),
    ("gemm_fp8", GEMM % 208 + " --in scale=1.0"),
    ("gemm_tf32", GEMM % 132),
    ("gemm_sm80", GEMM % 200),
    ("gemm_bias_act", GEMM % 200 + " --kernel @gemm_bias_relu --in bias=random"),
    ("gemm_bias_act", GEMM % 200 + " --kernel @gemm_bias_gelu --in bias=random"),
    ("gemm_sm100", GEMM % 200),
    ("kmeans_assign_naive", KMEANS % 300),
    ("kmeans_assign_sm80", KMEANS % 300),
    ("kmeans_assign", KMEANS % 700),
    ("kmeans_assign_finite", KMEANS % 700),
    ("kmeans_assign_score", KMEANS % 700 + " --kernel @kmeans_assign_score"),
    ("kmeans_assign_score", KMEANS % 13 + " --kernel @kmeans_assign_small"),
    ("kmeans_assign_sm100", KMEANS % 700),
    ("rmsnorm", "--size R=3 --in x=random --in w=random --in eps=0.001"),
    ("softmax", "--size R=3 --in x=random"),
)


def run(binaries, name, options, more):
    """Seconds of CPU time; None: it failed."""
    command = [os.path.join(binaries, "cake-run"), os.path.join(KERNELS, name + ".cake"), "--level", "gpu"]
    with open(os.devnull, "w") as nothing:
        child = subprocess.Popen(command + options.split() + more, stdout=nothing)
        _, status, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime if status == 0 else None


def row(binaries, name, options, many, few):
    out = "label" if name.startswith("kmeans") else "c" if name.startswith("gemm") else "y"
    seconds = run(binaries, name, options, ["--protocol", "--schedules", many])
    numbers = run(binaries, name, options, ["--races", "--schedules", few, "--out", out + "=" + os.devnull])
    shown = options.split("@")[1].split()[0] if "@" in options else name
    cells = (shown, many, "%d" % (int(many) / seconds)) if seconds is not None else (shown, "**failed**", "")
    return seconds is not None and numbers is not None, cells + (few if numbers is not None else "**failed**",)


def missing():
    """Kernels of the corpus that no run names."""
    named = {options.split("@")[1].split()[0] if "@" in options else name for name, options in RUNS}
    for name in sorted(os.listdir(KERNELS)):
        with open(os.path.join(KERNELS, name)) as source:
            kernels = re.findall(r"^cake\.kernel @(\w+)", source.read(), re.M)
        yield from (kernel for kernel in (kernels if len(kernels) > 1 else [name[:-len(".cake")]]) if kernel not in named)


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    many = sys.argv[2] if len(sys.argv) > 2 else "10000"
    few = sys.argv[3] if len(sys.argv) > 3 else "100"
    lacking = list(missing())
    if lacking:
        sys.exit("no run of " + ", ".join(lacking))
    failed = False
    print("| kernel | schedules without numbers | a second of CPU time | with numbers, races watched |\n| --- | --- | --- | --- |")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [pool.submit(row, sys.argv[1], name, options, many, few) for name, options in RUNS]
        for done in rows:
            is_fine, cells = done.result()
            failed = failed or not is_fine
            print("| %s | %s | %s | %s |" % cells, flush=True)
    sys.exit(1 if failed else 0)


main()
