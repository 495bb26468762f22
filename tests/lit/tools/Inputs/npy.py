"""Writes .npy files for tests, without NumPy.

  npy.py array FILE TYPE SHAPE VALUE…      TYPE as in NumPy (f4, i4, …), SHAPE as 2x3 (or 'scalar'), values are repeated
  npy.py assign FOLDER B N K D [reversed]  x, c, c2 and label.npy of an assign step with small whole numbers, whose labels
                                           are exact and full of ties; reversed: the points in reverse order
"""
import os
import random
import struct
import sys

CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "b1": "?"}


def write(path, kind, shape, values):
    order = "|" if kind[1] == "1" else "<"
    header = "{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }" % (order, kind, tuple(shape))
    text = header.encode()
    text += b" " * (-(10 + len(text) + 1) % 64) + b"\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text)
        out.write(struct.pack("<%d%s" % (len(values), CODES[kind]), *values))


def array(path, kind, shape, *values):
    sizes = [] if shape == "scalar" else [int(n) for n in shape.split("x")]
    count = 1
    for n in sizes:
        count *= n
    read = float if kind[0] == "f" else int
    write(path, kind, sizes, [read(values[i % len(values)]) for i in range(count)])


def assign(folder, b, n, k, d, order=""):
    b, n, k, d = int(b), int(n), int(k), int(d)
    rng = random.Random(1)
    os.makedirs(folder, exist_ok=True)
    x = [[[rng.randint(-2, 2) for _ in range(d)] for _ in range(n)] for _ in range(b)]
    c = [[[rng.randint(-2, 2) for _ in range(d)] for _ in range(k)] for _ in range(b)]
    for batch in c:
        batch[k // 2] = batch[0]  # an exact tie: the smaller index must win
    if order:
        x = [batch[::-1] for batch in x]
    c2 = [[sum(v * v for v in row) for row in batch] for batch in c]

    def nearest(i, row):
        scores = [c2[i][j] - 2 * sum(p * q for p, q in zip(row, c[i][j])) for j in range(k)]
        return scores.index(min(scores))

    label = [[nearest(i, row) for row in x[i]] for i in range(b)]
    flat = lambda batches: [v for batch in batches for row in batch for v in row]
    write(os.path.join(folder, "x.npy"), "f4", (b, n, d), flat(x))
    write(os.path.join(folder, "c.npy"), "f4", (b, k, d), flat(c))
    write(os.path.join(folder, "c2.npy"), "f4", (b, k), [v for row in c2 for v in row])
    write(os.path.join(folder, "label.npy"), "i4", (b, n), [v for row in label for v in row])


{"array": array, "assign": assign}[sys.argv[1]](*sys.argv[2:])
