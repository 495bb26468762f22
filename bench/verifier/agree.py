#!/usr/bin/env python3
"""No kernel that the protocol checker proves hangs or races in the simulator.

  agree.py BIN [SCHEDULES [WITH_NUMBERS]]    10,000 random schedules a kernel without numbers, 100 with numbers and watched for races

  agree.py --corpus                          only looks whether every kernel is run

BIN is the folder of cake-run (a release build). As many kernels at once as there are processors. Prints a table in Markdown; exit 1 when a schedule
fails or a kernel of bench/kernels is missing here.
"""
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import tempfile

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
    ("gemm_splitk", GEMM % 600 + " --param P=2,T=192 --in c=random"),
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
    ("attention", "--size LMAX=300,T=300,H=2,G=1,S1=2 --in q=random --in k=random --in v=random --in cu=[0,300] --in c=0.1275"),
    ("recurrence", "--size LMAX=150,T=150,H=2,C=3,Q=1,S1=2 --in q=random --in k=random --in w=random --in u=random --in g=random --in s0=random"
                   " --in cu=[0,150] --in ch=[0]"),
)
OUTPUTS = {"attention": ("o", "lse"), "recurrence": ("o", "s1"), "rmsnorm": ("y",), "softmax": ("y",)}


def write_numbers(path, numbers):
    """32-bit integers as a .npy file."""
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % len(numbers)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%di" % len(numbers), *numbers))


def with_files(name, options, folder):
    """Arguments such as cu=[0,300] become files."""
    words = []
    for word in options.split():
        array = re.fullmatch(r"(\w+)=\[([\d,]+)\]", word)
        if array:
            path = os.path.join(folder, "%s-%s.npy" % (name, array.group(1)))
            write_numbers(path, [int(number) for number in array.group(2).split(",")])
            word = "%s=%s" % (array.group(1), path)
        words.append(word)
    return words


def run(binaries, name, options, more):
    """Seconds of CPU time; None: it failed."""
    command = [os.path.join(binaries, "cake-run"), os.path.join(KERNELS, name + ".cake"), "--level", "gpu"]
    with open(os.devnull, "w") as nothing:
        child = subprocess.Popen(command + options + more, stdout=nothing)
        _, status, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime if status == 0 else None


def shown_name(name, options):
    return options.split("@")[1].split()[0] if "@" in options else name


def row(binaries, name, options, many, few, folder):
    shown, words = shown_name(name, options), with_files(name, options, folder)
    outputs = OUTPUTS.get(name) or (("label",) if name.startswith("kmeans") else ("c",))
    outs = [word for output in outputs for word in ("--out", output + "=" + os.devnull)]
    seconds = run(binaries, name, words, ["--protocol", "--schedules", many])
    numbers = run(binaries, name, words, ["--races", "--schedules", few] + outs)
    cells = (shown, many, "%d" % (int(many) / seconds)) if seconds is not None else (shown, "**failed**", "")
    return seconds is not None and numbers is not None, cells + (few if numbers is not None else "**failed**",)


def missing():
    """Kernels of the corpus that no run names."""
    named = {shown_name(name, options) for name, options in RUNS}
    for name in sorted(os.listdir(KERNELS)):
        with open(os.path.join(KERNELS, name)) as source:
            kernels = re.findall(r"^cake\.kernel @(\w+)", source.read(), re.M)
        yield from (kernel for kernel in (kernels if len(kernels) > 1 else [name[:-len(".cake")]]) if kernel not in named)


def main():
    if len(sys.argv) not in (2, 3, 4) or not (sys.argv[1] == "--corpus" or os.path.exists(os.path.join(sys.argv[1], "cake-run"))):
        sys.exit(__doc__)
    if sys.argv[1] == "--corpus":
        sys.exit("".join("no run of %s\n" % name for name in missing()) or 0)
    many = sys.argv[2] if len(sys.argv) > 2 else "10000"
    few = sys.argv[3] if len(sys.argv) > 3 else "100"
    lacking = list(missing())
    if lacking:
        sys.exit("no run of " + ", ".join(lacking))
    failed = False
    print("| kernel | schedules without numbers | a second of CPU time | with numbers, races watched |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [pool.submit(row, sys.argv[1], name, options, many, few, folder) for name, options in RUNS]
        for done in rows:
            is_fine, cells = done.result()
            failed = failed or not is_fine
            print("| %s | %s | %s | %s |" % cells, flush=True)
    sys.exit(1 if failed else 0)


main()
