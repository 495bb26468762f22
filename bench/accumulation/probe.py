#!/usr/bin/env python3
"""How matrix instructions add: probes, one kernel an element type, that multiply one slice and show every accumulator.

  probe.py FOLDER [SLICES]    writes FORM.mlir and its inputs FORM.a.npy, FORM.b.npy, FORM.c.npy for each form
  probe.py --check FOLDER     compares the first slices of each FORM.d.npy with what an H200 gave (h200.txt)

D = A * B + C by one instruction, where operands and result lie in memory as the lanes hold them: A and B of wgmma as core
matrices of 8 rows of 16 bytes, C and D thread by thread; those of mma.sync register by register. So no other instruction has a
part in the result. docs/accumulation.md says what was found with them.
"""
import hashlib
import os
import random
import struct
import sys

# form: (element, significant bits, smallest and largest exponent, slices)
FORMS = {
    "wgmma_bf16": ("bf16", 8, -100, 100, 48),
    "wgmma_f16": ("f16", 11, -14, 15, 48),
    "wgmma_tf32": ("f32", 11, -100, 100, 48),
    "wgmma_e4m3": ("f8E4M3FN", 4, -6, 7, 48),
    "wgmma_e5m2": ("f8E5M2", 3, -14, 15, 48),
    "mma_bf16": ("bf16", 8, -100, 100, 768),
    "mma_f16": ("f16", 11, -14, 15, 768),
}
BYTES = {"bf16": 2, "f16": 2, "f32": 4, "f8E4M3FN": 1, "f8E5M2": 1}

HEAD = """gpu.module @probes {{
  gpu.func @probe(%a: !gpu.ptr<global>, %b: !gpu.ptr<global>, %c: !gpu.ptr<global>, %d: !gpu.ptr<global>, %t: index) attributes {{target = ["sm_90a"], arg_names = ["a", "b", "c", "d"], arg_types = [!cake.global<[T]x{a}x{e}, align 16>, !cake.global<[T]x{b}x{e}, align 16>, !cake.global<[T]x{c}xf32, align 16>, !cake.global<[T]x{c}xf32, align 16>], sizes = ["T"], grid = #cake.expr<T>, block = {block} : i64, shared_bytes = 4096 : i64}} {{
    %thread = gpu.thread_id x
    %cta = gpu.block_id x
    %tid = arith.index_cast %thread : index to i32
    %slice = arith.index_cast %cta : index to i32
"""


def constant(name, value, kind="i32"):
    return "    %%%s = arith.constant %d : %s\n" % (name, value, kind)


def place(name, base, slice_bytes, thread_bytes):
    """The address of this thread's part of an array."""
    return (constant(name + "_s", slice_bytes) + constant(name + "_t", thread_bytes) +
            "    %{0}_u = arith.muli %slice, %{0}_s : i32\n    %{0}_v = arith.muli %tid, %{0}_t : i32\n"
            "    %{0}_w = arith.addi %{0}_u, %{0}_v : i32\n    %{0} = gpu.ptr_add {1}, %{0}_w : !gpu.ptr<global>, i32\n"
            .format(name, base))


