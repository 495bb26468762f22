"""A product with few tiles and a long K, cut along K (gemm_splitk.cake), against cuBLAS and against gemm.cake, side by side on one GPU.

    python3 bench/peers/splitk.py [--kernels DIR] [--sizes 512x512x65536,…]

--kernels is what bench/peers/build wrote. C += A·Bᵀ in f32. The kernel adds to C, so that a product alone needs zeros first: it is timed with
and without them. Before timing, C + A·Bᵀ of fresh data is compared with fp64 in every element: within the bound of docs/contracts.md, exit 1 otherwise.
"""

import argparse
import glob
import os
import re
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
from launch import Kernel  # noqa: E402

SIZES = "512x512x65536,1024x1024x16384"
CHECKED = "512x512x65536,1024x1024x16384,1000x776x4104,130x260x20000,8x8x8"


def make(m, n, k, seed):
    source = torch.Generator(device="cuda").manual_seed(seed)
    a, b = (torch.randn(r, k, device="cuda", generator=source).to(torch.bfloat16) for r in (m, n))
    return a, b, torch.randn(m, n, device="cuda", generator=source)


def distance(kernel, parts, m, n, k):
    """The largest distance from fp64, as a part of what is allowed."""
    a, b, c = make(m, n, k, 2)
    first = c.double()
    want, terms = first + a.double() @ b.double().T, a.double().abs() @ b.double().abs().T
    kernel.bind(dict(a=a, b=b, c=c, M=m, N=n, K=k))()
    torch.cuda.synchronize()
    allowed = k * 2.0**-23 * terms + (parts + 1) * 2.0**-24 * (first.abs() + terms)
    return ((c.double() - want).abs() / allowed).max().item()


def check(kernels):
    wrong = 0
    for title, (kernel, parts) in kernels.items():
        for size in CHECKED.split(","):
            part = distance(kernel, parts, *map(int, size.split("x")))
            print(f"{title} {size}: the largest error is {part:.3g} of what is allowed")
            wrong += not part <= 1  # NaN, too
    return wrong


def run(args, kernels, m, n, k):
    a, b, c = make(m, n, k, 1)
    plain = torch.empty(m, n, dtype=torch.bfloat16, device="cuda")
    variants = {}
    for title, (kernel, _) in kernels.items():
        launch = kernel.bind(dict(a=a, b=b, c=c, M=m, N=n, K=k))
        variants[title] = launch
        variants[f"{title}, zeros first"] = lambda launch=launch: (c.zero_(), launch())
    gemm = os.path.join(args.kernels, "gemm")
    if os.path.exists(gemm + ".so"):
        variants["Cake gemm"] = Kernel(gemm).bind(dict(a=a, b=b, c=plain, M=m, N=n, K=k))
    variants["torch.matmul (cuBLAS), bf16"] = lambda: torch.matmul(a, b.T, out=plain)
    times = measure.compare(variants, rounds=args.rounds)
    measure.report(f"C += A·Bᵀ {m}×{n}×{k}", times, min(kernels, key=lambda title: measure.interval(times[title].cold)[0]), 2.0 * m * n * k)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", default="build/peers")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    kernels = {}
    for path in sorted(glob.glob(os.path.join(args.kernels, "gemm_splitk_p*.so"))):
        stem = os.path.splitext(path)[0]
        kernels["Cake " + os.path.basename(stem)] = Kernel(stem), int(re.search(r"_p(\d+)", stem)[1])
    if not kernels:
        sys.exit(f"no gemm_splitk_p*.so in {args.kernels}")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    wrong = check(kernels)
    for size in args.sizes.split(","):
        run(args, kernels, *(int(s) for s in size.split("x")))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
