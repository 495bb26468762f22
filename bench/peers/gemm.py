"""Cake's GEMM against cuBLAS (torch.matmul, torch._scaled_mm), side by side on one GPU.

    python3 bench/peers/gemm.py [--kernels DIR] [--sizes 8192x8192x8192,…]

--kernels is what bench/peers/build wrote. C = A·Bᵀ, both K-major, fp32 accumulation. After timing, the product of fresh
data is compared with fp64 on a sample of rows: relative Frobenius error of both sides.
"""

import argparse
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
from launch import Kernel  # noqa: E402

SIZES = "8192x8192x8192,4096x4096x4096,16384x16384x2048,8192x8192x1024"


def make(m, n, k, seed, dtype):
    source = torch.Generator(device="cuda").manual_seed(seed)
    a, b = (torch.randn(r, k, device="cuda", generator=source).to(dtype) for r in (m, n))
    return a, b, torch.full((m, n), float("nan"), dtype=dtype if dtype.itemsize == 2 else torch.bfloat16, device="cuda")


def error(a, b, c, sample=512):
    """Relative Frobenius error of a sample of rows against fp64."""
    rows = torch.linspace(0, a.shape[0] - 1, min(sample, a.shape[0]), device="cuda").long()
    want = a[rows].double() @ b.double().T
    return ((c[rows].double() - want).norm() / want.norm()).item()


def peer(dtype):
    if dtype == torch.float8_e4m3fn:
        one = torch.ones((), device="cuda")

        def scaled(a, b, c):
            torch._scaled_mm(a, b.T, one, one, out_dtype=torch.bfloat16, use_fast_accum=True, out=c)

        return "torch._scaled_mm, fast accumulation", scaled
    return "torch.matmul (cuBLAS)", lambda a, b, c: torch.matmul(a, b.T, out=c)


def run(args, m, n, k, dtype, prefix):
    a, b, c = make(m, n, k, 1, dtype)
    kernels = []
    for entry in sorted(os.listdir(args.kernels)):
        stem, extension = os.path.splitext(entry)
        is_one = stem == prefix or stem.startswith((prefix + "-", prefix + "_cluster"))
        if extension == ".so" and is_one and (not args.only or args.only in stem):
            kernels.append((f"Cake {stem}", Kernel(os.path.join(args.kernels, stem))))
    if not kernels:
        return
    values = dict(a=a, b=b, c=c, M=m, N=n, K=k, scale=1.0)
    variants = {title: kernel.bind(values) for title, kernel in kernels}
    title, function = peer(dtype)
    variants[title] = lambda: function(a, b, c)
    times = measure.compare(variants, rounds=args.rounds)
    measure.report(f"{prefix} {m}×{n}×{k}", times, kernels[0][0], 2.0 * m * n * k)
    for name, kernel in kernels + [(title, None)]:
        a, b, c = make(m, n, k, 2, dtype)
        kernel.bind(values | dict(a=a, b=b, c=c))() if kernel else function(a, b, c)
        torch.cuda.synchronize()
        print(f"{name}: relative error of fresh data against fp64 {error(a, b, c):.3e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", default="build/peers")
    parser.add_argument("--only", help="only kernels of Cake with this in their name")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    for size in args.sizes.split(","):
        run(args, *(int(s) for s in size.split("x")), torch.bfloat16, "gemm")
    run(args, 8192, 8192, 8192, torch.float16, "gemm_f16")
    run(args, 8192, 8192, 8192, torch.float8_e4m3fn, "gemm_fp8")


if __name__ == "__main__":
    main()
