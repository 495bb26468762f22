"""Flash-KMeans' assign step against FlashLib's and flash-kmeans' Triton kernels, side by side on one GPU.

    python3 bench/peers/kmeans.py --flashlib DIR --flash-kmeans DIR [--kernels DIR] [--shapes primary,…] [--tune]

DIR are checkouts of github.com/FlashML-org/flashlib and github.com/svg-project/flash-kmeans; --kernels is what
bench/peers/build wrote. Every side gets what the peers' API takes: x and c in bf16 and |c|² (and |x|²) in fp32.
--tune compiles and times every configuration of the peers' own tuning grids besides the one that their tables choose, and
compares with the fastest. After timing, labels on fresh data are compared with the argmin in fp64.
"""

import argparse
import concurrent.futures
import importlib
import multiprocessing
import os
import sys
import types

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
from launch import Kernel, Refused  # noqa: E402

SHAPES = {  # B, N, K, D
    "primary": (32, 65536, 1024, 128),
    "one-batch": (1, 1048576, 1024, 128),
    "k256-d64": (1, 1048576, 256, 64),
    "ragged": (32, 75600, 1000, 128),
    "k16384": (1, 65536, 16384, 128),
    "k4096-d64": (8, 262144, 4096, 64),
    "tiny": (1, 1024, 16, 64),
}
ROUNDOFF = 2.0**-23  # of one fp32 addition, relative to the sum of magnitudes


