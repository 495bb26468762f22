"""Kernels that bench/peers/build wrote: C files of cake-translate --emit=c, compiled to a shared library each."""

import ctypes
import re

import torch


class Refused(Exception):
    """The library refused a launch; nothing was started."""


class Kernel:
    """A family of kernels: NAME.so, and NAME.h with its prototype."""

    def __init__(self, stem):
        self.name = stem.rsplit("/", 1)[-1]
        with open(f"{stem}.h", encoding="utf-8") as header:
            prototype = re.search(r"^int (\w+)\((.*), void \*stream, char \*error, size_t error_bytes\);", header.read(), re.M)
        self.parameters = [p.rsplit(" ", 1) for p in prototype[2].replace("*", "* ").split(", ")]
        self.parameters = [(kind.replace("const ", "").replace(" ", ""), name) for kind, name in self.parameters]
        self.function = getattr(ctypes.CDLL(f"{stem}.so"), prototype[1])
        self.function.restype = ctypes.c_int

    def bind(self, values):
        """A function that launches on torch's current stream. values: name → tensor or number; names that the kernel lacks are ignored."""
        kinds = {"void*": ctypes.c_void_p, "int64_t": ctypes.c_int64, "float": ctypes.c_float, "int32_t": ctypes.c_int32}
        bound = []
        for kind, name in self.parameters:
            value = values[name]
            bound.append(kinds[kind](value.data_ptr() if isinstance(value, torch.Tensor) else value))
        error = ctypes.create_string_buffer(512)

        def launch():
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            if self.function(*bound, stream, error, ctypes.c_size_t(len(error))) != 0:
                raise Refused(f"{self.name}: {error.value.decode()}")

        return launch
