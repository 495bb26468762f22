#!/usr/bin/env python3
"""Calls a Cake kernel from PyTorch, on torch's current stream, through ctypes.

    docs/examples/torch/kmeans_assign.py [BUILD]        BUILD: the build tree, build/release when not given

`cake-translate --emit=c` writes one C file and its header for the variants of a kernel; a plain C compiler makes a shared library of
them, which needs nothing of Cake. The kernel is then one C function: addresses, sizes, the stream. It is checked here against torch, also
inside of a CUDA graph, from a view that does not begin where its storage does, and with arguments that it must refuse.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

import torch

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def build(folder, tree):
    """The library of both variants, D = 64 and D = 128."""
    kernel = os.path.join(SOURCE, "bench/kernels/kmeans_assign.cake")
    base = os.path.join(folder, "kmeans_assign")
    subprocess.run([os.path.join(tree, "bin/cake-translate"), kernel, "--emit=c", "--variant", "D=64", "--variant",
                    "D=128,S=3", "-o", base], check=True)
    subprocess.run(["cc", "-std=c11", "-O2", "-shared", "-fPIC", "-o", base + ".so", base + ".c", "-ldl", "-lpthread"], check=True)
    library = ctypes.CDLL(base + ".so")
    # int kmeans_assign(x, c, c2, label, B, N, D, K, stream, error, error_bytes)
    library.kmeans_assign.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int64] * 4 + [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    return library


def assign(library, x, c):
    """For each point of x[B, N, D] the index of the nearest row of c[B, K, D]; both bf16."""
    for tensor in (x, c):
        if not (tensor.is_cuda and tensor.dtype == torch.bfloat16 and tensor.is_contiguous()):
            raise ValueError("x and c must be contiguous bfloat16 tensors on a GPU")
    (batch, points, width), clusters = x.shape, c.shape[1]
    c2 = c.float().square().sum(-1)
    label = torch.empty(batch, points, dtype=torch.int32, device=x.device)
    error = ctypes.create_string_buffer(512)
    with torch.cuda.device(x.device):
        stream = torch.cuda.current_stream().cuda_stream
        if library.kmeans_assign(x.data_ptr(), c.data_ptr(), c2.data_ptr(), label.data_ptr(), batch, points, width, clusters,
                                 stream, error, len(error)):
            raise ValueError(error.value.decode())
    return label


def reference(x, c):
    """The same in fp64: distances without |x|², which does not change the order."""
    distance = c.double().square().sum(-1)[:, None, :] - 2 * torch.einsum("bnd,bkd->bnk", x.double(), c.double())
    return distance.argmin(-1).int()


def whole(shape):
    """Small multiples of 1/4, whose products and sums are exact in fp32, so that both sides must agree on every label."""
    return (torch.randint(-16, 17, shape, device="cuda") / 4).bfloat16()


def main():
    if not torch.cuda.is_available():
        print("no GPU")
        return 77
    tree = sys.argv[1] if len(sys.argv) > 1 else os.path.join(SOURCE, "build/release")
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        library = build(folder, tree)
        for batch, points, clusters, width in ((1, 1, 1, 64), (2, 1000, 77, 64), (3, 4096, 256, 128)):
            x, c = whole((batch, points, width)), whole((batch, clusters, width))
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                label = assign(library, x, c)
            torch.cuda.current_stream().wait_stream(stream)
            assert torch.equal(label, reference(x, c)), "labels differ from torch's"
            print(f"B={batch} N={points} K={clusters} D={width}: labels equal torch's")

        view = whole((3, 500, 64))[1:]  # begins 64000 bytes behind its storage
        centres = whole((2, 50, 64))
        assert torch.equal(assign(library, view, centres), reference(view, centres))
        assert assign(library, view[:, :0].contiguous(), centres).numel() == 0

        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            captured = assign(library, view, centres)
        view.copy_(whole(tuple(view.shape)))
        graph.replay()
        assert torch.equal(captured, reference(view, centres)), "labels of the graph differ from torch's"
        print("view, empty tensor and CUDA graph: fine")

        for bad in (lambda: assign(library, whole((1, 8, 96)), whole((1, 8, 96))),  # no variant
                    lambda: assign(library, whole((1, 8, 64)), whole((1, 0, 64)))):  # the guard
            try:
                bad()
            except ValueError as refusal:
                print("refused:", refusal)
            else:
                raise AssertionError("a call that must be refused was not")
    return 0


if __name__ == "__main__":
    sys.exit(main())
