"""Cake's causal attention against PyTorch's scaled_dot_product_attention (its flash and cuDNN backends), side by side on one GPU.

    python3 bench/peers/attention.py [--kernels DIR] [--only NAME,…] [--sizes BxHxGxL,…]

--kernels is what bench/peers/build wrote. All sequences of a size have the same length, since that is what the peer takes; G heads of
keys and values serve H of queries. FLOP are counted as 2 · B · H · L² · 128, the half under the diagonal. After timing, fresh data are
compared with fp64 on a sample of rows.
"""

import argparse
import math
import os
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
from launch import Kernel  # noqa: E402

SIZES = "4x16x16x4096,2x16x16x8192,1x16x16x16384,8x16x4x2048,32x16x16x512"
D = 128


def make(b, h, g, length, seed):
    source = torch.Generator(device="cuda").manual_seed(seed)
    q, k, v = (torch.randn(b * length, heads, D, device="cuda", generator=source).to(torch.bfloat16) for heads in (h, g, g))
    o = torch.full_like(q, float("nan"))
    lse = torch.full((h, b * length), float("nan"), device="cuda")
    cu = torch.arange(b + 1, device="cuda", dtype=torch.int32) * length
    return dict(q=q, k=k, v=v, cu=cu, o=o, lse=lse, c=math.log2(math.e) / math.sqrt(D), T=b * length, H=h, G=g, S1=b + 1, LMAX=length)


def error(values, o, b, length, sample=64):
    """Relative Frobenius error of a sample of rows of the last sequence against fp64."""
    h, g, first = values["H"], values["G"], (b - 1) * length
    rows = torch.linspace(0, length - 1, min(sample, length), device="cuda").long()
    q = values["q"][first + rows].double().transpose(0, 1)
    k, v = (values[n][first:first + length].double().transpose(0, 1).repeat_interleave(h // g, 0) for n in "kv")
    scores = q @ k.transpose(1, 2) / math.sqrt(D)
    scores.masked_fill_(torch.arange(length, device="cuda")[None, None] > rows[None, :, None], float("-inf"))
    want = scores.softmax(-1) @ v
    got = o[first + rows].double().transpose(0, 1)
    return ((got - want).norm() / want.norm()).item()


def peers(values, b, length):
    shaped = {n: values[n].view(b, length, -1, D).transpose(1, 2) for n in "qkv"}
    gqa = values["H"] != values["G"]

    def with_backend(backend):
        def launch():
            with sdpa_kernel(backend):
                return scaled_dot_product_attention(shaped["q"], shaped["k"], shaped["v"], is_causal=True, enable_gqa=gqa)
        return launch

    made = {}
    for title, backend in ("SDPA cuDNN", SDPBackend.CUDNN_ATTENTION), ("SDPA flash", SDPBackend.FLASH_ATTENTION):
        launch = with_backend(backend)
        try:
            launch()
            made[title] = launch
        except RuntimeError as reason:
            print(f"{title}: {str(reason).splitlines()[0]}")
    return made


def kernels_for(args):
    """Kernels of --kernels: the one without a suffix first."""
    names = sorted(name[:-3] for name in os.listdir(args.kernels) if name.startswith("attention") and name.endswith(".so"))
    wanted = args.only.split(",") if args.only else names
    return {f"Cake {name}": Kernel(os.path.join(args.kernels, name)) for name in names if name in wanted}


def run(kernels, b, h, g, length, rounds):
    values = make(b, h, g, length, 1)
    variants = {title: kernel.bind(values) for title, kernel in kernels.items()} | peers(values, b, length)
    times = measure.compare(variants, rounds=rounds)
    measure.report(f"attention {b}×{h}/{g}×{length}", times, next(iter(kernels)), 2.0 * b * h * length * length * D)
    values = make(b, h, g, length, 2)
    for title, kernel in kernels.items():
        values["o"].fill_(float("nan"))
        kernel.bind(values)()
        torch.cuda.synchronize()
        print(f"{title}: relative error of fresh data against fp64 {error(values, values['o'], b, length):.3e}")
    for title, launch in peers(values, b, length).items():
        o = launch().transpose(1, 2).reshape(b * length, h, D)
        print(f"{title}: relative error of fresh data against fp64 {error(values, o, b, length):.3e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", default="build/peers")
    parser.add_argument("--only", help="names of kernels, by commas; without it all of --kernels that begin with attention")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    kernels = kernels_for(args)
    for size in args.sizes.split(","):
        run(kernels, *(int(s) for s in size.split("x")), args.rounds)


if __name__ == "__main__":
    main()