def make(shape, seed):
    """Normal points, centroids near points, duplicates among them; squared norms in fp32."""
    b, n, k, d = shape
    source = torch.Generator(device="cuda").manual_seed(seed)
    x = torch.randn(b, n, d, device="cuda", generator=source).bfloat16()
    rows = torch.randint(n, (b, k), device="cuda", generator=source)
    c = torch.gather(x, 1, rows[..., None].expand(b, k, d)).float()
    c = (c + 0.5 * torch.randn(b, k, d, device="cuda", generator=source)).bfloat16()
    c[:, k - k // 8 :] = c[:, : k // 8]  # exact ties: the smallest index must win
    x2 = torch.stack([(x[i].float() ** 2).sum(-1) for i in range(b)])
    return x, c, x2, (c.float() ** 2).sum(-1)


def check(x, c, c2, labels, chunk=8192, most=1 << 24):
    """(rows, wrong, near): labels that are not the fp64 argmin, and those within the fp32 bound of the best, of at most `most` rows."""
    rows = wrong = near = 0
    step = max(1, x.shape[0] * x.shape[1] // most)
    for i in range(x.shape[0]):
        cd, cn = c[i].double(), c2[i].double()
        for first in range(0, x.shape[1], chunk * step):
            xs = x[i, first : first + chunk].double()
            score = cn - 2 * (xs @ cd.T)
            best, index = score.min(1)  # the first of equal ones is not promised: find it
            index = (score == best[:, None]).int().argmax(1)
            got = labels[i, first : first + chunk].long()
            bad = got != index
            rows += len(got)
            if not bad.any():
                continue
            gap = (score.gather(1, got.clamp(0, c.shape[1] - 1)[:, None])[:, 0] - best)[bad]
            scale = 2 * (xs[bad].abs() @ cd.abs().T).amax(1) + cn.amax()
            is_near = (gap > 0) & (gap <= 2 * (c.shape[2] + 2) * ROUNDOFF * scale)
            near += int(is_near.sum())
            wrong += int((~is_near).sum())
    return rows, wrong, near


# ---- Peers -----------------------------------------------------------------------------------------------------------


def import_file_of(folder, name):
    """A module of a package without its parents' __init__, which may need more than the module does (CuTe DSL, here)."""
    parts = name.split(".")
    importlib.import_module(parts[0])
    for i in range(2, len(parts)):
        parent = types.ModuleType(".".join(parts[:i]))
        parent.__path__ = [os.path.join(folder, *parts[:i])]
        sys.modules.setdefault(parent.__name__, parent)
    return importlib.import_module(name)


def peer_functions(args):
    """name → function(x, c, x2, c2, out, config or None), and the module that has its tuning grid."""
    peers = {}
    if args.flashlib:
        sys.path.insert(0, args.flashlib)
        flashlib = import_file_of(args.flashlib, "flashlib.primitives.kmeans.triton.assign")

        def run(x, c, x2, c2, out, config):
            flashlib.euclid_assign_triton(x, c, out=out, c_sq=c2, config=config)

        peers["FlashLib"] = (run, flashlib)
    if args.flash_kmeans:
        sys.path.insert(0, args.flash_kmeans)
        import flash_kmeans.assign_euclid_triton as flash_kmeans

        def run_flash(x, c, x2, c2, out, config):
            flash_kmeans.euclid_assign_triton(x, c, x2, out=out, c_sq=c2, config=config)

        peers["flash-kmeans"] = (run_flash, flash_kmeans)
    return peers


def grid_of(module):
    return [dict(c.kwargs, num_warps=c.num_warps, num_stages=c.num_stages) for c in module._TUNE_CONFIGS]


def compile_one(job):
    """In a process of its own: compiles a configuration into Triton's cache; False if it does not run."""
    args, peer, shape, config = job
    b, n, k, d = shape
    x, c = (torch.empty(s, d, dtype=torch.bfloat16, device="cuda").view(b, -1, d) for s in (b * n, b * k))
    x2, c2 = (torch.empty(b, s, device="cuda") for s in (n, k))
    out = torch.empty(b, n, dtype=torch.int32, device="cuda")
    try:
        peer_functions(args)[peer][0](x, c, x2, c2, out, config)
        torch.cuda.synchronize()
        return True
    except Exception:  # out of shared memory, say: not a configuration of this shape
        return False


def tune(args, peer, function, module, shape, data):
    """The fastest configuration of the peer's grid on this shape."""
    configs = grid_of(module)
    jobs = [(args, peer, shape, config) for config in configs]
    with concurrent.futures.ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool:
        runs = list(pool.map(compile_one, jobs))
    flush = torch.zeros(measure.FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
    best = (float("inf"), None)
    for config, is_fine in zip(configs, runs):
        if not is_fine:
            continue
        launch = lambda: function(*data, config)  # noqa: E731
        launch()
        best = min(best, (sorted(measure.time_once(launch, flush) for _ in range(3))[1], configs.index(config)))
    return configs[best[1]]


# ---- Shapes ----------------------------------------------------------------------------------------------------------


def run_shape(args, name, shape):
    b, n, k, d = shape
    x, c, x2, c2 = make(shape, 1)
    out = torch.full((b, n), -1, dtype=torch.int32, device="cuda")
    values = dict(x=x, c=c, c2=c2, label=out, B=b, N=n, K=k, D=d)
    kernels = kernels_for(args, values)
    variants = {title: kernel.bind(values) for title, kernel in kernels}
    ours = next(iter(variants))
    for peer, (function, module) in peer_functions(args).items():
        data = (x, c, x2, c2, out)
        variants[f"{peer}, its table"] = lambda function=function, data=data: function(*data, None)
        if args.tune:
            config = tune(args, peer, function, module, shape, data)
            label = "/".join(str(v) for v in config.values())
            variants[f"{peer}, best of its grid: {label}"] = lambda f=function, a=data, g=config: f(*a, g)
    times = measure.compare(variants, rounds=args.rounds)
    measure.report(f"{name}: B{b} N{n} K{k} D{d}", times, ours, 2.0 * b * n * k * d)
    for title, kernel in kernels:
        x, c, _, c2 = make(shape, 2)
        out.fill_(-1)
        kernel.bind(values | dict(x=x, c=c, c2=c2))()
        torch.cuda.synchronize()
        rows, wrong, near = check(x, c, c2, out)
        print(f"{title}: {rows} labels of fresh data against fp64: {wrong} wrong, {near} near ties")


def kernels_for(args, values):
    """Kernels of --kernels that take the shape: name and handle."""
    found = []
    for entry in sorted(os.listdir(args.kernels)):
        stem, extension = os.path.splitext(entry)
        if extension != ".so" or not stem.startswith("kmeans_assign") or (args.only and args.only not in stem):
            continue
        kernel = Kernel(os.path.join(args.kernels, stem))
        try:
            kernel.bind(values)()
            found.append((f"Cake {stem}", kernel))
        except Refused as error:
            print(error)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flashlib")
    parser.add_argument("--flash-kmeans")
    parser.add_argument("--kernels", default="build/peers")
    parser.add_argument("--only", help="only kernels of Cake with this in their name")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=min(14, os.cpu_count()))
    parser.add_argument("--tune", action="store_true")
    args = parser.parse_args()
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    for name in args.shapes.split(","):
        run_shape(args, name, SHAPES[name])


if __name__ == "__main__":
    main()