def wgmma(element):
    per_slice = 2048 // BYTES[element]
    text = HEAD.format(a=per_slice, b=per_slice, c=4096, e=element, block=128)
    text += "    %shared = gpu.shared_memory : !gpu.ptr<shared>\n" + constant("c16", 16) + constant("c2048", 2048)
    text += "    %at = arith.muli %tid, %c16 : i32\n    %sa = gpu.ptr_add %shared, %at : !gpu.ptr<shared>, i32\n"
    text += "    %sb = gpu.ptr_add %sa, %c2048 : !gpu.ptr<shared>, i32\n"
    text += place("pa", "%a", 2048, 16) + place("pb", "%b", 2048, 16) + place("pc", "%c", 16384, 128)
    text += place("pd", "%d", 16384, 128)
    for name in "ab":
        text += "    %v{0} = gpu.load %p{0} : !gpu.ptr<global> -> vector<4xi32>\n".format(name)
        text += "    gpu.store %v{0}, %s{0} : vector<4xi32>, !gpu.ptr<shared>\n".format(name)
    for i in range(8):
        text += constant("o%d" % i, 16 * i)
        text += "    %pc{0} = gpu.ptr_add %pc, %o{0} : !gpu.ptr<global>, i32\n".format(i)
        text += "    %c{0} = gpu.load %pc{0} : !gpu.ptr<global> -> vector<4xf32>\n".format(i)
    fours = ", ".join(["vector<4xf32>"] * 8)
    text += "    %acc = gpu.pack " + ", ".join("%%c%d" % i for i in range(8)) + " : %s -> vector<32xf32>\n" % fours
    text += "    gpu.fence_proxy_async\n    gpu.barrier\n"
    text += "    %address = gpu.shared_address %shared : !gpu.ptr<shared>\n    %wide = arith.extui %address : i32 to i64\n"
    text += constant("four", 4, "i64") + "    %start = arith.shrui %wide, %four : i64\n"
    # Core matrices of 8 rows of 16 bytes: 64 rows along K are 1024 bytes apart, 8 rows 128 bytes.
    text += constant("form", 1024 // 16 << 16 | 128 // 16 << 32, "i64") + constant("units", 2048 // 16, "i64")
    text += "    %da = arith.ori %start, %form : i64\n    %db = arith.addi %da, %units : i64\n"
    text += "    gpu.wgmma_fence\n    %pending = gpu.wgmma %da, %db, 64 into %acc : {0} -> vector<32xf32>\n".format(element)
    text += "    gpu.wgmma_commit\n    %done = gpu.wgmma_wait 0, %pending : vector<32xf32>\n"
    text += "    %r:8 = gpu.unpack %done : vector<32xf32> -> {0}\n".format(fours)
    for i in range(8):
        text += "    %pd{0} = gpu.ptr_add %pd, %o{0} : !gpu.ptr<global>, i32\n".format(i)
        text += "    gpu.store %r#{0}, %pd{0} : vector<4xf32>, !gpu.ptr<global>\n".format(i)
    return text + "    gpu.return\n  }\n}\n"


def mma(element):
    text = HEAD.format(a=256, b=128, c=128, e=element, block=32)
    text += place("pa", "%a", 512, 16) + place("pb", "%b", 256, 8) + place("pc", "%c", 512, 16)
    text += place("pd", "%d", 512, 16)
    text += "    %va = gpu.load %pa : !gpu.ptr<global> -> vector<8x{0}>\n".format(element)
    text += "    %vb = gpu.load %pb : !gpu.ptr<global> -> vector<4x{0}>\n".format(element)
    text += "    %vc = gpu.load %pc : !gpu.ptr<global> -> vector<4xf32>\n"
    text += "    %vd = gpu.mma %va, %vb, %vc : vector<8x{0}>, vector<4x{0}>, vector<4xf32>\n".format(element)
    text += "    gpu.store %vd, %pd : vector<4xf32>, !gpu.ptr<global>\n"
    return text + "    gpu.return\n  }\n}\n"


# ---- Inputs: rows of A and B along K, and accumulators ----------------------------------------------------------------


class Numbers:
    def __init__(self, seed, bits, low, high):
        self.random, self.bits, self.low, self.high = random.Random(seed), bits, low, high

    def operand(self, spread):
        exponent = max(self.low, min(self.high, self.random.randint(-spread, spread)))
        digits = self.random.randrange(1 << (self.bits - 1)) / (1 << (self.bits - 1))
        if self.high == 7 and exponent == 7:
            digits = min(digits, 0.75)  # e4m3 ends at 448, and 7 keeps products far from that
        return self.random.choice((-1, 1)) * (1 + digits) * 2.0 ** exponent

    def accumulator(self, low, high):
        digits = self.random.randrange(1 << 23) / (1 << 23)
        return self.random.choice((-1, 1)) * (1 + digits) * 2.0 ** self.random.randint(low, high)


def slice_of(numbers, number, rows, columns, depth):
    """Rows of A and of B, and C, of one of eight kinds."""
    kind, spread = number % 8, (0, 2, 5, 10, 3, 8, 4, 2)[number % 8]
    a = [[numbers.operand(spread) for _ in range(depth)] for _ in range(rows)]
    b = [[numbers.operand(spread) for _ in range(depth)] for _ in range(columns)]
    reach = (3, 6, 12, 24, 30, 0, 10, 4)[kind]
    c = [[numbers.accumulator(-reach, reach) for _ in range(columns)] for _ in range(rows)]
    if kind in (4, 6):  # one or two products
        kept = numbers.random.sample(range(depth), 1 if kind == 4 else 2)
        for row in a:
            row[:] = [value if k in kept else 0.0 for k, value in enumerate(row)]
    if kind == 5:
        c = [[0.0] * columns for _ in range(rows)]
    if kind == 7:  # products that cancel
        for matrix, sign in ((a, 1), (b, -1)):
            for row in matrix:
                for k in range(0, depth - 2, 2):
                    row[k + 1] = sign * row[k]
    return a, b, c


def core_matrices(rows, per_chunk):
    """Rows in the order of memory: 16 bytes of each row, then the next 16."""
    return [value for k in range(0, len(rows[0]), per_chunk) for row in rows for value in row[k:k + per_chunk]]


def accumulators(c, warps, columns):
    return [c[16 * w + l // 4 + 8 * (i // 2 % 2)][8 * (i // 4) + 2 * (l % 4) + i % 2]
            for w in range(warps) for l in range(32) for i in range(columns // 2)]


def mma_a(a):
    return [a[l // 4 + 8 * (i // 2 % 2)][2 * (l % 4) + 8 * (i // 4) + i % 2] for l in range(32) for i in range(8)]


def mma_b(b):
    return [b[l // 4][2 * (l % 4) + 8 * (i // 2) + i % 2] for l in range(32) for i in range(4)]


def write(path, slices):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(slices), len(slices[0]))
    header += " " * ((-len(header) - 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for values in slices:
            out.write(struct.pack("<%df" % len(values), *values))


def inputs(form, slices=None):
    """Lists of slices of A, B and C, as the kernel reads them."""
    element, bits, low, high, count = FORMS[form]
    numbers = Numbers(form, bits, low, high)
    out = ([], [], [])
    for number in range(slices or count):
        if form.startswith("wgmma"):
            a, b, c = slice_of(numbers, number, 64, 64, 32 // BYTES[element])
            per_chunk = 16 // BYTES[element]
            parts = core_matrices(a, per_chunk), core_matrices(b, per_chunk), accumulators(c, 4, 64)
        else:
            a, b, c = slice_of(numbers, number, 16, 8, 16)
            parts = mma_a(a), mma_b(b), accumulators(c, 1, 8)
        for values, part in zip(out, parts):
            values.append(part)
    return out


# ---- What was measured ------------------------------------------------------------------------------------------------

MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "h200.txt")
MEASURED_SLICES = 8  # one of each kind


def digest(path, form):
    """Of the first slices of a result, as bytes."""
    with open(path, "rb") as source:
        magic = source.read(10)
        source.read(magic[8] | magic[9] << 8)
        results = source.read(MEASURED_SLICES * 4 * (4096 if form.startswith("wgmma") else 128))
    return hashlib.sha256(results).hexdigest()


def check(folder):
    failed = 0
    with open(MEASURED) as lines:
        for form, wanted in (line.split() for line in lines):
            found = digest(os.path.join(folder, form + ".d.npy"), form)
            print("%s: %s" % (form, "as measured" if found == wanted else "other than measured"))
            failed += found != wanted
    sys.exit(1 if failed else 0)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        check(sys.argv[2])
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder, slices = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else None
    for form, (element, *_) in FORMS.items():
        with open(os.path.join(folder, form + ".mlir"), "w") as out:
            out.write(wgmma(element) if form.startswith("wgmma") else mma(element))
        for name, values in zip("abc", inputs(form, slices)):
            write(os.path.join(folder, "%s.%s.npy" % (form, name)), values)


if __name__ == "__main__":
    main()
