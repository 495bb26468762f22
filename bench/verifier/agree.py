#!/usr/bin/env python3
"""No kernel that the protocol checker proves hangs or races in the simulator.

  agree.py BIN [SCHEDULES [WITH_NUMBERS]]    10,000 random schedules a kernel without numbers, 100 with numbers and watched for races

BIN is the folder of cake-run (a release build). Prints a table in Markdown; exit 1 when a schedule fails.
"""
import os
import resource
import subprocess
import sys

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels")
GEMM = "--size M=100,N=136,K=%d --in a=random --in b=random"
KMEANS = "--size B=1,N=140,K=%d --param D=64 --in x=random --in c=random --in c2=random"
RUNS = (
    ("gemm", GEMM % 200),
    ("gemm_nn", GEMM % 200),
    ("gemm_tn", GEMM.replace("100", "104") % 200),
    ("gemm_fp8", GEMM % 208 + " --in scale=1.0"),
    ("gemm_tf32", GEMM % 132),
    ("gemm_sm80", GEMM % 200),
    ("gemm_bias_act", GEMM % 200 + " --kernel @gemm_bias_relu --in bias=random"),
    ("gemm_bias_act", GEMM % 200 + " --kernel @gemm_bias_gelu --in bias=random"),
    ("kmeans_assign_naive", KMEANS % 300),
    ("kmeans_assign_sm80", KMEANS % 300),
    ("kmeans_assign", KMEANS % 700),
    ("kmeans_assign_finite", KMEANS % 700),
    ("rmsnorm", "--size R=3 --in x=random --in w=random --in eps=0.001"),
    ("softmax", "--size R=3 --in x=random"),
)


def run(binaries, name, options, more):
    """Seconds of CPU time; None: it failed."""
    command = [os.path.join(binaries, "cake-run"), os.path.join(KERNELS, name + ".cake"), "--level", "gpu"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command + options.split() + more, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        print(result.stderr, file=sys.stderr)
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    many = sys.argv[2] if len(sys.argv) > 2 else "10000"
    few = sys.argv[3] if len(sys.argv) > 3 else "100"
    failed = False
    print("| kernel | schedules without numbers | a second of CPU time | with numbers, races watched |\n| --- | --- | --- | --- |")
    for name, options in RUNS:
        out = "label" if name.startswith("kmeans") else "c" if name.startswith("gemm") else "y"
        seconds = run(sys.argv[1], name, options, ["--protocol", "--schedules", many])
        numbers = run(sys.argv[1], name, options, ["--races", "--schedules", few, "--out", out + "=" + os.devnull])
        failed = failed or seconds is None or numbers is None
        shown = options.split("@")[1].split()[0] if "@" in options else name
        print("| %s | %s | %s | %s |" % (shown, many if seconds else "**failed**",
                                         "%d" % (int(many) / seconds) if seconds else "", few if numbers else "**failed**"),
              flush=True)
    sys.exit(1 if failed else 0)


main()
