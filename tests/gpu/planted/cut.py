"""Kernels of the corpus with one op of their lowered form left out: what tests/gpu/sanitizers and tests/lit/simulator/gpu/planted.test run."""
import os
import subprocess
from collections import namedtuple

# No more steps than stages: a reader that waits for nothing would else lap the loader, which then waits for ever.
GEMM = "--in a=random --in b=random --size M=300,N=264,K=200 --out c=/dev/null"
SHORT = "--in a=random --in b=random --size M=300,N=264,K=128 --out c=/dev/null"
ASSIGN = "--in x=random --in c=random --in c2=random --size B=2,N=300,K=500 --out label=/dev/null"
ROWS = "--in x=random --size R=5 --out y=/dev/null"

# `number` counts the ops of that kind, from 0. `must`: the tool of compute-sanitizer that has to see it; None: to be printed.
Cut = namedtuple("Cut", "kernel options op number must what")
CUTS = (
    Cut("rmsnorm", "--in w=random --in eps=0.001 " + ROWS, "gpu.barrier", 1, "racecheck", "sums are read before all warps have written theirs"),
    Cut("softmax", ROWS, "gpu.barrier", 1, "racecheck", "maxima are read before all warps have written theirs"),
    Cut("softmax", ROWS, "gpu.barrier", 2, "racecheck", "sums are written where others may still read maxima"),
    Cut("gemm", GEMM, "gpu.mbarrier_wait", 0, None, "wgmma reads slots that TMA has not filled"),
    Cut("gemm", GEMM, "gpu.named_barrier", 1, None, "the store engine reads what other warps have not written"),
    Cut("gemm", GEMM, "gpu.named_barrier", 2, None, "warps write where the store engine still reads"),
    Cut("gemm", GEMM, "gpu.fence_proxy_async", 0, None, "the store engine does not see generic writes"),
    Cut("gemm_sm80", SHORT, "gpu.mbarrier_wait", 1, None, "ldmatrix reads slots that cp.async has not filled"),
    Cut("kmeans_assign", ASSIGN, "gpu.mbarrier_wait", 0, None, "ldmatrix reads points that TMA has not brought"),
    Cut("kmeans_assign", ASSIGN, "gpu.mbarrier_wait", 1, None, "wgmma and loads read centroids and norms that have not come"),
)


def name_of(cut):
    return "%s without %s %d" % (cut.kernel, cut.op, cut.number)


def make(cut, kernels, translate, folder):
    """The path of the kernel at the thread level, with the op left out."""
    path = os.path.join(folder, "%s-%s-%d.mlir" % (cut.kernel, cut.op, cut.number))
    command = [translate, os.path.join(kernels, cut.kernel + ".cake"), "--target", "sm_90a", "--emit", "gpu", "-o", path]
    subprocess.run(command, check=True)
    with open(path, encoding="utf-8") as source:
        lines = source.readlines()
    places = [i for i, line in enumerate(lines) if line.split()[:1] == [cut.op]]
    del lines[places[cut.number]]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path
